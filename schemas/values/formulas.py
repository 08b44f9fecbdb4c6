"""Cells of CSV files that a spreadsheet would run as formulas when it opens the file.

Only cells are changed: in JSON, Parquet and pages a text is shown as it was written.
"""

import re

# Blanks and marks that a spreadsheet may drop before it looks at the first sign.
_BLANKS = "\t\n\v\f\r \u00a0\u200b\u2060\u3000\ufeff"
# A cell that begins so may be a formula. Both patterns are read by Python and by DuckDB (RE2).
FORMULA_START = f"^[{_BLANKS}]*[\t\r=+@\uff1d\uff0b\uff0d\uff20-]"
# Numbers and telephone numbers, whose leading sign is not a formula.
PLAIN_VALUE = (
    r"[+-]?(?:[0-9][0-9,]*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?%?"
    r"|\+[0-9][0-9 ().-]{5,24}[0-9](?: ?(?:ext\.?|x) ?[0-9]{1,7})?"
)
# Spreadsheets show a cell that begins with this as text.
TEXT_MARK = "'"
_START, _PLAIN = re.compile(FORMULA_START), re.compile(PLAIN_VALUE)


def without_formula(cell: str) -> str:
    """Return the cell, prefixed with an apostrophe if a spreadsheet might read it as a formula."""
    if _START.match(cell) is None or _PLAIN.fullmatch(cell):
        return cell
    return TEXT_MARK + cell
