"""Structured logs: one JSON object a line on standard output.

Nothing about a person is logged: no addresses, no query strings, no ZIP codes. A request that ends
well and quickly is not logged at all; `/metrics` counts it.
"""

import contextlib
import json
import logging
from datetime import UTC, datetime
from typing import Any


class _Output:
    """Writes lines to standard output. A line that cannot be written (full disk, closed pipe) is
    dropped; the caller continues."""

    def info(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            print(line, flush=True)

    debug = warning = error = critical = info


def make_logger(level: str) -> Any:
    """Return a logger that writes JSON lines at or above a level (debug, info, warning, error)."""
    # It imports Rich, which the process that starts the workers can do without.
    import structlog  # noqa: PLC0415
    from structlog.processors import ExceptionRenderer  # noqa: PLC0415
    from structlog.tracebacks import ExceptionDictTransformer  # noqa: PLC0415

    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    return structlog.wrap_logger(
        _Output(),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Local variables contain search inputs.
            ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
    )


class JsonLines(logging.Formatter):
    """Formats the server's own messages (starting, stopping) like our lines."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        entry = {
            "event": "server",
            "message": record.getMessage(),
            "level": record.levelname.lower(),
            "timestamp": at,
        }
        if record.exc_info and record.exc_info[0] is not None:
            entry["exception"] = record.exc_info[0].__name__
        return json.dumps(entry)


SERVER_LOG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"generic": {"()": JsonLines}, "access": {"()": JsonLines}},
    "handlers": {
        name: {"class": "logging.StreamHandler", "formatter": form, "stream": "ext://sys.stdout"}
        for name, form in (("console", "generic"), ("access", "access"))
    },
    "loggers": {
        "_granian": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "granian.access": {"handlers": ["access"], "level": "INFO", "propagate": False},
    },
}
