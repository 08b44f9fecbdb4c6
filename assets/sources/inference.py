"""Proposes a mapping for a file that no source declares, from its headings and its values.

Headings are compared with those of `schemas/platforms/table.yaml`; values with the shapes of ZIP
codes, states, telephone numbers, coordinates, addresses, hours and web addresses. What is proposed
is a draft: a person reads it before it is a source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import zipcodes

from assets.sources.columns import Columns
from assets.sources.contract import RawFile
from assets.sources.free_text import by_rules, contains, five_digits
from assets.sources.headings import plain_heading
from assets.sources.mapping import evaluate
from assets.sources.readers import format_of, read_frame
from assets.sources.value_shapes import (
    DAY,
    NUMBERED,
    PAIR,
    PAIR_LAT,
    PAIR_LNG,
    POINT,
    POINT_LAT,
    POINT_LNG,
    SHAPES,
    share,
)
from schemas.sources.mapping import (
    WEEKDAYS,
    Expression,
    Mapping,
    Rule,
    columns_of,
    names_of,
    platforms,
)

# What the columns of a platform's files look like: all of these, in the reader's frame.
_PLATFORM_SIGNS: dict[str, tuple[str, ...]] = {
    "storepoint": ("streetaddress", "loc_lat", "loc_long"),
    "storerocket": ("address_line_1", "postcode", "slug"),
    "wp_google_maps": ("title", "map_id", "address", "lat"),
    "wp_store_locator": ("store", "address2", "zip", "lat"),
    "vivery": ("locationName", "address1", "zipCode"),
    "icarol": ("PublicName", "PhysicalAddress1", "TaxonomyTerm"),
    "hsds_list": ("name", "address_1", "state_province", "postal_code"),
    "freshtrak": ("events", "estimated_distance"),
}
_PLATFORM_OF_FORMAT = {
    "hsds": "hsds_api",
    "json_ld": "jsonld_pages",
    "icalendar": "icalendar",
    "kml": "google_my_maps",
    "arcgis": "arcgis",
}
# How sure a value's shape alone makes a column; 0 where only a heading can.
_STRENGTH = {
    "zip": 0.75, "state": 0.8, "phone": 0.8, "lat": 0.8, "lng": 0.8, "website": 0.75,
    "hours_text": 0.8, "address": 0.7, "whole_address": 0.9,
}  # fmt: skip
_LEAST = 0.5
_MOST = 0.9
_FEWEST_DAYS = 4
MAX_VALUES = 40
MAX_NAME = 80
_STARTS = ["start time", "open time", "opens", "opening time", "time open", "start", "from"]
_ENDS = ["end time", "close time", "closes", "closing time", "time close", "end", "to"]
_UNITS = ["address 2", "address line 2", "suite", "unit", "street address 2", "apt"]


@dataclass(frozen=True)
class Guess:
    """A column proposed for a field, with the confidence (0 to 1) and what it rests on."""

    field: str
    rule: Rule
    confidence: float
    why: str


@dataclass(frozen=True)
class Proposal:
    """A drafted mapping, its guesses, and the file's rows as its reader has them."""

    mapping: Mapping
    guesses: list[Guess]
    rows: pd.DataFrame
    format: str
    unused: list[str] = field(default_factory=list)


def propose(file: RawFile) -> Proposal:
    """Return a mapping for a file. Raises UnreadableFileError for one that no reader reads."""
    name = format_of(file)
    base = Mapping(platform="table").resolved()
    rows = read_frame(file, base, [])
    platform = _platform_of(rows, name)
    if platform is not None:
        mapping = Mapping(platform=platform)
        resolved = mapping.resolved()
        own = read_frame(file, resolved, []) if resolved.reader != base.reader else rows
        columns = Columns(own)
        if platform not in ("google_my_maps", "arcgis"):
            return Proposal(mapping, [], own, name, _unused(columns, resolved))
        rows, base_platform = own, platform
    else:
        base_platform = None
    guesses = _guesses(rows)
    mapping = _mapping(guesses, rows, name, base_platform)
    return Proposal(mapping, guesses, rows, name, _unused(Columns(rows), mapping))


def _unused(columns: Columns, mapping: Mapping) -> list[str]:
    """Return the columns that no rule of the mapping reads."""
    for rule in (*mapping.columns.values(), mapping.whole_address, mapping.key):
        if rule is not None:
            evaluate(rule, columns)
    return columns.unused(mapping.ignore)


def _platform_of(rows: pd.DataFrame, format_name: str) -> str | None:
    if format_name == "osm":
        return "overpass" if "osm_key" in rows else None
    found = set(rows.columns)
    for platform, signs in _PLATFORM_SIGNS.items():
        if found.issuperset(signs):
            return platform
    return _PLATFORM_OF_FORMAT.get(format_name)


def _guesses(rows: pd.DataFrame) -> list[Guess]:
    """Return the best column of each field, no column for two of them."""
    columns = [name for name in rows if name != "source_row" and rows[name].notna().any()]
    scored = [
        (score, why, field_name, column)
        for column in columns
        for field_name in _FIELDS
        for score, why in [_score(field_name, column, rows[column])]
        if score >= _LEAST
    ]
    scored.sort(key=lambda each: -each[0])
    taken: set[str] = set()
    guesses: dict[str, Guess] = {}
    for score, why, field_name, column in scored:
        if field_name not in guesses and column not in taken:
            guesses[field_name] = Guess(field_name, column, round(min(score, 1.0), 2), why)
            taken.add(column)
    if "whole_address" in guesses and guesses.get("city", _SURE).confidence < _SURE.confidence:
        guesses.pop("city", None)
    if "name" not in guesses and "organization" in guesses:
        found = guesses.pop("organization")
        guesses["name"] = Guess("name", found.rule, found.confidence, found.why)
    if "name" not in guesses and (column := _most_telling(rows, columns, taken)) is not None:
        guesses["name"] = Guess("name", column, 0.5, "texts that differ from row to row")
    hours = _hours(rows, guesses, taken)
    if hours is not None:
        guesses["hours_text"] = hours
    guesses.update(_points_in_one(rows, guesses))
    _add_unit(rows, guesses, taken)
    return list(guesses.values())


def _hours(rows: pd.DataFrame, guesses: dict[str, Guess], taken: set[str]) -> Guess | None:
    """Return a rule for hours in several columns, or in a list of objects; None where there is
    none such."""
    columns = Columns(rows)
    for rule in _rules_of_hours():
        if rule.weekdays is not None and _has_weekdays(rule, columns):
            return Guess("hours_text", rule, 0.95, "a column for each weekday")
        if rule.each is not None and evaluate(rule, columns).notna().any():
            return Guess("hours_text", rule, 0.9, "a list of days")
    days = _days_column(rows, taken)
    return None if days is None else _days_and_times(days, rows, columns, guesses.get("hours_text"))


def _days_and_times(
    days: str, rows: pd.DataFrame, columns: Columns, times: Guess | None
) -> Guess | None:
    """Return a column of days joined with those of start and end, or with that of times."""
    start, end = (_first_named(columns, names) for names in (_STARTS, _ENDS))
    if start and end:
        spans = Expression(join=[start, end], separator=" - ")
        return Guess("hours_text", Expression(join=[days, spans]), 0.85, "days, start and end")
    column = times.rule if times is not None else None
    if not isinstance(column, str) or column == days or share(rows[column], DAY) >= _LEAST:
        return None
    return Guess("hours_text", Expression(join=[days, column]), 0.8, "days and times")


def _rules_of_hours() -> list[Expression]:
    rule = platforms()["table"].resolved().columns["hours_text"]
    parts = rule if isinstance(rule, list) else []
    return [part for part in parts if isinstance(part, Expression)]


def _has_weekdays(rule: Expression, columns: Columns) -> bool:
    """Check for the columns of five weekdays: lists leave days out on which nobody opens."""
    for pattern in names_of(rule.weekdays):
        forms = ([pattern.replace("{day}", form) for form in (day, day[:3])] for day in WEEKDAYS)
        if sum(any(columns.name_of(name) for name in names) for names in forms) < _FEWEST_DAYS:
            return False
    return True


def _first_named(columns: Columns, names: list[str]) -> str | None:
    return next((found for name in names if (found := columns.name_of(name))), None)


def _points_in_one(rows: pd.DataFrame, guesses: dict[str, Guess]) -> dict[str, Guess]:
    """Return latitude and longitude of a column with both, where no column has one alone."""
    if "lat" in guesses:
        return {}
    shapes = ((PAIR, PAIR_LAT, PAIR_LNG), (POINT, POINT_LAT, POINT_LNG))
    for column in rows:
        for shape, *parts in shapes if column != "source_row" else ():
            if share(rows[column], shape) < _LEAST:
                continue
            lat, lng = (Expression(from_=column, extract=part) for part in parts)
            why = "latitude and longitude in one"
            return {"lat": Guess("lat", lat, 0.9, why), "lng": Guess("lng", lng, 0.9, why)}
    return {}


def _add_unit(rows: pd.DataFrame, guesses: dict[str, Guess], taken: set[str]) -> None:
    """Join a second line of the address to the first."""
    found = guesses.get("address")
    unit = _first_named(Columns(rows.drop(columns=list(taken & set(rows)))), _UNITS)
    if found is not None and isinstance(found.rule, str) and unit is not None:
        rule = Expression(join=[found.rule, unit], separator=", ")
        guesses["address"] = Guess("address", rule, found.confidence, f"{found.why}, with {unit}")


_SURE = Guess("city", "", 0.9, "")


def _most_telling(rows: pd.DataFrame, columns: list[str], taken: set[str]) -> str | None:
    """Return the first column of short texts that hardly repeat."""
    for column in columns:
        values = rows[column].dropna()
        is_name = (
            column not in taken
            and contains(values, r"[A-Za-z]{3}").mean() > _MOST
            and values.nunique() > _LEAST * len(values)
            and values.str.len().mean() < MAX_NAME
            and share(values, r"@|^https?:") < 1 - _MOST
        )
        if is_name:
            return column
    return None


def state_of(places: pd.DataFrame) -> str | None:
    """Return the state of all ZIP codes of the rows, None where they lie in several."""
    if "zip" not in places:
        return None
    zips = five_digits(places["zip"]).dropna()
    plain = [code for code in zips.unique() if code.isdigit()]
    states = {record["state"] for code in plain for record in _zip_records(code[:5])}
    return next(iter(states)) if len(states) == 1 else None


def _zip_records(code: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = zipcodes.matching(code)  # type: ignore[no-untyped-call]
    return found


def _synonyms() -> dict[str, list[str]]:
    """Return the headings of every field, those that stand first are the surest."""
    base = platforms()["table"].resolved()
    found = {
        name: list(dict.fromkeys(plain_heading(c) for c in columns_of(rule)))
        for name, rule in base.columns.items()
    }
    found["whole_address"] = [plain_heading(c) for c in columns_of(base.whole_address)]
    return found


def _score(field_name: str, column: str, values: pd.Series) -> tuple[float, str]:
    """Return how well a column fits a field, by its heading and by its values."""
    filled = values.dropna().head(2000)
    shape = SHAPES.get(field_name)
    share = float(shape(filled).mean()) if shape is not None and len(filled) else 0.0
    heading = _heading_score(field_name, column)
    if field_name == "whole_address" and share < _LEAST:
        return 0.0, ""
    if shape is None:
        return heading * 0.9, "heading"
    if heading and share >= 0.3:
        return 0.5 * heading + 0.5 * share, f"heading, {share:.0%} of the values"
    if heading and field_name in _LOOSE:
        return 0.6 * heading, "heading"
    return _STRENGTH.get(field_name, 0.0) * share, f"{share:.0%} of the values"


def _heading_score(field_name: str, column: str) -> float:
    known = _HEADINGS.get(field_name, [])
    plain = plain_heading(column)
    last = plain_heading(column.rpartition(".")[2])
    for name, sure in ((plain, 1.0), (last, 0.95)):
        if name in known:
            return sure - 0.2 * known.index(name) / len(known)
    if field_name != "phone" and re.search(NUMBERED, column.replace("_", " "), re.IGNORECASE):
        return 0.0
    words = [plain_heading(word) for word in re.split(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])", column)]
    hits = [name for name in known[:12] if name in words and len(name) > 2]
    return 0.7 if hits else 0.0


# Whose values need not have the shape where the heading is plain.
_LOOSE = {"hours_text", "address", "city", "county_name", "phone", "website"}
_HEADINGS = _synonyms()
_FIELDS = list(_HEADINGS)


def _days_column(rows: pd.DataFrame, taken: set[str]) -> str | None:
    """Return a column of weekdays without times."""
    for column in rows:
        if column not in taken and column != "source_row":
            values = rows[column]
            if share(values, DAY) > 0.7 and share(values, r"\d{1,2}:\d\d|\d ?[ap]m") < 0.3:
                return str(column)
    return None


def _mapping(
    guesses: list[Guess], rows: pd.DataFrame, format_name: str, platform: str | None
) -> Mapping:
    by_field = {guess.field: guess.rule for guess in guesses}
    whole = by_field.pop("whole_address", None)
    kind = by_field.pop("resource_type", None)
    columns: dict[str, Rule] = dict(by_field)
    name = columns.get("name")
    types: list[str | Expression] = []
    if isinstance(kind, str):
        types.append(_type_rule(kind, rows[kind]))
    if isinstance(name, str):
        types.append(Expression(from_=name, use="type_by_name"))
    if types:
        columns["resource_type"] = types[0] if len(types) == 1 else types
    readers = {"geojson": "geojson", "json": "json", "osm": "osm"}
    return Mapping(
        platform=None,
        reader={"google_my_maps": "kml", "arcgis": "arcgis"}.get(platform or "")
        or readers.get(format_name, "auto"),
        required=[name] if isinstance(name, str) else [],
        columns=columns,
        whole_address=whole,
        key=_key(rows),
        ignore=[c for c in rows if re.search(r"e-?mail|^(?:shape|globalid|objectid|fid)", c, re.I)],
    )


def _type_rule(column: str, values: pd.Series) -> Expression:
    """Return the vocabulary of a column of types; values that say nothing are left out."""
    base = platforms()["table"].resolved().columns["resource_type"]
    first = base[0] if isinstance(base, list) else base
    rules = first.rules if isinstance(first, Expression) else {}
    distinct = pd.Series(sorted(values.dropna().unique())[:MAX_VALUES], dtype="str")
    found = by_rules(distinct, tuple(rules.items()))
    known = {t: f for t, f in zip(distinct, found, strict=True) if isinstance(f, str)}
    if not known or values.nunique() > MAX_VALUES:
        return Expression(from_=column, rules=dict(rules))
    return Expression(from_=column, map=dict(known))


def _key(rows: pd.DataFrame) -> str | None:
    """Return the column of the publisher's own ids: filled and different in every row."""
    for column in rows:
        plain = plain_heading(column.rpartition(".")[2])
        is_id = plain in ("id", "siteid", "locationid", "agencyid", "uuid", "guid", "recordid")
        if is_id and rows[column].notna().all() and rows[column].is_unique:
            return str(column)
    return None
