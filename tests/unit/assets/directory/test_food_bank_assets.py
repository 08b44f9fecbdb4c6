"""The table of food banks when the network's files cannot be read."""

from pathlib import Path

import dagster as dg
import pandas as pd

from assets.directory.food_banks import SOURCE_ID, core_directory__food_banks
from assets.sources.assets import source_assets
from assets.sources.failures import SERVICE_AREAS, failure_of
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS, RESOURCES, ZIPS
from tests.support.steps import run_steps
from warehouse.parquet import write_table

SOURCE = sources()[SOURCE_ID]
CATALOGUE = (
    '{"_metadata": {"entry_count": 1}, '
    '"7": {"id": 7, "name": "Sagebrush Food Bank", "state": "NM", '
    '"find_food_url": "https://sage.example.org/find"}}'
)
COVERAGE = "zip,fa_org_id,fa_org_name\n87001,7,Sagebrush Food Bank\n"


def _build(folder: Path, instance: dg.DagsterInstance) -> tuple[bool, Workspace]:
    workspace = Workspace(data_dir=str(folder / "data"), profile="folder", sources_dir=str(folder))
    empty = pd.DataFrame(columns=RESOURCES.field_names)
    write_table(empty, RESOURCES, workspace.path(RESOURCES.name))
    tables = {
        "zip": "87001",
        "county_fips": "35001",
        "zip_kind": "standard",
        "is_quality_low": False,
    }
    zips = pd.DataFrame([tables], columns=ZIPS.field_names)
    write_table(zips, ZIPS, workspace.path(ZIPS.name))
    assets = [source_assets(SOURCE)[0], core_directory__food_banks]
    return run_steps(assets, workspace, instance=instance).success, workspace


def test_unreadable_files_leave_the_last_good_table(tmp_path: Path) -> None:
    files = tmp_path / "sources" / SOURCE.folders[0]
    files.mkdir(parents=True)
    catalogue = files / "feeding_america_catalogue.json"
    (files / "feeding_america_zip_coverage.csv").write_text(COVERAGE, encoding="utf-8")
    with dg.DagsterInstance.ephemeral() as instance:
        # The first build finds a damaged file, and no earlier table.
        catalogue.write_text("<html>Sorry</html>", encoding="utf-8")
        is_built, workspace = _build(tmp_path, instance)
        assert is_built
        assert workspace.read(FOOD_BANKS.name).empty
        failure = failure_of(SOURCE, workspace)
        assert failure is not None
        assert failure.step == SERVICE_AREAS

        catalogue.write_text(CATALOGUE, encoding="utf-8")
        assert _build(tmp_path, instance)[0]
        good = workspace.read(FOOD_BANKS.name)
        assert good["name"].tolist() == ["Sagebrush Food Bank"]
        assert failure_of(SOURCE, workspace) is None

        catalogue.write_text("{}}", encoding="utf-8")
        assert _build(tmp_path, instance)[0]
        assert workspace.read(FOOD_BANKS.name).equals(good)
        assert failure_of(SOURCE, workspace) is not None
