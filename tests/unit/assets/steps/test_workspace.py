"""Tables of the served release that a build did not write again; damaged ones are not released."""

from pathlib import Path

import msgspec
import pandas as pd
import pytest

from assets.release.assets import _find_served_tables
from assets.steps.workspace import Workspace
from schemas.tables.core import RESOURCES
from tests.support.releases import resource, write_release
from tests.support.workspaces import workspace_with
from warehouse.files import link_file
from warehouse.release.store import ReleaseError

OLD, NEW = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_with(tmp_path, "counts")


def test_a_served_table_that_is_damaged_gets_into_no_other_release(tmp_path: Path) -> None:
    write_release(tmp_path, [resource(1)], release_id=OLD)
    workspace = Workspace(data_dir=str(tmp_path))
    _seal_again(workspace)
    _damage(workspace.path(RESOURCES.name))
    with pytest.raises(ReleaseError, match=rf"exports/{RESOURCES.name}\.parquet has another"):
        _seal_again(workspace)


def test_a_rebuilt_table_has_no_state_of_the_served_release(tmp_path: Path) -> None:
    write_release(tmp_path, [resource(1)], release_id=OLD)
    workspace = Workspace(data_dir=str(tmp_path))
    name = f"exports/{RESOURCES.name}.parquet"
    assert name in {entry.path for entry in _find_served_tables(workspace)}
    workspace.write(RESOURCES.name, pd.DataFrame(columns=RESOURCES.field_names), RESOURCES)
    assert name not in {entry.path for entry in _find_served_tables(workspace)}


def _seal_again(workspace: Workspace) -> None:
    """Release the resources on disk, with the entries of the served release."""
    store = workspace.releases
    manifest = msgspec.structs.replace(
        store.manifest(OLD), release_id=NEW, files=_find_served_tables(workspace)
    )
    table = workspace.path(RESOURCES.name)
    with store.building() as staging:
        link_file(table, staging / "exports" / table.name)
        store.seal(staging, manifest)


def _damage(path: Path) -> None:
    """Flip a bit of the first row in the file."""
    with path.open("r+b") as file:
        file.seek(8)
        (byte,) = file.read(1)
        file.seek(8)
        file.write(bytes([byte ^ 1]))
