"""Describe the bulk files of the served release to programs: a Frictionless data package, checksums."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get
from litestar.types import Scope

from schemas.api.exports import BulkFile
from schemas.bulk import BULK_FORMATS
from schemas.hsds.descriptor import LICENSE_URLS
from schemas.tabular import table_schema
from serving.context import context_of
from serving.exports.files import bulk_files
from serving.http.answers import HOUR, Answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.per_release import per_release
from serving.reference.organization import organization_of
from warehouse.index.reader import OpenRelease


def _files(release: OpenRelease) -> list[BulkFile]:
    """Return the bulk files. Raises ServiceProblem (404) for a release without any."""
    try:
        return bulk_files(release.folder)
    except FileNotFoundError:
        raise ServiceProblem("not-found", "The served release has no bulk files.") from None


@per_release
def _package(release: OpenRelease) -> dict[str, Any]:
    manifest = release.manifest
    title, url = LICENSE_URLS.get(manifest.data_license, (manifest.data_license, ""))
    about = "Synthetic demonstration data, no real places. " if release.is_synthetic else ""
    return {
        "profile": "data-package",
        "name": "open-larder",
        "id": release.release_id,
        "title": "Open Larder: food assistance in the United States",
        "description": f"{about}Every active place of the directory, with the sources of each value.",
        "version": release.release_id,
        "created": manifest.created_at,
        "licenses": [
            {"name": manifest.data_license, "title": title} | ({"path": url} if url else {})
        ],
        "resources": [_resource(release.release_id, file) for file in _files(release)],
    }


def _resource(release_id: str, file: BulkFile) -> dict[str, Any]:
    """Return one file; a CSV with the schema by which it can be validated."""
    stem, _, ending = file.name.partition(".")
    resource: dict[str, Any] = {
        "name": f"{stem}-{ending}".replace(".", "-"),
        "description": file.description,
        # Relative to the package, and for good: the content at this path never changes.
        "path": f"{release_id}/{file.name}",
        "format": ending,
        "mediatype": file.media_type.partition(";")[0],
        "bytes": file.size_bytes,
        "hash": f"sha256:{file.sha256}",
    }
    if ending == "csv":
        resource |= {
            "profile": "tabular-data-resource",
            "encoding": "utf-8",
            "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "header": True},
            "schema": table_schema(BULK_FORMATS[file.name].table),
        }
    return resource


@get(
    "/exports/datapackage.json",
    operation_id="getExportsDataPackage",
    summary="Bulk files as a data package",
    tags=["data"],
    responses=answers(dict[str, Any], "A Frictionless data package descriptor.", 404, 503),
)
async def datapackage(scope: Scope) -> Answer:
    """Return the files of the served release with types, digests and licence (Frictionless Data)."""
    release, settings = release_of(scope), context_of(scope).settings
    package = await _package.in_thread(release)
    publisher = {"title": organization_of(settings).common_name, "path": settings.url}
    found = {
        **package,
        "homepage": f"{settings.url}/exports",
        "contributors": [publisher | {"role": "publisher"}],
    }
    return Answer(msgspec.json.encode(found), max_age=HOUR)


@get(
    "/exports/SHA256SUMS",
    operation_id="getExportsChecksums",
    summary="Checksums of the bulk files",
    tags=["data"],
    responses=answers(
        str, "A line for each file, as `sha256sum -c` reads it.", 404, 503, media_type="text/plain"
    ),
)
async def checksums(scope: Scope) -> Answer:
    """Return SHA-256 of every bulk file of the served release."""
    lines = (f"{file.sha256}  {file.name}\n" for file in _files(release_of(scope)))
    return Answer("".join(lines).encode(), media_type=b"text/plain; charset=utf-8", max_age=HOUR)
