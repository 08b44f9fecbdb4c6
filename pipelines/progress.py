"""Prints one line on stderr for every finished step of a build."""

import logging
import time
from collections.abc import Mapping

import dagster as dg

_LOG = logging.getLogger("larder.build")
_EARLIER_RUNS = 5


class Progress:
    """Turns Dagster's events into lines. `expected` are seconds of each step in earlier runs."""

    def __init__(self, steps: int, expected: Mapping[str, float]) -> None:
        self._tables: dict[str, dict[str, object]] = {}
        self._steps = steps
        self._done = 0
        # Earlier durations in seconds of the unfinished steps.
        self._expected = dict(expected)
        self._expected_in_all = sum(self._expected.values())
        self._started = time.monotonic()

    def show(self, event: dg.DagsterEvent) -> None:
        """Log a line when a step has ended."""
        if event.step_key is None:
            return
        if event.is_step_materialization:
            metadata = event.step_materialization_data.materialization.metadata
            # A step writes its main table last.
            self._tables[event.step_key] = {name: value.value for name, value in metadata.items()}
        elif event.is_step_success:
            facts = self._tables.pop(event.step_key, None)
            self._done += 1
            self._expected.pop(event.step_key, None)
            line = step_line(event.step_key, event.step_success_data.duration_ms / 1000, facts)
            _LOG.info(f"{self._position()}  {line}")
        elif event.is_step_failure:
            _LOG.info(f"{self._position()}  failed  {event.step_key}")

    def _position(self) -> str:
        """Return "34/118", with the time left if an earlier run recorded the durations of steps."""
        position = f"{self._done}/{self._steps}".rjust(2 * len(str(self._steps)) + 1)
        if not self._expected_in_all:
            return position
        seconds = sum(self._expected.values())
        elapsed = time.monotonic() - self._started
        # This machine may be slower than in earlier runs.
        pace = max(elapsed / (self._expected_in_all - seconds or elapsed), 1.0)
        return f"{position}  {time_left(seconds * pace):>12}"


def time_left(seconds: float) -> str:
    """Format "2 min left", "40 s left" (to ten seconds), or "" below five seconds."""
    if seconds < 5:
        return ""
    return (
        f"{seconds / 60:.0f} min left"
        if seconds >= 90
        else f"{max(round(seconds, -1), 10):.0f} s left"
    )


def step_line(name: str, seconds: float, facts: Mapping[str, object] | None) -> str:
    """Format " 12.3 s core_usda_snap__places: 330,000 rows"; `facts` None for a check."""
    rows = (facts or {}).get("dagster/row_count")
    result = f": {rows:,} rows" if isinstance(rows, int) else ""
    return f"{seconds:6.1f} s  {name}{result}"


def step_seconds(instance: dg.DagsterInstance, job: str) -> dict[str, float]:
    """Return seconds by step: the longest of a job's last five good runs."""
    filters = dg.RunsFilter(job_name=job, statuses=[dg.DagsterRunStatus.SUCCESS])
    durations: dict[str, float] = {}
    for run in instance.get_runs(filters, limit=_EARLIER_RUNS):
        for step in instance.get_run_step_stats(run.run_id):
            if step.start_time and step.end_time:
                seconds = step.end_time - step.start_time
                durations[step.step_key] = max(durations.get(step.step_key, 0.0), seconds)
    return durations


class _Events(logging.Handler):
    """Shows the progress of a run from Dagster's events and drops all other messages."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress

    def emit(self, record: logging.LogRecord) -> None:
        event: dg.DagsterEvent | None = getattr(record, "dagster_event", None)
        if event is not None:
            self._progress.show(event)


@dg.logger(
    {
        "steps": dg.Field(int, default_value=0, description="Steps of the run."),
        "seconds": dg.Field(dict, default_value={}, description="Seconds of each in earlier runs."),
    },
    description="One line per finished step on stderr.",
)
def progress_logger(init_context: dg.InitLoggerContext) -> logging.Logger:
    """Return the logger of a build from the command line."""
    logger = logging.Logger("larder.progress", level=logging.DEBUG)
    config = init_context.logger_config
    logger.addHandler(_Events(Progress(config["steps"], config["seconds"])))
    return logger
