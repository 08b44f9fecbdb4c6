"""Source records as arrays for comparison: each distinct text is normalized once and has a number.

Records are in the order of their key ("source:key"), so the results do not depend on the order of
the input. Code -1 means "unknown".
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from assets.matching.names import comparable_name, comparable_word, content_of, telling_words_of
from assets.matching.streets import QUEENS, Street, box_key, read_street, town_names, without_range
from schemas.hours.grouping import is_single, is_weekly
from schemas.hours.recurrence import rule_of
from schemas.hours.schedule import doubt_of, is_beside, schedules_from_json
from schemas.tables.matching import FACTS_SCHEMA
from schemas.values.names import fold_name
from schemas.vocab.statuses import EXACT_PRECISIONS

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# A telephone number or website of this many places is that of a hotline or a directory.
SHARED_BY = 4
_TOLL_FREE = ("+1800", "+1833", "+1844", "+1855", "+1866", "+1877", "+1888")
# Hosts with pages of everybody: such a page identifies nobody.
_PUBLIC_HOSTS = (
    "google.",
    "maps.google.",
    "goo.gl",
    "bit.ly",
    "linktr.ee",
    "yelp.",
    "mapquest.",
    "fns.usda.gov",
)
_WEBSITE = re.compile(
    r"(?:https?:/+)?(?:www\.|m\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})(?::\d+)?(/[^?#\s]*)?"
)
# Pages that most sites have; their address counts as that of the site.
_COMMON_PAGE = re.compile(
    r"/(?:index|default|home|about|about-?us|contact|contact-?us|hours|donate|food-?pantry)(?:\.\w{3,5})?"
)
# An address inside a name: "Alda Table @ Corner of Elm and First".
_CORNER = re.compile(
    r"\s*(?:@|,|\bat\b)\s*(?:the )?(?:[NSEW]{1,2} )?corner of\b.* (?:and|&) .*", re.IGNORECASE
)


@dataclass(frozen=True)
class Coded:
    """A text column as codes into its sorted-by-appearance values."""

    codes: Codes
    values: list[str]


@dataclass(frozen=True)
class Profiles:
    """Compared values, one entry per record, in the order of `member`.

    `input_row` is the record's row in the input. `streets` are the distinct streets, `street` codes
    of them. `is_exact` marks points from which distances are measured.
    """

    member: pd.Series
    input_row: NDArray[np.int64]
    name: Coded
    content: Coded
    streets: list[Street]
    street: Codes
    number: Codes
    core: Codes
    units: Codes
    has_address: Flags
    # Post-office boxes and boxes of rural routes.
    box: Codes
    zip: Codes
    city: Coded
    # Codes of ZIP code and city together, and all names of each.
    town: Codes
    town_names: list[frozenset[str]]
    state: Codes
    phone: Codes
    # The last seven digits, since area codes are split.
    line: Codes
    is_phone_shared: Flags
    website: Codes
    is_website_shared: Flags
    lat: Floats
    lng: Floats
    is_exact: Flags
    type: Coded
    # Weekly hours; -1 also for office hours.
    hours: Codes
    # A bit for each weekday; 0 if the hours are unknown.
    weekdays: Codes
    source: Codes
    # One file of a source, or one of the lists that it was compiled from.
    list: Codes
    # The list was compiled from several, and does not say which one has the record.
    is_unattributed: Flags
    # False where every record counts as a source of its own.
    has_sources: bool
    # How many street addresses in the town have the record's name.
    addresses_by_name: NDArray[np.int64]
    # How many units of the house have the record's name.
    units_by_name: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.input_row)


def profiles_of(located: pd.DataFrame, *, has_sources: bool = True) -> Profiles:
    """Return profiles of located records. Raises ValueError when two records have one key."""
    member = located["source_id"] + ":" + located["source_key"]
    # Arrow sorts text by its bytes, which for UTF-8 is the order of Python's comparison.
    order = pc.sort_indices(pa.array(member, pa.large_string())).to_numpy().astype(np.int64)
    member = member.iloc[order].reset_index(drop=True)
    if member.duplicated().any():
        raise ValueError(f"two records have the key {member[member.duplicated()].iloc[0]}")
    rows = located.iloc[order].reset_index(drop=True)
    # A range of house numbers counts as its first number, except where a hyphen may be part of one.
    is_range = rows["address"].str.match(r"\s*\d+\s*[-–]\s*\d", na=False)
    is_range &= rows["zip"].notna() & ~rows["zip"].str.startswith(QUEENS, na=False)
    addresses = rows["address"].mask(is_range, rows["address"][is_range].map(without_range))
    street, number, core, units, streets = _streets(addresses)
    name = encode_column(_names(rows), comparable_name)
    content = encode_column(pd.Series(name.values, dtype="str"), content_of)
    zip_codes = encode_column(rows["zip"]).codes
    place = _joint(number, core, zip_codes)
    city, state = encode_column(rows["city"], fold_name), encode_column(rows["state"]).codes
    city_names = np.array([*city.values, None], dtype=object)[city.codes]
    zips = rows["zip"].astype(object).where(rows["zip"].notna(), None)
    towns = pd.MultiIndex.from_frame(pd.DataFrame({"zip": zips, "city": city_names}))
    town, unique_towns = pd.factorize(towns.to_flat_index())
    names_of_towns = [
        town_names(*(None if pd.isna(part) else part for part in each)) for each in unique_towns
    ]
    full_content = _through(content.codes, name.codes)
    phone, website = encode_column(rows["phone_e164"]), encode_column(rows["website"], website_key)
    has_point = (rows["lat"].notna() & rows["lng"].notna()).to_numpy()
    if "location_precision" in rows:
        is_exact = has_point & rows["location_precision"].isin(EXACT_PRECISIONS).to_numpy()
    else:
        # A point of many addresses is not that of a building.
        point = pd.factorize(rows["lat"].round(5) * 1000 + rows["lng"].round(5))[0]
        is_exact = has_point & ~_is_shared(point.astype(np.int32), place)
    hours, weekdays = _timetables(rows)
    is_free = np.array([value.startswith(_TOLL_FREE) for value in phone.values] + [False])
    # Without sources every record is a list of its own.
    source = lists = np.arange(len(rows), dtype=np.int32)
    if has_sources:
        source = encode_column(rows["source_id"]).codes
        columns = [c for c in ("source_id", "file_name", "compiled_from") if c in rows]
        lists = rows.groupby(columns, sort=False, dropna=False).ngroup().to_numpy(np.int32)
    return Profiles(
        member=member,
        input_row=order,
        name=name,
        content=Coded(full_content, content.values),
        streets=streets,
        street=street,
        number=number,
        core=core,
        units=units,
        has_address=rows["address"].notna().to_numpy(),
        zip=zip_codes,
        box=encode_column(rows["address"].where(number < 0), box_key).codes,
        city=city,
        town=town.astype(np.int32),
        town_names=names_of_towns,
        state=state,
        phone=phone.codes,
        line=encode_column(rows["phone_e164"], lambda phone: phone[-7:]).codes,
        is_phone_shared=is_free[phone.codes] | _is_shared(phone.codes, place),
        website=website.codes,
        is_website_shared=_is_shared(website.codes, name.codes),
        lat=rows["lat"].to_numpy(float),
        lng=rows["lng"].to_numpy(float),
        is_exact=is_exact,
        type=encode_column(rows["resource_type"]),
        hours=hours,
        weekdays=weekdays,
        source=source,
        list=lists,
        is_unattributed=rows["compiled_from"].eq("various").to_numpy(bool)
        if "compiled_from" in rows
        else np.zeros(len(rows), dtype=bool),
        has_sources=has_sources,
        addresses_by_name=_count_within(
            _joint(full_content, city.codes, state), _joint(number, core)
        ),
        units_by_name=_count_within(_joint(full_content, number, core, state), units),
    )


_Span = tuple[int, str | None, str | None, str, str]


def _timetables(rows: pd.DataFrame) -> tuple[Codes, Codes]:
    """Return the columns `hours` and `weekdays` of profiles."""
    if "schedules_json" not in rows:
        return np.full(len(rows), -1, dtype=np.int32), np.zeros(len(rows), dtype=np.int32)
    codes, values = pd.factorize(rows["schedules_json"])
    keys: list[str | None] = []
    weekdays = []
    for value in values:
        spans = _weekly_spans(str(value))
        days = {day for day, *_ in spans}
        # Every office is open at the same hours from Monday to Friday.
        is_office = days >= {0, 1, 2, 3, 4} and len({span[1:] for span in spans}) == 1
        keys.append(None if is_office or not spans else str(sorted(spans)))
        weekdays.append(sum(1 << day for day in days))
    hours = pd.factorize(_as_objects(keys))[0].astype(np.int32)
    return _through(hours, codes), np.array([*weekdays, 0], dtype=np.int32)[codes]


def _weekly_spans(schedules: str) -> set[_Span]:
    """Return weekday, opening, closing and season of each span of a `schedules_json`.

    Single dates count as their weekday. Doubtful hours, or hours that are not weekly, have no span.
    """
    spans: set[_Span] = set()
    for schedule in schedules_from_json(schedules):
        if schedule.is_closed or is_beside(schedule):
            continue
        rule = rule_of(schedule)
        if doubt_of(schedule):
            return set()
        season = ("", "")
        if is_single(rule) and isinstance(rule.first, date):
            days = frozenset({rule.first.weekday()})
        elif is_weekly(rule):
            days = rule.weekdays
            season = (schedule.valid_from or "", schedule.valid_to or "")
        else:
            return set()
        spans.update((day, schedule.opens_at, schedule.closes_at, *season) for day in days)
    return spans


def encode_column(column: pd.Series, normalize: Callable[[str], str | None] | None = None) -> Coded:
    """Return a text column as codes, each distinct text normalized once; -1 for an empty text."""
    codes, values = pd.factorize(column)
    texts = [str(value) for value in values]
    if normalize is None:
        return Coded(codes.astype(np.int32), texts)
    inner, unique = pd.factorize(np.array([normalize(t) or None for t in texts], dtype=object))
    return Coded(_through(inner.astype(np.int32), codes), [str(value) for value in unique])


def _through(inner: Codes, outer: Codes) -> Codes:
    """Return the inner code of each outer code; -1 stays -1."""
    return np.append(inner, np.int32(-1)).astype(np.int32)[outer]


def _names(rows: pd.DataFrame) -> pd.Series:
    """Return names without their town in brackets or the corner that their address states, and
    with the organization in front of a mere service ("Food Pantry")."""
    names = rows["name"].mask(
        rows["address"].notna(), rows["name"].str.replace(_CORNER, "", regex=True)
    )
    is_bracketed = names.str.endswith(")", na=False) & rows["city"].notna()
    bracketed = rows.assign(name=names)[is_bracketed]
    plain = []
    for name, city, zip_code in zip(
        bracketed["name"], bracketed["city"], bracketed["zip"], strict=True
    ):
        before, _, town = name.removesuffix(")").rpartition("(")
        towns = town_names(zip_code if isinstance(zip_code, str) else None, fold_name(city))
        plain.append(before.strip() if before.strip() and fold_name(town) in towns else name)
    names = names.mask(is_bracketed, pd.Series(plain, names.index[is_bracketed], dtype="str"))
    if "organization" not in rows:
        return names
    is_bare = rows["organization"].notna() & names.str.count(r"\S+").le(2)
    is_bare &= names.str.contains(r"(?i)^(?:the )?(?:food|mobile|community|wic)\b")
    return names.where(~is_bare, rows["organization"] + " " + names)


def _streets(addresses: pd.Series) -> tuple[Codes, Codes, Codes, Codes, list[Street]]:
    codes, values = pd.factorize(addresses)
    inner, streets = pd.factorize(_as_objects([read_street(str(value)) for value in values]))
    street = _through(inner.astype(np.int32), codes)
    parts = [s.number for s in streets], [s.core for s in streets], [s.units for s in streets]
    numbers, cores, units = (
        _through(pd.factorize(_as_objects([v or None for v in part]))[0].astype(np.int32), street)
        for part in parts
    )
    return street, numbers, cores, units, list(streets)


def _as_objects(values: list) -> NDArray[np.object_]:
    """Return an array of objects, tuples among them left whole."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def website_key(website: str) -> str | None:
    """Return host and path without www; None for a page that identifies nobody."""
    match = _WEBSITE.match(website.strip().lower())
    if match is None or match[1].startswith(_PUBLIC_HOSTS):
        return None
    path = (match[2] or "").rstrip("/")
    path = "" if _COMMON_PAGE.fullmatch(path) else path
    return None if match[1] == "facebook.com" and not path else match[1] + path


def website_host(website: str) -> str | None:
    """Return the host without www; None for a host with pages of everybody."""
    key = website_key(website)
    host = (key or "").partition("/")[0]
    return None if host in {"", "facebook.com"} else host


def _joint(first: Codes, *others: Codes) -> NDArray[np.int64]:
    """Return one code for several columns together; -1 if the first is unknown."""
    codes = first.astype(np.int64)
    for column in others:
        codes = pd.factorize(_pairs(codes, column))[0]
    return np.where(first < 0, np.int64(-1), codes)


def _pairs(first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return one number for each pair of codes, the first in its upper half."""
    return (first.astype(np.int64) << 32) + second


def _is_shared(codes: Codes, places: NDArray[np.integer]) -> Flags:
    """Return whether SHARED_BY or more different places (or names) have the value."""
    return (_count_within(codes, places) >= SHARED_BY) & (codes >= 0)


def _count_within(groups: NDArray[np.integer], values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many different known values the group of each record has."""
    is_known = (groups >= 0) & (values >= 0)
    owners = pd.unique(_pairs(groups[is_known], values[is_known])) >> 32
    counts: NDArray[np.int64] = np.bincount(owners, minlength=int(groups.max(initial=-1)) + 2)
    counts = counts[groups]
    return counts


def place_words_of(city: str, street: Street | None) -> frozenset[str]:
    """Return words of a city and a street as they would be in a name."""
    words = city.split()
    if street is not None and street.number:
        words += [*street.core.split(), street.suffix, *street.directions]
    return frozenset(comparable_word(word) for word in words if word)


def components(count: int, a: NDArray[np.integer], b: NDArray[np.integer]) -> Codes:
    """Return the number of the group of each of `count` rows, linked by the pairs (a[i], b[i])."""
    graph = coo_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(count, count))
    labels: Codes = connected_components(graph, directed=False)[1].astype(np.int32)
    return labels


def facts_by_state(located: pd.DataFrame) -> dict[str, pa.Table]:
    """Return FACTS_SCHEMA by state, of records with LOCATED_COLUMNS of `matching.matching`.

    `row` counts within the state. Every other value depends on its record alone.
    """
    p = profiles_of(located)
    rows = located.iloc[p.input_row].reset_index(drop=True)

    def hashes(codes: Codes, values: Sequence[str | None]) -> NDArray[np.int64]:
        texts = np.array([value or "" for value in values], dtype=object)
        numbers = (pd.util.hash_array(texts, categorize=False) >> np.uint64(1)).astype(np.int64)
        numbers[texts == ""] = -1
        return np.append(numbers, np.int64(-1))[codes]

    def hashes_of(column: Coded) -> NDArray[np.int64]:
        return hashes(column.codes, column.values)

    words = np.array([*map(telling_words_of, p.name.values), None], dtype=object)
    columns = {
        "row": rows.groupby("state").cumcount().to_numpy(np.int32),
        "name": hashes_of(p.name),
        "content": hashes_of(p.content),
        "number": hashes(p.street, [street.number for street in p.streets]),
        "core": hashes(p.street, [street.core for street in p.streets]),
        "zip": hashes_of(encode_column(rows["zip"])),
        "city": hashes_of(p.city),
        "state": hashes_of(encode_column(rows["state"])),
        "phone": hashes_of(encode_column(rows["phone_e164"])),
        "website": hashes_of(encode_column(rows["website"], website_key)),
        "lat": pa.array(p.lat, from_pandas=True),
        "lng": pa.array(p.lng, from_pandas=True),
        "is_exact": p.is_exact,
        "words": pa.array(words[p.name.codes], pa.string()),
    }
    facts = pa.table([pa.array(columns[f.name]) for f in FACTS_SCHEMA], schema=FACTS_SCHEMA)
    return {
        str(state): facts.take(pa.array(places)).combine_chunks()
        for state, places in rows.groupby("state").indices.items()
    }


def with_shared(profiles: Profiles, shared: pa.Table) -> Profiles:
    """Return profiles with telephones and websites shared in the country (SHARED_SCHEMA)."""
    rows = shared["row"].to_numpy()
    is_phone, is_website = profiles.is_phone_shared.copy(), profiles.is_website_shared.copy()
    is_phone[rows] |= shared["is_phone_shared"].to_numpy()
    is_website[rows] |= shared["is_website_shared"].to_numpy()
    return replace(profiles, is_phone_shared=is_phone, is_website_shared=is_website)
