"""The bulk files of the releases stored on this machine: an index, and every file at an address
that never changes its content."""

import asyncio
import base64
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import Annotated

import msgspec
from litestar import get
from litestar.openapi import ResponseSpec
from litestar.types import Scope

from schemas.api.exports import BulkFile, BulkIndex, ExportsIndex, ExportsRelease
from schemas.bulk import BULK_FOLDER, GZIP_ENDING, INDEX_NAME
from serving.context import context_of
from serving.http.answers import (
    FIVE_MINUTES,
    MINUTE,
    VARY_ACCEPT,
    Answer,
    json_answer,
    prefers_html,
    redirect,
    with_cache_control,
)
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import FileAnswer, StoredFile, file_answer, find_entry, tag_of
from serving.http.openapi import answers
from serving.http.parameters import path_part
from serving.render.page import plain_page
from warehouse.index.reader import OpenRelease
from warehouse.release.manifest import FileEntry, Manifest, read_manifest
from warehouse.release.store import ReleaseError, ReleaseStore

_PREFIX = f"{BULK_FOLDER}/"


@dataclass(frozen=True)
class Download:
    """A bulk file to send; `digests` are SHA-256 of the release's bulk files by their ETag."""

    file: StoredFile
    license: str | None
    digests: dict[bytes, str]


def find_download(store: ReleaseStore, release_id: str, name: str) -> Download:
    """Return the answer for a file of a release.

    Only names in the release's manifest are found, so no other file is accessible. Raises
    ServiceProblem (404) for a release that is not stored here, and for an unknown file.
    """
    try:
        folder = store.folder(release_id)
    except ReleaseError:
        raise ServiceProblem(
            "not-found",
            f"There is no release {release_id!r} here. /exports/ lists the available ones.",
        ) from None
    entries = _entries(folder)
    entry = entries.get(name)
    if entry is None:
        raise ServiceProblem(
            "not-found",
            f"Release {release_id} has no bulk file {name!r}. /exports/ lists its files.",
        )
    media_type = (entry.media_type or "application/octet-stream").encode()
    twin = entries.get(name + GZIP_ENDING)
    packed = find_entry(folder, twin, media_type) if twin else None
    file = find_entry(folder, entry, media_type, packed)
    return Download(file, entry.license, {tag_of(e): e.sha256 for e in entries.values()})


def digest_header(sha256: str) -> bytes:
    """Return `Repr-Digest` (RFC 9530) of a file's bytes."""
    return b"sha-256=:%s:" % base64.b64encode(bytes.fromhex(sha256))


@lru_cache(maxsize=64)
def _entries(folder: Path) -> dict[str, FileEntry]:
    """Return bulk files of a release by name. A release never changes, so its manifest is read
    once."""
    return {
        entry.path.removeprefix(_PREFIX): entry
        for entry in _manifest(folder).files
        if entry.path.startswith(_PREFIX)
    }


@lru_cache(maxsize=64)
def _manifest(folder: Path) -> Manifest:
    return read_manifest(folder)


# ---------------------------------------------------------------- the index


def exports_index(store: ReleaseStore, release: OpenRelease, url: str) -> ExportsIndex:
    """Return all stored releases that have bulk files, the newest first. `url` is the service's
    address."""
    releases = [entry for i in reversed(store.ids()) if (entry := _release(store, i, release, url))]
    current = next((entry for entry in releases if entry.is_current), None)
    return ExportsIndex(
        success=True,
        latest=current.release_id if current else None,
        license=release.manifest.data_license,
        is_synthetic=release.is_synthetic,
        files=bulk_files(release.folder) if current else [],
        releases=releases,
    )


def _release(
    store: ReleaseStore, release_id: str, current: OpenRelease, url: str
) -> ExportsRelease | None:
    """Return the entry of a release; None without bulk files, and when it is deleted meanwhile."""
    try:
        folder = store.folder(release_id)
        names, manifest = _entries(folder), _manifest(folder)
    except (ReleaseError, OSError):
        return None
    if INDEX_NAME not in names:
        return None
    here = f"{url}/exports/{release_id}/"
    return ExportsRelease(
        release_id=release_id,
        created_at=manifest.created_at,
        is_current=release_id == current.release_id,
        is_synthetic=manifest.is_synthetic,
        license=manifest.data_license,
        index=here + INDEX_NAME,
        files={name: here + name for name in sorted(names) if name != INDEX_NAME},
    )


@lru_cache(maxsize=4)
def bulk_files(folder: Path) -> list[BulkFile]:
    """Return the bulk files of a release. Raises FileNotFoundError for one without any."""
    text = (folder / BULK_FOLDER / INDEX_NAME).read_bytes()
    return msgspec.json.decode(text, type=BulkIndex).files


def exports_page(index: ExportsIndex) -> str:
    """Return the index as the inside of a page."""
    parts = (
        ["<p><strong>All places in these files are invented: demonstration data.</strong></p>"]
        if index.is_synthetic
        else []
    )
    parts.append(f"<p>The whole directory as files. Licence: {escape(index.license)}.</p>")
    parts.append(
        '<p><a href="/exports/datapackage.json">datapackage.json</a> describes them to programs, '
        '<a href="/exports/SHA256SUMS">SHA256SUMS</a> has their checksums. Cite the '
        "release that you used.</p>"
    )
    if index.latest is None:
        parts.append("<p>The release being served has no bulk files.</p>")
    else:
        parts.append(f"<h2>Latest release: <code>{escape(index.latest)}</code></h2>")
        parts += [_item(file, index.latest) for file in index.files]
    older = [entry for entry in index.releases if not entry.is_current]
    if older:
        parts.append("<h2>Other releases available here</h2><ul>")
        parts += [
            f'<li><a href="{escape(entry.index)}">{escape(entry.release_id)}</a></li>'
            for entry in older
        ]
        parts.append("</ul>")
    return "".join(parts)


def _item(file: BulkFile, release_id: str) -> str:
    address = escape(f"/exports/{release_id}/{file.name}")
    packed = ", ".join(
        f'<a href="{address}{escape(t.name.removeprefix(file.name))}">'
        f"{escape(t.encoding)}</a> {_megabytes(t.size_bytes)}"
        for t in file.compressed
    )
    more = f" (compressed: {packed})" if packed else ""
    return (
        f'<p><a href="{address}">{escape(file.name)}</a>, '
        f"{_megabytes(file.size_bytes)}, {file.rows:,} rows{more}<br>"
        f"{escape(file.description)}<br><small>SHA-256 "
        f"<code>{escape(file.sha256)}</code></small></p>"
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


# ---------------------------------------------------------------- addresses

_IMMUTABLE = b"public, max-age=31536000, immutable"
ReleaseId = Annotated[str, path_part("release/exports")]
FileName = Annotated[str, path_part("file/exports")]
_get = partial(get, tags=["data"])


def file_answers(*errors: int) -> dict[int, ResponseSpec]:
    """Return `responses=` of a file that is sent whole or in part."""
    media_type = "application/octet-stream"
    whole = "The file, or its beginning-to-end compressed form if the client accepts one."
    part = "The requested part. `Content-Range` names it."
    return answers(bytes, whole, *errors, media_type=media_type) | answers(
        bytes, part, media_type=media_type, status=206
    )


@_get(
    "/exports",
    summary="Files with the whole directory",
    responses=answers(ExportsIndex, "The files of every release available here."),
)
async def list_exports(scope: Scope) -> Answer:
    """Return files for analysts, with rows, sizes, digests and licence; a page for clients that
    prefer HTML."""
    index = await _index(scope)
    is_page = prefers_html(scope)
    answer = (
        plain_page(scope, "Bulk files", exports_page(index), MINUTE)
        if is_page
        else json_answer(index, MINUTE)
    )
    answer.start["headers"].append(VARY_ACCEPT)
    return answer


@_get(
    "/exports/index.json",
    summary="Files with the whole directory, as JSON",
    responses=answers(ExportsIndex, "The files of every release available here."),
)
async def get_exports_index(scope: Scope) -> Answer:
    """Return the same as `/exports`, as JSON for every `Accept`."""
    return json_answer(await _index(scope), MINUTE)


async def _index(scope: Scope) -> ExportsIndex:
    release, context = release_of(scope), context_of(scope)
    return await asyncio.to_thread(
        exports_index, context.watch.store, release, context.settings.url
    )


@_get(
    "/exports/latest/{name:str}",
    summary="A bulk file of the latest release",
    responses=answers(None, "Address of the file of the current release.", 404, status=302),
)
async def download_latest_export(scope: Scope, name: FileName) -> Answer:
    """Redirect to the file of the current release; request ranges there."""
    release, store = release_of(scope), context_of(scope).watch.store
    await asyncio.to_thread(find_download, store, release.release_id, name)
    target = f"/exports/{release.release_id}/{name}"
    return redirect(target, status=302, max_age=FIVE_MINUTES)


@_get(
    "/exports/{release_id:str}/{name:str}",
    summary="A bulk file",
    responses=file_answers(404, 416),
)
async def download_export(scope: Scope, release_id: ReleaseId, name: FileName) -> FileAnswer:
    """Return the file as stored. Its content never changes; ranges, `If-Range` and
    `If-None-Match` work."""
    store = context_of(scope).watch.store
    download = await asyncio.to_thread(find_download, store, release_id, name)
    answer = with_cache_control(file_answer(scope, download.file, max_age=0), _IMMUTABLE)
    answer.start["headers"] += [
        (b"content-disposition", b'attachment; filename="%s"' % name.encode()),
        (b"repr-digest", digest_header(download.digests[answer.file.etag])),
        (b"link", f'<https://spdx.org/licenses/{download.license}.html>; rel="license"'.encode()),
    ]
    return answer
