"""A poisoned update of a source is held back: its last good tables stay in use."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from assets.sources.assets import source_assets
from assets.sources.failures import READING, failure_of
from assets.sources.updates import compare_rows, keep_served
from assets.steps.workspace import Workspace
from pipelines.run import failures_of
from schemas.sources.registry import sources
from schemas.update_limits import UPDATE_LIMITS
from tests.support.cases import cases
from tests.support.steps import run_steps
from tests.support.workspaces import write_geography
from warehouse.release.manifest import MANIFEST_NAME

SOURCE = sources()["diaper_banks"]
HEAD = "name,address_1,city,state_province,postal_code,phone,schedule,url"
ROWS = 40
FIRST, SECOND = "20261101T060000Z-0123abcd", "20261102T060000Z-0123abcd"


def served_rows(rows: int = 100) -> pd.DataFrame:
    """Return rows of a list: each its own website, telephone, hours and point."""
    numbers = range(rows)
    return pd.DataFrame(
        {
            "source_key": pd.Series([f"k{n}" for n in numbers], dtype="str"),
            "name": pd.Series([f"Pantry {n}" for n in numbers], dtype="str"),
            "resource_type": pd.Series(["food_pantry"] * rows, dtype="str"),
            "website": pd.Series(
                [f"https://www.pantry{n}.example/food" for n in numbers], dtype="str"
            ),
            "phone_e164": pd.Series([f"+1216555{n:04}" for n in numbers], dtype="str"),
            "hours_text": pd.Series([f"Mon 9am-{n % 3 + 1}pm" for n in numbers], dtype="str"),
            "lat": [41.0 + n / 100 for n in numbers],
            "lng": [-81.0] * rows,
        }
    )


def changed(count: int, **values: object) -> Callable[[pd.DataFrame], None]:
    """Return an update of the first `count` rows."""

    def change(rows: pd.DataFrame) -> None:
        for name, value in values.items():
            rows.loc[rows.index[:count], name] = value

    return change


def each(count: int, name: str, make: Callable[[int], object]) -> Callable[[pd.DataFrame], None]:
    def change(rows: pd.DataFrame) -> None:
        rows.loc[rows.index[:count], name] = [make(n) for n in range(count)]

    return change


@cases(
    "change, held",
    {
        "nothing": (changed(0), []),
        "a fifth of the websites": (each(20, "website", lambda n: f"https://new{n}.example"), []),
        "more websites": (each(21, "website", lambda n: f"https://new{n}.example"), ["website"]),
        "other pages of the same websites": (each(100, "website", lambda n: f"http://pantry{n}.example"), []),
        "one domain at a few places": (changed(9, website="https://evil.example"), []),
        "one domain at many places": (changed(10, website="https://evil.example"), ["website"]),
        "no websites": (changed(30, website=None), ["website"]),
        "other telephones": (each(21, "phone_e164", lambda n: f"+1330555{n:04}"), ["phone"]),
        "one telephone at many places": (changed(10, phone_e164="+12165550199"), ["phone"]),
        "other hours": (changed(51, hours_text="Tue 9am-1pm"), ["hours"]),
        "hours written otherwise": (each(100, "hours_text", lambda n: f"MON  9AM-{n % 3 + 1}pm"), []),
        "some around the clock": (changed(5, hours_text="24/7"), []),
        "more around the clock": (changed(6, hours_text="Open 24 hours"), ["hours"]),
        "other names": (each(31, "name", lambda n: f"Store {n}"), ["name"]),
        "names in capitals": (each(100, "name", lambda n: f"PANTRY {n}"), []),
        "other types": (changed(21, resource_type="food_bank"), ["type"]),
        "other points": (changed(21, lat=30.0), ["point"]),
        "points a street away": (each(100, "lat", lambda n: 41.001 + n / 100), []),
        "other keys": (each(51, "source_key", lambda n: f"z{n}"), ["rows"]),
        "all at once": (changed(100, website="https://evil.example", phone_e164="+12165550199", hours_text="24/7", lat=30.0),
            ["website", "phone", "hours", "point"]),
    },
)  # fmt: skip
def test_which_updates_are_held(change: Callable[[pd.DataFrame], None], held: list[str]) -> None:
    new = served_rows()
    change(new)
    found = list(compare_rows(served_rows(), new))
    assert [suspicion.field for suspicion in found] == held
    for suspicion in found:
        assert 0 < len(suspicion.examples) <= 10
        assert "evil" not in suspicion.text  # published as the reason of the failure


def test_a_list_that_only_shrinks_or_grows_is_not_held() -> None:
    rows = served_rows()
    assert not list(compare_rows(rows, rows.head(20)))
    assert not list(compare_rows(rows.head(20), rows))


def test_few_rows_are_never_beyond_a_limit() -> None:
    few = served_rows(UPDATE_LIMITS.least_rows - 1)
    new = few.assign(website="https://evil.example", resource_type="food_bank")
    assert not list(compare_rows(few, new))


# ------------------------------------------------------------------ in a build


def write_list(folder: Path, domain: str, hours: str = "Mon 9am-11am") -> None:
    lines = [
        f"Heron Bank {n},{n} Heron Road,Akron,OH,44301,330-555-{1000 + n},{hours},https://{domain.format(n)}"
        for n in range(ROWS)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "diaper_banks.csv").write_text("\n".join([HEAD, *lines]), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "sources" / SOURCE.folders[0]
    write_list(path, "bank{}.example")
    return path


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    write_geography(Workspace(data_dir=str(tmp_path / "data")))
    return tmp_path / "data"


def build(data_dir: Path, folder: Path, *accept: str) -> Workspace:
    """Read the source as a build does."""
    workspace = Workspace(
        data_dir=str(data_dir),
        profile="folder",
        sources_dir=str(folder.parents[1]),
        accept=list(accept),
    )
    result = run_steps(source_assets(SOURCE), workspace)
    assert result.success
    assert failures_of(result.all_events) == []
    return workspace


def serve(workspace: Workspace, release_id: str) -> None:
    """Make a release of the tables and serve it."""
    failed = [SOURCE.id] if failure_of(SOURCE, workspace, [READING]) else []
    release = workspace.releases.root / release_id
    release.mkdir(parents=True, exist_ok=True)
    (release / MANIFEST_NAME).write_text("{}", encoding="utf-8")
    keep_served(workspace, release_id, failed)
    workspace.releases.pointer.write_text(release_id, encoding="utf-8")


def hosts(workspace: Workspace) -> set[str]:
    rows = workspace.read(SOURCE.core_table)
    assert len(rows) == ROWS
    return set(rows["website"].str.replace(r"\d+", "", regex=True))


GOOD = {"https://bank.example"}


def test_a_poisoned_update_is_held_until_it_is_accepted_by_name(data_dir, folder):
    serve(build(data_dir, folder), FIRST)
    write_list(folder, "evil.example/{}", "24/7")
    workspace = build(data_dir, folder)
    assert hosts(workspace) == GOOD
    failure = failure_of(SOURCE, workspace)
    assert "website: 40 of 40 rows changed (limit 20%)" in failure.reason
    assert f"larder build --accept {SOURCE.id}:website --accept {SOURCE.id}:hours" in failure.reason
    assert "evil" not in failure.reason
    assert sum("evil.example" in row for row in failure.examples) == 10
    # Another source's change makes a release: the update stays held.
    serve(workspace, SECOND)
    assert hosts(build(data_dir, folder)) == GOOD
    assert hosts(build(data_dir, folder, f"{SOURCE.id}:website")) == GOOD
    accepted = [f"{SOURCE.id}:{field}" for field in ("website", "hours")]
    workspace = build(data_dir, folder, *accepted)
    assert hosts(workspace) == {"https://evil.example/"}
    assert failure_of(SOURCE, workspace) is None


def test_the_publisher_repairs_its_file(data_dir, folder):
    serve(build(data_dir, folder), FIRST)
    write_list(folder, "evil.example/{}")
    assert failure_of(SOURCE, build(data_dir, folder))
    write_list(folder, "bank{}.example", "Mon 9am-12pm")
    # Every timetable changed, by an hour: that is for the operator, too.
    assert "hours" in failure_of(SOURCE, build(data_dir, folder)).reason
    write_list(folder, "bank{}.example")
    workspace = build(data_dir, folder)
    assert failure_of(SOURCE, workspace) is None
    assert hosts(workspace) == GOOD


def test_a_release_that_was_left_does_not_come_back(data_dir, folder):
    serve(build(data_dir, folder), FIRST)
    write_list(folder, "evil.example/{}")
    workspace = build(data_dir, folder, f"{SOURCE.id}:website")
    serve(workspace, SECOND)
    assert hosts(workspace) == {"https://evil.example/"}
    # A rollback, or the withdrawal of the second.
    workspace.releases.pointer.write_text(FIRST, encoding="utf-8")
    workspace = build(data_dir, folder)
    assert failure_of(SOURCE, workspace)
    assert hosts(workspace) == GOOD
    assert workspace.notes(SOURCE.core_table)["rows_read"] == ROWS


def test_tables_of_deleted_releases_are_forgotten(data_dir, folder):
    workspace = build(data_dir, folder)
    serve(workspace, FIRST)
    shutil.rmtree(workspace.releases.root / FIRST)
    serve(workspace, SECOND)
    assert [path.name for path in (data_dir / "tables" / ".served").iterdir()] == [SECOND]
