"""Write the data set's files: JSON and its columns, CSV, Parquet, package descriptor."""

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from assets.veterans.practices import Making, checks, coverage, practices
from schemas.table import Field, table_schema
from schemas.tables.veterans import VETERAN_RESOURCES, column_list
from schemas.values.formulas import without_formula
from schemas.vocab.veterans import (
    COMPLETENESS_POINTS,
    RECENT_DAYS,
    VETERAN_LICENSE,
    VETERAN_LICENSE_URL,
)
from warehouse.files import sha256_of
from warehouse.parquet import as_arrow, write_table

NAME = "veteran-resources"
TITLE = "Resources for veterans in the United States"
_MEDIA = {
    "json": "application/json",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
}


def write_files(
    resources: pd.DataFrame, folder: Path, making: Making, *, is_synthetic: bool
) -> None:
    """Write all files of the data set into an empty folder. Equal arguments give equal bytes.

    `resources` are rows of `out_veterans__resources`. Raises ContractError when they are not.
    """
    rows = as_arrow(resources, VETERAN_RESOURCES).to_pylist()
    changed_at = max((row["updated_at"] for row in rows), default=None)
    document = {
        "dataset": NAME,
        "title": TITLE,
        "description": VETERAN_RESOURCES.description,
        "changed_at": changed_at,
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
    package = _package(folder, changed_at)
    (folder / "datapackage.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(package), indent=1) + b"\n"
    )


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


def _package(folder: Path, changed_at: str | None) -> dict[str, Any]:
    """Return a data package (frictionless, version 1) of the CSV, naming the other files."""
    return {
        "profile": "tabular-data-package",
        "name": NAME,
        "title": TITLE,
        "description": VETERAN_RESOURCES.description,
        **({"created": changed_at} if changed_at else {}),
        "licenses": [
            {
                "name": "CC-BY-4.0",
                "path": VETERAN_LICENSE_URL,
                "title": "Creative Commons Attribution 4.0",
            }
        ],
        "resources": [_resource(folder / f"{NAME}.csv")],
        "distributions": [
            _file(folder / f"{NAME}.{form}", media) for form, media in _MEDIA.items()
        ],
    }


def _file(path: Path, media: str) -> dict[str, Any]:
    return {
        "path": path.name,
        "mediatype": media,
        "bytes": path.stat().st_size,
        "hash": f"sha256:{sha256_of(path)}",
    }


def _resource(path: Path) -> dict[str, Any]:
    return {
        **_file(path, _MEDIA["csv"]),
        "profile": "tabular-data-resource",
        "name": NAME,
        "format": "csv",
        "encoding": "utf-8",
        "schema": table_schema(VETERAN_RESOURCES),
    }
