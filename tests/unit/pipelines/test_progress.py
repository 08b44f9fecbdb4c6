"""One line for each step; the time left comes from earlier runs."""

from collections.abc import Iterator

import dagster as dg
import pytest

from pipelines.progress import progress_logger, step_seconds, time_left


def test_the_line_of_a_step_has_the_rows_of_its_main_table(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A step writes its main table last."""

    @dg.multi_asset(name="both", specs=[dg.AssetSpec("first"), dg.AssetSpec("second")])
    def both() -> Iterator[dg.MaterializeResult]:
        for rows, name in enumerate(("first", "second")):
            yield dg.MaterializeResult(asset_key=name, metadata={"dagster/row_count": 1 + rows})

    definitions = dg.Definitions(
        assets=[both],
        jobs=[dg.define_asset_job("everything")],
        loggers={"progress": progress_logger},
    )
    with caplog.at_level("INFO", "larder.build"):
        job = definitions.resolve_job_def("everything")
        assert job.execute_in_process(run_config={"loggers": {"progress": {}}}).success
    (line,) = [m for m in caplog.messages if "both" in m and " s  " in m]
    assert line.endswith("both: 2 rows")


def test_the_time_left_comes_from_the_longest_of_earlier_runs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @dg.asset
    def first() -> None: ...

    @dg.asset(deps=[first])
    def second() -> None: ...

    definitions = dg.Definitions(
        assets=[first, second],
        jobs=[dg.define_asset_job("everything")],
        loggers={"progress": progress_logger},
    )
    job = definitions.resolve_job_def("everything")
    with dg.DagsterInstance.ephemeral() as instance, caplog.at_level("INFO", "larder.build"):
        assert step_seconds(instance, "everything") == {}
        assert job.execute_in_process(instance=instance).success
        assert set(step_seconds(instance, "everything")) == {"first", "second"}
        config = {"steps": 2, "seconds": {"first": 1.0, "second": 240.0}}
        job.execute_in_process(
            instance=instance, run_config={"loggers": {"progress": {"config": config}}}
        )
    lines = [message.strip() for message in caplog.messages if " s  " in message]
    assert [line.split("  ")[0] for line in lines] == ["1/2", "2/2"]
    assert ["4 min left" in line for line in lines] == [True, False]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(4, ""), (6, "10 s left"), (44, "40 s left"), (89, "90 s left"), (150, "2 min left")],
)
def test_time_left_is_rounded(seconds: float, text: str) -> None:
    assert time_left(seconds) == text
