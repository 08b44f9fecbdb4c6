"""Test how the geocoder is turned on: by option or environment, never for invented places."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.build import ProfileError, workspace_for, workspace_from_environment
from pipelines.cli import main
from pipelines.options import VARIABLES


def test_the_geocoder_is_turned_on_by_name(tmp_path: Path) -> None:
    assert workspace_for("live", tmp_path).geocode == "off"
    assert workspace_for("live", tmp_path, geocode="census").geocode == "census"


def test_dagster_builds_with_the_settings_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("no_stated_license: match_only\n", encoding="utf-8")
    settings = {
        "profile": "live",
        "geocode": "census",
        "probe_urls": False,
        "rights": "facts_only",
        "licenses_file": str(policy),
        "demo_rows": 600,
    }
    for name, value in settings.items():
        monkeypatch.setenv(VARIABLES[name], str(value))
    monkeypatch.setenv("DIRECTORY_DATA_DIR", str(tmp_path))
    workspace = workspace_from_environment()
    assert {name: getattr(workspace, name) for name in settings} == settings
    monkeypatch.setenv(VARIABLES["profile"], "")
    monkeypatch.setenv(VARIABLES["geocode"], "off")
    monkeypatch.setenv(VARIABLES["sources_dir"], str(tmp_path))
    assert workspace_from_environment().profile == "folder"


def test_invented_places_are_never_sent(tmp_path: Path) -> None:
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
def test_the_command_explains_wrong_options(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], message: str
) -> None:
    run = CliRunner().invoke(main, ["build", *arguments, "--data", str(tmp_path)], env=environment)
    assert run.exit_code == 2
    assert message in " ".join(run.output.split())
