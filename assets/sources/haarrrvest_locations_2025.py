"""HAARRRvest's national table of locations, August 2025: a language model wrote it from some twenty
locators.

`name` is a town or a phrase in most rows, the real name is in `org`. Descriptions say which list a
row comes from ("Healthcare organization providing WIC services"), when a program runs, and that a
place is closed: type, last day and closure are read from them, nothing else. Telephone and web
address belong to the organization's name: where several places share one name ("First Baptist
Church"), they are those of any of them.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pandas as pd
import phonenumbers
import zipcodes
from phonenumbers import geocoder

from assets.attributes.clauses import clauses_of
from assets.attributes.statements import read_closure
from assets.cleaning.program_dates import Program, read_program
from assets.sources.contract import RawFile
from assets.sources.free_text import (
    by_rules,
    contains,
    digests,
    five_digits,
    type_by_name,
    website_without_email,
)
from assets.sources.reading import with_rejects
from assets.sources.reading_records import numbers, read_records, texts
from schemas.sources.registry import Source
from schemas.vocab.states import STATES

_NOTHING = (
    r"^\W*$|\bunknown\b|\bnot (?:available|specified|provided|given|listed)\b|^n/?a$|^none$|^state$"
)
# Phrases used instead of a name.
_NO_NAME = (
    r"^(?:unknown|unnamed|food (?:assistance|pantry|bank|distribution)(?: (?:location|site"
    r"|organization|program))?)\b\W*$"
)
# "5900 Princess Garden Parkway, Lanham, MD 20706": city, state and ZIP code have columns of their
# own.
_BEHIND_STREET = (
    r"\s*,\s*[^,]*,\s*[A-Za-z .]*\s*(?:\d{4,9}(?:-\d{4})?|\(?\d{3}\)?[- ]\d{3}-\d{4}|[Uu]nknown"
    r"|UNKNOWN|[\w ]*not [\w ]+)?\s*$"
)
_STREET = r"\d|&| and |\bcorner\b"
_TYPE_RULES: tuple[tuple[str, str], ...] = (
    (r"\bWIC\b", "wic_office"),
    (r"\bDTA\b|\btransitional assistance\b|\bSNAP (?:office|outreach)\b", "snap_office"),
)
# Nothing but summer meals is given out at playgrounds.
_SUMMER = (
    r"\bsummer (?:meals?|food|lunch|feeding|camp|program)\b|\bSFSP\b|\bchild meal site\b"
    r"|\bplayground\b"
    r"|\b(?:residents|kids|children|teens|youth)\b[^.]{0,20}\b18 (?:and|&) (?:under|younger)\b"
)
_DELIVERS = r"\bmeals on wheels\b|\bhome[- ]deliver"
_CODES = {**{code: code for code in STATES}, **{s.name.upper(): c for c, s in STATES.items()}}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's locations in one frame. Raises UnreadableFileError when it is no such
    table."""
    records = read_records(file, "locations")
    name, about = _without_placeholders(texts(records, "org")), texts(records, "description")
    name = name.mask(contains(name, _NO_NAME))
    street = texts(records, "address").str.replace(_BEHIND_STREET, "", regex=True).str.strip(" ,")
    is_town = contains(street, r"^[^,\d]*, ?[A-Za-z .]+ \d{4,9}$")
    address = _without_placeholders(street).where(contains(street, _STREET) & ~is_town)
    city = _without_placeholders(texts(records, "city"))
    state = _without_placeholders(texts(records, "state")).str.upper().map(_CODES).astype("str")
    zips = _without_placeholders(texts(records, "zip"))
    zips = five_digits(
        zips.where(contains(zips, r"^\d{4,5}(?:-\d{4})?$") & ~contains(zips, "^0000"))
    )
    has_street = address.notna() & city.notna()
    has_town = _is_town_of_zip(city, state, zips)
    # A name in several towns, or in one and also without a town, tells nothing about its row.
    towns = city.str.casefold().fillna("(none)").groupby(name.str.casefold()).nunique()
    is_telling = name.str.casefold().map(towns).fillna(1) <= 1
    closed = [
        text
        for text in about.dropna().unique()
        if any(read_closure(clause) for _, clause in clauses_of(text))
    ]
    programs = {text: read_program(text) for text in about.dropna().unique()}
    kind = by_rules(name, _TYPE_RULES)
    kind = kind.fillna(type_by_evidence(name, about, about.map(programs)))
    places = pd.DataFrame(
        {
            "source_row": range(1, len(records) + 1),
            "source_key": digests(name, address, city, state, zips),
            # "si" was put out in full: "ViStaten Islandon" is "Vision".
            "name": name.str.replace(
                r"(?<=[A-Za-z])Staten Island(?=[a-z])", "si", regex=True
            ).str.replace(r"\bStaten Island(?!ers?\b)(?=[a-z])", "Si", regex=True),
            "compiled_from": "various",
            "resource_type": kind.mask(kind == NO_FOOD),
            "program_ends_date": about.map(
                {text: program.ends for text, program in programs.items() if program}
            ),
            "closure": about.map(dict.fromkeys(closed, "closed")),
            "address": address.where(has_street),
            "city": city,
            "state": state,
            "zip": zips,
            "lat": numbers(records, "lat").where(has_street),
            "lng": numbers(records, "lng").where(has_street),
            "phone": _of_state(
                _without_placeholders(texts(records, "phone")).where(is_telling), state
            ),
            "website": website_without_email(
                _without_placeholders(texts(records, "website"))
            ).where(is_telling),
        }
    )
    where = texts(records, "address").fillna("")
    yield with_rejects(
        places,
        (
            ("no_name", name.isna(), texts(records, "name").fillna("")),
            ("season_over", contains(name, _SUMMER) | contains(about, _SUMMER), name.fillna("")),
            ("home_delivery_only", contains(name, _DELIVERS), name.fillna("")),
            ("no_address_to_locate", ~has_street & ~has_town, where),
            (NO_FOOD, kind == NO_FOOD, about.fillna("")),
            ("no_evidence_of_food", kind.isna(), about.fillna("")),
        ),
    )


def _without_placeholders(column: pd.Series) -> pd.Series:
    """Return texts without the words that mean "missing"."""
    return column.mask(contains(column, _NOTHING))


def _is_town_of_zip(city: pd.Series, state: pd.Series, zips: pd.Series) -> pd.Series:
    """Return whether the ZIP is in the state and has the town's name."""
    towns = {code: _towns(code) for code in zips.dropna().unique()}
    rows = zip(city.str.casefold(), state, zips, strict=True)
    matches = [isinstance(z, str) and (c, s) in towns[z] for c, s, z in rows]
    return pd.Series(matches, index=city.index, dtype="bool")


def _towns(code: str) -> set[tuple[str, str]]:
    records = zipcodes.matching(code) if code.isdigit() else []  # type: ignore[no-untyped-call]
    return {
        (name.casefold(), record["state"])
        for record in records
        for name in (record["city"], *record["acceptable_cities"])
    }


def _of_state(phones: pd.Series, state: pd.Series) -> pd.Series:
    """Return telephone numbers, without those of another state, which belong to other places."""
    homes = {text: _home(text) for text in phones.dropna().unique()}
    rows = zip(phones, state, strict=True)
    fits = [
        isinstance(p, str) and homes[p] in ("", STATES[s].name) if isinstance(s, str) else False
        for p, s in rows
    ]
    return phones.where(pd.Series(fits, index=phones.index, dtype="bool"))


def _home(text: str) -> str:
    """Return the state of a telephone number's area code, "" if unknown."""
    try:
        number = phonenumbers.parse(text, "US")
    except phonenumbers.NumberParseException:
        return ""
    place = geocoder.description_for_number(number, "en")
    last = place.rpartition(", ")[2]
    return next((s.name for s in STATES.values() if last in (s.code, s.name)), "")


NO_FOOD = "not_food_assistance"
# Summer meals are served from May through September: 42 U.S.C. 1761(c)(1).
_SUMMER_MONTHS = range(5, 10)


class _Rule(msgspec.Struct, forbid_unknown_fields=True):
    type: str
    pattern: str


class _Evidence(msgspec.Struct, forbid_unknown_fields=True):
    says_nothing: str
    described: list[_Rule]
    named: list[str]


_EVIDENCE = msgspec.yaml.decode(
    Path(__file__).with_name("type_evidence.yaml").read_bytes(), type=_Evidence
)
_DESCRIBED = tuple((rule.pattern, rule.type) for rule in _EVIDENCE.described)
_NAMED = "|".join(_EVIDENCE.named)


def type_by_evidence(names: pd.Series, descriptions: pd.Series, programs: pd.Series) -> pd.Series:
    """Return the type that name, description and dates show, `NO_FOOD` where they show that no food
    is given; missing without evidence.

    `programs`: first and last day of each row's program, missing for most.
    """
    is_silent = contains(descriptions, _EVIDENCE.says_nothing)
    is_silent |= descriptions.str.casefold() == names.str.casefold()
    described = by_rules(descriptions.mask(is_silent), _DESCRIBED)
    # A "period pantry" has a pantry's name.
    named = type_by_name(names).mask(contains(descriptions, _DESCRIBED[0][0]))
    # Within the summer of one year.
    is_summer = pd.Series(
        [
            isinstance(program, Program)
            and program.begins.year == program.ends.year
            and {program.begins.month, program.ends.month} <= set(_SUMMER_MONTHS)
            for program in programs
        ],
        names.index,
    )
    kind = named.fillna(described.mask(is_summer, "summer_meal"))
    return kind.mask(kind.isna() & contains(names, _NAMED), "food_pantry")
