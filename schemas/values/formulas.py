"""Texts that a spreadsheet would run as formulas when a CSV file is opened in it."""

from __future__ import annotations

import re

# Quick to look for in whole columns: a text that may begin so.
MAY_BE_FORMULA = r"^[=+@-]"
# "=" begins nothing else. The others are dashes, numbers and names, unless a function or a program (DDE) follows.
_FORMULA = re.compile(r"^(?:[=+@-]*=+|[+@-]+(?=[A-Za-z.]+\()|[+@-]+(?=[^|]*\|[^!]*!))+\s*")


def without_formula(text: str) -> str:
    """The text without the signs that make it a formula; any other text as it is."""
    return _FORMULA.sub("", text)
