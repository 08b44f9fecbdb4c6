"""The page of a place: its record in words, its week, ways to get there; and its card to print."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
import phonenumbers
import segno
from litestar import get
from litestar.params import FromPath, QueryParameter
from litestar.types import Scope

from schemas.attributes import TRUTHS
from schemas.hours.clock_words import capital
from schemas.values.coordinates import chord_to_miles, ecef_point, round_miles
from schemas.vocab.attributes import AUDIENCES, FOOD_TYPES
from schemas.vocab.statuses import EXACT_PRECISIONS
from schemas.words import Words
from serving.context import context_of
from serving.http.answers import MINUTE, Answer
from serving.http.errors import ServiceProblem, release_of
from serving.places import json_ld
from serving.places.detail import area_sentence, encode_alternatives, openings_of
from serving.places.listings import find_row
from serving.places.view import (
    DayHours,
    PlaceView,
    Way,
    distance_words,
    place_view,
    shares_of,
    ways_to,
    week_of,
)
from serving.processes.notifications import can_text
from serving.render.page import Head, page, page_head, page_of_minute
from serving.render.street_map import street_map_of
from serving.render.templates import as_published
from serving.render.words import Language, finder_paths, path_language, paths_of, words
from serving.site.area_links import Link, city_link, zip_path
from serving.site.result_map import map_data, pin_of
from serving.site.sheet import QR_MASK
from serving.site.site import SitePlace, language_names, place_of, problem_of_place
from warehouse.index.reader import OpenRelease

# Texts of a record that may have a telephone number.
_TEXTS = ("notes", "hours_text", "requirements_text", "eligibility_text", "visit_limit_text")
_WORDS = "site"
NearText = Annotated[str, QueryParameter(name="near", max_length=200)]


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
        above=_links_above(release, detail),
        tells_phone=not view.phone
        and phonenumbers.PhoneNumberMatcher(
            "\n".join(detail.get(name) or "" for name in _TEXTS), "US"
        ).has_next(),
    )


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


def _links_above(release: OpenRelease, detail: dict[str, Any]) -> list[Link]:
    links = []
    if path := city_link(release, detail["city"], detail["state"]):
        links.append(Link(path, f"{detail['city']}, {detail['state']}"))
    if detail["zip"] and release.gazetteer.zip(detail["zip"]):
        links.append(Link(zip_path(detail["zip"]), detail["zip"]))
    return links


# ---------------------------------------------------------------- routes


@get(finder_paths("/place/{resource_id:int}"), include_in_schema=False)
async def place(scope: Scope, resource_id: FromPath[int], near: NearText = "") -> Answer:
    """Return the page of a place. A merged id leads to its successor; one that is gone says so.

    `near`: where the reader is, for the distance.
    """
    language, release, now = path_language(scope), release_of(scope), datetime.now(UTC)
    row = find_row(release, resource_id, paths_of("/place/{id}", language)[0])

    async def make() -> tuple[Answer, None]:
        return _answer_place(scope, release, row, near, now), None

    answer, _ = await page_of_minute(scope, now, make)
    return answer


def _answer_place(scope: Scope, release: OpenRelease, row: int, near: str, now: datetime) -> Answer:
    language, url = path_language(scope), context_of(scope).settings.url
    contents = place_page(release, row, now, language, url)
    start, away = None, None
    if near.strip():
        try:
            start = place_of(release, near)
        except ServiceProblem as problem:
            away = problem_of_place(problem, near, language)
    miles = miles_from(release, row, start) if start else None
    if start and miles is not None:
        distance = distance_words(miles, language)
        near_miles = words(_WORDS, language).near_miles
        away = capital(near_miles.format(distance=distance, place=start.name))
    view, mw, data, start_name = contents.view, words("map", language), None, None
    if view.record["lat"] is not None and not view.is_confidential:
        if start:
            start_name = mw.you if start.is_device else start.name
        data = map_data(
            release,
            street_map_of(context_of(scope).settings),
            [pin_of(view, None)],
            language,
            state=view.record["state"],
            start=start.start if start else None,
            start_name=start_name,
        )
    head = replace(_head(scope, contents, language, near), has_map=data is not None)
    return page(
        scope,
        "place.html",
        head,
        max_age=MINUTE,
        place=contents.view,
        detail=contents.detail,
        contents=contents,
        crumbs=[*_above(contents, language), ("", as_published(contents.view.name, language))],
        near=near,
        can_text=can_text(context_of(scope).settings) and not contents.view.is_confidential,
        away=away,
        mw=mw,
        map_data=data,
        start_name=start_name,
        is_rough=view.record["location_precision"] not in EXACT_PRECISIONS,
    )


@get(finder_paths("/place/{resource_id:int}/card"), include_in_schema=False)
async def card(scope: Scope, resource_id: FromPath[int]) -> Answer:
    """Return one sheet to print: hours, address, documents, and a QR code back to the page."""
    language, release, now = path_language(scope), release_of(scope), datetime.now(UTC)
    row = find_row(release, resource_id, paths_of("/place/{id}/card", language)[0])
    url = context_of(scope).settings.url
    contents = place_page(release, row, now, language, url)
    title = words(_WORDS, language).card_title.format(name=contents.view.name)
    address = url + contents.view.path
    return page(
        scope,
        "place_card.html",
        page_head(
            scope, f"/place/{resource_id}/card", title, title, is_indexed=False, is_bare=True
        ),
        max_age=MINUTE,
        place=contents.view,
        detail=contents.detail,
        contents=contents,
        address=address,
        code=segno.make(address, error="m", mask=QR_MASK).svg_data_uri(scale=4, border=2),
        today=release.local_day(row, now),
    )


def _head(scope: Scope, contents: PlacePage, language: Language, near: str) -> Head:
    view, url = contents.view, context_of(scope).settings.url
    town = ", ".join(part for part in (view.record["city"], view.record["state"]) if part)
    w, t = words(_WORDS, language), words("layout", language)
    trail = [
        (paths_of("/", language)[0], t.home),
        *_above(contents, language),
        (view.path, view.name),
    ]
    return page_head(
        scope,
        f"/place/{view.id}",
        f"{view.name}, {town}" if town else view.name,
        f"{view.type_label}. {view.address}. {w.around}: {town}." if town else view.type_label,
        query=urlencode({"near": near}) if near else "",
        image=f"/og/resource/{view.id}",
        json_ld=[json_ld.place(url, view), json_ld.breadcrumbs(url, trail)],
        alternates=(
            ("application/json", f"/api/resources/{view.id}", "JSON"),
            (
                "application/json+oembed",
                "/oembed?" + urlencode({"url": f"{url}/place/{view.id}", "format": "json"}),
                view.name,
            ),
        ),
        is_indexed=not near,
    )


def _above(contents: PlacePage, language: Language) -> list[tuple[str, str]]:
    return [(paths_of(link.path, language)[0], link.name) for link in contents.above]
