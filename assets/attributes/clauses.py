"""Splits texts into clauses; patterns must match within one clause without a negating word."""

import re
from typing import NamedTuple


class Finding(NamedTuple):
    """Plain statement of one clause: `field`, its value, and the clause as evidence.

    `value` is a code for list fields, else True, False, a number or a text. The clause begins at
    `start` of its text.
    """

    field: str
    value: str | bool | int
    clause: str
    start: int = 0

    @property
    def span(self) -> tuple[int, int]:
        """Return the start and end of the clause in its text."""
        return self.start, self.start + len(self.clause)


_CLAUSE = re.compile(r"[.;!\n]+\s+|[;\n|•]+")
_AROUND = " \t-*–"


def pattern(*parts: str) -> re.Pattern[str]:
    """Compile alternatives as one pattern, ignoring case."""
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


def clauses_of(text: str) -> list[tuple[int, str]]:
    """Return the start of each clause of a text, and the clause without bullets and blanks."""
    ends = [*(match.span() for match in _CLAUSE.finditer(text)), (len(text), len(text))]
    clauses, at = [], 0
    for end, after in ends:
        part = text[at:end]
        clause = part.strip(_AROUND).rstrip(".")
        if clause:
            clauses.append((at + len(part) - len(part.lstrip(_AROUND)), clause))
        at = after
    return clauses
