"""The data set of resources for veterans, whole: as JSON, CSV and Parquet."""

from dataclasses import replace
from functools import partial

from litestar import get
from litestar.types import Scope

from schemas.api.veterans import VeteranDataset
from schemas.vocab.veterans import VETERAN_LICENSE_URL
from serving.http.answers import DAY, Header
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import FileAnswer, StoredFile, file_answer, find_file
from serving.http.openapi import answers
from warehouse.index.reader import OpenRelease

_LINKS: tuple[Header, ...] = ((b"link", f'<{VETERAN_LICENSE_URL}>; rel="license"'.encode()),)
_get = partial(get, tags=["veterans"])


def _whole(scope: Scope, name: str) -> FileAnswer:
    file = dataset_file(release_of(scope), name)
    return file_answer(scope, file, max_age=DAY, headers=_LINKS)


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
