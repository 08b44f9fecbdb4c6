"""Filters over HTTP: every record meets them, wrong values are named, unknown values are counted."""

import re

import msgspec
import pytest

from schemas.api.lists import ResourceList
from tests.support.clients import open_client, read
from tests.support.invented import CENTRE, ROWS


@pytest.fixture(scope="module")
def filtered(crowd, tmp_path_factory):
    operations = str(tmp_path_factory.mktemp("operations") / "o.sqlite")
    with open_client(crowd, operations_file=operations) as client:
        yield client


def listed(client, query, path="search?zip=10002"):
    return read(client, f"/api/resources/{path}&{query}", ResourceList)


ASKED = {
    "walk_in=true": lambda r: r.accepts_walkins is True,
    "appointment=true": lambda r: r.requires_appointment is True,
    "no_documents=true": lambda r: r.requires_documents is False,
    "no_id=true": lambda r: r.requires_id is False,
    "documents=identification,referral": lambda r: (
        set(r.required_documents) <= {"identification", "referral"}
        and r.requires_documents is not None
    ),
    "language=es": lambda r: "es" in r.languages,
    "language=es-MX": lambda r: "es" in r.languages,
    "language=zh": lambda r: {"zh", "cmn", "yue"} & set(r.languages),
    "food=halal": lambda r: "halal" in r.food_types,
    "food=halal,kosher": lambda r: {"halal", "kosher"} <= set(r.food_types),
    "delivery=true": lambda r: r.offers_delivery is True,
    "wheelchair=true": lambda r: r.is_wheelchair_accessible is True,
    "age=70": lambda r: (r.minimum_age or 0) <= 70 <= (r.maximum_age or 120),
    "audience=seniors": lambda r: {"seniors", "everyone"} & set(r.audiences),
    # The places have fixed dates, of 2020 and 2026.
    "confirmed_within=2000": lambda r: (
        r.days_since_confirmed is not None and r.days_since_confirmed <= 2000
    ),
    "verified_only=true": lambda r: r.verification_status != "unverified",
}


# Both lists share their parameters.
NEARBY = f"nearby?lat={CENTRE[0]}&lng={CENTRE[1]}"
LISTS = [*(("search?zip=10002", query) for query in ASKED), (NEARBY, "food=halal")]


@pytest.mark.parametrize(("path", "query"), LISTS)
def test_every_record_meets_the_filter(filtered, path, query):
    results = listed(filtered, f"{query}&limit=100&radius=50", path)
    assert results.resources
    assert all(ASKED[query](record) for record in results.resources)
    assert results.filtered_out_unknown is not None
    if results.filtered_out_unknown:
        assert "it is not known whether they match" in results.message


def test_false_filters_nothing(filtered):
    plain = listed(filtered, "limit=5")
    unasked = listed(filtered, "limit=5&open_now=false&delivery=false&wheelchair=false&filter=x")
    assert unasked == plain
    assert plain.filtered_out_unknown is None


def test_a_filter_that_empties_the_list_is_named(filtered):
    results = listed(filtered, "food=pet_food,vegan,hot_meals,gluten_free&radius=5")
    assert (results.total_available, results.expanded, results.search_radius_mi) == (0, True, 500)
    assert "Nothing that matches the filters within 500 miles" in results.message
    assert results.filtered_out_unknown == len(ROWS)


def test_explains_the_score(filtered):
    results = listed(filtered, "explain=true&limit=100&sort=relevance")
    weights = {
        "distance": 0.4,
        "open_now": 0.2,
        "verification": 0.15,
        "freshness": 0.15,
        "completeness": 0.1,
    }
    for record in results.resources:
        parts = msgspec.to_builtins(record.relevance)
        assert parts.pop("weights") == weights
        assert record.relevance_score == pytest.approx(
            sum(parts[n] * w for n, w in weights.items()), abs=0.0011
        )
    keys = [(-record.relevance_score, record.id) for record in results.resources]
    assert keys == sorted(keys)
    plain = listed(filtered, "limit=3")
    assert all(record.relevance is msgspec.UNSET for record in plain.resources)


def test_the_form_counts_as_the_filter_does(filtered):
    results = listed(filtered, "mode=free&radius=25&no_id=true")
    yes, unknown = results.total_available, results.filtered_out_unknown
    page = filtered.get("/filters?q=10002&radius=25").text
    choice = page[page.index('name="no_id"') :].partition("</label>")[0]
    assert re.search(rf"\b{yes} yes, \d+ no, {unknown} not known", choice)
