"""Statements of sources: which are published and which contradict each other."""

from typing import Any

import pandas as pd

from assets.directory.statements import statements
from tests.unit.assets.directory.test_places import EXACT, HIDDEN, merge
from tests.unit.assets.records import day, located

PARTNER = {"source_id": "partner", "source_updated_date": day("2026-10-01")}
OSM = {"source_id": "osm", "source_updated_date": day("2026-10-20")}


def stated(*records: dict[str, Any], edit: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return statements of one place; `edit` is a published field and its value."""
    rows = located(*records)
    directory = merge(rows)
    resources, behind = directory.resources, directory.record_sources
    if edit:
        resources = resources.assign(**edit)
        by_edit = {"source_id": "operations_edits", "source_key": "e1", "is_primary": False}
        behind = pd.concat(
            [
                behind.assign(supplied_fields=[["name"]] * len(behind)),
                pd.DataFrame([{**behind.iloc[0].to_dict(), **by_edit, "supplied_fields": [*edit]}]),
            ],
            ignore_index=True,
        )
    table = statements(behind, rows, resources)
    statement_rows: list[dict[str, Any]] = table.to_pylist()
    return statement_rows


def test_each_value_has_its_record_file_and_date_and_one_is_published() -> None:
    phones = [
        s
        for s in stated(
            {**PARTNER, "phone": "(503) 555-0142", "phone_e164": "+15035550142"},
            {
                **OSM,
                "phone": "503-555-0199",
                "phone_e164": "+15035550199",
                "file_name": "b.csv",
                "source_row": 7,
            },
        )
        if s["field_name"] == "phone"
    ]
    osm, partner = sorted(phones, key=lambda s: s["source_id"])
    assert (partner["value"], partner["is_published"], partner["stated_date"]) == (
        "(503) 555-0142",
        True,
        day("2026-10-01"),
    )
    assert (osm["is_published"], osm["file_name"], osm["source_row"]) == (False, "b.csv", 7)
    assert partner["is_contradicted"]
    assert osm["is_contradicted"]


def test_spellings_do_not_contradict() -> None:
    statements = stated(
        {
            **PARTNER,
            **EXACT,
            "address": "100 N Main Street",
            "phone": "503 555 0142",
            "phone_e164": "+15035550142",
        },
        {
            **OSM,
            **EXACT,
            "address": "100 North Main St",
            "phone": "(503) 555-0142",
            "phone_e164": "+15035550142",
        },
    )
    assert not any(s["is_contradicted"] for s in statements)
    assert len([s for s in statements if s["field_name"] == "address"]) == 2


def test_a_confidential_place_states_nothing_of_where_it_is() -> None:
    statements = stated(
        {**PARTNER, **HIDDEN},
        {**OSM, **EXACT, "address": "100 Main St", "notes": "behind 100 Main St"},
    )
    assert {s["field_name"] for s in statements}.isdisjoint(
        {"address", "city", "zip", "lat", "lng"}
    )
    assert all(s["is_published"] for s in statements)


def test_an_edit_states_what_is_published_from_it() -> None:
    statements = stated({**PARTNER, "phone": "(503) 555-0142"}, edit={"phone": "(503) 555-0177"})
    (statement,) = [s for s in statements if s["field_name"] == "phone" and s["is_published"]]
    assert (statement["source_id"], statement["value"], statement["file_name"]) == (
        "operations_edits",
        "(503) 555-0177",
        None,
    )
