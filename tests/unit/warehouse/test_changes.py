"""The change feed: counted fields, kinds of changes, and a mirror that applies it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    COUNTED_FIELDS,
    IDENTITIES,
    LAST_CHANGES,
    RECORD_SOURCES,
    RESOURCES,
    RIGHTS,
    UNCOUNTED_FIELDS,
)
from schemas.vocab.reviews import CHANGE_KINDS
from tests.support.cases import labelled
from tests.support.releases import RETRIEVED, as_table, identity, resource
from warehouse.parquet import write_table
from warehouse.release.changes import Edition, compare_releases, last_changes, time_of, write_feed
from warehouse.release.diff import report_on

OLD, NEW, NEWEST = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3))
Row = dict[str, Any]


def edition(
    folder: Path,
    release_id: str,
    rows: list[Row],
    identities: list[Row] | None = None,
    audit: list[Row] | None = None,
    record_sources: list[Row] | None = None,
    rights: list[Row] | None = None,
) -> Edition:
    """Write published tables as files. Identities of listed resources are added."""
    given_ids = {i["resource_id"] for i in identities or []}
    listed_ids = [identity(r["resource_id"]) for r in rows if r["resource_id"] not in given_ids]
    tables = {
        RESOURCES: rows,
        IDENTITIES: [*listed_ids, *(identities or [])],
        AUTOMATIC_CHANGES: audit or [],
        RECORD_SOURCES: record_sources or [],
        RIGHTS: rights or [],
    }
    paths = {t.name: folder / release_id / f"{t.name}.parquet" for t in tables}
    for table, values in tables.items():
        write_table(as_table(values, table), table, paths[table.name])
    return Edition(release_id, paths)


def feed(folder: Path, older: Edition | None, newer: Edition) -> list[Row]:
    with compare_releases(older, newer) as db:
        count = write_feed(db, folder / "feed.ndjson")
        report = report_on(db, older, newer)
    lines = [json.loads(line) for line in (folder / "feed.ndjson").read_bytes().splitlines()]
    assert len(lines) == count == sum(getattr(report, kind) for kind in CHANGE_KINDS)
    after = report.before + report.added + report.reactivated - report.merged - report.retired
    assert after == report.after
    return lines


_EVIDENCE = {
    "resource_id": 2,
    "rule_id": "dead_end",
    "changed_field": "is_active",
    "old_value": "true",
    "new_value": "false",
    "observed_on": datetime(2026, 11, 2, tzinfo=UTC).date(),
    "evidence": 'no "phone"',
    "release_id": NEW,
}


@labelled("case")
def test_changes_between_two_releases(tmp_path: Path, case: dict[str, Any]) -> None:
    older, newer = (
        edition(
            tmp_path,
            release_id,
            [resource(**facts) for facts in case[side]],
            [identity(*facts) for facts in case.get(f"{side}_ids", [])],
            [_EVIDENCE] if side == "new" and "is_audited" in case else [],
        )
        for side, release_id in (("old", OLD), ("new", NEW))
    )
    lines = feed(tmp_path, older, newer)
    for line in lines:
        record = line.pop("record", None)
        assert (record is not None) == (line["change"] in {"added", "reactivated"})
    facts = [{k: v for k, v in line.items() if k != "detail"} for line in lines]
    assert facts == [{k: v for k, v in line.items() if k != "detail"} for line in case["lines"]]
    for line, expected in zip(lines, case["lines"], strict=True):
        if "detail" in expected:
            assert line["detail"] == expected["detail"]


def test_nothing_of_a_place_that_became_confidential_is_published(tmp_path: Path) -> None:
    older = edition(tmp_path, OLD, [resource(1, name="Hidden House", address="9 Secret Way")])
    newer = edition(tmp_path, NEW, [resource(1, name="Shelter", is_confidential=True)])
    with compare_releases(older, newer) as db:
        write_feed(db, tmp_path / "feed.ndjson")
        report = report_on(db, older, newer)
    actual = (tmp_path / "feed.ndjson").read_text() + str(report)
    assert "Hidden" not in actual
    assert "Secret" not in actual
    assert report.changed == 1
    assert report.examples == []


def test_every_published_field_counts_but_the_declared_ones(tmp_path: Path) -> None:
    counted_names = {f.name for f in COUNTED_FIELDS}
    assert counted_names | set(UNCOUNTED_FIELDS) | {"resource_id"} == set(RESOURCES.field_names)
    assert all(reason.endswith(".") for reason in UNCOUNTED_FIELDS.values())


def test_a_field_that_did_not_exist_then_counts_only_where_it_is_known(tmp_path: Path) -> None:
    """The file of an older version of the program lacks a column."""
    import pyarrow.parquet as pq

    older = edition(tmp_path, OLD, [resource(1), resource(2)])
    path = older.tables[RESOURCES.name]
    pq.write_table(pq.read_table(path).drop_columns(["languages"]), path)
    newer = edition(tmp_path, NEW, [resource(1), resource(2, languages=["en"])])
    lines = feed(tmp_path, older, newer)
    assert [(line["resource_id"], line["fields"]) for line in lines] == [
        (2, {"languages": {"old": [], "new": ["en"]}})
    ]
    detail = dict(
        zip(
            *last_changes(older, newer)
            .select(["resource_id", "last_changed_at"])
            .to_pydict()
            .values(),
            strict=True,
        )
    )
    assert detail == {1: time_of(OLD), 2: time_of(NEW)}


# ---------------------------------------------------------------- the property

_TEXTS = st.sampled_from([None, "a", 'with "quotes", \\ and ñ', "two\nlines"])
_ROWS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["A", "B"]),
        "phone": _TEXTS,
        "notes": _TEXTS,
        "lat": st.sampled_from([40.0, 40.123457, -0.1]),
        "languages": st.sampled_from([None, [], ["en"], ["en", "es"]]),
        "accepts_walkins": st.sampled_from([None, True, False]),
        "last_verified_date": st.sampled_from([None, datetime(2026, 1, 2).date()]),
        "is_active": st.booleans(),
        "is_confidential": st.booleans(),
    }
)
_DIRECTORIES = st.dictionaries(st.integers(1, 8), _ROWS, max_size=8)


def records(folder: Path, side: Edition) -> dict[int, Row]:
    """Return the listed records as exports have them, in JSON types, without uncounted fields."""
    with compare_releases(None, side) as db:
        write_feed(db, folder / "all.ndjson")
    lines = [json.loads(line) for line in (folder / "all.ndjson").read_bytes().splitlines()]
    return {line["resource_id"]: line["record"] for line in lines}


def applied(rows: dict[int, Row], lines: list[Row]) -> dict[int, Row]:
    """Apply a feed to records as a mirror does."""
    result = {i: dict(r) for i, r in rows.items()}
    for line in lines:
        if line["change"] in {"added", "reactivated"}:
            assert line["resource_id"] not in result
            result[line["resource_id"]] = line["record"]
        elif line["change"] == "changed":
            for name, values in line["fields"].items():
                if not values.get("is_old_withheld"):
                    assert result[line["resource_id"]][name] == values["old"]
                result[line["resource_id"]][name] = values["new"]
        else:
            del result[line["resource_id"]]
    return result


@pytest.mark.slow
@settings(max_examples=12)
@given(before=_DIRECTORIES, after=_DIRECTORIES)
def test_applying_the_feed_to_the_older_records_gives_the_newer_ones(
    tmp_path_factory: pytest.TempPathFactory, before: dict[int, Row], after: dict[int, Row]
) -> None:
    folder = tmp_path_factory.mktemp("property")
    older, newer = (
        edition(folder, release_id, [resource(i, **values) for i, values in sorted(rows.items())])
        for release_id, rows in ((OLD, before), (NEW, after))
    )
    lines = feed(folder, older, newer)
    assert [line["resource_id"] for line in lines] == sorted(
        {line["resource_id"] for line in lines}
    )
    assert applied(records(folder, older), lines) == records(folder, newer)


# ---------------------------------------------------------------- when each record last changed


def _instants(table: Any) -> dict[int, datetime]:
    return dict(
        zip(*table.select(["resource_id", "last_changed_at"]).to_pydict().values(), strict=True)
    )


def test_an_instant_is_carried_over_until_the_content_changes(tmp_path: Path) -> None:
    first = edition(tmp_path, OLD, [resource(1), resource(2)])
    instants = last_changes(None, first)
    assert set(_instants(instants).values()) == {time_of(OLD)}
    write_table(instants, LAST_CHANGES, tmp_path / "begun.parquet")
    first = Edition(OLD, {**first.tables, LAST_CHANGES.name: tmp_path / "begun.parquet"})
    second = edition(
        tmp_path,
        NEW,
        [
            resource(1, retrieved_at=RETRIEVED + timedelta(days=9)),
            resource(2, phone="x"),
            resource(3),
        ],
    )
    instants_after = last_changes(first, second)
    assert _instants(instants_after) == {1: time_of(OLD), 2: time_of(NEW), 3: time_of(NEW)}
    write_table(instants_after, LAST_CHANGES, tmp_path / "found.parquet")
    second = Edition(NEW, {**second.tables, LAST_CHANGES.name: tmp_path / "found.parquet"})
    third = edition(tmp_path, NEWEST, [resource(1), resource(2, phone="x")])
    assert _instants(last_changes(second, third)) == {1: time_of(OLD), 2: time_of(NEW)}


def test_equal_content_has_an_equal_digest_and_other_content_another(tmp_path: Path) -> None:
    rows = [resource(1), resource(2), resource(3, phone="x"), resource(4, notes="x")]
    digests = last_changes(None, edition(tmp_path, OLD, rows))["content_digest"].to_pylist()
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


@pytest.mark.parametrize("text", ["", "20261101", OLD + "x", "20261301T060000Z-00000001"])
def test_only_a_release_id_has_a_time(text: str) -> None:
    with pytest.raises(ValueError):
        time_of(text)


def _behind(resource_id: int, *source_ids: str) -> list[Row]:
    return [
        {
            "resource_id": resource_id,
            "source_id": source_id,
            "source_key": str(resource_id),
            "is_primary": True,
            "supplied_fields": ["phone"],
            "match_reason": "only_record",
            "retrieved_at": RETRIEVED,
        }
        for source_id in source_ids
    ]


def test_a_withdrawn_publisher_leaves_no_value(tmp_path: Path) -> None:
    before = edition(
        tmp_path,
        OLD,
        [
            resource(1, phone="555-0101"),
            resource(2, phone="555-0102"),
            resource(3, phone="555-0103"),
        ],
        record_sources=[*_behind(1, "gone"), *_behind(2, "gone", "stays"), *_behind(3, "stays")],
    )
    use = {"gone": ("withhold", "They asked."), "stays": ("publish", "CC0")}
    after = edition(
        tmp_path,
        NEW,
        [resource(2, phone=None), resource(3, phone="555-0104")],
        [identity(1, "retired")],
        rights=[
            {"source_id": s, "rights_use": u, "rights_basis": "rule", "rights_reason": why}
            for s, (u, why) in use.items()
        ],
    )
    assert feed(tmp_path, before, after) == [
        {"resource_id": 1, "change": "retired", "reason": "withheld", "detail": "They asked."},
        {
            "resource_id": 2,
            "change": "changed",
            "fields": {"phone": {"old": None, "is_old_withheld": True, "new": None}},
        },
        {
            "resource_id": 3,
            "change": "changed",
            "fields": {"phone": {"old": "555-0103", "new": "555-0104"}},
        },
    ]
