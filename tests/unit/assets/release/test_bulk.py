"""The bulk files as an asset."""

from pathlib import Path

import dagster as dg
import pytest

from assets.release.assets import out_directory__bulk
from assets.steps.workspace import Workspace
from schemas.bulk import BULK_FORMATS
from schemas.tables.core import CROSSWALK, STATEMENTS
from tests.support.releases import as_table, name_statements
from tests.support.steps import run_steps
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


def metadata_of(result: dg.ExecuteInProcessResult) -> dict[str, object]:
    (event,) = result.asset_materializations_for_node("out__directory__bulk")
    return {name: value.value for name, value in event.metadata.items()}


def test_the_asset_reports_rows_and_sizes(workspace: Workspace) -> None:
    result = run_steps([out_directory__bulk], workspace)
    assert result.success
    metadata = metadata_of(result)
    assert (metadata["dagster/row_count"], metadata["license"], metadata["is_synthetic"]) == (
        len(resources()),
        "CC-BY-4.0",
        True,
    )
    assert all(name in str(metadata["files"]) for name in BULK_FORMATS)
