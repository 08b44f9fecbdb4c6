"""Drafts a mapping for a file that no source declares: what its headings and values say plainly.

A heading proposes a field and the values confirm it. Whatever decides whether a family goes to a
place (its type, its hours, whether it gives food at all) is plain in the list, or is left to the
author of the source as `TODO`; a source with a TODO is not built. The vocabulary is in drafts.yaml,
usual headings are in `schemas/platforms/table.yaml`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd

from assets.cleaning.people import is_about_person
from assets.matching.streets import records_by_zip
from assets.sources.contract import RawFile
from assets.sources.free_text import contains, five_digits, says_when
from assets.sources.headings import plain_heading
from assets.sources.hours_by_weekday import (
    SEASON_ROLES,
    names_days,
    plan_hours,
    repeats_role,
    weekly_text,
)
from assets.sources.kinds import (
    ASK,
    OTHER,
    WORDS,
    is_plain,
    kind_by_name,
    kind_in_name,
    kind_of,
    kinds_in,
)
from assets.sources.mapping import Columns, evaluate, with_groups
from assets.sources.readers import format_of, read_frame
from assets.sources.reading import first_record
from assets.sources.reading_records import objects_in
from assets.sources.whole_addresses import split_address
from schemas.sources.mapping import (
    TODO,
    Expression,
    Mapping,
    Reject,
    Rule,
    columns_of,
    platforms,
)
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATES

# Share of the values that confirm a field; share of names that tell the type of a list.
_LEAST, _NEARLY_ALL, _PLAIN_HEADING = 0.5, 0.9, 0.8
_FEWEST_NAMES, _MOST_TYPES, _MOST_QUESTIONS, _LONGEST_NAME = 4, 40, 3, 80

# The most certain headings of types; how many codes, of how many characters, are asked each.
_CODE_HEADINGS, _MOST_CODES, _LONGEST_CODE = 14, 12, 5

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
}


# ------------------------------------------------------------------ shapes of values

_STREET = (
    r"^\d+[A-Za-z]?(?:-\d+)?(?: 1/2)? +\S.*|^(?:P\.? ?O\.? Box|One|Corner|US|State|Hwy|Highway)\b"
)
_URL = r"^(?:https?://|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.(?:org|com|net|gov|edu|us)(?:/\S*)?$"
_PHONE = r"^\+?1?[\s.(-]*\d{3}[\s.)/-]*\d{3}[\s.-]*\d{4}\b"
_CODE = r"^[A-Z][A-Za-z]{0,4}$|^\d{1,3}$"
# "239774.1706" is a projected coordinate.
_DECIMAL = r"^-?\d{4,}\.\d+$"
# "1100-1400" is a span of times.
_STAMP = r"^\[\{|^\d{4}[-/]\d{1,2}(?!\d)|^\d{1,2}/\d{1,2}/\d{2,4}"
_NUMBERED = re.compile(r"\b(?:no|num|number|id|code|count|#)\b\.?", re.IGNORECASE)
_PAIR = r"^\W*(?i:lat[a-z]*\W*)?-?\d{1,2}\.\d+[\s,;/]+(?i:lon?n?g?[a-z]*\W*?)?-?\d{2,3}\.\d+\W*$"
_PAIR_LAT, _PAIR_LNG = r"^[^-\d]*(-?\d{1,2}\.\d+)", r"(-?\d{2,3}\.\d+)\W*$"
# Well-known text (OGC 06-103r4): longitude first.
_POINT = r"^POINT ?\(-?\d+(?:\.\d+)? -?\d+(?:\.\d+)?\)$"
_POINT_LAT, _POINT_LNG = r" (-?\d+(?:\.\d+)?)\)$", r"\((-?\d+(?:\.\d+)?) "
# The hours of one weekday are not those of the place.
_ONE_DAY = r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?\b"
_DAY = r"\b(?:mon|tue|wed|thu|fri|sat|sun)"
# What says that the times of a weekday do not hold in every week.
_VARIED = (
    r"\b(?:hours|schedule|days|times?)\b.*\bvar(?:y|ies)"
    r"|\b(?:varied|varying|variable|irregular)\b.*\b(?:hours|schedule|days|times?)\b"
)
_YES = "^(?i:y|yes|true|x|1)$"
_SOME_WEEKS = (
    r"\b(?:of|every|once a|twice a) (?:each |the |every )?month\b|\bevery other\b|\bbi-?weekly\b"
    r"|\b(?:first|second|third|fourth|last|1st|2nd|3rd|4th)\b[^.;]{0,30}"
    + _DAY
    + r"|\bonly applies\b"
)
_STATE_WORDS = {*STATES, *(state.name.upper() for state in STATES.values())}
# Lines below one that does not begin with a house number.
_BELOW_THE_NAME = r"^[^\d\n][^\n]*\n((?s:.+))$"


def _between(low: float, high: float, mercator: tuple[float, float]) -> Callable[..., pd.Series]:
    """Degrees with a fraction, or metres of the Web Mercator projection: no other projection shows
    itself in its numbers."""

    def check(values: pd.Series) -> pd.Series:
        number = pd.to_numeric(values, errors="coerce")
        is_degree = number.between(low, high) & contains(values, r"\.\d")
        return is_degree | number.between(*mercator)

    return check


def _is_whole(values: pd.Series) -> pd.Series:
    parts = [split_address(text) for text in values]
    results = [bool(p.zip or p.state) and bool(p.city or p.address) for p in parts]
    return pd.Series(results, index=values.index, dtype="bool")


SHAPES: dict[str, Callable[[pd.Series], pd.Series]] = {
    "zip": lambda v: contains(v, r"^\d{4,5}(?:-?\d{4})?(?:\.0)?$"),
    "state": lambda v: v.str.strip().str.upper().isin(_STATE_WORDS),
    "phone": lambda v: contains(v, _PHONE) & ~contains(v, _DECIMAL),
    "lat": _between(13.0, 72.0, (1.4e6, 1.15e7)),
    "lng": _between(-180.0, -64.0, (-2.0e7, -7.1e6)),
    "website": lambda v: contains(v, _URL),
    "hours_text": lambda v: says_when(v) & contains(v, r"\d|noon") & ~contains(v, _STAMP),
    "address": lambda v: contains(v, _STREET) & ~contains(v, r"\b\d{5}(?:-\d{4})?$"),
    "whole_address": _is_whole,
    "city": lambda v: contains(v, r"^[A-Z][A-Za-z .'-]+$"),
    "county_name": lambda v: contains(v, r"^[A-Z][A-Za-z .'-]+$"),
    "source_updated_date": lambda v: contains(
        v, r"^\d{4}-\d{2}-\d{2}|^\d{1,2}/\d{1,2}/\d{2,4}|^\d{12,13}$"
    ),
}
# Confidence of a column by the shape of its values alone; 0 if a heading is needed.
_STRENGTH = {
    "zip": 0.55, "state": 0.8, "phone": 0.8, "lat": 0.8, "lng": 0.8, "website": 0.75,
    "hours_text": 0.8, "address": 0.7, "whole_address": 0.9,
}  # fmt: skip
# Fields whose values may lack the shape if the heading is plain.
_LOOSE = {"hours_text", "address", "city", "county_name", "phone", "website"}


def share(values: pd.Series, pattern: str) -> float:
    """Return the share of the filled cells that contain the pattern."""
    present = values.dropna()
    return float(contains(present, pattern).mean()) if len(present) else 0.0


def _share_of_shape(field_name: str, values: pd.Series) -> float:
    present = values.dropna().head(2000)
    return float(SHAPES[field_name](present).mean()) if len(present) else 0.0


# ------------------------------------------------------------------ the draft


@dataclass(frozen=True)
class Choice:
    """A rule for a field, with the reason in words."""

    field: str
    rule: Rule
    why: str
    confidence: float = 1.0


@dataclass
class Draft:
    """A drafted source: its mapping, the rows as the reader has them, the reasons, the open
    questions by the member that has the TODO, and the columns that nothing reads."""

    rows: pd.DataFrame
    format: str
    mapping: Mapping
    default_type: str
    choices: list[Choice] = field(default_factory=list)
    questions: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)


def draft_mapping(file: RawFile, title: str = "") -> Draft:
    """Return the draft of a file. `title` may tell the type of all rows. Raises UnreadableFileError
    for a file that no reader reads."""
    name = format_of(file)
    base = Mapping(platform="table").resolve()
    header = first_record(file) if name == "csv" else []
    words = {heading for headings in _HEADINGS.values() for heading in headings}
    is_told = sum(plain_heading(cell) in words for cell in header)
    has_no_heading = is_told < 2 and any(_is_value(cell) for cell in header)
    if has_no_heading:
        names = [f"column {at}" for at in range(1, len(header) + 1)]
        base = msgspec.structs.replace(base, header=names)
    rows = read_frame(file, base, [])
    platform = _platform_of(rows, name)
    if platform is not None:
        mapping = Mapping(platform=platform)
        full = mapping.resolve()
        rows = read_frame(file, full, []) if full.reader != base.reader else rows
        draft = Draft(rows, name, mapping, TODO)
    else:
        grouped = _with_groups(rows, name)
        is_grouped, rows = grouped is not None, rows if grouped is None else grouped
        choices = _choices(rows)
        draft = Draft(rows, name, _mapping(choices, rows), TODO, choices)
        draft.mapping = msgspec.structs.replace(draft.mapping, group_rows=is_grouped)
        if has_no_heading:
            _ask_for_headings(draft, base.header)
        _ask_for_hours(draft)
    _settle_type(draft, f"{title} {Path(file.name).stem}")
    _reject_closed(draft)
    if draft.mapping.platform is None:
        draft.mapping = _with_type_in_key(draft)
    if draft.mapping.platform is None and _joins_rows(draft):
        draft.mapping = msgspec.structs.replace(draft.mapping, joins_rows=True)
        draft.choices.append(
            Choice("joins_rows", "true", "rows that repeat a place at other times")
        )
    draft.known = _known_state(draft)
    draft.unused = _unused_columns(draft)
    return draft


def _with_groups(rows: pd.DataFrame, format_name: str) -> pd.DataFrame | None:
    """Return the rows of a table in which some rows have a text in the first column alone, as
    headings of groups; None where no row is one, or a row of the rest has hardly more."""
    if format_name not in ("csv", "xlsx", "html", "pdf") or len(rows.columns) < 5:
        return None
    grouped = with_groups(rows)
    is_filled = grouped.drop(columns=["source_row", "group"]).notna().sum(axis=1) > 2
    if len(grouped) == len(rows) or grouped["group"].isna().all() or not is_filled.all():
        return None
    return grouped


def _is_value(cell: str) -> bool:
    """Tell whether a cell of the first record is a value and no heading."""
    text = pd.Series([cell.strip()], dtype="str")
    shapes = ("phone", "website", "lat", "lng", "whole_address")
    return bool(re.search(r"\d|\.\w", cell)) and any(bool(SHAPES[s](text).iloc[0]) for s in shapes)


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


def _choices(rows: pd.DataFrame) -> list[Choice]:
    """Return the best column of each field, no column for two of them."""
    columns = [n for n in _place_columns(rows) if n != "source_row" and rows[n].notna().any()]
    scored = [
        (score, why, field_name, column)
        for column in columns
        for field_name in _HEADINGS
        if field_name != "resource_type"
        for score, why in [_score(field_name, column, rows[column])]
        if score >= _LEAST
    ]
    scored.sort(key=lambda each: -each[0])
    used: set[str] = set()
    chosen: dict[str, Choice] = {}
    for score, why, field_name, column in scored:
        if field_name not in chosen and column not in used:
            chosen[field_name] = Choice(field_name, column, why, score)
            used.add(column)
    _settle_names(rows, columns, chosen, used)
    hours = _hours_columns(rows, chosen, used)
    if hours is not None:
        chosen["hours_text"] = _with_exceptions(rows, hours, chosen.get("notes"))
    _settle_points(rows, chosen)
    _settle_addresses(rows, chosen, used)
    return list(chosen.values())


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
    ends = re.compile(r"(?:name|person)$", re.IGNORECASE)
    starts = tuple({ends.sub("", name).strip(" _.-") for name in names})
    is_number = re.compile(r"phone|number|cell|mobile|tel", re.IGNORECASE)
    return [
        name
        for name in rows
        if name not in names and not (starts and name.startswith(starts) and is_number.search(name))
    ]


def _score(field_name: str, column: str, values: pd.Series) -> tuple[float, str]:
    """Return how well a column fits a field, by its heading and by its values, and why."""
    heading = _heading_score(field_name, column)
    sample = values.dropna().head(2000)
    if not _may_be(field_name, column, sample, heading):
        return 0.0, ""
    if field_name not in SHAPES:
        return heading * 0.9, "its heading"
    of_shape = _share_of_shape(field_name, sample)
    if heading and of_shape >= 0.3:
        return 0.5 * heading + 0.5 * of_shape, f"its heading, and {of_shape:.0%} of its values"
    if heading and field_name in _LOOSE:
        return 0.6 * heading, "its heading"
    return _STRENGTH.get(field_name, 0.0) * of_shape, f"{of_shape:.0%} of its values"


def _may_be(field_name: str, column: str, values: pd.Series, heading: float) -> bool:
    """Check that neither the heading nor the values forbid the field."""
    words = " ".join(re.findall(r"[A-Za-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column)))
    excluded = WORDS.excluded_headings.get(field_name)
    if excluded and heading < _PLAIN_HEADING and re.search(excluded, words, re.IGNORECASE):
        return False
    if field_name == "hours_text" and re.search(_ONE_DAY, words, re.IGNORECASE):
        return False
    if field_name in ("name", "organization") and contains(values, _CODE).mean() > _NEARLY_ALL:
        return False
    if field_name == "whole_address":
        return _share_of_shape("whole_address", values) >= _LEAST
    if field_name != "name" or len(values) < _FEWEST_NAMES:
        return field_name != "name" or names_days(values) < _LEAST
    # One value for all is a kind, numbers are keys, weekdays are those of a list of hours.
    is_told_apart = values.nunique() > 1 and contains(values, r"[A-Za-z]").any()
    is_told_apart = is_told_apart and names_days(values) < _LEAST
    is_other = share(values, r"@|^https?:") > _LEAST or share(values, _STREET) > _NEARLY_ALL
    return bool(is_told_apart) and not is_other


def _heading_score(field_name: str, column: str) -> float:
    synonyms = _HEADINGS.get(field_name, [])
    # Prefixes of ArcGIS before the columns that it was given.
    column = re.sub(r"^USER_(?=[A-Za-z])", "", column)
    plain = plain_heading(column)
    last = plain_heading(column.rpartition(".")[2])
    for name, sure in ((plain, 1.0), (last, 0.95)):
        if name in synonyms:
            return sure - 0.2 * synonyms.index(name) / len(synonyms)
    if field_name != "phone" and _NUMBERED.search(column.replace("_", " ")):
        return 0.0
    words = [plain_heading(word) for word in re.split(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])", column)]
    hits = [name for name in synonyms[:12] if name in words and len(name) > 2]
    return 0.7 if hits else 0.0


def _synonyms() -> dict[str, list[str]]:
    """Return the headings of every field, the most certain first."""
    base = platforms()["table"].resolve()
    synonyms = {
        name: list(dict.fromkeys(plain_heading(c) for c in columns_of(rule)))
        for name, rule in base.columns.items()
    }
    synonyms["whole_address"] = [plain_heading(c) for c in columns_of(base.whole_address)]
    return synonyms


_HEADINGS = _synonyms()


def _settle_names(
    rows: pd.DataFrame, columns: list[str], chosen: dict[str, Choice], used: set[str]
) -> None:
    """Take the organization as the name where no column names the place, a name above its address,
    or the first texts that hardly repeat."""
    if "name" in chosen:
        return
    if "organization" in chosen:
        chosen["name"] = replace(chosen.pop("organization"), field="name")
        return
    for column in columns:
        lines = rows[column].dropna().astype("str")
        below = lines.str.extract(_BELOW_THE_NAME)[0].dropna()
        if len(below) > _NEARLY_ALL * len(lines) and _is_whole(below).mean() > _NEARLY_ALL:
            why = "a name above an address"
            name = Expression(from_=column, extract=r"^([^\n]+)")
            whole = Expression(from_=column, extract=_BELOW_THE_NAME)
            chosen["name"] = Choice("name", name, why)
            chosen["whole_address"] = Choice("whole_address", whole, why)
            return
    for column in columns:
        values = rows[column].dropna()
        if (
            column not in used
            and contains(values, r"[A-Za-z]{3}").mean() > _NEARLY_ALL
            and values.nunique() > _LEAST * len(values)
            and values.str.len().mean() < _LONGEST_NAME
            and share(values, r"@|^https?:") < 1 - _NEARLY_ALL
            and share(values, _PAIR) < 1 - _NEARLY_ALL
            and share(values, _STREET) < 1 - _NEARLY_ALL
        ):
            chosen["name"] = Choice("name", column, "texts that differ from row to row", 0.5)
            used.add(column)
            return


# ------------------------------------------------------------------ hours


def _hours_columns(rows: pd.DataFrame, chosen: dict[str, Choice], used: set[str]) -> Choice | None:
    """Return the rule of hours in several columns or in a list of objects; None without."""
    filled = [str(n) for n in rows if n != "source_row" and rows[n].notna().any()]
    free = [n for n in filled if n not in used or _rule_columns(chosen, "hours_text") == [n]]
    excluded = re.compile(WORDS.excluded_headings["hours_text"], re.IGNORECASE)
    free = [n for n in free if not excluded.search(n.replace("_", " "))]
    lists = [
        name
        for name in free
        if objects_in(rows[name].dropna().iloc[0]) and weekly_text(rows[[name]]).notna().any()
    ]
    members = tuple(f"{name}." for name in lists)
    planned = plan_hours(n for n in free if not (members and n.startswith(members)))
    planned = [
        c
        for c in planned
        if c.role in (*SEASON_ROLES, "day") or share(rows[c.name], _STAMP) < _LEAST
    ]
    if not {"begins", "ends"} <= {c.role for c in planned}:
        planned = [c for c in planned if c.role not in ("begins", "ends")]
    seasons = [c.name for c in planned if c.role in SEASON_ROLES]
    of_season = {c.number for c in planned if c.number and c.role in SEASON_ROLES}
    planned = [c for c in planned if c.role not in SEASON_ROLES]
    by_day = [c.name for c in planned if c.day is not None]
    if by_day and len({c.day for c in planned if c.day}) >= 2:
        # Beside a tick for each day the times are in a column without one.
        ticks = all(share(rows[n], r"^(?:y|yes|n|no|true|false|x|0|1)$") > 0.99 for n in by_day)
        times = [c.name for c in planned if c.day is None] if ticks else []
        found, why = [*by_day, *times], "columns for each weekday"
    elif lists:
        found, why = lists[:1], "a list of days and times"
    else:
        numbers = {c.number for c in planned if c.role == "day" and c.number}
        numbered = [c.name for c in planned if c.number in numbers]
        # "Lunch Time" belongs to the days, as "Time" does.
        plain = [c for c in planned if not re.match(r"\d", c.number)]
        has_days = any(
            c.role == "day"
            and max(share(rows[c.name], f"{_DAY}|{_STAMP}"), names_days(rows[c.name])) >= _LEAST
            for c in plain
        )
        has_times = {"open", "close"} <= {c.role for c in plain} or (
            {"text", "close"} <= {c.role for c in plain}
        )
        by_season = [c.name for c in planned if c.number in of_season and c.role == "text"]
        if by_season:
            found, why = by_season, "hours of each season"
        elif numbers and len(numbered) > 1:
            found, why = numbered, "numbered columns of days and times"
        elif has_days and has_times:
            roles = {c.role for c in plain}
            opening = "open" if "open" in roles else "text"
            found = [
                c.name for c in plain if c.role in ("day", "last_day", "week", opening, "close")
            ]
            why = "days, start and end"
        elif has_days and (texts := [c for c in plain if c.role == "text"]):
            if sum(not c.number for c in texts) > 1 or share(rows[texts[0].name], _DAY) >= _LEAST:
                return _with_season(rows, chosen.get("hours_text"), seasons)
            found = [c.name for c in plain if c.role in ("day", "last_day", "text", "week")]
            why = "days and times"
        else:
            return _with_season(rows, chosen.get("hours_text"), seasons)
    names = list(dict.fromkeys([*found, *seasons]))
    used.update(names)
    rule: Rule = Expression(hours=[n for n in filled if n in names])
    text = _rule_columns(chosen, "hours_text")
    if text and text[0] not in names and share(rows[text[0]], _DAY) >= _LEAST:
        rule = [rule, text[0]] if isinstance(rule, Expression) else rule
    return Choice("hours_text", rule, why)


def _with_season(rows: pd.DataFrame, hours: Choice | None, seasons: list[str]) -> Choice | None:
    """Return the column of hours with the months in which they hold, and numbered ones with it."""
    if hours is None or not isinstance(hours.rule, str):
        return hours
    stem = re.sub(r"[ _]*1$", "", hours.rule)
    others = [
        n for n in rows if stem != hours.rule and re.fullmatch(re.escape(stem) + r"[ _]*[2-9]", n)
    ]
    if others:
        return Choice(
            "hours_text", Expression(join=[hours.rule, *others], separator="; "), "numbered columns"
        )
    if not seasons:
        return hours
    return Choice("hours_text", Expression(hours=[hours.rule, *seasons]), "hours and their season")


def _with_exceptions(rows: pd.DataFrame, hours: Choice, notes: Choice | None) -> Choice:
    """Add a remark to the weekday columns of rows whose notes, or another column ("Varied Hours?"),
    say that the hours do not hold in every week."""
    if hours.why != "columns for each weekday":
        return hours
    conditions = {
        str(name): _YES
        for name in rows
        if re.search(_VARIED, str(name).replace("_", " "), re.IGNORECASE)
        and rows[name].str.contains(_YES, na=False).any()
    }
    if notes is not None and isinstance(notes.rule, str) and share(rows[notes.rule], _SOME_WEEKS):
        conditions[notes.rule] = _SOME_WEEKS
    always = hours.rule if isinstance(hours.rule, list) else [hours.rule]
    limited: list[str | Expression] = []
    for column, pattern in conditions.items():
        where = {column: pattern}
        remark = Expression(value="(with exceptions)", where=where)
        limited += [
            Expression(join=[msgspec.structs.replace(rule, where=where), remark], only=r"\d")
            for rule in always
            if isinstance(rule, Expression)
        ]
    if not limited:
        return hours
    why = f"{hours.why}, with the exceptions of {', '.join(conditions)}"
    return replace(hours, rule=[*limited, *always], why=why)


def _rule_columns(chosen: dict[str, Choice], field_name: str) -> list[str]:
    return list(columns_of(chosen[field_name].rule)) if field_name in chosen else []


def _ask_for_hours(draft: Draft) -> None:
    """Ask where columns that the mapping leaves out tell hours as well: a part is no whole."""
    used = {n for choice in draft.choices for n in columns_of(choice.rule)}
    excluded = re.compile(WORDS.excluded_headings["hours_text"], re.IGNORECASE)
    told = [
        str(name)
        for name in draft.rows
        if name not in used
        and name != "source_row"
        and not excluded.search(str(name).replace("_", " "))
        and _share_of_shape("hours_text", draft.rows[name]) >= _LEAST
    ]
    lists = {n.partition(".")[0] for n in used}
    told = [name for name in told if name.partition(".")[0] not in lists]
    # A popup repeats what the columns say.
    copies = [draft.rows[name] for name in used if name in draft.rows]
    told = [name for name in told if not any(draft.rows[name].equals(each) for each in copies)]
    texts = {n for n in ("description", "Description") if n in draft.rows}
    told = [name for name in told if name not in texts or not used]
    rules = [c.rule for c in draft.choices if c.field == "hours_text"]
    read = [r.hours for r in rules if isinstance(r, Expression) and r.hours]
    told = told or [name for names in read if repeats_role(names) for name in names]
    if told:
        have = [c for c in draft.choices if c.field == "hours_text"]
        now = ", ".join(n for c in have for n in columns_of(c.rule)) or "no column"
        draft.questions["hours_text"] = (
            f"hours are in {now} and also in {', '.join(told)}: name the columns that count"
        )
        columns = {**draft.mapping.columns, "hours_text": TODO}
        draft.mapping = msgspec.structs.replace(draft.mapping, columns=columns)


# ------------------------------------------------------------------ points and addresses


def _settle_points(rows: pd.DataFrame, chosen: dict[str, Choice]) -> None:
    """Take latitude and longitude from a column with both, if no column has one alone; neither
    without the other."""
    if "lat" in chosen and "lng" in chosen:
        return
    chosen.pop("lat", None)
    chosen.pop("lng", None)
    for column in rows:
        for shape, *parts in ((_PAIR, _PAIR_LAT, _PAIR_LNG), (_POINT, _POINT_LAT, _POINT_LNG)):
            if column == "source_row" or share(rows[column], shape) < _LEAST:
                continue
            lat, lng = (Expression(from_=column, extract=part) for part in parts)
            first = rows[column].str.extract(parts[0])[0].dropna().astype("str")
            if len(first) and float(SHAPES["lng"](first).mean()) > _LEAST:
                lat, lng = lng, lat
            why = "latitude and longitude in one"
            chosen |= {"lat": Choice("lat", lat, why), "lng": Choice("lng", lng, why)}
            return


def _settle_addresses(rows: pd.DataFrame, chosen: dict[str, Choice], used: set[str]) -> None:
    """Choose between a street and a whole address, and take the parts that no column has."""
    address, whole = (chosen.get(name) for name in ("address", "whole_address"))
    if address is not None and isinstance(address.rule, str):
        # "address" beside "city" may be whole after all.
        is_whole = _share_of_shape("whole_address", rows[address.rule]) >= _LEAST
        if is_whole and whole is None:
            del chosen["address"]
            whole = replace(
                address, field="whole_address", why="street, city, state and ZIP in one"
            )
            chosen["whole_address"] = whole
            address = None
    if address is None and isinstance(whole, Choice) and isinstance(whole.rule, str):
        # Beside all the parts a plain street is surer than a text that has to be taken apart.
        streets = [
            n
            for n in rows
            if n not in used and n != "source_row" and _share_of_shape("address", rows[n]) > _LEAST
        ]
        if streets:
            chosen["address"] = address = Choice("address", streets[0], "values that are streets")
            used.add(streets[0])
    if address is not None and whole is not None and {"city", "zip"} <= set(chosen):
        del chosen["whole_address"]
        used.discard(str(whole.rule))
    free = Columns(rows.drop(columns=list(used & set(rows))))
    unit = next((name for each in _UNITS if (name := free.name_of(each))), None)
    if address is not None and isinstance(address.rule, str) and unit:
        rule = Expression(join=[address.rule, unit], separator=", ")
        chosen["address"] = Choice("address", rule, f"{address.why}, with {unit}")
        used.add(unit)
    code = chosen.get("zip")
    if "city" in chosen or "whole_address" in chosen or address is None or code is None:
        return
    if isinstance(address.rule, str) and isinstance(code.rule, str):
        texts = (rows[address.rule] + " " + rows[code.rule]).dropna().head(_MOST_TYPES)
        towns = [split_address(text).city for text in texts]
        if sum(town is not None for town in towns) > _LEAST * len(towns):
            rule = Expression(join=[address.rule, code.rule])
            chosen["whole_address"] = Choice("whole_address", rule, "a town behind the street")
            del chosen["address"]


_UNITS = ["address 2", "address line 2", "suite", "unit", "street address 2", "apt"]


def _known_state(draft: Draft) -> dict[str, str]:
    """Return the state of all rows of a list without a column of states: that of its ZIP codes, or
    of the ZIP codes next to its points."""
    mapping = draft.mapping.resolve()
    if "state" in mapping.columns or mapping.whole_address is not None:
        return {}
    columns = Columns(draft.rows)
    fields = {n: mapping.columns[n] for n in ("zip", "lat", "lng") if n in mapping.columns}
    values = {n: evaluate(rule, columns) for n, rule in fields.items() if rule != TODO}
    states: set[str] = set()
    if "zip" in values:
        codes = five_digits(values["zip"]).dropna().str[:5].unique()
        states = {records_by_zip()[c]["state"] for c in codes if c in records_by_zip()}
    elif {"lat", "lng"} <= set(values):
        points = pd.DataFrame(values).apply(pd.to_numeric, errors="coerce").dropna()
        records = [r for r in records_by_zip().values() if r["lat"] and r["state"] in STATES]
        lat, lng = (np.array([float(r[n]) for r in records]) for n in ("lat", "long"))
        for point in points.drop_duplicates().head(_MOST_POINTS).itertuples():
            away = np.hypot(lat - point.lat, (lng - point.lng) * np.cos(np.radians(point.lat)))
            near = np.argsort(away)[:_NEIGHBOURS]
            if away[near[0]] < _NEAR_DEGREES:
                states |= {records[at]["state"] for at in near}
    return {"state": next(iter(states))} if len(states) == 1 else {}


# A point belongs to the state in which all its nearest ZIP codes lie.
_NEIGHBOURS, _NEAR_DEGREES, _MOST_POINTS = 4, 0.3, 300


# ------------------------------------------------------------------ types


def _settle_type(draft: Draft, title: str) -> None:
    """Set the rule of the types, the default type and the questions about them."""
    rows, mapping = draft.rows, draft.mapping
    name_rule = next((c.rule for c in draft.choices if c.field == "name"), None)
    name_rule = name_rule or mapping.resolve().columns.get("name")
    names = None if name_rule is None else evaluate(name_rule, Columns(rows))
    kind, why = _kind_of_list(rows, names, title)
    column = _type_column(rows, names)
    if column is None and not is_plain(kind):
        column = _code_column(rows)
    rule: Rule | None = None
    if column is not None:
        expression = _type_map(draft, column)
        if expression.map:
            rule = expression
            draft.choices.append(Choice("resource_type", rule, "a type for each of its values"))
        else:
            # One answer for values that are all a question.
            column, kind, why = None, None, f"{column}: {draft.questions.pop('otherwise')}"
    if is_plain(kind):
        draft.default_type = str(kind)
        draft.choices.append(Choice("default_type", str(kind), why))
    elif column is None or rows[column].isna().any():
        told = f"{why}: {ASK[kind]}" if kind in ASK else why
        draft.questions["default_type"] = (
            f"the type of the rows{' without one' if column else ''}; {told}"
        )
    else:
        # Every row has its own type.
        draft.default_type = ""
    by_name = None if names is None else kind_by_name(names)
    is_free = draft.default_type in ("food_pantry", "soup_kitchen") or (
        draft.default_type == TODO and kind in (None, "food_bank", "food_pantry")
    )
    is_mixed = by_name is not None and by_name.dropna().ne(draft.default_type).any()
    if column is None and is_free and is_mixed and isinstance(name_rule, str):
        rule = Expression(from_=name_rule, use="kind_by_name")
        draft.choices.append(Choice("resource_type", rule, "words in the names"))
    if column is None and is_free and names is not None and isinstance(name_rule, str):
        rule = _ask_for_other_kinds(draft, names, name_rule, rule)
    columns = dict(mapping.columns)
    if rule is not None:
        columns["resource_type"] = rule
    elif mapping.platform is not None and draft.default_type != TODO:
        columns.pop("resource_type", None)
    draft.mapping = msgspec.structs.replace(mapping, columns=columns)


def _ask_for_other_kinds(
    draft: Draft, names: pd.Series, name_rule: str, rule: Rule | None
) -> Rule | None:
    """Ask for each kind that names of a list of free food state, such as a thrift store's."""
    kinds = kind_in_name(names).dropna()
    if kinds.empty:
        return rule
    for kind, group in kinds.groupby(kinds):
        told = "; ".join(names[group.index].head(_MOST_QUESTIONS))
        draft.questions[str(kind)] = (
            f"{len(group)} rows ({told}); {ASK.get(str(kind), 'a type, or ignore')}"
        )
    asked = Expression(
        from_=name_rule, use="kind_in_name", map=dict.fromkeys(sorted(set(kinds)), TODO)
    )
    draft.choices.append(Choice("resource_type", asked, "names that are of another kind"))
    return asked if rule is None else [asked, rule]  # type: ignore[list-item]


def _kind_of_list(
    rows: pd.DataFrame, names: pd.Series | None, title: str
) -> tuple[str | None, str]:
    """Return the kind on which title, headings and names agree, with the evidence; None without."""
    evidence: list[tuple[str, str]] = []
    if (kind := kind_of(title)) is not None:
        kinds = kinds_in(title)
        is_one = len(kinds & set(TYPE_IDS) - {"food_bank"}) < 2
        evidence.append((kind if is_one else "", f"the title says {', '.join(sorted(kinds))}"))
    headings = " ".join(re.sub(r"[_\-./]+|(?<=[a-z])(?=[A-Z])", " ", str(n)) for n in rows)
    if (kind := kind_of(headings, WORDS.headings)) is not None:
        evidence.append((kind, f"the headings say {kind}"))
    if names is not None and names.notna().any():
        counts = names.dropna().map(kind_of).value_counts(dropna=True)
        parts = counts / names.notna().sum()
        told = ", ".join(f"{share:.0%} {kind}" for kind, share in parts.head(3).items())
        if len(parts) and (parts.iloc[0] >= _NEARLY_ALL or (evidence and parts.iloc[0] > _LEAST)):
            evidence.append((str(parts.index[0]), f"the names say {told}"))
        elif len(parts):
            # Where some names say otherwise the title does not hold for all rows.
            others = parts.drop([k for k, _ in evidence], errors="ignore")
            free = {"food_pantry", "soup_kitchen", "mobile_pantry", "community_fridge", "food_bank"}
            is_against = any(k not in (*free, *OTHER) and s > 0 for k, s in others.items())
            evidence.append(("" if is_against else None, f"the names say {told}"))  # type: ignore[arg-type]
    kinds = {kind for kind, _ in evidence if kind is not None}
    why = "; ".join(text for _, text in evidence) or "neither title, headings nor names tell it"
    return (next(iter(kinds)) or None, why) if len(kinds) == 1 else (None, why)


def _type_column(rows: pd.DataFrame, names: pd.Series | None) -> str | None:
    """Return the column with the most values that name a kind, of those whose heading tells types;
    None where none does."""
    headings = [plain_heading(each) for each in WORDS.type_columns]
    best: tuple[float, str] | None = None
    for column in rows:
        last = plain_heading(str(column).rpartition(".")[2])
        values = rows[column].dropna()
        is_type = last in headings or any(last.endswith(h) for h in headings[:2])
        if not is_type or values.empty or (names is not None and values.equals(names.dropna())):
            continue
        distinct = values.unique()
        if len(distinct) > max(_MOST_TYPES, 1) or max(map(len, distinct)) > _LONGEST_NAME:
            continue
        kinds = {text: kind_of(text) for text in distinct}
        known = {text for text, kind in kinds.items() if kind is not None}
        plain = {text for text in known if is_plain(kinds[text])}
        # A type of the catalog tells more than a kind that has to be asked.
        told = float((values.isin(known).sum() + 2 * values.isin(plain).sum()) / (3 * len(rows)))
        if told > (best[0] if best else 0.1):
            best = (told, str(column))
    return best[1] if best else None


def _code_column(rows: pd.DataFrame) -> str | None:
    """Return the column of types whose values are codes of the publisher's ("FP", "SK"): each is a
    question, as they part the list."""
    headings = [plain_heading(each) for each in WORDS.type_columns[:_CODE_HEADINGS]]
    for column in rows:
        values = rows[column].dropna()
        if (
            plain_heading(str(column).rpartition(".")[2]) in headings
            and 2 <= values.nunique() <= _MOST_CODES
            and len(values) > _NEARLY_ALL * len(rows)
            and values.nunique() < _LEAST * len(values)
            and contains(values, _CODE).mean() > _NEARLY_ALL
        ):
            return str(column)
    return None


def _type_map(draft: Draft, column: str) -> Expression:
    """Return the types of the values of a column, with a question for each kind that is none of the
    catalog's and for each value that says nothing."""
    counts = draft.rows[column].value_counts()
    types: dict[str, str | bool | None] = {}
    asked: dict[str, str] = {}
    for text, count in counts.items():
        kind = kind_of(str(text))
        if is_plain(kind):
            types[str(text)] = kind
        else:
            asked[str(text)] = f"{count} rows; {ASK.get(kind or '', 'a type, or ignore')}"
    is_coded = not types and all(kind_of(text) is None for text in asked) and len(asked) > 1
    if is_coded and max(map(len, asked)) <= _LONGEST_CODE and len(asked) <= _MOST_CODES:
        draft.questions |= asked
        return Expression(from_=column, map=dict.fromkeys(asked, TODO))
    if len(asked) > _MOST_QUESTIONS or (asked and not types):
        told = ", ".join(f"{text} ({counts[text]})" for text in asked)
        hints = list(dict.fromkeys(ASK[k] for t in asked if (k := kind_of(t)) in ASK))
        draft.questions["otherwise"] = f"a type, or ignore, for {told}" + "".join(
            f"; {hint}" for hint in hints[:2]
        )
        return Expression(from_=column, map=types, otherwise=TODO)
    for text, why in asked.items():
        types[text] = TODO
        draft.questions[text] = why
    return Expression(from_=column, map=types)


def _reject_closed(draft: Draft) -> None:
    """Reject rows whose status says that the place is closed."""
    headings = {plain_heading(each) for each in WORDS.status_columns}
    for column in draft.rows:
        if plain_heading(str(column).rpartition(".")[2]) not in headings:
            continue
        values = draft.rows[column].dropna().str.casefold()
        pattern = WORDS.closed_words
        if "active" in str(column).casefold() or "open" in str(column).casefold():
            pattern += f"|{WORDS.inactive_words}"
        if values.str.fullmatch(pattern).any():
            reject = Reject("closed_by_source", where={str(column): f"^(?:{pattern})$"})
            draft.mapping = msgspec.structs.replace(
                draft.mapping, reject=[*draft.mapping.reject, reject]
            )
            draft.choices.append(Choice("reject", str(column), "closed places"))


# ------------------------------------------------------------------ the mapping


def _mapping(choices: list[Choice], rows: pd.DataFrame) -> Mapping:
    by_field = {choice.field: choice.rule for choice in choices}
    whole = by_field.pop("whole_address", None)
    name = by_field.get("name")
    return Mapping(
        reader="auto",
        required=[name] if isinstance(name, str) else [],
        columns=by_field,
        whole_address=whole,
        key=_key(rows),
        ignore=[c for c in rows if re.search(r"e-?mail|^(?:shape|globalid|objectid|fid)", c, re.I)],
    )


def _with_type_in_key(draft: Draft) -> Mapping:
    """Return the mapping with a key that tells a kitchen from the pantry in the same house."""
    mapping = draft.mapping
    fields = ("name", "address", "city", "zip", "resource_type")
    rules = [mapping.columns.get(name) for name in fields]
    rules = [mapping.whole_address if at == 1 and r is None else r for at, r in enumerate(rules)]
    names = [list(columns_of(rule))[:1] for rule in rules if rule not in (None, TODO)]
    if mapping.key is not None or "resource_type" not in mapping.columns or TODO in rules:
        return mapping
    key = list(dict.fromkeys(name for each in names for name in each))
    rows = draft.rows[[name for name in key if name in draft.rows]]
    without = rows.drop(columns=names[-1])
    if (without.duplicated() & ~rows.duplicated()).any() and len(key) > 2:
        return msgspec.structs.replace(mapping, key=[*key])
    return mapping


def _joins_rows(draft: Draft) -> bool:
    """Check for rows that repeat a place with other hours: a row for each day or time."""
    mapping = draft.mapping
    fields = [mapping.columns.get(name) for name in ("name", "address", "city", "lat", "lng")]
    rules = [rule for rule in (*fields, mapping.whole_address) if rule not in (None, TODO)]
    hours = mapping.columns.get("hours_text")
    if mapping.key is not None or len(rules) < 2 or hours in (None, TODO):
        return False
    columns = Columns(draft.rows)
    # What else a row tells has to be the same: a kitchen in a pantry's house is another place.
    others = ("resource_type", "phone", "services_text", "notes", "website")
    rules += [mapping.columns[name] for name in others if name in mapping.columns]
    texts = [evaluate(rule, columns).astype("object").fillna("") for rule in rules]
    places = pd.concat(texts, axis=1)
    is_later = places.duplicated()
    whole = pd.concat([places, evaluate(hours, columns)], axis=1)
    return bool((is_later & ~whole.duplicated()).any())


def _key(rows: pd.DataFrame) -> str | None:
    """Return the column of the publisher's own ids: filled and different in every row."""
    ids = ("id", "siteid", "locationid", "agencyid", "uuid", "guid", "recordid", "fmid", "storeid")
    for column in rows:
        plain = plain_heading(column.rpartition(".")[2])
        if plain in ids and rows[column].notna().all() and rows[column].is_unique:
            return str(column)
    return None


def _ask_for_headings(draft: Draft, header: list[str]) -> None:
    """Ask which column of a file without headings has the name; the others are numbered."""
    first = draft.rows.iloc[0]
    used = {n for choice in draft.choices for n in columns_of(choice.rule)}
    behind = next((c.rule for f in ("state", "zip") for c in draft.choices if c.field == f), None)
    at = header.index(behind) - 1 if isinstance(behind, str) and behind in header else 0
    if (
        at > 0
        and header[at] not in used
        and _share_of_shape("city", draft.rows[header[at]]) > _NEARLY_ALL
    ):
        draft.choices.append(Choice("city", header[at], f"texts before {behind}"))
        draft.mapping.columns["city"] = header[at]
    guess = next((str(c.rule) for c in draft.choices if c.field == "name"), "no column")
    told = "; ".join(f"{n}: {first[n]}" for n in header if n in draft.rows and pd.notna(first[n]))
    columns = {**draft.mapping.columns, "name": TODO}
    columns.pop("organization", None)
    draft.questions["name"] = f"the file has no headings: {guess}?; {told}"
    draft.mapping = msgspec.structs.replace(
        draft.mapping, reader="csv", header=header, columns=columns, required=[]
    )


def _unused_columns(draft: Draft) -> list[str]:
    """Return the columns that no rule of the mapping reads."""
    columns, mapping = Columns(draft.rows), draft.mapping.resolve()
    for rule in (*mapping.columns.values(), mapping.whole_address, mapping.key):
        if rule is not None and rule != TODO:
            evaluate(rule, columns)
    return columns.list_unused(mapping.ignore)
