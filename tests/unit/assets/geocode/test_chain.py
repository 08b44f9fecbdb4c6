# ruff: noqa: C408 - cases read better as calls
"""Which addresses are sent to the geocoder, and which answers become points."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.geocode.geocoder import (
    addresses_to_ask,
    find_points,
    is_usable,
    street_line,
    with_points,
)
from schemas.tables.core import PLACES
from tests.support.cases import labelled
from tests.unit.assets.cleaning.places import places as accepted
from warehouse.geocoder.cache import Answer, GeocodeCache, as_sent


@labelled("address, expected")
def test_street_line(address: str, expected: str | None) -> None:
    assert street_line(address) == expected


def places(*rows: dict[str, Any]) -> pd.DataFrame:
    usual = dict(
        address="12 Main St",
        city="Salem",
        state="MA",
        zip="01970",
        is_synthetic=False,
    )
    return accepted(*({**usual, **row} for row in rows))[PLACES.field_names]


@labelled("row, is_asked")
def test_only_public_streets_without_a_point_are_geocoded(
    row: dict[str, Any], is_asked: bool
) -> None:
    assert len(addresses_to_ask(places(row))) == int(is_asked)


def answer(matched: str, is_exact: bool, tract: str | None = "25009204200") -> Answer:
    return Answer(
        match="match", is_exact=is_exact, matched_address=matched, lat=42.5, lng=-70.9, tract=tract
    )


USABLE = [
    ("exact", answer("12 MAIN ST, SALEM, MA, 01970", True), True),
    ("exact_in_another_state", answer("12 MAIN ST, SALEM, NH, 03079", True, None), False),
    ("tract_of_another_state", answer("12 MAIN ST, SALEM, MA, 01970", True, "33015100100"), False),
    ("without_tract", answer("12 MAIN ST, SALEM, MA, 01970", True, None), True),
    ("direction_added", answer("12 MAIN ST NE, SALEM, MA, 01970", False), True),
    ("zip_corrected_in_the_city", answer("12 MAIN ST, SALEM, MA, 01971", False), True),
    ("city_corrected_in_the_zip", answer("12 MAIN ST, BEVERLY, MA, 01970", False), True),
    ("another_town", answer("12 MAIN ST, BEVERLY, MA, 01915", False), False),
    ("another_number", answer("14 MAIN ST, SALEM, MA, 01970", False), False),
    ("another_street", answer("12 MAPLE ST, SALEM, MA, 01970", False), False),
    ("avenue_for_street", answer("12 MAIN AVE, SALEM, MA, 01970", False), False),
    ("matched_address_unreadable", answer("12 MAIN ST", True), False),
    ("tie", Answer(match="tie"), False),
    ("no_match", Answer(match="no_match"), False),
]


@pytest.mark.parametrize(
    ("answer", "expected"), [c[1:] for c in USABLE], ids=[c[0] for c in USABLE]
)
def test_an_answer_counts_for_the_same_house_only(answer: Answer, expected: bool) -> None:
    assert is_usable(as_sent("12 Main St", "Salem", "MA", "01970"), answer) is expected


def test_directions_that_contradict_are_another_street() -> None:
    address = as_sent("12 N Main St", "Salem", "MA", "01970")
    assert not is_usable(address, answer("12 S MAIN ST, SALEM, MA, 01970", False))


@pytest.fixture
def cache(tmp_path: Path) -> GeocodeCache:
    return GeocodeCache(tmp_path, "Public_AR_Current", "Census2020_Current")


def test_cached_answers_need_no_client(cache: GeocodeCache) -> None:
    address = as_sent("12 Main St", "Salem", "MA", "01970")
    cache.keep({address: answer("12 MAIN ST, SALEM, MA, 01970", True)})
    rows = places(
        {}, {"address": "12 Main St Suite 4"}, {"address": "99 Elm St"}, {"lat": 42.6, "lng": -70.8}
    )
    located = with_points(rows, find_points(rows, cache, None, 10, print))
    assert located["lat"].tolist()[:2] == [42.5, 42.5]
    assert located["location_method"].fillna("").tolist() == ["geocoder", "geocoder", "", ""]
    assert located["location_precision"].fillna("").tolist() == ["street", "street", "", ""]
    assert located["census_tract"].fillna("").tolist() == ["25009204200", "25009204200", "", ""]
    assert located["lat"].isna().tolist() == [False, False, True, False]
    assert located["lat"].iloc[3] == 42.6


def test_an_empty_cache_changes_nothing_at_all(cache: GeocodeCache) -> None:
    rows = places({}, {"address": None})
    pd.testing.assert_frame_equal(
        with_points(rows, find_points(rows, cache, None, 10, print)), rows
    )
    assert find_points(rows, cache, None, 10, print).digest == ""


def test_the_digest_follows_the_points(cache: GeocodeCache) -> None:
    address = as_sent("12 Main St", "Salem", "MA", "01970")
    digests = []
    for new_answer in (
        answer("12 MAIN ST, SALEM, MA, 01970", True),
        answer("12 MAIN ST, SALEM, MA, 01970", True, None),
    ):
        cache.keep({address: new_answer})
        digests.append(find_points(places({}), cache, None, 10, print).digest)
    cache.keep({as_sent("1 Elm St", "Salem", "MA", "01970"): Answer(match="no_match")})
    digests.append(find_points(places({}), cache, None, 10, print).digest)
    assert digests[0] != digests[1] == digests[2]
