"""Describe the bulk files of the served release to programs: as a Frictionless data package, as
a DCAT-US catalog, and by their checksums.
"""

from functools import partial
from typing import Any

from litestar import get
from litestar.types import Scope

from schemas.api.exports import BulkFile
from schemas.api.organization import Organization
from schemas.bulk import BULK_FORMATS, BULK_TABLES, INDEX_NAME
from schemas.hsds.collections import LICENSE_URLS
from schemas.table import table_schema
from serving.context import context_of
from serving.exports.files import bulk_files
from serving.http.answers import HOUR, Answer, json_answer
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.reference.organization import organization_of
from warehouse.index.reader import OpenRelease

_get = partial(get, tags=["data"])


def _files(release: OpenRelease) -> list[BulkFile]:
    """Return the bulk files. Raises ServiceProblem (404) for a release without any."""
    try:
        return bulk_files(release.folder)
    except FileNotFoundError:
        raise ServiceProblem("not-found", "The served release has no bulk files.") from None


_TITLE = "Open Larder: food assistance in the United States"
# Each facet adds a query to every page of a table.
_MAX_FACETS = 3
_KEYWORDS = ["food assistance", "food pantries", "SNAP", "WIC", "school meals", "Open Referral"]


def _description(release: OpenRelease) -> str:
    about = "Synthetic demonstration data, no real places. " if release.is_synthetic else ""
    return f"{about}Every active place of the directory, with the sources of each value."


@per_release
def _package(release: OpenRelease) -> dict[str, Any]:
    manifest = release.manifest
    title, url = LICENSE_URLS.get(manifest.data_license, (manifest.data_license, ""))
    return {
        "profile": "data-package",
        "name": "open-larder",
        "id": release.release_id,
        "title": _TITLE,
        "description": _description(release),
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
        # Validators compare the digest of a file; Parquet and JSON lines they read with extras
        # only.
        "type": "table" if ending == "csv" else "file",
        "description": file.description,
        # Relative to the package, and permanent: the content at this path never changes.
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


@_get(
    "/exports/datapackage.json",
    summary="Bulk files as a data package",
    responses=answers(dict[str, Any], "A Frictionless data package descriptor.", 404),
)
async def get_exports_data_package(scope: Scope) -> Answer:
    """Return the files of the served release with types, digests and licence (Frictionless
    Data)."""
    release, settings = release_of(scope), context_of(scope).settings
    package = await _package.in_thread(release)
    publisher = {"title": organization_of(settings).common_name, "path": settings.url}
    document = {
        **package,
        "homepage": f"{settings.url}/exports",
        "contributors": [publisher | {"role": "publisher"}],
    }
    return json_answer(document, HOUR)


@_get(
    "/exports/datasette.json",
    summary="Bulk files as metadata of Datasette",
    responses=answers(dict[str, Any], "Metadata that Datasette reads."),
)
async def get_exports_datasette_metadata(scope: Scope) -> Answer:
    """Return titles, columns, licence and source of the tables for a Datasette over the files of
    this release: for pages and SQL queries over the whole directory."""
    release, settings = release_of(scope), context_of(scope).settings
    about = {
        "license": release.manifest.data_license,
        "license_url": _license_url(release),
        "source": f"{organization_of(settings).common_name}, release {release.release_id}",
        "source_url": f"{settings.url}/exports/{release.release_id}/{INDEX_NAME}",
    }
    tables = {
        name: {
            "description": table.description,
            "columns": {field.name: field.description for field in table.fields},
            "facets": [field.name for field in table.fields if field.values][:_MAX_FACETS],
        }
        for name, table in BULK_TABLES.items()
    }
    head = {"title": _TITLE, "description": _description(release), **about}
    return json_answer({**head, "databases": {"directory": {**about, "tables": tables}}}, HOUR)


@_get(
    "/data.json",
    summary="Catalog of the data (DCAT-US 3.0)",
    responses=answers(dict[str, Any], "A DCAT-US 3.0 catalog."),
)
async def get_data_catalog(scope: Scope) -> Answer:
    """Return the data sets of this instance in the form that catalogs of public data harvest
    (DCAT-US 3.0)."""
    release, settings = release_of(scope), context_of(scope).settings
    organization = organization_of(settings)
    catalog = {
        "@id": f"{settings.url}/data.json",
        "@type": "Catalog",
        "conformsTo": {
            "@type": "Standard",
            "title": "DCAT-US 3.0",
            "identifier": "https://resources.data.gov/dcat-us/3.0.0",
        },
        "title": _TITLE,
        "publisher": _agent(organization),
        "modified": release.manifest.as_of_date,
        "language": ["en"],
        "dataset": _describe_data_sets(release, organization, settings.url),
    }
    return json_answer(catalog, HOUR)


def _describe_data_sets(
    release: OpenRelease, organization: Organization, url: str
) -> list[dict[str, Any]]:
    """Return the data sets of the catalog: the bulk files, if any, and the HSDS feed."""
    try:
        files = bulk_files(release.folder)
    except FileNotFoundError:
        files = []
    shared = {
        "@type": "Dataset",
        "modified": release.manifest.as_of_date,
        "publisher": _agent(organization),
        "contactPoint": {
            "@type": "Kind",
            "fn": organization.common_name,
            "hasEmail": f"mailto:{organization.email}",
        },
        "accrualPeriodicity": "daily",
        "spatial": [{"@type": "Location", "prefLabel": "United States"}],
        "keyword": _KEYWORDS,
        "version": release.release_id,
    }
    places = shared | {
        "@id": f"{url}/exports",
        "identifier": f"{url}/exports",
        "title": _TITLE,
        "description": _description(release),
        "landingPage": _document("Bulk files", f"{url}/exports"),
        "distribution": [_distribution(release, url, f) for f in files],
    }
    hsds = shared | {
        "@id": f"{url}/hsds/v3",
        "identifier": f"{url}/hsds/v3",
        "title": f"{_TITLE}, Open Referral HSDS 3.0",
        "description": _description(release),
        "landingPage": _document("HSDS feed", f"{url}/hsds/v3/"),
        "distribution": [
            {
                "@type": "Distribution",
                "title": "HSDS tables as CSV with their descriptor",
                "downloadURL": f"{url}/hsds/v3/hsds.zip",
                "mediaType": "application/zip",
                "license": _license_url(release),
            }
        ],
    }
    return [places, hsds]


def _license_url(release: OpenRelease) -> str:
    """Return the address of the licence of the data."""
    name = release.manifest.data_license
    return LICENSE_URLS.get(name, (name, ""))[1] or f"https://spdx.org/licenses/{name}.html"


def _agent(organization: Organization) -> dict[str, str]:
    return {"@type": "Agent", "name": organization.common_name}


def _document(title: str, url: str) -> dict[str, str]:
    return {"@type": "Document", "title": title, "accessURL": url}


def _distribution(release: OpenRelease, url: str, file: BulkFile) -> dict[str, Any]:
    return {
        "@type": "Distribution",
        "title": file.name,
        "description": file.description,
        "downloadURL": f"{url}/exports/{release.release_id}/{file.name}",
        "mediaType": file.media_type.partition(";")[0],
        "byteSize": str(file.size_bytes),  # the schema requires text
        "checksum": {
            "@type": "Checksum",
            "algorithm": "http://spdx.org/rdf/terms#checksumAlgorithm_sha256",
            "checksumValue": file.sha256,
        },
        "license": _license_url(release),
    }


@_get(
    "/exports/SHA256SUMS",
    summary="Checksums of the bulk files",
    responses=answers(
        str, "A line for each file, as `sha256sum -c` reads it.", 404, media_type="text/plain"
    ),
)
async def get_exports_checksums(scope: Scope) -> Answer:
    """Return SHA-256 of every bulk file of the served release."""
    lines = (f"{file.sha256}  {file.name}\n" for file in _files(release_of(scope)))
    return Answer("".join(lines).encode(), media_type=b"text/plain; charset=utf-8", max_age=HOUR)
