"""The data set of resources for veterans in the release being served."""

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import msgspec

from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_RESOURCES
from schemas.values.instants import instant_text
from serving.http.errors import ServiceProblem
from serving.http.files import StoredFile
from serving.http.release_files import find_file
from warehouse.index.reader import OpenRelease

NAME = "veteran-resources"
_FOLDER = "veterans"
_MEDIA_TYPES = {
    "parquet": b"application/vnd.apache.parquet",
    "csv": b"text/csv; charset=utf-8; header=present",
    "json": b"application/json",
}


def dataset_file(release: OpenRelease, name: str) -> StoredFile:
    """Return a file of the data set by its name. Raises ServiceProblem (503) for a release made
    before there was one."""
    file = find_file(release, f"{_FOLDER}/{name}")
    if file is None:
        text = f"Release {release.release_id} has no data set of resources for veterans."
        raise ServiceProblem("no-release", text)
    kind = _MEDIA_TYPES[name.rpartition(".")[2]]
    return replace(file, media_type=kind)


def record(release: OpenRelease, resource_id: int) -> bytes | None:
    """Return one record with its details as JSON; None for an id that is not listed. Call it in a
    thread."""
    names = VETERAN_RESOURCES.field_names
    details = [name for name in VETERAN_DETAILS.field_names if name != "id"]
    columns = [*(f'r."{name}"' for name in names), *(f'd."{name}"' for name in details)]
    with release.cursor() as db:
        values = db.execute(
            f"SELECT {', '.join(columns)} FROM out_veterans__resources r"  # noqa: S608 - declared names
            " JOIN out_veterans__details d USING (id) WHERE id = ?",
            [resource_id],
        ).fetchone()
    if values is None:
        return None
    row = dict(zip(names, values, strict=False))
    detail_values = dict(zip(details, map(_plain, values[len(names) :]), strict=True))
    return msgspec.json.encode({**row, "details": detail_values})


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return instant_text(value)
    return value.isoformat() if isinstance(value, date) else value


def find_successor(release: OpenRelease, resource_id: int) -> tuple[bool, int | None]:
    """Return whether an id was once listed, and the id that took over. Call it in a thread."""
    with release.cursor() as db:
        rows = db.execute(
            "SELECT successor_id FROM core_veterans__identities WHERE resource_id = ?",
            [resource_id],
        ).fetchall()
    return bool(rows), next((row[0] for row in rows if row[0] is not None), None)
