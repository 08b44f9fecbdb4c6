"""The bulk files as an asset: written once for the same inputs, and checked before the release."""

from pathlib import Path

import dagster as dg
import pytest

from assets.release.bulk import bulk_holds_the_directory, out_directory__bulk
from assets.steps.workspace import Workspace
from schemas.bulk import BULK_FORMATS
from schemas.tables.core import STATEMENTS
from schemas.tables.out import CROSSWALK
from tests.support.releases import as_table, name_statements
from tests.support.town import resources, write_town
from warehouse.parquet import write_table


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace whose tables are the town's."""
    write_town(tmp_path)
    space = Workspace(data_dir=str(tmp_path), as_of="2026-11-01")
    stated = as_table(name_statements(resources()), STATEMENTS)
    write_table(stated, STATEMENTS, space.path(STATEMENTS.name))
    write_table(as_table([], CROSSWALK), CROSSWALK, space.path(CROSSWALK.name))
    return space


def run(workspace: Workspace, *parts: object) -> dg.ExecuteInProcessResult:
    with dg.DagsterInstance.ephemeral() as instance:
        return dg.materialize(
            parts,  # type: ignore[arg-type]
            instance=instance,
            resources={"workspace": workspace},
            raise_on_error=False,
        )


def metadata_of(result: dg.ExecuteInProcessResult) -> dict[str, object]:
    (event,) = result.asset_materializations_for_node("out_directory__bulk")
    return {name: value.value for name, value in event.metadata.items()}


def test_the_asset_reports_rows_and_sizes_and_passes_its_check(workspace: Workspace) -> None:
    result = run(workspace, out_directory__bulk)
    assert result.success
    metadata = metadata_of(result)
    assert (metadata["dagster/row_count"], metadata["license"], metadata["is_synthetic"]) == (
        len(resources()),
        "CC-BY-4.0",
        True,
    )
    assert all(name in str(metadata["files"]) for name in BULK_FORMATS)
    (check,) = result.get_asset_check_evaluations()
    assert check.passed
    assert check.description == f"{len(resources())} resources in every format"


def test_a_lost_row_fails_the_check(workspace: Workspace) -> None:
    """Outdated files of a larger directory stop the release."""
    assert run(workspace, out_directory__bulk).success
    write_town(
        Path(workspace.data_dir), resources=resources()[:9], release_id="20261102T060000Z-00000002"
    )
    checked = bulk_holds_the_directory(workspace)
    assert isinstance(checked, dg.AssetCheckResult)
    assert not checked.passed
    assert "resources.csv: 132 rows in the file" in str(checked.description)
