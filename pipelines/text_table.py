"""Align rows as text, for reports on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as aligned text; numbers to the right."""
    cells = [[f"{v:,}" if isinstance(v, int) else str(v) for v in row] for row in rows]
    widths = [max(len(str(c)) for c in column) for column in zip(headings, *cells, strict=True)]
    lines = [_line(headings, widths), _line(["-" * w for w in widths], widths)]
    return "\n".join([*lines, *(_line(row, widths) for row in cells)])


def _line(values: Sequence[str], widths: Sequence[int]) -> str:
    is_number = [v.replace(",", "").replace(".", "").isdigit() for v in values]
    padded = [
        v.rjust(w) if number else v.ljust(w)
        for v, w, number in zip(values, widths, is_number, strict=True)
    ]
    return "  ".join(padded).rstrip()
