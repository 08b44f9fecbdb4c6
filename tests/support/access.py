"""Writes the access measure of a small release with the code of builds."""

from pathlib import Path

import pandas as pd

from assets.statistics.access_assets import (
    area_access,
    county_totals,
    write_access_files,
    zip_access,
)
from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, RESOURCES, ZIP_ACCESS, ZIPS
from schemas.vocab.food_access import COUNTY_MAP
from warehouse.gzip_files import write_gzip
from warehouse.parquet import read_frame, write_table

# Invented residents; one county without places, one without a population.
COUNTIES = pd.DataFrame(
    [
        ("36061", "New York County"),
        ("36119", "Westchester County"),
        ("09001", "Fairfield County"),
        ("02016", "Aleutians West Census Area"),
    ],
    columns=["county_fips", "county_name"],
    dtype="str",
)
RESIDENTS = pd.Series([1_600_000, 990_000, 5_000], ["36061", "36119", "02016"], dtype="Int64")


def write_access(
    paths: dict[str, Path], folder: Path, parquet: Path, county_map: str | None = None
) -> dict[str, Path]:
    """Write the three tables beside the others and the files into `folder`; return tables' paths."""
    resources, zips = (read_frame(paths[t.name]) for t in (RESOURCES, ZIPS))
    by_zip = zip_access(zips, resources)
    tables = {
        ZIP_ACCESS: by_zip,
        COUNTY_TOTALS: county_totals(by_zip, resources, COUNTIES, RESIDENTS),
        AREA_ACCESS: area_access(by_zip, resources),
    }
    for table, frame in tables.items():
        write_table(frame, table, parquet / f"{table.name}.parquet")
    folder.mkdir()
    by_county, by_zip = (
        read_frame(parquet / f"{t.name}.parquet") for t in (COUNTY_TOTALS, ZIP_ACCESS)
    )
    write_access_files(folder, by_county, by_zip)
    if county_map is not None:
        write_gzip(folder / COUNTY_MAP, county_map.encode())
    return {table.name: parquet / f"{table.name}.parquet" for table in tables}
