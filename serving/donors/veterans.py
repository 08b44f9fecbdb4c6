"""The data set of resources for veterans: whole as JSON, CSV and Parquet, and record by record."""

import asyncio
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.types import Scope

from schemas.api.veterans import VeteranDataset, VeteranRecord
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_RESOURCES
from schemas.values.instants import instant_text
from schemas.vocab.veterans import VETERAN_LICENSE_URL
from serving.http.answers import DAY, Answer, Header, redirect
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import FileAnswer, StoredFile, file_answer, find_file
from serving.http.openapi import answers
from serving.http.parameters import path_part
from serving.search.parameters import MAX_ID
from warehouse.index.reader import OpenRelease

_LINKS: tuple[Header, ...] = (
    (
        b"link",
        (
            '</api/datapackage.json>; rel="describedby"; type="application/json", '
            f'<{VETERAN_LICENSE_URL}>; rel="license"'
        ).encode(),
    ),
)
VeteranId = Annotated[int, path_part("id/veterans", ge=1, le=MAX_ID)]
_get = partial(get, tags=["veterans"])


def _whole(scope: Scope, name: str, headers: tuple[Header, ...] = _LINKS) -> FileAnswer:
    file = dataset_file(release_of(scope), name)
    return file_answer(scope, file, max_age=DAY, headers=headers)


@_get(
    "/api/veteran-resources.json",
    summary="The data set as JSON",
    responses=answers(VeteranDataset, "All records with the list of columns."),
)
async def get_veteran_dataset(scope: Scope) -> FileAnswer:
    """Return all resources for veterans with the columns, their types and their meaning."""
    return _whole(scope, f"{NAME}.json")


@_get(
    "/api/veteran-resources.csv",
    summary="The data set as CSV",
    responses=answers(
        bytes, "All records, one a line, below a line of column names.", media_type="text/csv"
    ),
)
async def get_veteran_dataset_as_csv(scope: Scope) -> FileAnswer:
    """Return all resources for veterans as CSV (RFC 4180, UTF-8); an empty cell is a missing
    value."""
    return _whole(scope, f"{NAME}.csv")


@_get(
    "/api/veteran-resources.parquet",
    summary="The data set as Parquet",
    responses=answers(
        bytes, "All records in one Parquet file.", media_type="application/vnd.apache.parquet"
    ),
)
async def get_veteran_dataset_as_parquet(scope: Scope) -> FileAnswer:
    """Return all resources for veterans as one Parquet file with typed columns."""
    return _whole(scope, f"{NAME}.parquet")


@_get(
    "/api/datapackage.json",
    summary="Description of the data set's files",
    responses=answers(dict, "A tabular data package (frictionless)."),
)
async def get_veteran_data_package(scope: Scope) -> FileAnswer:
    """Return the files of the data set with their sizes and digests, and the rules of every
    column."""
    return _whole(scope, "datapackage.json", ())


@_get(
    "/api/veteran-resources/{resource_id:int}",
    summary="One resource for veterans",
    responses=answers(VeteranRecord, "The record and the evidence for it.", 404, 410),
)
async def get_veteran_resource(scope: Scope, resource_id: VeteranId) -> Answer:
    """Return one record with its source, hours and the precision of its point. A merged id
    answers 301, a retired one 410."""
    release = release_of(scope)
    body = await asyncio.to_thread(record, release, resource_id)
    if body is not None:
        return Answer(body, max_age=DAY, headers=_LINKS)
    was_listed, successor = await asyncio.to_thread(find_successor, release, resource_id)
    if successor is not None:
        return redirect(f"/api/veteran-resources/{successor}")
    if was_listed:
        raise ServiceProblem("gone", f"Resource {resource_id} is no longer listed.")
    raise ServiceProblem("unknown-resource", f"There is no resource {resource_id}.")


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
