"""`larder source`: drafts and checks from the command line."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from assets.matching.matching import LOCATED_COLUMNS
from assets.steps.workspace import Workspace
from pipelines.cli import main
from pipelines.source_review import match_lines
from schemas.tables.core import LOCATED, RECORD_SOURCES, RESOURCES
from tests.support.cases import cases, labelled
from tests.support.source_files import FIXTURES

LIST = """Pantry Name,Street Address,City,State,Zip,Phone,Hours
Dogwood Pantry,77 Secret Lane,Utica,NY,13501,315-555-0177,Mon 9am-11am
Elder Kitchen,78 Secret Lane,Utica,NY,13502,315-555-0178,Tue 5pm-7pm
"""


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["source", *arguments])
    return result.exit_code, result.output


FACTS = ("--publisher=Example", "--homepage=https://example.org", "--license=CC0-1.0")


def new(root: Path, content: str, *options: str) -> str:
    """Write the source `utica` below a folder and return what the command prints."""
    path = root / "partners-2026-03.csv"
    path.write_text(content)
    code, output = run("new", str(path), "--id", "utica", "--root", str(root), *options)
    assert code == 0, output
    return output


def check(root: Path, *options: str) -> tuple[int, str]:
    """Return the exit status of the check of `utica`, and its verdict."""
    places = ("--root", str(root), "--data", str(root / "data"))
    code, output = run("check", "utica", *places, *options)
    return code, output.splitlines()[-1]


def test_a_plain_list_is_published_as_it_is(tmp_path: Path) -> None:
    output = new(tmp_path, LIST, *FACTS)
    assert "Dogwood Pantry  food_pantry    77 Secret Lane" in output
    assert "Open questions" not in output
    text = (tmp_path / "schemas/sources/utica.yaml").read_text()
    assert "pattern: partners-*.csv" in text
    expected = tmp_path / "tests/unit/assets/sources/expected/utica.yaml"
    assert "Acorn Food Pantry" in expected.read_text()
    assert check(tmp_path) == (0, "utica publishes 2 of 2")


def test_a_todo_keeps_a_list_back(tmp_path: Path) -> None:
    untold = LIST.replace("Elder Kitchen", "Elder Church").replace("Pantry Name", "Name")
    output = new(tmp_path, untold, *FACTS)
    assert "Open questions, TODO in schemas/sources/utica.yaml:" in output
    code, verdict = check(tmp_path)
    assert (code, verdict) == (1, "utica publishes 0 of 2: TODO remains in default_type")
    path = tmp_path / "schemas/sources/utica.yaml"
    path.write_text(path.read_text().replace("default_type: TODO", "default_type: food_pantry"))
    assert check(tmp_path) == (0, "utica publishes 2 of 2")


@labelled("old, new_text, verdict")
def test_nothing_published_is_no_success(
    tmp_path: Path, old: str, new_text: str, verdict: str
) -> None:
    lines = LIST.splitlines()
    typed = [f"{lines[0]},Type", f"{lines[1]},Pantry", f"{lines[2]},Pantry Site"]
    new(tmp_path, "\n".join(typed), *FACTS)
    path = tmp_path / "schemas/sources/utica.yaml"
    changed = path.read_text().replace(old, new_text)
    assert changed != path.read_text()
    path.write_text(changed)
    code, last = check(tmp_path)
    assert code == 1
    assert verdict in last


def test_a_fixture_contains_no_data_of_the_file(tmp_path: Path) -> None:
    new(tmp_path, LIST, *FACTS)
    path = tmp_path / "tests/unit/assets/sources/fixtures/utica/partners-2026-03.csv"
    fixture = path.read_text()
    assert fixture.splitlines()[0] == LIST.splitlines()[0]
    assert "Secret" not in fixture
    assert "Dogwood" not in fixture
    assert check(tmp_path, "--files", str(path)) == (0, "utica publishes 3 of 3")


def test_a_declared_source_is_checked_with_its_rejects(tmp_path: Path) -> None:
    folder = FIXTURES / "nj_foodpantries_2022"
    data = str(tmp_path / "data")
    options = ("--files", str(folder), "--data", data, "--rights", "facts_only")
    code, output = run("check", "nj_foodpantries_2022", *options)
    assert code == 0
    assert "The number of rows is not the expected one." in output
    assert "home_delivery_only (benign): 1" in output
    assert "Differences: no earlier edition" in output


@pytest.mark.parametrize("source_id", sorted(path.name for path in FIXTURES.iterdir()))
def test_every_source_can_be_checked(tmp_path: Path, source_id: str) -> None:
    _, output = run(
        "check", source_id, "--files", str(FIXTURES / source_id), "--data", str(tmp_path)
    )
    assert f"{source_id}: " in output
    assert "Differences" in output


@cases(
    "arguments, message",
    {
        "unknown source": (("check", "nowhere"), "'nowhere' is no source"),
        "no build": (("check", "sc_midlands_2025"), "give --files"),
        "no file": (("new", "missing.csv"), "no such file"),
    },
)
def test_errors_of_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.setenv("DIRECTORY_DATA_DIR", str(tmp_path))
    code, output = run(*arguments)
    assert code == 1
    assert message in output


def test_a_file_without_its_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pantries.csv"
    path.write_text("Title,Road\nAcorn,12 Elm St\n")
    code, output = run("check", "sc_midlands_2025", "--files", str(path), "--data", str(tmp_path))
    assert code == 1
    assert "pantries.csv: columns ['County', 'Name'" in output


def _located(source_id: str, *places: tuple[str, str, str]) -> pd.DataFrame:
    rows = [
        {
            "source_id": source_id,
            "source_key": key,
            "resource_type": "food_pantry",
            "name": name,
            "address": address,
            "city": "Utica",
            "state": "NY",
            "zip": "13501",
            "phone_e164": "+13155550177",
            "lat": 43.1,
            "lng": -75.23,
            "location_method": "source",
        }
        for key, name, address in places
    ]
    located_rows = pd.DataFrame(rows).reindex(columns=[*LOCATED_COLUMNS, "location_method"])
    return located_rows.astype(
        dict.fromkeys(("organization", "website", "location_precision"), "str")
    )


def test_rows_are_matched_with_the_places_of_the_last_build(tmp_path: Path) -> None:
    workspace = Workspace(data_dir=str(tmp_path))
    own = _located(
        "utica", ("1", "Dogwood Pantry", "77 Elm Lane"), ("2", "Elder Kitchen", "9 Oak St")
    )
    own.loc[1, ["phone_e164", "lat"]] = ["+13155550999", 43.2]
    others = _located(
        "agency", ("a", "Dogwood Food Pantry", "77 Elm Ln"), ("b", "Fir House", "5 A St")
    )
    others.loc[1, ["phone_e164", "lat"]] = ["+13155550888", 43.3]
    assert match_lines(own, "utica", workspace) == [
        "Matched: 2 rows are 2 places",
        f"  no build in {workspace.root} has other sources in these states",
    ]
    ids = pd.DataFrame({"resource_id": [7, 8], "source_id": "agency", "source_key": ["a", "b"]})
    names = pd.DataFrame({"resource_id": [7, 8], "name": ["Dogwood Food Pantry", "Fir House"]})
    for table, rows in ((LOCATED, others), (RECORD_SOURCES, ids), (RESOURCES, names)):
        workspace.path(table.name).parent.mkdir(parents=True, exist_ok=True)
        rows.to_parquet(workspace.path(table.name))
    assert match_lines(own, "utica", workspace) == [
        "Matched: 2 rows are 2 places",
        "  join a place of the last build: 1",
        "    Dogwood Pantry = 7 Dogwood Food Pantry",
        "  new: 1",
        "    Elder Kitchen",
    ]
