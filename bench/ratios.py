"""Ratios to the bare handler, stored and compared: limits for the cost of a change.

One run measures the processor time of both servers, so a ratio is valid on every machine of a kind,
even under load.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

# A ratio that falls by more than this share of the stored ratio is a fault.
MAX_FALL = 0.25


def list_falls(before: Mapping[str, float], now: Mapping[str, float]) -> dict[str, float]:
    """Return the endpoints whose ratio fell too far, with the remaining share (0.7 for 30 % less).

    An endpoint measured for the first time, or no longer measured, has not fallen.
    """
    shares = {name: now[name] / before[name] for name in before.keys() & now.keys()}
    return {name: part for name, part in sorted(shares.items()) if part < 1 - MAX_FALL}


def check(now: Mapping[str, float], path: Path) -> None:
    """Compare ratios with those in a file, if it exists; store them in it if none fell.

    Raises SystemExit naming the endpoints that fell, and leaves the file unchanged.
    """
    before = msgspec.json.decode(path.read_bytes(), type=dict[str, float]) if path.exists() else {}
    if losses := list_falls(before, now):
        raise SystemExit(
            "; ".join(
                f"{name}: {part:.0%} of its stored ratio is left" for name, part in losses.items()
            )
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(now, order="sorted")) + b"\n")
