"""No build replaces a release of publishers' files by one of another profile unless it is asked to,
however it was started."""

from pathlib import Path

import dagster as dg
import msgspec
import pytest

from assets.release.assets import release_asset
from assets.steps.workspace import Workspace
from tests.support.cases import cases
from tests.support.releases import resource, write_release
from tests.support.steps import run_steps
from warehouse.release.manifest import write_manifest
from warehouse.release.store import ReleaseError, ReleaseStore

SERVED = "20261101T060000Z-00000001"


def serve(folder: Path, profile: str, *, is_synthetic: bool) -> None:
    """Serve a release that names its profile; "" is one of an older version."""
    write_release(folder, [resource(1)], release_id=SERVED)
    store = ReleaseStore(folder)
    manifest = store.manifest(SERVED)
    release = store.folder(SERVED)
    release.chmod(0o755)
    (release / "manifest.json").unlink()
    changed = msgspec.structs.replace(manifest, profile=profile, is_synthetic=is_synthetic)
    write_manifest(release, changed)


@cases(
    "served, profile, is_refused",
    {
        "the demo over publishers' files": ("folder", "demo", True),
        "the demo over fetched files": ("live", "demo", True),
        "the demo over an older version's files": ("", "demo", True),
        "files on disk over fetched ones": ("live", "folder", True),
        "the same profile": ("folder", "folder", False),
        "files on disk over an older version's": ("", "folder", False),
    },
)
def test_which_builds_are_refused(
    tmp_path: Path, served: str, profile: str, is_refused: bool
) -> None:
    serve(tmp_path, served, is_synthetic=False)
    workspace = Workspace(data_dir=str(tmp_path), profile=profile)  # type: ignore[arg-type]
    if is_refused:
        with pytest.raises(ReleaseError, match="--change-profile"):
            workspace.require_served_profile()
    else:
        workspace.require_served_profile()
    Workspace(
        data_dir=str(tmp_path),
        profile=profile,  # type: ignore[arg-type]
        change_profile=True,
    ).require_served_profile()


def test_publishers_files_may_replace_the_demo(tmp_path: Path) -> None:
    serve(tmp_path, "demo", is_synthetic=True)
    Workspace(data_dir=str(tmp_path), profile="folder").require_served_profile()
    assert ReleaseStore(tmp_path).manifest(SERVED).is_synthetic


def test_the_release_step_itself_refuses(tmp_path: Path) -> None:
    """As `dagster job execute` without settings starts it."""
    serve(tmp_path, "folder", is_synthetic=False)
    result = run_steps([release_asset([], [])], Workspace(data_dir=str(tmp_path)))
    assert not result.success
    (failure,) = [e for e in result.all_events if e.event_type == dg.DagsterEventType.STEP_FAILURE]
    assert "was built with the profile folder" in str(failure.step_failure_data.error)
    assert ReleaseStore(tmp_path).current() == SERVED
