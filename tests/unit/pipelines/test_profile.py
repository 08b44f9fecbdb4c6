"""Profiles: named settings, overrides of the command line, and refused values."""

from pathlib import Path
from typing import Any

import pytest

from pipelines.build import ProfileError, require_files, workspace_for
from tests.support.cases import labelled


@labelled("profile, overrides, expected")
def test_settings(
    tmp_path: Path, profile: str, overrides: dict[str, Any], expected: dict[str, Any]
) -> None:
    workspace = workspace_for(profile, tmp_path, **overrides)
    assert {name: getattr(workspace, name) for name in expected} == expected
    assert workspace.profile == profile
    assert workspace.root == tmp_path.resolve()


@pytest.mark.parametrize(
    ("has_geography", "own"), [(False, None), (True, None), (True, "elsewhere")]
)
def test_official_geography_in_the_folder_is_used(
    tmp_path: Path, has_geography: bool, own: str | None
) -> None:
    beside = tmp_path / "files" / "reference" / "geo"
    beside.mkdir(parents=True) if has_geography else (tmp_path / "files").mkdir()
    workspace = workspace_for(
        "folder", tmp_path, sources_dir=str(tmp_path / "files"), geography_dir=own
    )
    assert workspace.sources_dir == str((tmp_path / "files").resolve())
    assert workspace.geography_dir == (own or (str(beside.resolve()) if has_geography else ""))


@labelled("profile, overrides, message")
def test_a_wrong_setting_is_explained(
    tmp_path: Path, profile: str, overrides: dict[str, Any], message: str
) -> None:
    with pytest.raises(ProfileError, match=message):
        workspace_for(profile, tmp_path, **overrides)


@pytest.mark.parametrize("beneath", ["", "sources"])
def test_a_folder_without_any_source_is_refused(tmp_path: Path, beneath: str) -> None:
    workspace = workspace_for("folder", tmp_path, sources_dir=str(tmp_path))
    (tmp_path / beneath / "photos").mkdir(parents=True)
    with pytest.raises(ProfileError, match="has no folder of a source, such as "):
        require_files(workspace)
    (tmp_path / beneath / "snap_retailers").mkdir()
    require_files(workspace)
