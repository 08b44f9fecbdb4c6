"""Tables on disk: written, read, checked and compared as declared."""

import json
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from assets.steps.checks import ALL
from schemas.fields import fields
from schemas.table import ForeignKey, Table
from tests.support.releases import resource, write_release
from warehouse.checks.declared import check_table, row_drops, run_query_check, select_lost
from warehouse.index.records import RecordFile
from warehouse.parquet import ContractError, notes_of, read_frame, row_count, write_table
from warehouse.release.changes import edition_of
from warehouse.release.diff import write_changes
from warehouse.release.store import ReleaseStore

SHELF = Table(
    "core_test__shelves",
    "A table of this test.",
    fields("source_key zip completeness_score languages source_updated_date hours_json"),
    key=("source_key",),
    required=("zip",),
    foreign_keys=(ForeignKey("zip", "core_test__zips", "zip"),),
    order_by=("source_key",),
)


def _frame(**columns: list[object]) -> pd.DataFrame:
    base = {
        "source_key": ["b", "a"],
        "zip": ["00901", "10002"],
        "completeness_score": [10, None],
        "languages": [["en"], None],
        "source_updated_date": [date(2026, 1, 2), None],
        "hours_json": ['{"monday":"09:00-12:00"}', None],
    }
    return pd.DataFrame(base | columns)


def test_a_frame_comes_back_sorted_with_its_types_and_notes(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    assert write_table(_frame(), SHELF, path, notes={"input_digest": "x", "rows_read": 3}) == 2
    back = read_frame(path)
    assert list(back["source_key"]) == ["a", "b"]
    assert list(back["zip"]) == ["10002", "00901"], "codes keep their zeros"
    assert back["completeness_score"].dtype == "Int64"
    assert row_count(path) == 2
    assert notes_of(path) == {"input_digest": "x", "rows_read": 3}
    assert notes_of(tmp_path / "none.parquet") == {}


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (_frame().drop(columns="zip"), r"columns \['zip'\] are missing"),
        (_frame(zip=["00901", None]), "required field zip is empty in 1 rows"),
        (_frame(completeness_score=["many", None]), "many"),
        (_frame(zip=[901, 10002]), "Expected a string"),
    ],
    ids=["column missing", "required value missing", "wrong type", "number where a code is due"],
)
def test_a_frame_that_breaks_its_contract_is_refused(
    tmp_path: Path, frame: pd.DataFrame, message: str
) -> None:
    path = tmp_path / "t.parquet"
    with pytest.raises(ContractError, match=message):
        write_table(frame, SHELF, path)
    assert list(tmp_path.iterdir()) == [], "nothing half-written stays"


@pytest.mark.parametrize(
    ("columns", "rule", "broken"),
    [
        ({}, "", 0),
        ({"zip": ["901", "10002"]}, "zip fits its pattern", 1),
        ({"completeness_score": [101, -1]}, "completeness_score is at most 100", 1),
        ({"source_key": ["a", "a"]}, "key (source_key) is unique", 1),
        ({"hours_json": ["{", None]}, "hours_json is JSON", 1),
        ({"zip": ["99999", "10002"]}, "zip occurs in core_test__zips", 1),
    ],
    ids=["sound", "pattern", "range", "key", "json", "reference"],
)
def test_checks_follow_from_the_declaration(
    tmp_path: Path, columns: dict[str, list[object]], rule: str, broken: int
) -> None:
    zips = tmp_path / "zips.parquet"
    zip_table = Table("core_test__zips", "Zips.", fields("zip"), key=("zip",))
    write_table(pd.DataFrame({"zip": ["00901", "10002", "901"]}), zip_table, zips)
    path = tmp_path / "t.parquet"
    write_table(_frame(**columns), SHELF, path)
    findings = {f.rule: f.broken for f in check_table(SHELF, path, {"core_test__zips": zips})}
    assert findings.get(rule, 0) == broken
    assert bool(findings) == bool(broken)


def test_row_drops_name_the_group_and_both_counts(tmp_path: Path) -> None:
    table = Table("core_test__rows", "Rows.", fields("source_key state"), key=("source_key",))
    counts = {
        "ME": (100, 69),
        "NH": (100, 70),
        "NY": (49, 24),
        "OH": (49, 30),
        "RI": (10, 5),
        "UT": (10, 6),
        "VT": (9, 0),
        "WY": (50, 0),
    }
    for name, which in (("old", 0), ("new", 1)):
        states = [state for state, rows in counts.items() for _ in range(rows[which])]
        keys = [f"{name}{i}" for i in range(len(states))]
        write_table(pd.DataFrame({"source_key": keys, "state": states}), table, tmp_path / name)
    drops = row_drops(tmp_path / "new", tmp_path / "old", "state", {50: 0.3, 10: 0.4})
    assert [str(d) for d in drops] == [
        "ME: 100 -> 69",
        "NY: 49 -> 24",
        "RI: 10 -> 5",
        "WY: 50 -> 0",
    ]


def test_the_last_row_of_a_group_that_meets_a_condition_is_missed(tmp_path: Path) -> None:
    table = Table("core_test__rows", "Rows.", fields("source_key state zip"), key=("source_key",))
    rows = {
        "old": [("ME", "04000"), ("ME", None), ("NH", "03000"), ("NH", "03001"), ("VT", None)],
        "new": [("ME", None), ("ME", None), ("NH", "03000")],
    }
    for name, of in rows.items():
        frame = pd.DataFrame(of, columns=["state", "zip"], dtype="str")
        write_table(frame.assign(source_key=frame.index.astype("str")), table, tmp_path / name)
    files = tmp_path / "new", tmp_path / "old", "state"
    assert [str(d) for d in row_drops(*files, ALL, "zip IS NOT NULL")] == ["ME: 1 -> 0"]
    assert [str(d) for d in row_drops(*files, ALL)] == ["VT: 1 -> 0"]


def test_rows_that_a_group_lost_are_named(tmp_path: Path) -> None:
    """ "b" has gone, "c" is in another state, "d" fails the condition now; "e" stays."""
    table = Table("core_test__rows", "Rows.", fields("source_key state zip"), key=("source_key",))
    states = {"served": ["VT", "ME", "ME", "ME", "ME"], "made": ["NH", "NH", "ME", "ME"]}
    keys = {"served": list("abcde"), "made": list("acde")}
    zips = {"served": ["04000"] * 5, "made": ["04000", "04000", None, "04000"]}
    for name, of in states.items():
        columns = {"source_key": keys[name], "state": of, "zip": zips[name]}
        write_table(pd.DataFrame(columns, dtype="str"), table, tmp_path / name)
    query = select_lost(table, "state", ["ME"], "zip IS NOT NULL")
    lost = run_query_check(query, {name: tmp_path / name for name in states})
    assert lost == (3, ["state", "source_key"], [("ME", "b"), ("ME", "c"), ("ME", "d")])


def test_the_file_of_records_has_each_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Batches of two rows: the last one is not full.
    monkeypatch.setattr("warehouse.index.records.BATCH_ROWS", 2)
    release_id = write_release(tmp_path, [resource(n, name=f"Ñ {n}") for n in range(1, 8)])
    folder = ReleaseStore(tmp_path).folder(release_id)
    records = RecordFile(folder / "serving" / "records.arrow")
    assert len(records) == 7
    for row in range(7):
        record = json.loads(records.record(row) + records.detail(row) + b"}")
        assert (record["id"], record["name"]) == (row + 1, f"Ñ {row + 1}")
        assert [source["source_key"] for source in record["sources"]] == [str(row + 1)]
    with pytest.raises(IndexError):
        records.record(7)


def test_diff_counts_added_removed_and_changed_rows(tmp_path: Path) -> None:
    old = [resource(1), resource(2, phone="(212) 555-0101"), resource(3, resource_type="food_bank")]
    new = [resource(1), resource(2, phone="(212) 555-0102"), resource(4)]
    ids = ["20261101T060000Z-0000000a", "20261102T060000Z-0000000b"]
    for release_id, rows in zip(ids, (old, new), strict=True):
        write_release(tmp_path, rows, release_id=release_id)
    older, newer = (edition_of(ReleaseStore(tmp_path).folder(id)) for id in ids)
    counts = write_changes(older, newer, tmp_path)
    assert (counts.added, counts.retired, counts.merged, counts.changed) == (1, 1, 0, 1)
    assert (counts.before, counts.after) == (3, 3)
    assert counts.changed_fields == {"phone": 1}
    assert {m.group: m.retired for m in counts.by_type} == {"food_bank": 1, "food_pantry": 0}
    assert [(e.change, e.resource_id, e.detail) for e in counts.examples] == [
        ("added", 4, None),
        ("changed", 2, "phone"),
        ("retired", 3, "not_in_sources"),
    ]
