"""Reduce the records of a source to the facts that a release may use."""

import re
from collections.abc import Mapping

import pandas as pd

from schemas.attributes import ATTRIBUTES
from schemas.sources.rights import Right
from schemas.tables.core import RIGHTS

# All that `facts_only` leaves out. Name, address, point, telephone and hours are bare facts, and so
# are the conditions of a visit as values: papers, groups, ages, areas, appointments, languages.
_DESCRIPTIONS = (
    "services_text",
    "requirements_text",
    "eligibility_text",
    "notes",
    "organization",
    "website",
    *(a.name for a in ATTRIBUTES if a.field.is_free_text),
)
# A reference to notes that are left out, too: the hours reader knows the words put in its place.
_REFERENCE = re.compile(r"\(?\bsee (?:the )?notes?\b(?: below)?\)?", re.IGNORECASE)
_EXCEPTIONS = "(with exceptions)"


def permit_rows(places: pd.DataFrame, right: Right) -> pd.DataFrame:
    """Return the rows of a source that take part in the directory.

    With `match_only` no row is public, with `withhold` no row is left. A row that its source holds
    back itself (`is_public` false) stays so.
    """
    match right.use:
        case "publish" | "facts_only":
            return places
        case "match_only":
            return places.assign(is_public=False).astype({"is_public": places["is_public"].dtype})
        case "withhold":
            return places.iloc[:0]


def without_descriptions(places: pd.DataFrame, right: Right) -> pd.DataFrame:
    """Return rows with what a right permits to publish: with `facts_only` the publisher's
    descriptions go, after the conditions of a visit were read from them."""
    if right.use != "facts_only":
        return places
    gone = [name for name in _DESCRIPTIONS if name in places]
    hours = places["hours_text"].astype("str").str.replace(_REFERENCE, _EXCEPTIONS, regex=True)
    return places.assign(hours_text=hours, **{n: places[n].mask(places[n].notna()) for n in gone})


def rights_table(rights: Mapping[str, Right]) -> pd.DataFrame:
    """Return the rights of all sources by id in the columns of `RIGHTS`."""
    rows = [(source_id, r.use, r.basis, r.reason) for source_id, r in sorted(rights.items())]
    return pd.DataFrame(rows, columns=RIGHTS.field_names)
