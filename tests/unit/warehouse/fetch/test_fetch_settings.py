"""Settings of fetching in the environment."""

from importlib import resources
from pathlib import Path

import pytest

from warehouse.fetch.settings import FetchSettings, read_fetch_settings


def test_the_contact_is_the_environments_else_the_organizations(tmp_path: Path) -> None:
    assert read_fetch_settings({}).user_agent == "open-larder/0.1"
    own = read_fetch_settings({"LARDER_FETCH_CONTACT": "data@bank.example"})
    assert own.user_agent == "open-larder/0.1 (data@bank.example)"
    example = (resources.files("content") / "organization.yaml").read_text()
    file = tmp_path / "own.yaml"
    file.write_text(example.replace("is_fictional: true", "is_fictional: false", 1))
    settings = read_fetch_settings({"LARDER_ORGANIZATION_FILE": str(file)})
    assert settings.user_agent == "open-larder/0.1 (contact@example.org)"


def test_the_pause() -> None:
    assert read_fetch_settings({}) == FetchSettings()
    assert read_fetch_settings({"LARDER_FETCH_PAUSE_SECONDS": "2.5"}).pause_seconds == 2.5


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"LARDER_FETCH_PAUSE_SECONDS": "-1"}, "not a number from 0 to 300"),
        ({"LARDER_FETCH_PAUSE_SECONDS": "fast"}, "not a number from 0 to 300"),
        ({"LARDER_FETCH_CONTACT": "a\r\nHost: b"}, "not plain ASCII"),
        ({"LARDER_ORGANIZATION_FILE": "nowhere.yaml"}, "LARDER_ORGANIZATION_FILE"),
    ],
)
def test_faults_name_the_setting(environment: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_fetch_settings(environment)
