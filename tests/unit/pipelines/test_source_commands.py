"""`larder source`: drafts and checks from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import main
from tests.support.cases import cases
from tests.support.source_files import FIXTURES

LIST = """Pantry Name,Street Address,City,State,Zip,Phone,Hours
Dogwood Pantry,77 Secret Lane,Utica,NY,13501,315-555-0177,Mon 9am-11am
Elder Kitchen,78 Secret Lane,Utica,NY,13502,315-555-0178,Tue 5pm-7pm
"""


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["source", *arguments])
    return result.exit_code, result.output


def test_a_draft_is_checked_as_it_is(tmp_path: Path) -> None:
    path, out = tmp_path / "partners-2026-03.csv", tmp_path / "draft"
    path.write_text(LIST)
    code, said = run("infer", str(path), "--id", "utica", "--out", str(out))
    assert code == 0, said
    assert "Samples:" in said
    assert "pattern: partners-*.csv" in (out / "utica.yaml").read_text()
    assert (out / "utica.html").read_text().startswith("<!doctype html>")
    code, said = run(
        "check", "utica", "--yaml", str(out / "utica.yaml"), "--files", str(path),
        "--data", str(tmp_path / "data"),
    )  # fmt: skip
    assert code == 0, said
    assert "Rows: 2 read, 2 accepted, 0 set aside" in said
    assert "Unused columns" not in said


def test_a_fixture_holds_nothing_of_the_file(tmp_path: Path) -> None:
    path, out = tmp_path / "list.csv", tmp_path / "draft"
    path.write_text(LIST)
    run("infer", str(path), "--id", "utica", "--out", str(out))
    fixture = (out / "fixtures" / "utica" / "list.csv").read_text()
    assert fixture.splitlines()[0] == LIST.splitlines()[0]
    assert "Secret" not in fixture
    assert "Dogwood" not in fixture
    code, said = run(
        "check", "utica", "--yaml", str(out / "utica.yaml"),
        "--files", str(out / "fixtures" / "utica" / "list.csv"), "--data", str(tmp_path / "data"),
    )  # fmt: skip
    assert code == 0, said
    assert "3 accepted" in said


def test_a_declared_source_is_checked_with_its_rejects(tmp_path: Path) -> None:
    folder = FIXTURES / "nj_foodpantries_2022"
    data = str(tmp_path / "data")
    code, said = run("check", "nj_foodpantries_2022", "--files", str(folder), "--data", data)
    assert code == 0
    assert "The number of rows is not the expected one." in said
    assert "home_delivery_only: 1" in said
    assert "Differences: no earlier edition" in said


@cases(
    "arguments, message",
    {
        "unknown source": (("check", "nowhere"), "'nowhere' is no source"),
        "no build": (("check", "sc_midlands_2025"), "give --files"),
        "no file": (("infer", "missing.csv"), "no such file"),
    },
)
def test_a_command_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.setenv("DIRECTORY_DATA_DIR", str(tmp_path))
    code, said = run(*arguments)
    assert code == 1
    assert message in said


def test_a_file_without_its_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pantries.csv"
    path.write_text("Title,Road\nAcorn,12 Elm St\n")
    code, said = run("check", "sc_midlands_2025", "--files", str(path), "--data", str(tmp_path))
    assert code == 1
    assert "pantries.csv: columns ['County', 'Name'" in said
