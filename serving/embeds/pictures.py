"""Draws badges and Open Graph cards, once per release."""

from datetime import date
from typing import Any, Literal

from schemas.hours.clock_words import month_day
from schemas.languages import Language
from schemas.vocab.food_access import NATION
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.states import STATES
from serving.places.detail import address_line, read_record
from serving.reference.organization import organization_of
from serving.reference.totals import find_listed_state, list_states, statistics_of
from serving.render.formats import day, number, percent
from serving.render.pictures import (
    BadgeFacts,
    badge,
    figure_card,
    place_card,
)
from serving.render.words import words
from serving.settings import Settings
from warehouse.index.reader import OpenRelease

CardKind = Literal["atlas", "press"]


# ---------------------------------------------------------------- badges


def badge_of(release: OpenRelease, settings: Settings, row: int, language: Language) -> bytes:
    """Return the badge of the place in a row. Reads the database: call it in a thread."""
    return badge(badge_facts(release, settings, row, language))


def badge_facts(
    release: OpenRelease, settings: Settings, row: int, language: Language
) -> BadgeFacts:
    """Return VERIFIED ON the day of the last confirmation for listings verified by a partner;
    LISTED ON the newest day of a list with the place for others.

    A listing is never called a verification; an unknown day is not shown.
    """
    t = words("embed", language).badge
    directory = organization_of(settings).common_name
    record = read_record(release, row)
    is_verified = release.verification_of(row) == "partner_verified"
    when = badge_date(record)
    alternative = str(t.alt_verified if is_verified else t.alt_listed).format(directory=directory)
    date_text = short_date(when, language) if when else None
    sentence = ", ".join(filter(None, (alternative, date_text)))
    return BadgeFacts(
        str(t.verified if is_verified else t.listed),
        date_text,
        directory,
        is_verified,
        f"{sentence}: {record['name']}",
    )


def badge_date(record: dict[str, Any]) -> date | None:
    """Return the day on the badge, as it is in the record: of the verification by a partner, or
    the newest day of a list with the place."""
    is_verified = record["verification_status"] == "partner_verified"
    text = record["last_verified_date" if is_verified else "listed_date"]
    return date.fromisoformat(text[:10]) if text else None


def short_date(when: date, language: Language) -> str:
    """Format a day: "Nov 3, 2026"; "3 de noviembre de 2026"."""
    if language == "es":
        return month_day(when.month, when.day, "es", when.year)
    return f"{when:%b} {when.day}, {when.year}"


# ---------------------------------------------------------------- cards


def resource_card(release: OpenRelease, settings: Settings, row: int, language: Language) -> bytes:
    """Return the card of the place in a row. Facts that change by the hour are not on it: cards are
    cached for long.
    """
    t = words("embed", language).picture
    record = read_record(release, row)
    kind = RESOURCE_TYPES[record["resource_type"]]
    label = kind.labels[language]
    place = address_line(record)
    if release.is_confidential[row]:
        place = ", ".join(filter(None, (place, str(t.confidential))))
    return place_card(
        kind=label,
        name=record["name"],
        address=place,
        phone=f"{t.call}: {record['phone']}" if record["phone"] else None,
        footer=_footer(release, settings, language),
        warning=str(t.synthetic) if release.is_synthetic else None,
        description=f"{record['name']}, {label}, {place}",
    )


def state_card(
    release: OpenRelease, settings: Settings, code: str, kind: CardKind, language: Language
) -> bytes:
    """Return the card of a state, a territory or the nation. Raises ServiceProblem (404) for one
    without data."""
    t = words("embed", language).picture
    states = list_states(statistics_of(release))
    areas = states if code == NATION else [find_listed_state(release, code)]
    pantries = sum(area.pantry_class_count for area in areas)
    figures = [(number(pantries, language), str(t.pantries))]
    if kind == "atlas":
        count = sum(area.resource_count for area in areas)
        figures.append((number(count, language), str(t.all)))
    if pantries:
        known = sum(area.pantry_hours_known_count for area in areas)
        figures.append((percent(known / pantries, language), str(t.hours)))
    if kind == "press":
        verified = sum(area.partner_verified for area in areas)
        figures.append((number(verified, language), str(t.verified)))
    name = str(t.nation) if code == NATION else STATES[code].names[language]
    above = str(t.press if kind == "press" else t.atlas)
    return figure_card(
        above=above,
        state=name,
        figures=figures,
        footer=_footer(release, settings, language),
        warning=str(t.synthetic_figures) if release.is_synthetic else None,
        description=f"{above} {name}: "
        + ", ".join(f"{figure} {label}" for figure, label in figures),
    )


def _footer(release: OpenRelease, settings: Settings, language: Language) -> str:
    as_of = str(words("embed", language).picture.as_of).format(
        date=day(release.manifest.as_of_date, language)
    )
    return f"{organization_of(settings).common_name} · {as_of}"
