"""Proposes a mapping for a file that no source declares, from its headings and its values.

Headings are compared with those of `schemas/platforms/table.yaml`; values with the shapes of ZIP
codes, states, telephone numbers, coordinates, addresses, hours and web addresses. A proposal is a
draft: a person reads it before it is a source.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import zipcodes

from assets.cleaning.people import is_about_person
from assets.sources.columns import Columns
from assets.sources.contract import RawFile
from assets.sources.free_text import by_rules, contains, five_digits
from assets.sources.headings import plain_heading
from assets.sources.inferred_hours import (
    LEAST,
    Guess,
    add_numbered_hours,
    first_named,
    hours_in_columns,
)
from assets.sources.mapping import evaluate
from assets.sources.readers import format_of, read_frame
from assets.sources.value_shapes import (
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
from assets.sources.whole_addresses import split_address
from schemas.sources.mapping import (
    Expression,
    Mapping,
    Rule,
    columns_of,
    platforms,
)

# Columns that identify a platform's files: all of these, in the reader's frame.
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
    "hsds_csv": "hsds_csv",
    "json_ld": "jsonld_pages",
    "icalendar": "icalendar",
    "kml": "google_my_maps",
    "arcgis": "arcgis",
}
# Confidence of a column by the shape of its values alone; 0 if a heading is needed.
_STRENGTH = {
    "zip": 0.75,
    "state": 0.8,
    "phone": 0.8,
    "lat": 0.8,
    "lng": 0.8,
    "website": 0.75,
    "hours_text": 0.8,
    "address": 0.7,
    "whole_address": 0.9,
}
_MOST = 0.9
_FEWEST_NAMES = 4
MAX_VALUES = 40
MAX_NAME = 80
_UNITS = ["address 2", "address line 2", "suite", "unit", "street address 2", "apt"]


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
    base = Mapping(platform="table").resolve()
    rows = read_frame(file, base, [])
    platform = _platform_of(rows, name)
    if platform is not None:
        mapping = Mapping(platform=platform)
        full_mapping = mapping.resolve()
        own = read_frame(file, full_mapping, []) if full_mapping.reader != base.reader else rows
        columns = Columns(own)
        if platform not in ("google_my_maps", "arcgis"):
            return Proposal(mapping, [], own, name, _list_unused_columns(columns, full_mapping))
        rows, base_platform = own, platform
    else:
        base_platform = None
    guesses = _guesses(rows)
    mapping = _mapping(guesses, rows, name, base_platform)
    return Proposal(mapping, guesses, rows, name, _list_unused_columns(Columns(rows), mapping))


def _list_unused_columns(columns: Columns, mapping: Mapping) -> list[str]:
    """Return the columns that no rule of the mapping reads."""
    for rule in (*mapping.columns.values(), mapping.whole_address, mapping.key):
        if rule is not None:
            evaluate(rule, columns)
    return columns.list_unused(mapping.ignore)


def _platform_of(rows: pd.DataFrame, format_name: str) -> str | None:
    if format_name == "osm":
        return "overpass" if "osm_key" in rows else None
    if format_name in ("hsds", "hsds_csv"):
        return _PLATFORM_OF_FORMAT[format_name]
    columns = set(rows.columns)
    for platform, signs in _PLATFORM_SIGNS.items():
        if columns.issuperset(signs):
            return platform
    return _PLATFORM_OF_FORMAT.get(format_name)


def _guesses(rows: pd.DataFrame) -> list[Guess]:
    """Return the best column of each field, no column for two of them."""
    columns = [
        name for name in _place_columns(rows) if name != "source_row" and rows[name].notna().any()
    ]
    scored = [
        (score, why, field_name, column)
        for column in columns
        for field_name in _FIELDS
        for score, why in [_score(field_name, column, rows[column])]
        if score >= LEAST
    ]
    scored.sort(key=lambda each: -each[0])
    used_columns: set[str] = set()
    guesses: dict[str, Guess] = {}
    for score, why, field_name, column in scored:
        if field_name not in guesses and column not in used_columns:
            guesses[field_name] = Guess(field_name, column, round(min(score, 1.0), 2), why)
            used_columns.add(column)
    if "whole_address" in guesses and guesses.get("city", _SURE).confidence < _SURE.confidence:
        guesses.pop("city", None)
    if "name" not in guesses and "organization" in guesses:
        organization = guesses.pop("organization")
        guesses["name"] = Guess(
            "name", organization.rule, organization.confidence, organization.why
        )
    guesses.update(_names_over_addresses(rows, guesses))
    telling = None if "name" in guesses else _most_telling(rows, columns, used_columns)
    if telling is not None:
        guesses["name"] = Guess("name", telling, 0.5, "texts that differ from row to row")
    hours = hours_in_columns(rows, guesses, used_columns)
    if hours is not None:
        guesses["hours_text"] = hours
    guesses.update(_points_in_one(rows, guesses))
    _add_unit(rows, guesses, used_columns)
    add_numbered_hours(rows, guesses)
    _add_town(rows, guesses)
    return list(guesses.values())


def _place_columns(rows: pd.DataFrame) -> list[str]:
    """Return the columns that are not about a person: neither a contact's name nor, beside one, the
    contact's telephone."""
    # Numbers alone, below "Contact", are the place's telephone.
    names = [
        name
        for name in rows
        if is_about_person(name) and rows[name].str.contains("[A-Za-z]{2}", regex=True).any()
    ]
    # "AgencyContactName" and "AgencyContactPhone", "Contact" and "Contact Phone".
    starts = tuple({_PERSON_END.sub("", name).strip(" _.-") for name in names})
    return [
        name
        for name in rows
        if name not in names and not (starts and name.startswith(starts) and _IS_PHONE.search(name))
    ]


_PERSON_END = re.compile(r"(?:name|person)$", re.IGNORECASE)
_IS_PHONE = re.compile(r"phone|number|cell|mobile|tel", re.IGNORECASE)


def _points_in_one(rows: pd.DataFrame, guesses: dict[str, Guess]) -> dict[str, Guess]:
    """Return latitude and longitude from a column with both, if no column has one alone."""
    if "lat" in guesses:
        return {}
    shapes = ((PAIR, PAIR_LAT, PAIR_LNG), (POINT, POINT_LAT, POINT_LNG))
    for column in rows:
        for shape, *parts in shapes if column != "source_row" else ():
            if share(rows[column], shape) < LEAST:
                continue
            lat, lng = (Expression(from_=column, extract=part) for part in parts)
            if _is_longitude(rows[column].str.extract(parts[0])[0]):
                lat, lng = lng, lat
            why = "latitude and longitude in one"
            return {"lat": Guess("lat", lat, 0.9, why), "lng": Guess("lng", lng, 0.9, why)}
    return {}


def _is_longitude(values: pd.Series) -> bool:
    """Tell whether numbers lie in the longitudes of the country and not in its latitudes."""
    numbers = pd.to_numeric(values, errors="coerce").dropna()
    return bool(len(numbers)) and float(SHAPES["lng"](numbers.astype("str")).mean()) > LEAST


def _add_unit(rows: pd.DataFrame, guesses: dict[str, Guess], used_columns: set[str]) -> None:
    """Join a second line of the address to the first."""
    guess = guesses.get("address")
    unit = first_named(Columns(rows.drop(columns=list(used_columns & set(rows)))), _UNITS)
    if guess is not None and isinstance(guess.rule, str) and unit is not None:
        rule = Expression(join=[guess.rule, unit], separator=", ")
        guesses["address"] = Guess("address", rule, guess.confidence, f"{guess.why}, with {unit}")


def _add_town(rows: pd.DataFrame, guesses: dict[str, Guess]) -> None:
    """Take the town from the text after the street, if only the ZIP code has a separate column."""
    address, code = (guesses.get(name) for name in ("address", "zip"))
    if "city" in guesses or "whole_address" in guesses or address is None or code is None:
        return
    if not isinstance(address.rule, str) or not isinstance(code.rule, str):
        return
    texts = (rows[address.rule] + " " + rows[code.rule]).dropna().head(MAX_VALUES)
    towns = [split_address(text).city for text in texts]
    if sum(town is not None for town in towns) > LEAST * len(towns):
        rule = Expression(join=[address.rule, code.rule])
        guesses["whole_address"] = Guess("whole_address", rule, 0.7, "a town behind the street")


def _names_over_addresses(rows: pd.DataFrame, guesses: dict[str, Guess]) -> dict[str, Guess]:
    """Return name and address from a column with both, if no column has the name: its first
    line."""
    if "name" in guesses:
        return {}
    for column in rows.drop(columns="source_row"):
        lines = rows[column].dropna().astype("str")
        below = lines.str.extract(_BELOW_THE_NAME)[0].dropna()
        if len(below) > _MOST * len(lines) and SHAPES["whole_address"](below).mean() > _MOST:
            name = Expression(from_=column, extract=r"^([^\n]+)")
            whole = Expression(from_=column, extract=_BELOW_THE_NAME)
            why = "a name above an address"
            return {
                "name": Guess("name", name, 0.8, why),
                "whole_address": Guess("whole_address", whole, 0.8, why),
            }
    return {}


# Lines below one that does not begin with a house number.
_BELOW_THE_NAME = r"^[^\d\n][^\n]*\n((?s:.+))$"
_SURE = Guess("city", "", 0.9, "")


def _most_telling(rows: pd.DataFrame, columns: list[str], used_columns: set[str]) -> str | None:
    """Return the first column of short texts that hardly repeat."""
    for column in columns:
        values = rows[column].dropna()
        is_name = (
            column not in used_columns
            and contains(values, r"[A-Za-z]{3}").mean() > _MOST
            and values.nunique() > LEAST * len(values)
            and values.str.len().mean() < MAX_NAME
            and share(values, r"@|^https?:") < 1 - _MOST
            and share(values, PAIR) < 1 - _MOST
        )
        if is_name:
            return column
    return None


def state_of(places: pd.DataFrame) -> str | None:
    """Return the state of all ZIP codes of the rows, None if they are in several."""
    if "zip" not in places:
        return None
    zips = five_digits(places["zip"]).dropna()
    plain = [code for code in zips.unique() if code.isdigit()]
    states = {record["state"] for code in plain for record in _zip_records(code[:5])}
    return next(iter(states)) if len(states) == 1 else None


def _zip_records(code: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = zipcodes.matching(code)  # type: ignore[no-untyped-call]
    return records


def _synonyms() -> dict[str, list[str]]:
    """Return the headings of every field, the most certain first."""
    base = platforms()["table"].resolve()
    synonyms = {
        name: list(dict.fromkeys(plain_heading(c) for c in columns_of(rule)))
        for name, rule in base.columns.items()
    }
    synonyms["whole_address"] = [plain_heading(c) for c in columns_of(base.whole_address)]
    return synonyms


def _score(field_name: str, column: str, values: pd.Series) -> tuple[float, str]:
    """Return how well a column fits a field, by its heading and by its values."""
    sample = values.dropna().head(2000)
    shape = SHAPES.get(field_name)
    share = float(shape(sample).mean()) if shape is not None and len(sample) else 0.0
    heading = _heading_score(field_name, column)
    # One value for all is a kind, and numbers are keys.
    if field_name == "name" and len(sample) >= _FEWEST_NAMES and not _tells_apart(sample):
        return 0.0, ""
    if field_name == "whole_address" and share < LEAST:
        return 0.0, ""
    if shape is None:
        return heading * 0.9, "heading"
    if heading and share >= 0.3:
        return 0.5 * heading + 0.5 * share, f"heading, {share:.0%} of the values"
    if heading and field_name in _LOOSE:
        return 0.6 * heading, "heading"
    return _STRENGTH.get(field_name, 0.0) * share, f"{share:.0%} of the values"


def _tells_apart(values: pd.Series) -> bool:
    return values.nunique() > 1 and bool(contains(values, r"[A-Za-z]").any())


def _heading_score(field_name: str, column: str) -> float:
    synonyms = _HEADINGS.get(field_name, [])
    # Prefixes of ArcGIS before the columns that it was given.
    column = re.sub(r"^USER_(?=[A-Za-z])", "", column)
    plain = plain_heading(column)
    last = plain_heading(column.rpartition(".")[2])
    for name, sure in ((plain, 1.0), (last, 0.95)):
        if name in synonyms:
            return sure - 0.2 * synonyms.index(name) / len(synonyms)
    if field_name != "phone" and re.search(NUMBERED, column.replace("_", " "), re.IGNORECASE):
        return 0.0
    words = [plain_heading(word) for word in re.split(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])", column)]
    hits = [name for name in synonyms[:12] if name in words and len(name) > 2]
    return 0.7 if hits else 0.0


# Fields whose values may lack the shape if the heading is plain.
_LOOSE = {"hours_text", "address", "city", "county_name", "phone", "website"}
_HEADINGS = _synonyms()
_FIELDS = list(_HEADINGS)


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
    base = platforms()["table"].resolve().columns["resource_type"]
    first = base[0] if isinstance(base, list) else base
    rules = first.rules if isinstance(first, Expression) else {}
    distinct = pd.Series(sorted(values.dropna().unique())[:MAX_VALUES], dtype="str")
    types = by_rules(distinct, tuple(rules.items()))
    type_of_text = {t: f for t, f in zip(distinct, types, strict=True) if isinstance(f, str)}
    if not type_of_text or values.nunique() > MAX_VALUES:
        return Expression(from_=column, rules=dict(rules))
    return Expression(from_=column, map=dict(type_of_text))


def _key(rows: pd.DataFrame) -> str | None:
    """Return the column of the publisher's own ids: filled and different in every row."""
    for column in rows:
        plain = plain_heading(column.rpartition(".")[2])
        is_id = plain in ("id", "siteid", "locationid", "agencyid", "uuid", "guid", "recordid")
        if is_id and rows[column].notna().all() and rows[column].is_unique:
            return str(column)
    return None
