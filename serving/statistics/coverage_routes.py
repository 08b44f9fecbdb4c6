"""Pages and documents about the lists that the directory has and lacks, by state and county."""

import asyncio
from collections import Counter, defaultdict
from typing import Any

from litestar import get
from litestar.types import Scope

from schemas.api.area_help import AreaContact, ServedArea
from schemas.api.coverage_lists import StateLists
from schemas.vocab.states import STATES
from serving.context import context_of
from serving.http.answers import HOUR, Answer
from serving.http.errors import release_of
from serving.http.openapi import answers
from serving.http.per_release import per_release
from serving.http.per_state import per_state, state_of
from serving.http.release_documents import release_document
from serving.reference.totals import statistics_of
from serving.render.page import page, page_head
from serving.render.words import Language, path_language, words
from serving.search.area_help import contacts_of_state, food_bank
from serving.statistics.coverage import (
    newest_date,
    state_lists,
    totals_by_state,
    with_free_food,
    withheld_lists,
)
from warehouse.index.food_access import zips_of
from warehouse.index.reader import OpenRelease


@per_state(
    "/api/v1/coverage/{state}.json",
    summary="Lists that we have for a state",
    tags=["statistics"],
    responses=answers(StateLists, "Lists of the state and of its counties.", 404),
)
async def get_state_coverage(scope: Scope) -> Answer:
    """Return publishers' lists with places of a state, their age, what is withheld, and all
    counties; 404 for an unknown code."""
    code = state_of(scope)
    return await release_document(scope, lambda r, s: state_lists(r, s, code), HOUR)


def _name(code: str, language: Language) -> str:
    return STATES[code].names[language]


@get(["/coverage", "/es/coverage"], include_in_schema=False)
async def national_page(scope: Scope) -> Answer:
    """Return all states and territories: how many lists, how old, and what is withheld."""
    language, release = path_language(scope), release_of(scope)
    values = await _national_values.in_thread(release, language)
    w = words("coverage", language)
    head = page_head(scope, "/coverage", w.title, w.description)
    return page(scope, "coverage.html", head, words_of="coverage", **values)


@per_release
def _national_values(release: OpenRelease, language: Language) -> dict[str, Any]:
    free_food = {s.state: s.free_food_count for s in statistics_of(release).states}
    states = []
    for code in sorted(STATES, key=lambda code: _name(code, language)):
        lists = with_free_food(totals_by_state(release)[code])
        states.append(
            {
                "code": code,
                "name": _name(code, language),
                "free_food": free_food.get(code, 0),
                "lists": len({row.source_id for row in lists}),
                "newest": newest_date(lists),
            }
        )
    national = {"total_resources": len(release), "free_food": sum(free_food.values())}
    return {"national": national, "states": states, "withheld": withheld_lists(release)}


@per_state("/coverage/{state}", "/es/coverage/{state}", include_in_schema=False)
async def state_page(scope: Scope) -> Answer:
    """Return a state and its counties: lists, their age, whom to ask."""
    language = path_language(scope)
    release, settings, code = release_of(scope), context_of(scope).settings, state_of(scope)
    found = await asyncio.to_thread(state_lists, release, settings, code)
    banks = await banks_by_county.in_thread(release, code)
    named = [bank for some in banks.values() for bank in some]
    w = words("coverage", language)
    title = w.state_title.format(state=_name(code, language))
    return page(
        scope,
        "coverage_state.html",
        page_head(scope, f"/coverage/{code}", title, w.description),
        words_of="coverage",
        title=title,
        name=_name(code, language),
        found=found,
        banks=banks,
        source=min(named, key=lambda bank: bank.as_of or "9999") if named else None,
        contacts=contacts_of_state(code),
    )


@per_release
def banks_by_county(release: OpenRelease, code: str) -> dict[str, list[AreaContact]]:
    """Return the food banks of each county of a state, those with most of its ZIP codes first.

    Reads the database: call it in a thread.
    """
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    banks = {}
    with release.cursor() as db:
        zips = [(row["county_fips"], row["zip"]) for row in zips_of(db, code)]
    for county, zip_code in zips:
        for serving in release.food_banks.of_zip(zip_code) if county else ():
            banks[serving.bank.id] = serving.bank
            counted[county][serving.bank.id] += 1
    found: dict[str, list[AreaContact]] = defaultdict(list)
    for county, numbers in counted.items():
        area = ServedArea("county", county)
        found[county] = [food_bank(banks[id_], area, county) for id_, _ in numbers.most_common()]
    return found
