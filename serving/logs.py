"""Structured logs: one JSON object a line on standard output.

Nothing about a person is logged: no addresses, no query strings, no ZIP codes. A request that ends well
and quickly is not logged at all; `/metrics` counts it.
"""

from __future__ import annotations

import logging
from typing import Any

import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer


def make_logger(level: str) -> Any:
    """A logger that writes JSON lines at or above a level (debug, info, warning, error)."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    return structlog.wrap_logger(
        structlog.PrintLogger(),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Local variables hold what people asked for.
            ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
    )
