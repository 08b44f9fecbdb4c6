"""Instants as the service writes them: ISO 8601, UTC, whole seconds."""

from datetime import UTC, datetime

INSTANT_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def instant_text(at: datetime) -> str:
    """Return an aware instant as text, such as "2026-11-01T06:00:00Z"."""
    return at.astimezone(UTC).strftime(INSTANT_FORMAT)
