"""Data of the page of a place: its record in words, its week, and ways to get there."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import phonenumbers

from schemas.attributes import TRUTHS
from schemas.values.coordinates import chord_to_miles, ecef_point, round_miles
from schemas.vocab.attributes import AUDIENCES, FOOD_TYPES
from schemas.words import Words
from serving.places.detail import area_sentence, encode_alternatives, openings_of
from serving.places.view import DayHours, PlaceView, Way, place_view, shares_of, ways_to, week_of
from serving.render.words import Language, words
from serving.site.area_links import Link, city_link, zip_path
from serving.site.site import SitePlace, language_names
from warehouse.index.reader import OpenRelease


@dataclass(frozen=True)
class PlacePage:
    """Place with everything shown on its page.

    `detail` has the members of `schemas.api.record.ResourceDetail`, without those that are here in
    words: hours, openings, age. `area` is a sentence on the area served. `sections` are lines of
    declared attributes by the key of their heading (`content/messages/site.yaml`). `week` has usual
    hours if `is_usual`. `tells_phone`: its texts have a telephone number, though it lists none.
    `above` links to the pages of its city and ZIP code.
    """

    view: PlaceView
    detail: dict[str, Any]
    languages: list[str]
    area: str | None
    sections: dict[str, list[str]]
    openings: list[str]
    week: list[DayHours] | None
    is_usual: bool
    people: list[str]
    food: list[str]
    ways: list[Way]
    shares: list[Way]
    above: list[Link]
    tells_phone: bool


def place_page(
    release: OpenRelease, row: int, now: datetime, language: Language, base_url: str
) -> PlacePage:
    """Return everything about a place. Reads the details of the release: call it in a thread."""
    view = place_view(release, row, now, language)
    others = encode_alternatives(release, row, now)
    detail: dict[str, Any] = msgspec.json.decode(
        release.detail(row, release.moment(row, now), others)
    )
    return PlacePage(
        view=view,
        detail=detail,
        languages=language_names(detail["languages"], language),
        area=area_sentence(release, row, detail["service_area_text"], language),
        sections=attribute_sections(detail, language),
        openings=[one[language] for one in openings_of(release, row, now)],
        week=week_of(release, row, now, language),
        is_usual=not release.shows_hours(row, now),
        people=_people(detail, language),
        food=_labels(detail["food_types"], FOOD_TYPES, language),
        ways=ways_to(view),
        shares=shares_of(view, base_url + view.path),
        above=_above(release, detail),
        tells_phone=not view.phone and _tells_phone(detail),
    )


def _tells_phone(detail: dict[str, Any]) -> bool:
    texts = ("notes", "hours_text", "requirements_text", "eligibility_text", "visit_limit_text")
    text = "\n".join(detail.get(name) or "" for name in texts)
    return phonenumbers.PhoneNumberMatcher(text, "US").has_next()


def attribute_sections(record: dict[str, Any], language: Language) -> dict[str, list[str]]:
    """Return the declared attributes that a place has, as lines by the key of their heading."""
    sections: dict[str, list[str]] = {}
    for truth in TRUTHS:
        if truth.section and truth.wish and record[truth.name] is truth.wanted:
            line = truth.wish.label[language]
            sections.setdefault(truth.section, []).append(f"{line[:1].upper()}{line[1:]}.")
    return sections


def miles_from(release: OpenRelease, row: int, place: SitePlace) -> float | None:
    """Return the distance of a place from a start, rounded; None for one that hides its door."""
    if release.is_confidential[row]:
        return None
    at, start = ecef_point(*release.point_of(row)), place.start.at
    return round_miles(chord_to_miles(math.dist(at, start)), release.precision_of(row))


def _people(detail: dict[str, Any], language: Language) -> list[str]:
    """Return the groups and ages that a place serves."""
    w = words("site", language).ages
    low, high = detail["minimum_age"], detail["maximum_age"]
    ages = "between" if low and high else "least" if low else "most" if high else None
    lines = _labels(detail["audiences"], AUDIENCES, language)
    return [*lines, *([w[ages].format(low=low, high=high)] if ages else [])]


def _labels(codes: Iterable[str] | None, labels: dict[str, Words], language: Language) -> list[str]:
    return [labels[code][language] for code in codes or () if code in labels]


def _above(release: OpenRelease, detail: dict[str, Any]) -> list[Link]:
    links = []
    if path := city_link(release, detail["city"], detail["state"]):
        links.append(Link(path, f"{detail['city']}, {detail['state']}"))
    if detail["zip"] and release.gazetteer.zip(detail["zip"]):
        links.append(Link(zip_path(detail["zip"]), detail["zip"]))
    return links
