"""The file of recent declarations that the hourly job writes."""

from datetime import UTC, date, datetime
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.disasters.assets import out_disasters__current
from assets.steps.workspace import Workspace
from schemas.tables.core import DECLARATIONS
from tests.support.declared import RETRIEVED, declaration
from tests.support.releases import as_table
from warehouse.disaster_file import SIDE_FILE, read_side_file
from warehouse.parquet import write_table

TODAY = datetime.now(UTC).date()
LONG_AGO = date(TODAY.year - 10, 1, 1)


def materialized(folder: Path, rows: list[dict[str, object]]) -> bool:
    workspace = Workspace(data_dir=str(folder), profile="demo")
    write_table(as_table(rows, DECLARATIONS), DECLARATIONS, workspace.path(DECLARATIONS.name))
    return dg.materialize(
        [out_disasters__current],
        resources={"workspace": workspace},
        selection="out/disasters/current",
    ).success


def test_recent_rows_are_unchanged(tmp_path: Path) -> None:
    rows = [
        declaration(
            "DR",
            3,
            "TX",
            TODAY,
            designated_area="Harris (County)",
            county_fips="48201",
            last_ia_filing_date=TODAY,
            has_individual_assistance=True,
        ),
        declaration("DR", 3, "TX", TODAY, has_individual_assistance=None, incident_begin_date=None),
        # The pandemic: declared long ago, and its last day is recent.
        declaration("DR", 2, "NY", LONG_AGO, incident_end_date=TODAY),
        declaration("EM", 1, "FL", LONG_AGO),
    ]
    assert materialized(tmp_path, rows)
    table = read_side_file(tmp_path / SIDE_FILE)
    assert [(r.disaster_number, r.designated_area) for r in table.rows] == [
        (2, None),
        (3, None),
        (3, "Harris (County)"),
    ]
    pandemic, whole, area = table.rows
    assert (pandemic.declaration_date, pandemic.incident_end_date) == (LONG_AGO, TODAY)
    assert (whole.has_individual_assistance, whole.incident_begin_date) == (None, None)
    assert (area.county_fips, area.last_ia_filing_date, area.has_individual_assistance) == (
        "48201",
        TODAY,
        True,
    )
    assert (table.edition.as_of, table.edition.retrieved_at) == (TODAY, RETRIEVED)
    assert table.edition.is_synthetic
    assert table.edition.checked_at is not None


def test_nothing_read_leaves_the_last_good_file(tmp_path: Path) -> None:
    assert materialized(tmp_path, [declaration("DR", 3, "TX", TODAY)])
    before = (tmp_path / SIDE_FILE).read_bytes()
    assert materialized(tmp_path, [])
    assert (tmp_path / SIDE_FILE).read_bytes() == before
    assert pd.notna(read_side_file(tmp_path / SIDE_FILE).edition.as_of)
