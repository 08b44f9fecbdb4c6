"""Finds a column by its declared name in editions that spell it differently.

Editions of one file write a column as "Record ID", "Record_ID" or "RECORD.ID", put the year behind
it, or rename it. The first kinds are recognized here; the source declares renames (`other_names`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

OtherNames = Mapping[str, Sequence[str]]

_NO_SIGN_OF_A_NAME = re.compile(r"[^a-z0-9]")
# "Phone Number [Public School] 2022-23", "County Name SY2022_2023", "SCHNAM09", "LAT1516"
_EDITION = re.compile(
    r"\s*\[[^\]]*\].*$|[\s_.]*\b_?(?:SY[\s_]*)?(?:19|20)\d\d(?:[-_/](?:\d\d){1,2})?$"
    r"|(?<=(?-i:[A-Z]{3}))(?:\d\d){1,2}$",
    re.IGNORECASE,
)


def plain_heading(name: str) -> str:
    """Return a column's letters and digits in lower case: "Zip_Code" is "zipcode"."""
    return _NO_SIGN_OF_A_NAME.sub("", name.casefold())


def renaming(
    columns: Iterable[str], expected: Iterable[str], other_names: OtherNames | None = None
) -> dict[str, str]:
    """Map the file's columns to declared ones that it lacks by that very name.

    A column that could be two stays as it is: then the declared one counts as missing and is named.
    """
    names = [str(name) for name in columns]
    same = set(expected) & set(names)
    result: dict[str, str] = {}
    for declared_name in expected:
        if declared_name in same:
            continue
        free = [name for name in names if name not in same and name not in result]
        match = _one_of(free, [declared_name, *(other_names or {}).get(declared_name, ())])
        if match is not None:
            result[match] = declared_name
    return result


def _one_of(names: list[str], spellings: list[str]) -> str | None:
    """Return the name of the first spelling found: exactly, loosely, or with an edition."""
    for spelling in spellings:
        plain = plain_heading(spelling)
        if spelling in names:
            return spelling
        for form in (lambda name: name, lambda name: _EDITION.sub("", name)):
            alike = [name for name in names if plain and plain_heading(form(name)) == plain]
            if len(alike) == 1:
                return alike[0]
    return None


def with_declared_names(
    rows: pd.DataFrame, expected: Iterable[str], other_names: OtherNames | None = None
) -> pd.DataFrame:
    """Return the rows with their columns under the names that the source declares; columns it does
    not foresee are found by the usual words for the same ("lat" for "Latitude").
    """
    declared_names = list(expected)
    renamed = rows.rename(columns=renaming(rows.columns, declared_names, other_names))
    missing = [name for name in declared_names if name not in renamed]
    usual = {
        name: words
        for name in missing
        for words in _SAME
        if plain_heading(name) in map(plain_heading, words)
    }
    free = [name for name in renamed.columns if name not in declared_names]
    return renamed.rename(columns=renaming(free, list(usual), usual)) if usual else renamed


# Words that publishers use for one and the same column.
_SAME = (
    ("latitude", "lat", "y coordinate"),
    ("longitude", "lng", "lon", "long", "x coordinate"),
    ("zip", "zip code", "zip5", "postal code", "postcode"),
    ("state", "state abbreviation", "state code", "st"),
    ("phone", "phone number", "telephone", "telephone number"),
    ("address", "street address", "address 1", "address line 1", "street"),
    ("county", "county name"),
    ("website", "url", "web site", "web address"),
)


def number_duplicates(names: Iterable[str]) -> list[str]:
    """Return the names with the second of two equal ones as "name.1"."""
    counts: dict[str, int] = {}
    result = []
    for name in names:
        count = counts.get(name, 0)
        counts[name] = count + 1
        result.append(f"{name}.{count}" if count else name)
    return result


def header_at(
    records: Iterable[Sequence[object]], required: Sequence[str], other_names: OtherNames | None
) -> int | None:
    """Return the index of the first record with all required columns."""
    for at, record in enumerate(records):
        names = number_duplicates(str(value).strip() for value in record if value is not None)
        if len(names) < len(required):
            continue
        headings = set(names) | set(renaming(names, required, other_names).values())
        if headings.issuperset(required):
            return at
    return None


def best_header(
    tables: Sequence[Sequence[Sequence[object]]], expected: Sequence[str], other_names: OtherNames
) -> tuple[int, int] | None:
    """Return table and row of the header: the record with the most expected columns, else the first
    that looks like one; None if no table has a row of texts."""
    spellings = {plain_heading(name) for name in expected}
    spellings |= {plain_heading(other) for names in other_names.values() for other in names}
    best: tuple[int, tuple[int, int]] = (0, (0, 0))
    for number, table in enumerate(tables):
        for at, record in enumerate(table):
            cells = [_EDITION.sub("", str(cell)) for cell in record if cell is not None]
            count = len({plain_heading(cell) for cell in cells} & spellings)
            if count > best[0]:
                best = (count, (number, at))
    number, at = best[1]
    # A single one may be a word in a cell.
    if best[0] > 1 or (best[0] and header_row(tables[number]) == at):
        return best[1]
    for number in sorted(range(len(tables)), key=lambda n: -len(tables[n])):
        row = header_row(tables[number])
        if row is not None:
            return number, row
    return None


def header_row(records: Sequence[Sequence[object]]) -> int | None:
    """Return the index of the first record that looks like a header: nearly as wide as the widest,
    texts in its cells and no numbers."""
    rows = [[str(cell).strip() for cell in record if cell is not None] for record in records]
    cells = [[cell for cell in row if cell] for row in rows]
    widest = max((len(row) for row in cells), default=0)
    for at, row in enumerate(cells):
        is_wide = len(row) >= max(2, widest * 2 / 3)
        if is_wide and not any(_NUMBER.fullmatch(cell) for cell in row):
            return at
    return None


_NUMBER = re.compile(r"[-+]?[\d.,]+")
