"""One line on stderr for every finished step of a build, as it happens."""

from __future__ import annotations

import logging

import dagster as dg

_LOG = logging.getLogger("larder.build")


class _Progress(logging.Handler):
    """Turns Dagster's events into lines; everything else that Dagster says is left out."""

    def __init__(self) -> None:
        super().__init__()
        self._tables: dict[str, dict[str, object]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        event: dg.DagsterEvent | None = getattr(record, "dagster_event", None)
        if event is None or event.step_key is None:
            return
        if event.is_step_materialization:
            metadata = event.step_materialization_data.materialization.metadata
            shown: dict[str, object] = {name: value.value for name, value in metadata.items()}
            # A step writes the table that it is known by last; it was skipped if all of them were.
            if not self._tables.get(event.step_key, shown).get("reused"):
                shown.pop("reused", None)
            self._tables[event.step_key] = shown
        elif event.is_step_success:
            facts = self._tables.pop(event.step_key, None)
            _LOG.info(step_line(event.step_key, event.step_success_data.duration_ms / 1000, facts))
        elif event.is_step_failure:
            _LOG.info(f"  failed  {event.step_key}")


def step_line(name: str, seconds: float, facts: dict[str, object] | None) -> str:
    """Format "  12.3 s  core_usda_snap__places: 330,000 rows". `facts` is the table's metadata;
    None for a check."""
    if facts is None:
        result = ""
    elif facts.get("reused"):
        result = ": unchanged"
    else:
        rows = facts.get("dagster/row_count")
        result = f": {rows:,} rows" if isinstance(rows, int) else ""
    return f"{seconds:6.1f} s  {name}{result}"


@dg.logger(None, description="One line per finished step on stderr.")
def progress_logger(init_context: dg.InitLoggerContext) -> logging.Logger:
    """Return the logger of a build from the command line."""
    found = logging.Logger("larder.progress", level=logging.DEBUG)
    found.addHandler(_Progress())
    return found
