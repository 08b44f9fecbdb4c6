"""Join hours by weekday to one text: "Monday 8:00AM-4:30PM; Sunday closed"."""

import pandas as pd

from schemas.hours.recurrence import WEEKDAYS

# A dash does not say whether a place is closed on the day or its hours are not known.
_NOTHING = r"[\W_]*|0|(?i:n/?a|none)"
_CLOSED = ("closed", "-", "--", "x")


def weekly_text(hours: pd.DataFrame) -> pd.Series:
    """Return a line per row from weekday columns; missing without an opening time."""
    opens = pd.Series(False, index=hours.index)
    parts = pd.Series("", index=hours.index, dtype="str")
    for day in WEEKDAYS:
        cell = hours[day].astype("str")
        cell = cell.mask(cell.str.fullmatch(_NOTHING).fillna(False).astype(bool))
        opens |= cell.str.contains(r"\d", regex=True).fillna(False).astype(bool)
        parts = parts + (day + " " + cell + "; ").fillna("")
    return parts.str.removesuffix("; ").where(opens)


def span(opens: pd.Series, closes: pd.Series) -> pd.Series:
    """Format "9 AM - 1 PM" from opening and closing times, "from 5 PM" and "until 5 PM" from one
    alone, "at 6 PM" if both are equal, "closed" if the opening time says so."""
    start, end = _time(opens), _time(closes)
    text = (start + " - " + end).mask(start == end, "at " + start)
    text = text.fillna("from " + start).fillna("until " + end)
    is_closed = opens.str.casefold().isin(_CLOSED) & (
        closes.isna() | closes.str.casefold().isin(_CLOSED)
    )
    return text.mask(is_closed, "closed")


def _time(column: pd.Series) -> pd.Series:
    """Write "9:00 AM", "09:00:00" and "900" as "9 AM", "09:00" and "9:00"."""
    column = column.mask(column.str.casefold().isin(_CLOSED))
    column = column.str.replace(r"^(\d{1,2}:\d{2}):\d{2}$", r"\1", regex=True)
    column = column.str.replace(r"^(\d{1,2})(\d{2})$", r"\1:\2", regex=True)
    return column.str.replace(r":00(?= [AP]M)", "", regex=True)
