"""Tables that take rows over from the last release are the very files that are made from nothing."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from assets.hsds.organizations import organization_registry
from schemas.hsds.collections import BY_NAME
from schemas.table import Table
from schemas.tables.checks import AUTOMATIC_CHANGES
from schemas.tables.core import IDENTITIES, RECORD_SOURCES, RESOURCES
from schemas.tables.hsds import HSDS_TABLES, ORGANIZATIONS, RETIRED_IDS
from tests.support.hsds import AS_OF, READ
from tests.support.releases import as_table, resource
from warehouse.hsds import difference, tables
from warehouse.hsds.inputs import Tables
from warehouse.hsds.queries import QUERIES
from warehouse.hsds.tables import Moment, write_hsds_tables
from warehouse.parquet import read_frame, write_table

WEEKLY = '[{"opens_at":"09:00","closes_at":"12:00","freq":"WEEKLY","byday":"MO,WE"}]'
LATER = WEEKLY.replace("09:00", "10:00")
UNOWNED = ["taxonomies", "taxonomy_terms", "meta_table_descriptions"]
# What a whole place has.
ALL = set(QUERIES) - {*UNOWNED, "organization_identifiers", "metadata"}
NAMES = [table.name for table in (*HSDS_TABLES, RETIRED_IDS)]


@dataclass
class Directory:
    """What a release is made of; resources by id, `led` by other records than those their ids were
    issued for.
    """

    rows: dict[int, dict[str, Any]]
    identities: list[dict[str, Any]] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    issued: dict[int, str] = field(default_factory=dict)
    led: dict[int, str] = field(default_factory=dict)
    eins: dict[int, str] = field(default_factory=dict)


def _place(number: int) -> dict[str, Any]:
    """Four places to an organization, but for every fifth, which is its own."""
    return resource(
        number,
        name=f"Pantry {number}",
        organization=None if number % 5 == 0 else f"Church {number // 4}",
        phone=f"(212) 555-{number:04d}",
        phone_e164=f"+1212555{number:04d}",
        schedules_json=WEEKLY,
        languages=["en", "es"],
        requirements_text="Photo ID required",
        notes="Serves residents of this ZIP code",
        address=f"{number} Example Street",
        website=f"https://example.org/{number}",
        county_name="New York County",
        is_active=number != 78,
    )


def _directory() -> Directory:
    retired = _identity(90, id_status="merged", successor_id=70)
    changes = [_change(70, "false", "true")]
    return Directory(
        {n: _place(n) for n in range(1, 79)}, [retired], changes, eins={1: "123456789"}
    )


def _identity(number: int, **values: Any) -> dict[str, Any]:
    return {
        "source_id": "nyc_pantries_2023",
        "source_key": str(number),
        "resource_id": number,
        "id_status": "active",
        "first_release_id": "r",
    } | values


def _change(number: int, old: str, new: str) -> dict[str, Any]:
    return {
        "resource_id": number,
        "rule_id": "B1",
        "changed_field": "is_active",
        "old_value": old,
        "new_value": new,
        "observed_on": date(2026, 10, 30),
        "evidence": "seen",
        "release_id": "r",
    }


def _write(content: Directory, folder: Path, previous: Path | None) -> Path:
    """The tables that HSDS is made of."""
    identities = [_identity(n, source_key=content.issued.get(n, str(n))) for n in content.rows]
    leading = [
        {
            "resource_id": n,
            "source_id": "nyc_pantries_2023",
            "source_key": content.led.get(n, str(n)),
            "is_primary": True,
            "supplied_fields": ["name"],
            "match_reason": "only record",
            "retrieved_at": row["retrieved_at"],
        }
        for n, row in content.rows.items()
    ]
    written: dict[Table, list[dict[str, Any]]] = {
        RESOURCES: list(content.rows.values()),
        IDENTITIES: [*identities, *content.identities],
        RECORD_SOURCES: leading,
        AUTOMATIC_CHANGES: content.changes,
    }
    paths = {table: folder / f"{table.name}.parquet" for table in (*written, ORGANIZATIONS)}
    for table, rows in written.items():
        write_table(as_table(rows, table), table, paths[table])
    known = previous / f"{ORGANIZATIONS.name}.parquet" if previous else None
    registry = organization_registry(
        read_frame(paths[RESOURCES]),
        read_frame(paths[IDENTITIES]),
        read_frame(known) if known else None,
        "r",
    )
    for number, ein in content.eins.items():
        registry.loc[registry["source_key"] == str(number), "ein"] = ein
    write_table(registry, ORGANIZATIONS, paths[ORGANIZATIONS])
    return folder


def _release(folder: Path, day: int, content: Directory, previous: Path | None = None) -> Path:
    """The published tables of a release whose HSDS tables are made from nothing."""
    inputs = Tables.of(_write(content, folder, previous))
    write_hsds_tables(inputs, READ, folder, _moment(day, previous))
    return folder


def _moment(day: int, previous: Path | None) -> Moment:
    return Moment(AS_OF, f"2026-11-{day:02d}T06:00:00.000Z", previous)


def _by_difference(inputs: Path, folder: Path, day: int, previous: Path) -> Path:
    folder.mkdir()
    read = Tables.of(inputs)
    moment = replace(_moment(day, previous), is_comparable=True)
    write_hsds_tables(read, READ, folder, moment)
    return folder


def _differing(one: Path, other: Path) -> set[str]:
    """Names of the HSDS tables that have other bytes, without what they begin with."""
    files = [(name, *(folder / f"{name}.parquet" for folder in (one, other))) for name in NAMES]
    return {n.removeprefix("out_hsds__") for n, a, b in files if a.read_bytes() != b.read_bytes()}


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each attempt since, whether rows were taken over."""
    tried: list[bool] = []
    find = difference.find_difference

    def noting(*args: Any) -> bool:
        tried.append(find(*args))
        return tried[-1]

    monkeypatch.setattr(tables, "find_difference", noting)
    return tried


def _set(number: int, **values: Any) -> Callable[[Directory], None]:
    return lambda content: content.rows[number].update(values)


def _take_away(content: Directory) -> None:
    del content.rows[7]
    content.identities.append(_identity(7, id_status="retired"))


def _add(content: Directory) -> None:
    content.rows[101] = _place(101) | {"organization": "Church 5"}


def _merge_places(content: Directory) -> None:
    """Into a place that is not touched, of another organization."""
    del content.rows[7]
    content.identities.append(_identity(7, id_status="merged", successor_id=30))


def _merge_into_a_changed_place(content: Directory) -> None:
    _merge_places(content)
    content.rows[30]["name"] = "Both Pantries"


def _merge_into_a_place_that_goes(content: Directory) -> None:
    content.rows[70]["is_active"] = False


def _split_organization(content: Directory) -> None:
    for number in (21, 22):
        content.rows[number]["organization"] = "Chapel"


def _rename_organization(content: Directory) -> None:
    for number in (21, 22, 23):
        content.rows[number]["organization"] = "Chapel"


def _join_organizations(content: Directory) -> None:
    for number in (24, 26, 27):
        content.rows[number]["organization"] = "Church 5"


def _issue_for_another_record(content: Directory) -> None:
    """The number of a place stays, the record for which it was issued does not."""
    content.issued[22] = "222"


def _exchange_records(content: Directory) -> None:
    """Either place has the ids now that the other had."""
    content.issued |= {22: "30", 30: "22"}


def _move(content: Directory) -> None:
    content.rows[21] |= {"lat": 40.75}
    content.changes[0] |= {"rule_id": "B2"}


def _number_an_organization(content: Directory) -> None:
    content.eins[21] = "987654321"


CHANGES: dict[str, tuple[Callable[[Directory], None], set[str]]] = {
    "renamed": (_set(21, name="Renamed"), {"services", "locations"}),
    "renamed, its own organization": (_set(25, name="Renamed"), {"services", "locations", "organizations"}),
    "other hours": (_set(21, schedules_json=LATER), {"schedules", "services", "retired_ids"}),
    "hours in words": (_set(21, schedules_json=None, hours_text="ask"), {"schedules", "services", "retired_ids"}),
    "no hours": (_set(21, schedules_json=None), {"schedules", "services", "retired_ids"}),
    "no telephone": (_set(21, phone=None, phone_e164=None), {"phones", "services", "retired_ids"}),
    "other telephone": (_set(21, phone_e164="+12125550199"), {"phones", "services", "retired_ids"}),
    "other languages": (_set(21, languages=["en", "zh"]), {"languages", "services", "retired_ids"}),
    "other papers": (_set(21, requirements_text="Proof of address required"), {"required_documents", "services", "retired_ids"}),
    "a fee": (_set(21, eligibility_text="$3 handling fee"), {"cost_options", "services", "retired_ids"}),
    "other street": (_set(21, address="9 Other Street"), {"addresses", "services"}),
    "other area": (_set(21, zip="10003"), {"addresses", "service_areas", "services", "retired_ids"}),
    "other type": (_set(21, resource_type="soup_kitchen"), {"attributes", "services", "organizations"}),
    "confidential": (_set(21, is_confidential=True), {"addresses", "locations", "service_areas", "services", "retired_ids"}),
    "a text that says nothing": (_set(21, eligibility_text="Everyone"), {"services"}),
    "moved, and told by another rule": (_move, {"locations", "services", "metadata", "retired_ids"}),
    "status changed": (lambda d: d.changes.append(_change(21, "false", "true")), {"metadata"}),
    "no status change any more": (lambda d: d.changes.clear(), {"metadata", "retired_ids"}),
    "activated": (_set(78, is_active=True), ALL | {"retired_ids"}),
    "inactive": (_set(21, is_active=False), ALL | {"retired_ids"}),
    "gone": (_take_away, ALL | {"retired_ids"}),
    "added": (_add, ALL | {"retired_ids"}),
    "merged": (_merge_places, ALL | {"retired_ids"}),
    "merged into a changed one": (_merge_into_a_changed_place, ALL | {"retired_ids"}),
    "a successor goes": (_merge_into_a_place_that_goes, ALL | {"metadata", "retired_ids"}),
    "organization split": (_split_organization, {"organizations", "services", "locations"}),
    "organization renamed": (_rename_organization, {"organizations"}),
    "organizations joined": (_join_organizations, {"organizations", "services", "locations", "retired_ids"}),
    "issued for another record": (_issue_for_another_record, ALL - {"organizations"} | {"retired_ids"}),
    "records exchanged": (_exchange_records, {"addresses", "locations", "organizations", "phones", "service_at_location", "services", "retired_ids"}),
    "led by another record": (lambda d: d.led.update({21: "211"}), {"locations", "services"}),
    "a number of an organization": (_number_an_organization, {"organization_identifiers"}),
    "another number": (lambda d: d.eins.update({1: "111111111"}), {"organization_identifiers"}),
    "no number any more": (lambda d: d.eins.clear(), {"organization_identifiers", "retired_ids"}),
    "nothing": (lambda d: None, set()),
}  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that no test changes."""
    return _release(tmp_path_factory.mktemp("served"), 1, _directory())


@pytest.mark.parametrize(("change", "told"), CHANGES.values(), ids=CHANGES)
def test_a_change(
    served: Path,
    tmp_path: Path,
    used: list[bool],
    change: Callable[[Directory], None],
    told: set[str],
) -> None:
    content = _directory()
    change(content)
    whole = _release(tmp_path / "whole", 2, content, served)
    made = _by_difference(whole, tmp_path / "made", 2, served)
    assert used == [True]
    assert _differing(made, whole) == set()
    assert _differing(made, served) == told


@pytest.mark.parametrize("seed", range(3))
def test_many_changes_one_after_the_other(tmp_path: Path, used: list[bool], seed: int) -> None:
    """What was taken over is taken over again; what came back, goes and stays is told as from
    nothing.
    """
    draw = random.Random(seed)
    content = _directory()
    previous = _release(tmp_path / "1", 1, content)
    for day in range(2, 7):
        for number in draw.sample(sorted(content.rows), 2):
            other = draw.choice(sorted(content.rows))
            copied = draw.choice(
                [
                    "organization",
                    "name",
                    "schedules_json",
                    "phone_e164",
                    "languages",
                    "is_active",
                    "notes",
                ]
            )
            content.rows[number][copied] = content.rows[other][copied]
            content.rows[number]["is_active"] = draw.random() < 0.7
        gone = draw.choice(sorted(content.rows))
        del content.rows[gone]
        successor = draw.choice(sorted(content.rows))
        content.identities.append(_identity(gone, id_status="merged", successor_id=successor))
        content.rows[200 + day] = _place(200 + day)
        content.changes.append(
            _change(draw.choice(sorted(content.rows)), "true", "false") | {"release_id": f"r{day}"}
        )
        whole = _release(tmp_path / f"{day}", day, content, previous)
        made = _by_difference(whole, tmp_path / f"made_{day}", day, previous)
        assert _differing(made, whole) == set(), day
        previous = whole
    assert used.count(True) >= 4


def test_with_many_changes_all_rows_are_made(
    served: Path, tmp_path: Path, used: list[bool]
) -> None:
    content = _directory()
    for number in range(1, 30):
        content.rows[number]["name"] = "Renamed"
    whole = _release(tmp_path / "whole", 2, content, served)
    assert _differing(_by_difference(whole, tmp_path / "made", 2, served), whole) == set()
    assert used == [False]


@pytest.mark.parametrize("lacking", [AUTOMATIC_CHANGES.name, "out_hsds__phones"])
def test_a_release_that_lacks_a_table_is_not_taken_over(
    served: Path, tmp_path: Path, used: list[bool], lacking: str
) -> None:
    content = _directory()
    content.rows[21]["name"] = "Renamed"
    previous = Path(shutil.copytree(served, tmp_path / "previous"))
    (previous / f"{lacking}.parquet").unlink()
    whole = _release(tmp_path / "whole", 2, content, previous)
    assert _differing(_by_difference(whole, tmp_path / "made", 2, previous), whole) == set()
    assert True not in used


def test_only_what_is_comparable_is_taken_over(
    served: Path, tmp_path: Path, used: list[bool]
) -> None:
    _release(tmp_path / "whole", 2, _directory(), served)
    assert used == []


def test_it_is_told_of_every_collection_whose_rows_they_are() -> None:
    assert [name for name in QUERIES if not difference.is_owned(name)] == UNOWNED
    for name, member in difference._OWNERS.items():
        assert member is None or member in BY_NAME[name].column_names
