"""Structured logs: one JSON object a line on standard output.

Nothing about a person is logged: no addresses, no query strings, no ZIP codes. A request that ends
well and quickly is not logged at all; `/metrics` counts it.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

_MAX_FRAMES = 50


class Log:
    """Writes events with their facts, from a level on."""

    def __init__(self, least: int) -> None:
        self._least = least

    def info(self, event: str, **facts: Any) -> None:
        self._write(logging.INFO, event, facts)

    def warning(self, event: str, **facts: Any) -> None:
        self._write(logging.WARNING, event, facts)

    def error(self, event: str, *, exc_info: BaseException | None = None, **facts: Any) -> None:
        """Write an error; `exc_info` with where it was raised, never with local variables: they
        hold what people searched for."""
        if exc_info is not None:
            facts["exception"] = [_raised(exc_info), *map(_raised, _causes(exc_info))]
        self._write(logging.ERROR, event, facts)

    def _write(self, level: int, event: str, facts: Mapping[str, Any]) -> None:
        if level >= self._least:
            print(_line(level, event, facts, datetime.now(UTC)), flush=True)


def make_logger(level: str) -> Log:
    """Return a logger that writes JSON lines at or above a level (debug, info, warning, error)."""
    return Log(logging.getLevelNamesMapping().get(level.upper(), logging.INFO))


def _line(level: int, event: str, facts: Mapping[str, Any], at: datetime) -> str:
    line = {
        "event": event,
        **facts,
        "level": logging.getLevelName(level).lower(),
        "timestamp": at.isoformat().replace("+00:00", "Z"),
    }
    return json.dumps(line, default=repr)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield what led to an error, the last first."""
    while cause := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        yield cause
        error = cause


def _raised(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__, limit=-_MAX_FRAMES)
    return {
        "exc_type": type(error).__name__,
        "exc_value": str(error),
        "frames": [{"filename": f.filename, "lineno": f.lineno, "name": f.name} for f in frames],
    }


class JsonLines(logging.Formatter):
    """Formats the server's own messages (starting, stopping) like our lines."""

    def format(self, record: logging.LogRecord) -> str:
        facts = {"message": record.getMessage()}
        if record.exc_info and record.exc_info[0] is not None:
            facts["exception"] = record.exc_info[0].__name__
        return _line(record.levelno, "server", facts, datetime.fromtimestamp(record.created, UTC))


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
