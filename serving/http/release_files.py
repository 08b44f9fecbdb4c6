"""Answers made of the served release alone: documents computed once, and files of its manifest."""

from collections.abc import Callable, Hashable
from pathlib import Path

import msgspec
from litestar.types import Scope

from serving.context import context_of
from serving.http.answers import CSV_TYPE, HOUR, JSON_TYPE, NDJSON_TYPE, Answer, Header
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import FileAnswer, StoredFile, file_answer
from serving.http.per_release import per_release
from serving.http.response_cache import of_release
from serving.settings import Settings
from warehouse.index.reader import OpenRelease
from warehouse.release.manifest import FileEntry

_MEDIA_TYPES: dict[str, bytes] = {
    ".csv": CSV_TYPE,
    ".json": JSON_TYPE,
    ".ndjson": NDJSON_TYPE,
    ".svg": b"image/svg+xml",
    ".txt": b"text/plain; charset=utf-8",
    ".zip": b"application/zip",
    ".gz": b"application/gzip",
}


async def release_document(
    scope: Scope,
    make: Callable[[OpenRelease, Settings], msgspec.Struct],
    max_age: int,
    *more: Hashable,
) -> Answer:
    """Answer with the document of an address, computed in a thread once per release and `more`."""
    release, context = release_of(scope), context_of(scope)
    body = await context.responses.find_or_compute(
        of_release(release, scope["path"], *more),
        lambda: msgspec.json.encode(make(release, context.settings)),
    )
    return Answer(body, max_age=max_age)


def find_file(release: OpenRelease, path: str) -> StoredFile | None:
    """Return a file of the release with its compressed twin, if any; None for an unknown file.

    Only files of the manifest are found, so no path leads out of the release.
    """
    entries = _files_by_path(release)
    entry = entries.get(path)
    if entry is None:
        return None
    media_type = _MEDIA_TYPES.get(path[path.rfind(".") :], b"application/octet-stream")
    twin = entries.get(f"{path}.gz")
    packed = find_entry(release.folder, twin, media_type) if twin else None
    return find_entry(release.folder, entry, media_type, packed)


def find_entry(
    folder: Path, entry: FileEntry, media_type: bytes, gzipped: StoredFile | None = None
) -> StoredFile:
    """Return a file in a release's manifest, located in its folder."""
    path = folder / (entry.stored_in or entry.path)
    return StoredFile(
        path, entry.size_bytes, tag_of(entry), media_type, gzipped, is_packed=bool(entry.stored_in)
    )


def tag_of(entry: FileEntry) -> bytes:
    """Return the ETag of a file."""
    return b'"%s"' % entry.sha256[:32].encode()


def release_file(
    scope: Scope, path: str, missing: ServiceProblem, headers: tuple[Header, ...] = ()
) -> FileAnswer:
    """Answer with a file of the served release. Raises `missing` if it has none, and ServiceProblem
    (416, 503)."""
    file = find_file(release_of(scope), path)
    if file is None:
        raise missing
    return file_answer(scope, file, max_age=HOUR, headers=headers)


@per_release
def _files_by_path(release: OpenRelease) -> dict[str, FileEntry]:
    return {entry.path: entry for entry in release.manifest.files}
