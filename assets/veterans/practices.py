"""Describes how a release of the data set was made, with figures of this release."""

from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from assets.veterans.phone_sample import METHOD, PhoneLookups, sentence
from schemas.tables.veterans import VETERAN_RESOURCES
from schemas.vocab.statuses import probes_sentence

_PRACTICES = {
    "points": "The publisher's own if there is one, else the Census geocoder's, else the ZIP "
    "code's. Mobile units have none. The precision of each point is in the table "
    "out_veterans__details of the release.",
    "phone_verified": "Length and prefix by the numbering plan (libphonenumber). Results of "
    "looking numbers up are under phone_lookups and change nothing here.",
    "website": (
        "https only. An http address is given as https for hosts of va.gov, which answer nothing "
        "else, and where a probe arrived at https."
    ),
    "verified_date": (
        "The department's own register as of its date, a registry or partner that confirmed the "
        "place, or a website that answered a probe; never an import."
    ),
    "ids": (
        "Whole numbers, issued once for a source record and never again. The table "
        "core_veterans__identities of the release has the successors of merged ids."
    ),
    "left_out": "Cemeteries, records under a share-alike licence, confidential places, and "
    "records without address and telephone.",
}
_COUNTY = "County by the point; without a point, by ZIP code or city."


@dataclass(frozen=True)
class WebsiteProbes:
    """Number of the data set's websites that were probed, and the date of the last (YYYY-MM-DD)."""

    websites: int
    probed: int = 0
    last_date: str | None = None


@dataclass(frozen=True)
class Making:
    """Inputs of one build: names of files of tract boundaries, probes, look-ups."""

    tract_files: tuple[str, ...] = ()
    website_probes: WebsiteProbes = field(default_factory=lambda: WebsiteProbes(0))
    phone_lookups: PhoneLookups = field(default_factory=lambda: PhoneLookups(0))


def practices(making: Making) -> dict[str, str]:
    """Return how the data set was made, by subject."""
    probes = making.website_probes
    return {
        **_PRACTICES,
        "fips": f"{_COUNTY} {_tract_sentence(making.tract_files)}",
        "website_probes": probes_sentence(probes.probed, probes.last_date),
        "phone_lookups": sentence(making.phone_lookups),
    }


def checks(making: Making) -> dict[str, Any]:
    """Return the same checks in figures; dates are null if nothing was checked."""
    return {
        "website_probes": asdict(making.website_probes),
        "phone_lookups": {**asdict(making.phone_lookups), "method": METHOD},
    }


def probes_of(resources: pd.DataFrame, probes: pd.DataFrame) -> WebsiteProbes:
    """Return the probes (`core_directory__website_probes`) of websites listed in the data set.

    A website is listed with https if a probe arrived there, or if its host only answers https.
    """
    listed_websites = set(resources["website"].dropna())
    secure = probes["website"].str.replace(r"^http://", "https://", regex=True, case=False)
    mine = probes[secure.isin(listed_websites) | probes["final_url"].isin(listed_websites)]
    last = mine["probed_at"].max()
    return WebsiteProbes(
        len(listed_websites),
        min(len(mine), len(listed_websites)),
        None if pd.isna(last) else f"{last:%Y-%m-%d}",
    )


def coverage(resources: pd.DataFrame) -> dict[str, float]:
    """Return the share (0 to 1) of records with a value for every optional column."""
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
        "Tract from the Census geocoder, else by polygon for points of the house or the street, "
        f"never for the middle of a ZIP code or a city. Boundaries: {', '.join(files)}."
    )
