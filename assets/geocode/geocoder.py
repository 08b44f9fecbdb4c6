"""Finds points for places without one: cached answers, then the Census geocoder if enabled.

`assets.geography.place_points` handles the rest: ZIP, then city.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

import numpy as np
import pandas as pd

from assets.cleaning.text import map_unique
from assets.matching.streets import AddressRelation, compare_streets, read_street
from assets.steps.workspace import Workspace
from schemas.values.names import fold_name
from schemas.vocab.states import STATES
from warehouse.geocoder.cache import Address, Answer, GeocodeCache, as_sent
from warehouse.geocoder.client import CENSUS_URL, CensusBatchClient, GeocoderSettings

# A unit, a cross street, a landmark or the town follows.
_PART = re.compile(r"[,;@&(]|\s(?:AT|BETWEEN|BTWN|NEAR|C/O)\s")
_BOX = re.compile(r"\bP\.?\s*O\.?\s*(?:BOX|BX|DRAWER)\b|\bGENERAL DELIVERY\b|\bBOX \d|\bPMB\b")
_POINT = re.compile(r"\.(?=\s|$)")
_HOUSE = re.compile(r"[NSEW]?\d+[A-Z]?(?:-\d+[A-Z]?)?(?: 1/2)? +(?=.*[A-Z0-9])")
# "3127-A Main St" and "20470 # A Main St": a unit next to the number.
_ROOM_BEFORE = re.compile(r"^(\d+)\s?[-#]\s?[A-Z](?=\s)")
# "206-210 Main St" and "205/207 Main St"; Queens writes 37-14 for one house.
_RANGE = re.compile(r"^(\d+)\s?([-/])\s?(\d+)(?=\s)")
_DISTANCE = re.compile(r"\d+ (?:1/2 )?(?:MI\.? [NSEW]|MILES?|BLKS?|BLOCKS?|FEET|YARDS)\b")
_DASHES = str.maketrans("–—‐‑", "----")
_ROAD_NUMBER = re.compile(r"\b(?:HWY|HIGHWAY|ROUTE|RTE|RT|ROAD)\s*#\s*(?=\d)")
_ROOM_NUMBER = r"(?:[A-Z]{0,2}-?\d[\w-]*|[A-Z])(?=\s|$|\.)"
_ROOM = re.compile(
    r"\s+(?:"
    r"(?:SUITE|STE|UNIT|APT|APARTMENT|ROOM|RM|FLOOR|BLDG|BUILDING|LOT|SPC|SPACE|DEPT"
    rf"|TRLR)\.?\s*#?\s*{_ROOM_NUMBER}"
    r"|#\s*[\w-]+"
    r"|\d+(?:ST|ND|RD|TH)\s+FL(?:OOR|R)?\b"
    r"|(?:GROUND|LOWER|UPPER|MAIN|TOP)\s+(?:FL(?:OOR)?|LEVEL)\b"
    r"|(?:BASEMENT|BSMT)\b"
    r").*$"
)


def street_line(address: str) -> str | None:
    """Return house number and street in capitals; None without a house number.

    Boxes, corners and landmarks have none. Units are removed: the geocoder only knows streets.
    """
    text = " ".join(address.translate(_DASHES).upper().split())
    for part in _PART.split(text):
        line = _ROOM_BEFORE.sub(r"\1", _RANGE.sub(_first_number, part.strip()))
        line = _ROOM.sub("", _ROAD_NUMBER.sub(_without_sign, line))
        if _HOUSE.match(line) and not _BOX.search(line) and not _DISTANCE.match(line):
            return _POINT.sub("", line).strip(" -")
    return None


def _first_number(match: re.Match[str]) -> str:
    first, sign, second = match[1], match[2], match[3]
    is_queens = sign == "-" and len(first) <= 3 and len(second) == 2
    return match[0] if is_queens or second == "2" else first


def _without_sign(match: re.Match[str]) -> str:
    return match[0].rstrip().rstrip("#").rstrip() + " "


# Finds points for places without one: cached answers, then the Census geocoder if enabled.
#
# `assets.geography.place_points` handles the rest: ZIP, then city.

# Columns that determine whether an address is sent, and its text.
ASKED_COLUMNS = (
    "address",
    "city",
    "state",
    "zip",
    "lat",
    "lng",
    "is_public",
    "is_confidential",
    "is_synthetic",
)
# Two numbers this small mean "unknown" in publishers' files.
_ZERO_DEGREES = 0.01

Report = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Geocodes:
    """Usable answers by row label (`lat`, `lng`, `census_tract`); `counts` of the others."""

    points: pd.DataFrame
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Return a digest of all points; empty without points."""
        if self.points.empty:
            return ""
        return hashlib.sha256(self.points.to_csv(float_format="%.12g").encode()).hexdigest()


def find_points(
    places: pd.DataFrame,
    cache: GeocodeCache,
    client: CensusBatchClient | None,
    budget: int,
    report: Report,
) -> Geocodes:
    """Return usable answers for `places` (`ASKED_COLUMNS`); new ones are cached."""
    if client is None and not cache.exists():
        return Geocodes(_as_points(pd.Series(dtype=object), {}))
    addresses = addresses_to_ask(places)
    unique = [*dict.fromkeys(addresses)]
    answers = cache.find(unique)
    if client is not None and len(answers) < len(unique):
        answers = _ask(unique, cache, client, budget, report)
    usable = {address: answer for address, answer in answers.items() if is_usable(address, answer)}
    counts = {
        "addresses_without_point": len(unique),
        "addresses_answered": len(answers),
        "addresses_geocoded": len(usable),
    }
    return Geocodes(_as_points(addresses, usable), counts)


def _ask(
    unique: list[Address],
    cache: GeocodeCache,
    client: CensusBatchClient,
    budget: int,
    report: Report,
) -> dict[Address, Answer]:
    with cache.asking():
        # Another build may have fetched them while this one waited.
        all_answers = cache.find(unique)
        missing = [address for address in unique if address not in all_answers]
        if len(missing) > budget:
            report(f"geocoder: {len(missing)} addresses, the first {budget} are sent in this build")
        for answers in client.ask(list(islice(missing, budget)), report):
            cache.keep(answers)
            all_answers |= answers
    return all_answers


def addresses_to_ask(places: pd.DataFrame) -> pd.Series:
    """Return, by row label, addresses of public places with street and state but no point."""
    points = places[["lat", "lng"]].astype("float64")
    has_none = points.isna().any(axis=1) | points.abs().lt(_ZERO_DEGREES).all(axis=1)
    may_ask = places["is_public"].eq(True).fillna(False).astype(bool)
    for name in ("is_confidential", "is_synthetic"):
        may_ask &= ~places[name].eq(True).fillna(False).astype(bool)
    has_place = places["city"].notna() | places["zip"].notna()
    some = places[has_none & may_ask & has_place & places["address"].notna()]
    some = some[some["state"].isin(STATES)]
    streets = map_unique(some["address"], street_line)
    some = some.assign(street=streets)[streets.notna()]
    parts = (some[name].fillna("") for name in ("street", "city", "state", "zip"))
    addresses = [as_sent(*row) for row in zip(*parts, strict=True)]
    return pd.Series(addresses, index=some.index, dtype=object)


# ------------------------------------------------------------------ worth of an answer


def is_usable(address: Address, answer: Answer) -> bool:
    """Return whether an answer is a point of this address: a match in its state, and if inexact, on
    its street.

    An inexact match may be on another street or in another town. It counts if house number and
    street are equal, no direction or street type contradicts, and ZIP or city is equal.
    """
    if answer.match != "match" or answer.lat is None or answer.lng is None:
        return False
    # "STREET, CITY, ST, ZIP"; another text is of no known state.
    parts = [part.strip() for part in (answer.matched_address or "").rsplit(",", 3)]
    street, city, state, zip_code = parts if len(parts) == 4 else ("", "", "", "")
    if state != address.state or state not in STATES:
        return False
    if answer.tract is not None and not answer.tract.startswith(STATES[state].fips):
        return False
    if answer.is_exact:
        return True
    is_there = (zip_code != "" and zip_code == address.zip) or (
        city != "" and fold_name(city) == fold_name(address.city)
    )
    relation = compare_streets(read_street(address.street), read_street(street))
    return is_there and relation is AddressRelation.SAME


def _as_points(addresses: pd.Series, usable: Mapping[Address, Answer]) -> pd.DataFrame:
    usable_addresses = addresses[addresses.isin(usable.keys())] if usable else addresses[:0]
    answers = [usable[address] for address in usable_addresses]
    points = pd.DataFrame(
        {
            "lat": np.array([answer.lat for answer in answers], dtype=float),
            "lng": np.array([answer.lng for answer in answers], dtype=float),
            "census_tract": pd.array([answer.tract for answer in answers], dtype="str"),
        },
        index=usable_addresses.index,
    )
    return points.sort_index()


def with_points(places: pd.DataFrame, geocodes: Geocodes) -> pd.DataFrame:
    """Return places (`PLACES`) with points for rows without one.

    Such rows get `location_precision` street, and the frame gets `location_method` (geocoder) and
    `census_tract`. The points must still be compared with state and ZIP: see
    `assets.geography.place_points.locate`.
    """
    points = geocodes.points
    if points.empty:
        return places
    places = places.assign(
        location_method=pd.Series(None, index=places.index, dtype="str"),
        census_tract=points["census_tract"].reindex(places.index),
    )
    for axis in ("lat", "lng"):
        places[axis] = (
            places[axis]
            .astype("float64")
            .mask(places.index.isin(points.index), points[axis].reindex(places.index))
        )
    places.loc[points.index, "location_precision"] = "street"
    places.loc[points.index, "location_method"] = "geocoder"
    return places


def geocode_places(
    places: pd.DataFrame, workspace: Workspace, run_id: str, report: Callable[[str], None]
) -> Geocodes:
    """Return points for places without one, from the cache and, if enabled, the Census geocoder."""
    settings = _settings(workspace)
    cache = GeocodeCache(workspace.root, settings.benchmark, settings.vintage)
    client = _client(settings, run_id) if workspace.geocode == "census" else None
    return find_points(
        places[list(ASKED_COLUMNS)], cache, client, workspace.geocode_max_addresses, report
    )


def _settings(workspace: Workspace) -> GeocoderSettings:
    settings = GeocoderSettings(
        url=workspace.geocode_url or CENSUS_URL,
        benchmark=workspace.geocode_benchmark,
        vintage=workspace.geocode_vintage,
    )
    # A mirror named by the operator may be in a private network.
    is_own = settings.url != CENSUS_URL
    return replace(settings, fetch=replace(settings.fetch, allow_private=is_own))


@lru_cache(maxsize=4)
def _client(settings: GeocoderSettings, run_id: str) -> CensusBatchClient:
    """Return one client for all sources of a run, so that an unavailable service is detected
    once."""
    return CensusBatchClient(settings)
