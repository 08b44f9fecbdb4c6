"""Reduce the records of a source to the facts that a release may use."""

from collections.abc import Mapping

import pandas as pd

from schemas.sources.rights import Right
from schemas.tables.core import RIGHTS

# All that `facts_only` leaves out: name, address, point, telephone and hours are bare facts.
_DESCRIPTIONS = (
    "services_text",
    "requirements_text",
    "eligibility_text",
    "languages",
    "notes",
    "accepts_walkins",
    "requires_appointment",
    "organization",
    "website",
)


def apply_right(places: pd.DataFrame, right: Right) -> pd.DataFrame:
    """Return the rows of a source that take part in the directory, in the columns of `PLACES`.

    `publish` leaves them as they are; with `facts_only` the publisher's descriptions go, with
    `match_only` no row is public, with `withhold` no row is left. A row that its source holds back
    itself (`is_public` false) stays so.
    """
    match right.use:
        case "publish":
            return places
        case "facts_only":
            return places.assign(**{n: places[n].mask(places[n].notna()) for n in _DESCRIPTIONS})
        case "match_only":
            return places.assign(is_public=False).astype({"is_public": places["is_public"].dtype})
        case "withhold":
            return places.iloc[:0]


def rights_table(rights: Mapping[str, Right]) -> pd.DataFrame:
    """Return the rights of all sources by id in the columns of `RIGHTS`."""
    rows = [(source_id, r.use, r.basis, r.reason) for source_id, r in sorted(rights.items())]
    return pd.DataFrame(rows, columns=RIGHTS.field_names)
