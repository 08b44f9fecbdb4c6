"""Writes the HSDS part of a small release with the code of builds."""

import re
from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path

from assets.hsds.assets import organization_registry
from assets.hsds.readings import read_texts
from schemas.tables.core import IDENTITIES, ORGANIZATIONS, RESOURCES
from schemas.tables.hsds import HSDS_TABLES, RETIRED_IDS
from warehouse.hsds.package import write_package
from warehouse.hsds.tables import ReleaseBasis, write_hsds_tables
from warehouse.parquet import read_frame, write_table

AS_OF = date(2026, 11, 1)
READ = partial(read_texts, as_of=AS_OF)


def write_hsds(
    paths: Mapping[str, Path], folder: Path | None, release_id: str, previous: Path | None
) -> dict[str, Path]:
    """Write the HSDS tables and the package (into `folder`, if any); return the tables' files.

    `paths` are tables of the directory, `previous` the folder of the last release's Parquet files.
    """
    tables = paths[RESOURCES.name].parent
    before = previous / f"{ORGANIZATIONS.name}.parquet" if previous else None
    registry = organization_registry(
        read_frame(paths[RESOURCES.name]),
        read_frame(paths[IDENTITIES.name]),
        read_frame(before) if before and before.is_file() else None,
        release_id,
    )
    table_paths = {ORGANIZATIONS.name: tables / f"{ORGANIZATIONS.name}.parquet"}
    write_table(registry, ORGANIZATIONS, table_paths[ORGANIZATIONS.name])
    write_hsds_tables(tables, READ, tables, ReleaseBasis(AS_OF, _instant(release_id), previous))
    if folder:
        folder.mkdir()
        write_package(tables, folder, license_id="CC-BY-4.0", is_synthetic=True)
    names = [table.name for table in (*HSDS_TABLES, RETIRED_IDS)]
    return table_paths | {name: tables / f"{name}.parquet" for name in names}


def _instant(release_id: str) -> str:
    return re.sub(
        r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*", r"\1-\2-\3T\4:\5:\6.000Z", release_id
    )
