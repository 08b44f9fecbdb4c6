"""What commands print for programs, and the ids that a shell completes."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from pipelines.cli import main
from tests.support.country import write_country
from tests.support.releases import write_release
from tests.support.server import ROOT
from tests.support.town import resources


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands")
    write_country(folder)
    return folder


def test_releases_are_printed_as_json(data: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    (only,) = msgspec.json.decode(
        run(main, ["release", "list", "--json", "--data", str(data)]).output
    )
    assert only["is_served"]
    assert only["resources"] > 0
    verified = msgspec.json.decode(
        run(main, ["release", "verify", "--json", "--data", str(data)]).output
    )
    assert verified["release_id"] == only["release_id"]
    assert verified["files"] > 0
    assert run(main, ["release", "list", "--json", "--data", str(tmp_path)]).output == "[]\n"


def test_a_command_may_have_its_output_closed() -> None:
    process = subprocess.run(
        ["sh", "-c", 'exec "$0" -m pipelines --version >&-', sys.executable],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")


def test_the_demo_replaces_no_release_of_publishers_files(tmp_path: Path) -> None:
    write_release(tmp_path, resources()[:1], is_synthetic=False)
    for options in ([], ["--profile", "demo"]):
        run = CliRunner().invoke(main, ["build", *options, "--data", str(tmp_path)])
        assert run.exit_code == 2
        assert "--change-profile" in " ".join(run.output.split())


def test_a_data_folder_too_deep_for_a_socket_is_refused(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["data"] * 30)
    for program in ("code", "daemon", "web"):
        run = CliRunner().invoke(main, ["dagster", program, "--data", str(deep)])
        assert run.exit_code == 2
        assert "103 bytes at most" in " ".join(run.output.split())


def test_documents_are_written_in_a_checkout_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.documents.ROOT", tmp_path)
    for arguments in (["docs"], ["docs", "--check"]):
        run = CliRunner().invoke(main, arguments)
        assert run.exit_code == 1
        assert "run this from a checkout" in " ".join(run.output.split())


@pytest.mark.parametrize(
    ("words", "completion"),
    [
        ("larder release show 2026", "20261101T060000Z-00000001"),
        ("larder release diff 2026", "20261101T060000Z-00000001"),
        ("larder build --only usda_s", "usda_snap"),
        ("larder build --profile fo", "folder"),
        ("larder source fetch census", "census_tracts"),
        ("larder docs check-language v", "vi"),
        ("larder release show 1999", None),
    ],
    ids=str,
)
def test_ids_are_completed(data: Path, words: str, completion: str | None) -> None:
    environment = {
        "_LARDER_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
        "DIRECTORY_DATA_DIR": str(data),
    }
    output = CliRunner().invoke(main, prog_name="larder", env=environment).output
    lines = output.split()
    assert (f"plain,{completion}" in lines) if completion else not lines
