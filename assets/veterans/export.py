"""Write the data set's files: JSON and its columns, CSV, Parquet."""

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from assets.veterans.practices import Making, checks, coverage, practices
from schemas.table import Field
from schemas.tables.veterans import VETERAN_RESOURCES, column_list
from schemas.values.formulas import without_formula
from schemas.vocab.veterans import (
    COMPLETENESS_POINTS,
    RECENT_DAYS,
    VETERAN_LICENSE,
    VETERAN_LICENSE_URL,
)
from warehouse.parquet import as_arrow, write_table

NAME = "veteran-resources"
TITLE = "Resources for veterans in the United States"


def write_files(
    resources: pd.DataFrame, folder: Path, making: Making, *, is_synthetic: bool
) -> None:
    """Write all files of the data set into an empty folder. Equal arguments give equal bytes.

    `resources` are rows of `out_veterans__resources`. Raises ContractError when they are not.
    """
    rows = as_arrow(resources, VETERAN_RESOURCES).to_pylist()
    document = {
        "dataset": NAME,
        "title": TITLE,
        "description": VETERAN_RESOURCES.description,
        "changed_at": max((row["updated_at"] for row in rows), default=None),
        "is_synthetic": is_synthetic,
        "license": VETERAN_LICENSE,
        "license_url": VETERAN_LICENSE_URL,
        "attribution": "US Department of Veterans Affairs and the sources named in each record",
        "primary_key": "id",
        "cached_seconds": 86_400,
        "record_count": len(rows),
        "completeness": {"points": COMPLETENESS_POINTS, "recent_days": RECENT_DAYS},
        "coverage": coverage(resources),
        "practices": practices(making),
        "checks": checks(making),
        "columns": column_list(),
        "records": rows,
    }
    (folder / f"{NAME}.json").write_bytes(msgspec.json.encode(document))
    (folder / f"{NAME}.csv").write_text(_csv(rows), encoding="utf-8", newline="")
    write_table(resources, VETERAN_RESOURCES, folder / f"{NAME}.parquet")
    for text in (folder / f"{NAME}.json", folder / f"{NAME}.csv"):
        # No time in the header: equal content, equal bytes.
        packed = gzip.compress(text.read_bytes(), compresslevel=9, mtime=0)
        text.with_name(f"{text.name}.gz").write_bytes(packed)


def _csv(rows: list[dict[str, Any]]) -> str:
    """Write RFC 4180 with a header: empty for unknown values, true and false for booleans."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(VETERAN_RESOURCES.field_names)
    writer.writerows([_cell(row[f.name], f) for f in VETERAN_RESOURCES.fields] for row in rows)
    return text.getvalue()


def _cell(value: object, field: Field) -> object:
    if isinstance(value, str):
        return without_formula(value) if field.is_free_text else value
    return str(value).lower() if isinstance(value, bool) else "" if value is None else value
