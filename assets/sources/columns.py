"""Accesses the columns of a publisher's file by the names in a mapping."""

from collections.abc import Iterable

import pandas as pd

from assets.sources.headings import OtherNames, plain_heading, renaming

_NO_COLUMNS = ("source_row", "reject_reason", "reject_detail")


class Columns:
    """The columns of a file by name, recording which were read. `other_names` are a column's names
    in other editions (`schemas.sources.registry.Source`)."""

    def __init__(self, rows: pd.DataFrame, other_names: OtherNames | None = None) -> None:
        self.rows = rows
        self._other_names = other_names
        self.used: set[str] = set()
        self._names: dict[str, str | None] = {}

    def name_of(self, heading: str) -> str | None:
        """Return the file's own name of a column, None without it."""
        if heading not in self._names:
            self._names[heading] = self._find(heading)
        return self._names[heading]

    def _find(self, heading: str) -> str | None:
        if heading in self.rows:
            return heading
        exact = next(iter(renaming(self.rows.columns, [heading], self._other_names)), None)
        if exact is not None or "." in heading:
            return exact
        # The member of a nested object, if only one has the name.
        plain = plain_heading(heading)
        ends = [n for n in self.rows.columns if plain_heading(n.rpartition(".")[2]) == plain]
        ends = [name for name in ends if "." in name and ".0." not in name]
        return ends[0] if len(ends) == 1 else None

    def add(self, name: str, column: pd.Series) -> None:
        """Add a derived column."""
        self.rows = self.rows.assign(**{name: column})
        self._names[name] = name
        self.used.add(name)

    def text(self, heading: str) -> pd.Series:
        """Return a column; empty if the file lacks it."""
        name = self.name_of(heading)
        if name is None:
            return pd.Series(None, index=self.rows.index, dtype="str")
        self.used.add(name)
        return self.rows[name]

    def first(self, names: Iterable[str]) -> pd.Series:
        """Return the first non-empty value of several columns, row by row."""
        columns = [self.text(name) for name in names]
        values = columns[0]
        for column in columns[1:]:
            values = values.fillna(column)
        return values

    def name_of_weekday(self, pattern: str, day: str) -> str | None:
        """Return the file's name of a weekday's column, which may be abbreviated: "Monday", "Mon",
        "M"; None without it."""
        forms = (pattern.replace("{day}", form) for form in (day, day[:3], day[:4], day[:2]))
        return next(filter(None, map(self.name_of, forms)), None)

    def weekday(self, pattern: str, day: str) -> pd.Series:
        """Return the column of a weekday; empty if the file lacks it."""
        return self.text(self.name_of_weekday(pattern, day) or pattern.replace("{day}", day))

    def list_unused(self, ignored: Iterable[str]) -> list[str]:
        """Return non-empty columns that no rule has read and that are not explicitly ignored."""
        plain = {plain_heading(name) for name in ignored}
        return [
            name
            for name in self.rows.columns
            if name not in self.used
            and name not in _NO_COLUMNS
            and plain_heading(name) not in plain
            and self.rows[name].notna().any()
        ]
