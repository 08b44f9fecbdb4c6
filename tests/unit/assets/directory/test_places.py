"""Survivorship: which record supplies each value, and its provenance."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.directory.places import (
    FIELD_GROUPS,
    Directory,
    is_publishable,
    rank_records,
)
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from tests.support.cases import cases, labelled
from tests.support.examples import examples
from tests.unit.assets.records import day, known, located, merged, source

AS_OF = pd.Timestamp("2026-11-01")
SOURCES = known(
    source("partner", "partner", verified_for_days=90),
    source("registry", "registry", verified_for_days=30),
    source("compiled", "compiled"),
    source("osm", "osm"),
)
EXACT = {"lat": 44.1, "lng": -121.1, "location_precision": "rooftop", "location_method": "source"}
HIDDEN = {
    "is_confidential": True,
    "zip": None,
    "address": None,
    "location_precision": "city",
    "location_method": "city_centroid",
    "lat": 44.5,
    "lng": -121.5,
}


def merge(rows: pd.DataFrame, places: list[int] | None = None) -> Directory:
    return merged(rows, SOURCES, AS_OF, places)


def one(*records: dict[str, Any]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the only resource and the fields that each source supplied."""
    directory = merge(located(*records))
    assert len(directory.resources) == 1
    supplied = directory.record_sources.set_index("source_id")["supplied_fields"].to_dict()
    return directory.resources.iloc[0].to_dict(), supplied


# ------------------------------------------------------------------ order of belief


@labelled("stronger, weaker")
def test_the_stronger_record_ranks_first(stronger: dict[str, Any], weaker: dict[str, Any]) -> None:
    first = {"source_key": "x", **stronger}
    second = {"source_key": "w", **weaker}
    assert rank_records(located(first, second), SOURCES).tolist() == [0, 1]
    assert rank_records(located(second, first), SOURCES).tolist() == [1, 0]


# ------------------------------------------------------------------ survivorship


@labelled("records, expected")
def test_survivorship(records: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    place, _ = one(*records)
    assert {name: _plain(place[name]) for name in expected} == expected
    assert place["source_url"] == SOURCES[place["data_source"]].homepage


def test_a_place_of_private_records_only_is_not_published() -> None:
    directory = merge(located({"source_id": "osm", "is_public": False}))
    assert directory.resources.empty
    assert directory.record_sources.empty


# ------------------------------------------------------------------ confidential places


@labelled("records")
def test_confidential_in_one_record_is_confidential(records: list[dict[str, Any]]) -> None:
    ids = ("partner", "osm")
    place, _ = one(*({**r, "source_id": i} for r, i in zip(records, ids, strict=True)))
    assert place["is_confidential"]
    assert place["location_precision"] == "city"
    assert [place["lat"], place["lng"]] == [44.5, -121.5]
    assert _plain(place["address"]) is None
    assert _plain(place["zip"]) is None


def test_a_confidential_place_with_only_a_street_is_withheld() -> None:
    rows = located(
        {"source_id": "partner", **HIDDEN, "is_public": False},
        {"source_id": "osm", "address": "1 Elm St", **EXACT},
        {"source_id": "osm", "address": "2 Elm St", **EXACT},
    )
    assert is_publishable(rows, pd.Series([1, 1, 2])).tolist() == [False, False, True]
    directory = merge(rows, [1, 1, 2])
    assert directory.resources["resource_id"].tolist() == [2]
    assert directory.record_sources["resource_id"].tolist() == [2]


def test_confidential_places_next_door_change_nothing() -> None:
    rows = located({"source_id": "osm", **HIDDEN}, {"source_id": "osm", **EXACT})
    assert merge(rows, [1, 2]).resources["is_confidential"].tolist() == [True, False]


# ------------------------------------------------------------------ verification


@labelled("records, status, date")
def test_verification(records: list[tuple[str, str | None]], status: str, date: str | None) -> None:
    rows = [{"source_id": i, "source_updated_date": day(d) if d else None} for i, d in records]
    place, _ = one(*rows)
    assert place["verification_status"] == status
    verified = _plain(place["last_verified_date"])
    assert (None if verified is None else str(verified)) == date


# ------------------------------------------------------------------ whose word it is


@cases(
    "records, expected",
    {
        "one group": (
            [
                {"source_id": "partner", "phone": None},
                {"source_id": "osm", "phone": "2", "phone_e164": "+12"},
            ],
            {"osm": ["phone", "phone_e164"]},
        ),
        "the point with all that goes with it, services under their published name": (
            [{"source_id": "partner"}, {"source_id": "osm", **EXACT, "services_text": "boxes"}],
            {"osm": [*FIELD_GROUPS["lat"], "services_offered"]},
        ),
        "nothing": ([{"source_id": "partner"}, {"source_id": "osm"}], {"osm": []}),
    },
)
def test_supplied_fields(records: list[dict[str, Any]], expected: dict[str, list[str]]) -> None:
    _, supplied = one(*records)
    assert {name: list(supplied[name]) for name in expected} == expected


def test_the_source_of_confidentiality_is_named() -> None:
    _, supplied = one(
        {"source_id": "partner", "address": "1 Elm St", **EXACT}, {"source_id": "osm", **HIDDEN}
    )
    assert "is_confidential" in supplied["osm"]
    assert "lat" in supplied["osm"]
    assert "is_confidential" not in supplied["partner"]


_TEXT = st.sampled_from([None, "a", "b", "c"])
_TEXTS = [
    "address",
    "phone",
    "phone_e164",
    "website",
    "hours_text",
    "services_text",
    "languages",
    "notes",
    "organization",
]
_SCHEDULES = st.sampled_from(
    [None, *(f'[{{"freq":"WEEKLY","byday":"{day}"}}]' for day in ("MO", "TU", "WE"))]
)
_POINT = st.sampled_from([{}, EXACT, HIDDEN])
_RECORD = st.builds(
    lambda texts, point, source_id, updated, is_public: {
        **texts,
        **point,
        "source_id": source_id,
        "is_public": is_public,
        "source_updated_date": day(updated) if updated else None,
    },
    st.fixed_dictionaries({**dict.fromkeys(_TEXTS, _TEXT), "schedules_json": _SCHEDULES}),
    _POINT,
    st.sampled_from(sorted(SOURCES)),
    st.sampled_from([None, "2026-10-01", "2025-01-01"]),
    st.sampled_from([True, True, True, False]),
)
_PLACED = st.lists(st.tuples(_RECORD, st.integers(1, 3)), min_size=1, max_size=8)
_DERIVED = frozenset(
    [
        "resource_id",
        "verification_status",
        "last_verified_date",
        "source_updated_date",
        "listed_date",
        "updated_date",
        "confirmed_date",
        "hours_date",
        "hours_date_basis",
        "hours_source",
        "hours_until_date",
        "is_hours_current",
        "retrieved_at",
        "data_source",
        "source_count",
        "source_url",
        "license",
        "completeness_score",
        "verification_confidence",
        "verification_reasons",
        "completeness_missing",
        "is_active",
        "is_synthetic",
        "is_confidential",
    ]
)


@pytest.mark.slow
@examples(60)
@given(_PLACED)
def test_each_record_has_one_resource_and_supplies_values(
    placed: list[tuple[dict[str, Any], int]],
) -> None:
    # A record with a street is not confidential by the time it is located.
    records = [{**r, "address": None} if r.get("is_confidential") else r for r, _ in placed]
    rows = located(*records)
    places = [place for _, place in placed]
    directory = merge(rows, places)
    _assert_publishable_records_stand_behind_one(directory, rows, places)
    _assert_published_values_are_those_of_their_records(directory, rows)


def _assert_published_values_are_those_of_their_records(
    directory: Directory, rows: pd.DataFrame
) -> None:
    origin = rows.set_index(["source_id", "source_key"])
    behind = directory.record_sources.explode("supplied_fields")
    supplier = {
        (row.resource_id, row.supplied_fields): (row.source_id, row.source_key)
        for row in behind.dropna(subset=["supplied_fields"]).itertuples()
    }
    assert len(supplier) == behind["supplied_fields"].notna().sum(), "one supplier for each field"
    for resource in directory.resources.to_dict("records"):
        for field in set(RESOURCES.field_names) - _DERIVED:
            value = _plain(resource[field])
            key = supplier.get((resource["resource_id"], field))
            if key is None:
                assert value is None, f"{field} comes from nowhere"
                continue
            column = "services_text" if field == "services_offered" else field
            known_value = _plain(origin.loc[key, column])
            expected = [known_value] if field == "services_offered" else known_value
            assert value == expected, field
            assert origin.loc[key, "is_public"]


def _assert_publishable_records_stand_behind_one(
    directory: Directory, rows: pd.DataFrame, places: list[int]
) -> None:
    assert len(directory.record_sources) == is_publishable(rows, pd.Series(places)).sum()
    assert directory.record_sources["is_primary"].sum() == len(directory.resources)
    assert set(directory.record_sources["resource_id"]) == set(directory.resources["resource_id"])
    assert directory.resources["source_count"].sum() == len(directory.record_sources)
    assert list(directory.resources.columns) == [
        n
        for n in RESOURCES.field_names
        if not n.startswith(("verification_confidence", "verification_reasons", "p_"))
    ]
    assert list(directory.record_sources.columns) == RECORD_SOURCES.field_names


def _plain(value: Any) -> Any:
    return value if isinstance(value, list) else None if pd.isna(value) else value


def test_a_fact_names_the_record_it_was_read_from() -> None:
    _, supplied = one(
        {"source_id": "partner", "notes": "Hot meals for anyone in need"},
        {"source_id": "osm", "requirements_text": "ID required"},
    )
    assert "food_types" in supplied["partner"]
    assert "requires_id" not in supplied["partner"]
    assert {"required_documents", "requires_documents", "requires_id"} <= set(supplied["osm"])
