"""How a release of the data set was made, in words and figures that are true of this release."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from schemas.tables.veterans import VETERAN_RESOURCES

_PRACTICES = {
    "points": "The publisher's own where there is one, else the Census geocoder's, else the ZIP code's. Units that move from place to place have none. The precision of each point stands in the record at /api/veteran-resources/{id}.",
    "phone_verified": "Length and prefix by the numbering plan (libphonenumber); nobody is called.",
    "website": "https only. An http address is given as https for hosts of va.gov, which answer nothing else, and where a probe arrived at https.",
    "verified_date": "The department's own register as of its date, a registry or partner that confirmed the place, or a website that answered a probe; never an import.",
    "ids": "Whole numbers, issued once for a source record and never again. A merged id answers with its successor, a retired one with 410.",
    "left_out": "Cemeteries, records under a share-alike licence, confidential places, and records that nobody could reach.",
}  # fmt: skip
_COUNTY = "County by the point, where there is none by ZIP code or city."


@dataclass(frozen=True)
class Making:
    """What one build had to work with: the names of its files of tract boundaries."""

    tract_files: tuple[str, ...] = ()


def practices(made: Making) -> dict[str, str]:
    """How the data set was made, by subject."""
    return {**_PRACTICES, "fips": f"{_COUNTY} {_tract_sentence(made.tract_files)}"}


def coverage(resources: pd.DataFrame) -> dict[str, float]:
    """Share of the records that have a value, from 0 to 1, for every column that may be empty."""
    required = {"id", *VETERAN_RESOURCES.required_names}
    names = [name for name in VETERAN_RESOURCES.field_names if name not in required]
    return {
        name: round(float(resources[name].notna().mean()), 3) if len(resources) else 0.0
        for name in names
    }


def _tract_sentence(files: tuple[str, ...]) -> str:
    if not files:
        return (
            "Tract from the Census geocoder only: this release had no boundaries of Census tracts."
        )
    return (
        "Tract from the Census geocoder, else by polygon for points of the house or the street, never for the"
        f" middle of a ZIP code or a city. Boundaries: {', '.join(files)}."
    )
