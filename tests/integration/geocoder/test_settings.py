"""Switching the geocoder on: by option or environment, and never for invented places."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.build import workspace_from_environment
from pipelines.cli import main
from pipelines.profiles.profile import ProfileError, workspace_for


def test_off_unless_named(tmp_path: Path) -> None:
    assert workspace_for("live", tmp_path).geocode == "off"
    assert workspace_for("live", tmp_path, geocode="census").geocode == "census"


def test_the_environment_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_PROFILE", "live")
    monkeypatch.setenv("LARDER_GEOCODE", "census")
    monkeypatch.setenv("DIRECTORY_DATA_DIR", str(tmp_path))
    assert workspace_from_environment().geocode == "census"


def test_invented_places_are_sent_to_nobody(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="addresses are never sent"):
        workspace_for("demo", tmp_path, geocode="census")
    assert workspace_for("demo", tmp_path, geocode="off").geocode == "off"


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (["--geocode", "census"], {}, "never sent"),
        ([], {"LARDER_GEOCODE": "census"}, "never sent"),
        (["--geocode", "google"], {}, "is not one of 'off', 'census'"),
    ],
)
def test_the_command_says_what_is_wrong(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], message: str
) -> None:
    run = CliRunner().invoke(main, ["build", *arguments, "--data", str(tmp_path)], env=environment)
    assert run.exit_code == 2
    assert message in " ".join(run.output.split())
