"""Test `larder source fetch` against a publisher on loopback."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from pipelines import source_commands
from pipelines.cli import main
from tests.integration.fetch.publisher_server import Publisher, Reply
from tests.integration.fetch.support import CSV, NEW, OLD, SETTINGS, csv_source

WIDER = NEW.replace(b"name,zip", b"name,phone").replace(b"Pantry 00001", b"Pantry X")
Larder = Callable[..., Result]


@pytest.fixture
def larder(publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Larder:
    """Runner of `larder source fetch` with short waits and two invented sources."""
    source = csv_source(publisher)
    sources = {source.id: source, "no_feed": msgspec.structs.replace(source, id="no_feed", live=[])}
    monkeypatch.setattr(source_commands, "sources", lambda: sources)
    monkeypatch.setattr(source_commands, "read_fetch_settings", lambda: SETTINGS)

    def run(*arguments: str) -> Result:
        command = ["source", "fetch", *arguments, "--data", str(tmp_path / "data")]
        return CliRunner().invoke(main, command)

    return run


def test_the_report_compares_with_the_last_files(publisher: Publisher, larder: Larder) -> None:
    bodies = (NEW, NEW, WIDER)
    publisher.answers = {"/list.csv": [Reply(body, headers=CSV) for body in bodies]}
    report = (
        "list.csv  400 rows  -       2        new",
        "list.csv  400 rows  400 rows  the same  unchanged",
        "list.csv  400 rows  400 rows  -zip +phone  changed",
    )
    for line in report:
        result = larder("agency_list")
        assert result.exit_code == 0, result.output
        assert line.split() == result.output.splitlines()[-1].split()
    assert "no contact is set: publishers cannot reach you (LARDER_FETCH_CONTACT)" in result.output


def test_a_shrunken_list_is_refused_until_accepted(publisher: Publisher, larder: Larder) -> None:
    publisher.answers = {"/list.csv": [Reply(NEW, headers=CSV), Reply(OLD, headers=CSV)]}
    larder("agency_list")
    refusal = larder("agency_list")
    assert refusal.exit_code == 1
    assert "1 rows came, 400 the last time. Compare with the publisher's page" in refusal.output
    assert "The last good files stay in use." in refusal.output
    result = larder("agency_list", "--accept-changes")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1].split()[1:5] == ["1", "rows", "400", "rows"]


@pytest.mark.parametrize(
    ("source_id", "message"),
    [
        ("nowhere", "there is no source nowhere. With a live feed: agency_list, census_tracts"),
        ("no_feed", "no_feed has no live feed: save its files from https://agency.example/"),
    ],
)
def test_sources_without_a_feed(larder: Larder, source_id: str, message: str) -> None:
    result = larder(source_id)
    assert result.exit_code == 1
    assert message in result.output
