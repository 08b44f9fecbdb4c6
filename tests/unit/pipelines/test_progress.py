"""A step of several tables is called unchanged only where all of them were skipped."""

from __future__ import annotations

from collections.abc import Iterator

import dagster as dg
import pytest

from pipelines.progress import progress_logger


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (True, True, ": unchanged"),
        (False, True, ": 2 rows"),
        (True, False, ": 2 rows"),
    ],
)
def test_the_line_of_a_step_is_about_all_its_tables(
    caplog: pytest.LogCaptureFixture, first: bool, second: bool, said: str
) -> None:
    @dg.multi_asset(name="both", specs=[dg.AssetSpec("first"), dg.AssetSpec("second")])
    def both() -> Iterator[dg.MaterializeResult]:
        for name, is_skipped in (("first", first), ("second", second)):
            facts = {"dagster/row_count": 2} | ({"reused": True} if is_skipped else {})
            yield dg.MaterializeResult(asset_key=name, metadata=facts)

    definitions = dg.Definitions(
        assets=[both],
        jobs=[dg.define_asset_job("everything")],
        loggers={"progress": progress_logger},
    )
    with caplog.at_level("INFO", "larder.build"):
        job = definitions.resolve_job_def("everything")
        assert job.execute_in_process(run_config={"loggers": {"progress": {}}}).success
    (line,) = [m for m in caplog.messages if "both" in m and " s  " in m]
    assert line.endswith(f"both{said}")
