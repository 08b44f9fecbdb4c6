"""The checks of a run's events that did not pass."""

import dagster as dg

from assets.sources.assets import UP_TO_DATE
from assets.steps.keys import key_of
from pipelines.run import failures_of, list_checks

PANTRIES = key_of("core_town__pantries")


@dg.asset(
    key=PANTRIES,
    check_specs=[dg.AssetCheckSpec(name, asset=PANTRIES) for name in ("ages", UP_TO_DATE)],
)
def pantries():
    yield dg.MaterializeResult()
    for name in ("ages", UP_TO_DATE):
        yield dg.AssetCheckResult(
            check_name=name,
            passed=False,
            severity=dg.AssetCheckSeverity.WARN,
            description="2 rows",
        )


def test_checks_of_tables_warn_and_the_state_of_sources_is_elsewhere():
    events = dg.materialize([pantries]).all_events
    assert list_checks(events, dg.AssetCheckSeverity.WARN) == [
        "check ages of core_town__pantries: 2 rows"
    ]
    assert failures_of(events) == []
