"""Rows as aligned text or as JSON, for reports on the command line."""

from collections.abc import Iterable, Sequence

import msgspec


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as aligned text; numbers to the right."""
    cells = [[f"{v:,}" if isinstance(v, int) else str(v) for v in row] for row in rows]
    widths = [max(len(str(c)) for c in column) for column in zip(headings, *cells, strict=True)]
    lines = [_line(headings, widths), _line(["-" * w for w in widths], widths)]
    return "\n".join([*lines, *(_line(row, widths) for row in cells)])


def rows_text(headings: Sequence[str], rows: Iterable[Sequence[object]], as_json: bool) -> str:
    """Return rows as aligned text, or as a JSON array of objects by heading (spaces as `_`)."""
    if not as_json:
        return table(headings, rows)
    keys = [heading.replace(" ", "_") for heading in headings]
    return msgspec.json.encode([dict(zip(keys, row, strict=True)) for row in rows]).decode()


def _line(values: Sequence[str], widths: Sequence[int]) -> str:
    is_number = [v.replace(",", "").replace(".", "").isdigit() for v in values]
    padded = [
        v.rjust(w) if number else v.ljust(w)
        for v, w, number in zip(values, widths, is_number, strict=True)
    ]
    return "  ".join(padded).rstrip()
