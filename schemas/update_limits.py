"""Limits of what one update of a source may change (update_limits.yaml)."""

from importlib import resources

import msgspec


class FieldLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Largest shares of rows: `changed` values, one value in `common`, and new timetables around
    the clock. `compared` says in words what counts as the value."""

    compared: str
    changed: float
    common: float | None = None
    always_open: float | None = None


class UpdateLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits by field. `least_rows` changed rows, or `least_common` rows with one value, are never
    beyond a limit."""

    least_rows: int
    least_common: int
    fields: dict[str, FieldLimit]


UPDATE_LIMITS = msgspec.yaml.decode(
    resources.files("schemas").joinpath("update_limits.yaml").read_bytes(), type=UpdateLimits
)
