"""Hours in one column per weekday as one text: "Monday 8:00AM-4:30PM; Tuesday 8:00AM-4:30PM; Sunday
closed".
"""

from __future__ import annotations

import pandas as pd

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def weekly_text(hours: pd.DataFrame) -> pd.Series:
    """Return one line per row from columns named as the weekdays; missing where no day has an
    opening time.

    A row that says "closed" on every day is no timetable but a place without regular hours.
    """
    opens = pd.Series(False, index=hours.index)
    parts = pd.Series("", index=hours.index, dtype="str")
    for day in WEEKDAYS:
        cell = hours[day].astype("str")
        opens |= cell.str.contains(r"\d", regex=True).fillna(False).astype(bool)
        parts = parts + (day + " " + cell + "; ").fillna("")
    return parts.str.removesuffix("; ").where(opens)
