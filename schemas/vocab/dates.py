"""Three dates of a record, three words, and for how long each lets the directory say "open" or
"closed".

- **confirmed**: somebody looked, called, or runs the place and said so.
- **updated**: the publisher changed this row on that day.
- **listed**: the row is in a file or edition of that day. Nobody says that the row itself was
  looked at.

A row with a date of its own is as old as that date: an edition that repeats it makes it no younger.
When the bytes reached the directory (`retrieved_at`) is none of these and proves nothing.
"""

from typing import Literal, NamedTuple, get_args

from schemas.words import Words

DateKind = Literal["confirmed", "updated", "listed"]
# The strongest first: of two dates that count equally long, the stronger is named.
DATE_KINDS: tuple[DateKind, ...] = get_args(DateKind)

MAX_HOURS_DAYS = 180


class Holding(NamedTuple):
    """Days for which each date of a record carries its opening hours; 0: it does not."""

    confirmed: int
    updated: int
    listed: int
    why: str


# By kind of source: an authority of `schemas.vocab.statuses.AUTHORITIES`, or visitors who say
# "helpful".
HOURS_HOLD_FOR_DAYS: dict[str, Holding] = {
    "operator": Holding(180, 180, 180, "The place itself provides the information."),
    "partner": Holding(180, 180, 180, "A food bank's list of its partner agencies."),
    "registry": Holding(180, 180, 180, "An official register of a program that it runs."),
    "compiled": Holding(
        180, 180, 90, "A copy of other publishers' data, current at best on the day of the copy."
    ),
    "community": Holding(
        180, 180, 30, "Volunteers update a row when they learn more. An edition repeats old rows."
    ),
    "osm": Holding(
        180,
        0,
        0,
        "Any change to a map object updates its date. Only `check_date` shows that someone looked.",
    ),
    "visitor": Holding(
        180, 180, 180, "As many visitors found the listing correct as it takes to doubt it."
    ),
}

DATE_LABELS: dict[DateKind, Words] = {
    "confirmed": Words("Confirmed", "Confirmado"),
    "updated": Words("Updated by the publisher", "Actualizado por quien lo publica"),
    "listed": Words("Listed", "Publicado en una lista"),
}
