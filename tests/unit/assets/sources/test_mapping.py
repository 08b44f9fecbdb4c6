"""Files read by a mapping alone: rules, platforms, and errors on missing columns."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError, digest_key, rows_of_files
from assets.sources.mapping import map_file
from schemas.sources.mapping import Mapping, platforms
from schemas.sources.registry import Source, sources
from tests.support.cases import cases, labelled
from tests.support.source_files import file_of


def a_source(layout: dict[str, Any], declared: dict[str, str] | None = None) -> Source:
    base = msgspec.to_builtins(sources()["diaper_banks"])
    files = [{"pattern": "*", "layout": "list", "known": declared or {}}]
    declaration = {
        **base,
        "default_type": "food_pantry",
        "files": files,
        "layouts": {"list": layout},
    }
    return msgspec.convert(declaration, Source)


def rows_from(
    tmp_path: Path,
    text: str | bytes,
    layout: dict[str, Any],
    declared: dict[str, str] | None = None,
) -> pd.DataFrame:
    source = a_source(layout, declared)
    return rows_of_files(source, [file_of(tmp_path / "list.txt", text, source.id)])


LIST = (
    "Site,Street,Unit,Town,ZIP,Tel,Type,Appt,Status,Monday,Tue,Note\n"
    "Acorn Pantry,12 Elm St,Suite 4,Springfield,62701,217-555-0101,Pantry,Yes,Open,9-11,-,call a@b.example\n"
    "Birch Kitchen,34 Oak Ave,,Springfield,62702,,Hot Meals,No,Closed for good,#####,noon-1 pm,\n"
)


@labelled("field, rule, expected")
def test_a_rule(tmp_path: Path, field: str, rule: Any, expected: list[object]) -> None:
    rows = rows_from(tmp_path, LIST, {"columns": {"name": "Site", field: rule}})
    assert [None if pd.isna(value) else value for value in rows[field]] == expected


def test_rejects_and_keys(tmp_path: Path) -> None:
    layout = {
        "key": ["Site", "ZIP"],
        "columns": {"name": "Site"},
        "reject": [{"reason": "closed_by_source", "where": {"status": "^closed"}}],
    }
    rows = rows_from(tmp_path, LIST, layout)
    assert rows["reject_reason"].isna().tolist() == [True, False]
    assert rows.loc[1, "reject_detail"] == "Closed for good"
    assert rows["source_key"].is_unique


def test_whole_addresses_are_split(tmp_path: Path) -> None:
    text = 'Name,Where\nAcorn,"12 Elm St, Springfield, IL 62701, USA"\nBirch,34 Oak Ave\n'
    rows = rows_from(
        tmp_path, text, {"columns": {"name": "Name"}, "whole_address": "Where"}, {"state": "IL"}
    )
    assert rows[["address", "city", "state", "zip"]].iloc[0].tolist() == [
        "12 Elm St",
        "Springfield",
        "IL",
        "62701",
    ]
    assert rows.loc[1, "address"] == "34 Oak Ave"
    assert pd.isna(rows.loc[1, "city"])


def test_a_file_without_its_columns_is_set_aside_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match=r"'Pantry'\] are missing; found \['Site'"):
        rows_from(tmp_path, LIST, {"columns": {"name": "Pantry"}})


def test_unused_columns_are_named(tmp_path: Path) -> None:
    source = a_source({"columns": {"name": "Site", "address": "Street"}})
    file = file_of(tmp_path / "list.csv", LIST, source.id)
    _, columns = map_file(file, source, source.layouts["list"])
    assert columns.list_unused(["Appt", "note"]) == [
        "Unit",
        "Town",
        "ZIP",
        "Tel",
        "Type",
        "Status",
        "Monday",
        "Tue",
    ]


@cases(
    "layout, parts",
    {
        "columns": ({"key": ["Site", "Street"]}, ("Acorn Pantry", "12 Elm St")),
        "a rule for a part": (
            {"key": ["Site", {"from": "Street", "replace": {r"^\d+ ": ""}}]},
            ("Acorn Pantry", "Elm St"),
        ),
        "fields as they were mapped, the first that is filled": (
            {"key_fields": ["name", ["city", "address"]]},
            ("Acorn Pantry", "Elm"),
        ),
        "fields and texts, of a row without its own key": (
            {"key": "Nowhere", "texts": {"town": "Town"}, "key_fields": ["name", "town"]},
            ("Acorn Pantry", "Springfield"),
        ),
    },
)
def test_rows_are_identified_by_a_digest(
    layout: dict[str, Any], parts: tuple[str, ...], tmp_path: Path
) -> None:
    columns = {
        "name": "Site",
        "city": {"from": "Nowhere"},
        "address": {"from": "Street", "extract": r"(Elm|Oak)"},
    }
    rows = rows_from(tmp_path, LIST, {"columns": columns, "key_prefix": "list:", **layout})
    assert rows["source_key"].iloc[0] == "list:" + digest_key(*parts)


@labelled("layout, message")
def test_a_mapping_is_refused(layout: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError), match=message):
        a_source(layout)


_PLATFORMS = Path(__file__).with_name("platforms")


@labelled("file, platform, hours")
def test_a_platform_needs_no_columns(tmp_path: Path, file: str, platform: str, hours: str) -> None:
    """The one place of each file below platforms/ is the same."""
    content = (_PLATFORMS / file).read_bytes()
    place = rows_from(tmp_path, content, {"platform": platform}).iloc[0]
    values = place[["name", "address", "city", "state", "zip"]].tolist()
    assert values == ["Acorn Pantry", "12 Elm St", "Springfield", "IL", "62701"]
    assert place["resource_type"] == "food_pantry"
    assert hours in str(place["hours_text"]) or platform == "wp_store_locator"
    if platform != "icalendar":
        assert place["phone"] == "217-555-0101"
    if platform != "table":
        assert (place["lat"], place["lng"]) == (39.8, -89.6)


def test_words_of_every_slot_are_hours(tmp_path: Path) -> None:
    """The publisher's words for a slot go before its members; no slot is dropped for another."""
    page = json.loads((_PLATFORMS / "hsds_page.json").read_text())
    slot = {"byday": "TU", "opens_at": "13:00", "closes_at": "15:00"}
    weekdays = [{**slot, "original_text": "Tue-Wed 1-3 pm"}, {"original_text": "Tue-Wed 1-3 pm"}]
    page["contents"][0]["schedules"] += [*weekdays, {"original_text": "1st Sat 9-10 am"}]
    place = rows_from(tmp_path, json.dumps(page).encode(), {"platform": "hsds_api"}).iloc[0]
    assert place["hours_text"] == "Monday 09:00-12:00; Tue-Wed 1-3 pm; 1st Sat 9-10 am"


def test_every_platform_is_whole() -> None:
    for name, mapping in platforms().items():
        assert mapping.resolve().columns, name


def test_a_platform_may_be_changed(tmp_path: Path) -> None:
    layout = {"platform": "storepoint", "columns": {"notes": "phone"}, "key": ["name"]}
    content = (_PLATFORMS / "storepoint.json").read_bytes()
    place = rows_from(tmp_path, content, layout).iloc[0]
    assert (place["notes"], place["city"]) == ("217-555-0101", "Springfield")
    assert isinstance(Mapping(platform="storepoint").resolve().key, str)


@cases(
    "content",
    {
        "pdf": b"%PDF-1.4 damaged",
        "workbook": b"PK\x03\x04 damaged",
        "page without a table": b"<html><p>nothing</p></html>",
        "cut off": b'{"results": ',
        "calendar": b"BEGIN:VCALENDAR\r\nnonsense",
    },
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UnreadableFileError):
        rows_from(tmp_path, content, {"platform": "table"})
