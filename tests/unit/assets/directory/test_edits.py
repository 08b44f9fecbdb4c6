"""Approved edits over golden records: changed columns, provenance, and precedence."""

import json
from copy import deepcopy
from functools import cache
from typing import Any

import pandas as pd

from assets.directory.edits import EditResult, apply_edits, target_edits
from assets.directory.places import Directory
from schemas.tables.core import EDITS, IDENTITIES
from tests.support.cases import cases, labelled
from tests.unit.assets.records import day, known, located, merged, source

AS_OF = day("2026-11-22")
SOURCES = known(source("compiled"), source("registry", "registry", verified_for_days=30))
LISTED = {
    "source_id": "compiled",
    "source_updated_date": day("2026-09-01"),
    "phone": "(202) 555-0100",
    "phone_e164": "+12025550100",
    "website": "https://old.example.org",
    "requirements_text": "Photo ID required",
    "hours_text": "Mon 9am-noon",
    "address": "1 Old Street",
}


def edits(*rows: dict[str, Any]) -> pd.DataFrame:
    defaults = {
        "source_id": "operations_edits",
        "resource_id": 1,
        "edit_authority": "community",
        "is_confirmed": False,
        "cleared_fields": [],
        "base_json": "{}",
        "source_updated_date": day("2026-11-10"),
        "file_name": "edits.json",
        "source_row": 1,
        "retrieved_at": pd.Timestamp("2026-11-20T06:00:00Z"),
        "is_synthetic": False,
    }
    frame = pd.DataFrame(
        [{**defaults, "source_key": f"edit-{n}", **row} for n, row in enumerate(rows)]
    )
    frame = frame.reindex(columns=EDITS.field_names).astype(object)
    return frame.where(frame.notna(), None).astype({"resource_id": "Int64"})


def identities(*rows: tuple[str, str, int, int | None]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["source_id", "source_key", "resource_id", "successor_id"])
    frame = frame.reindex(columns=IDENTITIES.field_names)
    return frame.astype({"resource_id": "Int64", "successor_id": "Int64"})


def moved_to_zip(places: pd.DataFrame) -> pd.DataFrame:
    return places.assign(
        lat=45.0,
        lng=-122.0,
        location_precision="zip",
        location_method="zip_centroid",
        county_fips=None,
        census_tract=None,
        timezone="America/Los_Angeles",
    )


@cache
def directory() -> Directory:
    places = located(
        {**LISTED, "source_key": "a"},
        {"source_id": "registry", "source_key": "b", "name": "Second"},
    )
    return merged(places, SOURCES, AS_OF, [1, 2])


def edited(*rows: dict[str, Any], ids: pd.DataFrame | None = None) -> EditResult:
    registry = identities(
        ("compiled", "a", 1, None), ("registry", "b", 2, None), ("compiled", "old", 9, 1)
    )
    targeted = target_edits(edits(*rows), registry if ids is None else ids)
    return apply_edits(deepcopy(directory()), targeted, AS_OF, moved_to_zip)


def first(edits_applied: EditResult) -> dict[str, Any]:
    return edits_applied.directory.resources.set_index("resource_id").loc[1].to_dict()


def encode(**base: Any) -> str:
    return json.dumps(base)


@labelled("edit, field, expected")
def test_an_edit_changes_its_columns(edit: dict[str, Any], field: str, expected: object) -> None:
    value = first(edited(edit))[field]
    value = pd.Timestamp(value).date() if field.endswith("_date") else value
    assert (
        list(value) if isinstance(value, list) else None if pd.isna(value) else value
    ) == expected


@cases(
    "edited_on, base, expected",
    {
        "the source still says the old": ("2026-11-10", "(202) 555-0100", "(202) 555-0177"),
        "another value, but older": ("2026-11-10", "(202) 555-0999", "(202) 555-0177"),
        "another value, and newer": ("2026-08-01", "(202) 555-0999", "(202) 555-0100"),
        "newer, but the corrected value": ("2026-08-01", "(202) 555-0100", "(202) 555-0177"),
    },
)
def test_an_edit_yields_to_a_source_that_knows_more(
    edited_on: str, base: str, expected: str
) -> None:
    edit = {
        "phone": "(202) 555-0177",
        "base_json": encode(phone=base),
        "source_updated_date": day(edited_on),
    }
    assert first(edited(edit))["phone"] == expected


def test_the_operator_overrides_a_later_reviewer() -> None:
    edits_applied = edited(
        {
            "name": "Operator's",
            "edit_authority": "operator",
            "source_updated_date": day("2026-11-01"),
        },
        {"name": "Reviewer's", "source_updated_date": day("2026-11-20")},
        {"name": "Earlier", "source_updated_date": day("2026-11-02")},
    )
    assert first(edits_applied)["name"] == "Operator's"


def test_provenance_follows_the_value() -> None:
    edits_applied = edited({"phone": "(202) 555-0177"}).directory
    behind = edits_applied.record_sources[
        edits_applied.record_sources["resource_id"] == 1
    ].set_index("source_id")
    assert list(behind.loc["operations_edits", "supplied_fields"]) == ["phone", "phone_e164"]
    assert not {"phone", "phone_e164"} & set(behind.loc["compiled", "supplied_fields"])
    assert not behind.loc["operations_edits", "is_primary"]
    assert first(edited({"phone": "(202) 555-0177"}))["source_count"] == 2


def test_a_removal_after_review_is_a_closure_with_its_cause() -> None:
    retired = {"is_active": False, "evidence": "removed after review: duplicates"}
    closures = edited(retired).closures
    assert closures["rule_id"].tolist() == ["closed_by_review"]
    assert closures["evidence"].tolist() == ["removed after review: duplicates"]
    found_right = {"evidence": "visitors found the listing right", "edit_authority": "visitors"}
    assert edited(found_right).closures.empty


def test_a_retirement_by_a_person_outlasts_a_later_confirmation() -> None:
    edits_applied = edited(
        {"is_active": False},
        {
            "is_confirmed": True,
            "edit_authority": "operator",
            "source_updated_date": day("2026-11-20"),
        },
    )
    assert len(edits_applied.closures) == 1


def test_no_edits_change_nothing() -> None:
    before, after = (
        edited({"resource_id": 77, "name": "x"}),
        edited({"resource_id": 78, "name": "y"}),
    )
    pd.testing.assert_frame_equal(before.directory.resources, after.directory.resources)
    assert "operations_edits" not in set(after.directory.record_sources["source_id"])


def test_an_edit_of_a_submission_finds_its_place() -> None:
    own = identities(("operations", "submission-1", 1, None))
    edits_applied = edited(
        {"resource_id": None, "target_key": "submission-1", "is_confirmed": True}, ids=own
    )
    assert first(edits_applied)["verification_status"] == "partner_verified"
