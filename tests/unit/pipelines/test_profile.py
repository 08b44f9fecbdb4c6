"""Profiles: named settings, what the command line changes about them, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelines.profiles.profile import PROFILES, ProfileError, workspace_for


@pytest.mark.parametrize(
    ("profile", "overrides", "expected"),
    [
        pytest.param(
            "demo", {}, {"provider": "demo", "demo_rows": 2000, "is_synthetic": True}, id="demo"
        ),
        pytest.param(
            "demo",
            {"demo_rows": 300, "demo_seed": None},
            {"demo_rows": 300, "demo_seed": 1},
            id="None is no override",
        ),
        pytest.param("live", {}, {"provider": "live", "is_synthetic": False}, id="live"),
        pytest.param("live", {"accept_drops": True}, {"accept_drops": True}, id="a flag"),
        pytest.param(
            "live", {}, {"probe_urls": True}, id="websites are asked where there is a network"
        ),
        pytest.param("live", {"probe_urls": False}, {"probe_urls": False}, id="unless told not to"),
        pytest.param("demo", {"probe_urls": False}, {"probe_urls": False}, id="never in the demo"),
        pytest.param("demo", {"as_of": "2026-11-01"}, {"as_of": "2026-11-01"}, id="a date"),
    ],
)
def test_settings(
    tmp_path: Path, profile: str, overrides: dict[str, Any], expected: dict[str, Any]
) -> None:
    workspace = workspace_for(profile, tmp_path, **overrides)
    assert {name: getattr(workspace, name) for name in expected} == expected
    assert workspace.profile == profile
    assert workspace.root == tmp_path.resolve()


def test_every_profile_has_its_file() -> None:
    folder = Path(workspace_for.__code__.co_filename).parent
    assert {path.stem for path in folder.glob("*.yaml")} == set(PROFILES)


@pytest.mark.parametrize(
    ("has_geography", "own"), [(False, None), (True, None), (True, "elsewhere")]
)
def test_official_geography_beside_the_files_is_used(
    tmp_path: Path, has_geography: bool, own: str | None
) -> None:
    beside = tmp_path / "files" / "reference" / "geo"
    beside.mkdir(parents=True) if has_geography else (tmp_path / "files").mkdir()
    workspace = workspace_for(
        "folder", tmp_path, sources_dir=str(tmp_path / "files"), geography_dir=own
    )
    assert workspace.sources_dir == str((tmp_path / "files").resolve())
    assert workspace.geography_dir == (own or (str(beside.resolve()) if has_geography else ""))


@pytest.mark.parametrize(
    ("profile", "overrides", "message"),
    [
        pytest.param(
            "nowhere", {}, "no profile 'nowhere'; choose one of demo, folder, live", id="unknown"
        ),
        pytest.param(
            "folder", {}, "needs the folder of the publishers' files", id="no folder named"
        ),
        pytest.param(
            "folder",
            {"sources_dir": "no/such"},
            "there is no folder .*no/such",
            id="no such folder",
        ),
    ],
)
def test_a_wrong_setting_is_explained(
    tmp_path: Path, profile: str, overrides: dict[str, Any], message: str
) -> None:
    with pytest.raises(ProfileError, match=message):
        workspace_for(profile, tmp_path, **overrides)
