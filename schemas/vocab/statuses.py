"""Closed vocabularies for states of knowledge: verification, opening, precision, authority."""

from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec

from schemas.words import Words

# partner_verified: from a partner's own list or an approved operator. verified: in an authoritative
# registry, within its cadence. unverified: everything else. pending: not yet reviewed, never in a
# release.
VERIFICATION_STATUSES: tuple[str, ...] = ("partner_verified", "verified", "unverified")

# From exact to vague. Distances are rounded accordingly: see `schemas.values.coordinates`.
LOCATION_PRECISIONS: tuple[str, ...] = ("rooftop", "street", "zip", "county", "city")
# Points of these lead to a door; others only to a ZIP code or a town.
EXACT_PRECISIONS: tuple[str, ...] = LOCATION_PRECISIONS[:2]

# How a point was found.
LOCATION_METHODS: tuple[str, ...] = (
    "source",
    "source_swapped",
    "source_sign",
    "source_web_mercator",
    "geocoder",
    "zip_centroid",
    "city_centroid",
    "county_centroid",
)

# Which source prevails if sources disagree; the first is the strongest.
AUTHORITIES: tuple[str, ...] = ("operator", "partner", "registry", "compiled", "community", "osm")

ZIP_KINDS: tuple[str, ...] = ("standard", "po_box", "unique", "military")


# The three dates of a record, and for how long each lets the directory say "open" or "closed".
#
# - **confirmed**: somebody looked, called, or runs the place and said so.
# - **updated**: the publisher changed this row on that day.
# - **listed**: the row is in a file or edition of that day. Nobody claims to have checked the row.
#
# A row with its own date is as old as that date, even if later editions repeat it. The time when
# the bytes reached the directory (`retrieved_at`) is none of these and proves nothing.

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
    "updated": Words("Last updated", "Actualizado"),
    "listed": Words("Listed", "Publicado"),
}


# Reasons for a listing's trust score: stable codes with their points and words.
#
# `verification_confidence` is the sum of the points of a listing's reasons, clamped to 0 to 100.
# Every group gives at most one reason: best authority 40, agreement 15, age of the newest
# verification 25, exactness of the point 10, website 5, telephone 5. Doubts subtract points.
# `assets/directory/confidence.py` decides which reasons apply.


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ground for or against a listing."""

    code: str
    points: int
    label: str


VERIFICATION_REASONS: dict[str, Reason] = {
    reason.code: reason
    for reason in msgspec.yaml.decode(
        Path(__file__).with_name("verification_reasons.yaml").read_bytes(), type=list[Reason]
    )
}


# Results of probing a website or looking up a telephone number.

# refused: the server answers but refuses programs (401, 403, 429 ...); neither success nor failure.
PROBE_RESULTS: tuple[str, ...] = ("ok", "moved", "refused", "gone", "error", "timeout")
PROBE_SUCCESSES = frozenset({"ok", "moved"})
PROBE_FAILURES = frozenset({"gone", "error", "timeout"})

PHONE_TYPES: tuple[str, ...] = (
    "fixed_or_mobile",
    "toll_free",
    "premium",
    "shared_cost",
    "voip",
    "personal",
    "other",
)


def probes_sentence(probed: int, last_date: str | None) -> str:
    """Return when websites were last probed and how many. `last_date` is YYYY-MM-DD."""
    if not probed or last_date is None:
        return (
            "No website was probed for this release: the build had no network, or was told not to "
            "use it."
        )
    websites = "1 website has" if probed == 1 else f"{probed:,} websites have"
    return f"{websites} been probed, the last on {last_date}."


# Uses that a release may make of a source, and their grounds.

# publish: all fields. facts_only: name, address, telephone and hours, with attribution and link.
# match_only: nothing is published, but the rows help to recognize one place in several lists.
# withhold: the rows are read and counted, nothing else.
Use = Literal["publish", "facts_only", "match_only", "withhold"]
# Widest first.
USES: tuple[Use, ...] = get_args(Use)
PUBLISHED_USES = frozenset({"publish", "facts_only"})
Basis = Literal["licence", "permission", "rule", "withdrawal"]
BASES: tuple[Basis, ...] = get_args(Basis)
