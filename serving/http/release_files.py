"""Files of the release being served, found by their path in its manifest."""

from litestar.types import Scope

from serving.http.answers import HOUR, Header
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import FileAnswer, StoredFile, file_answer
from serving.http.per_release import per_release
from warehouse.index.reader import OpenRelease
from warehouse.release.manifest import FileEntry

_MEDIA_TYPES: dict[str, bytes] = {
    ".csv": b"text/csv; charset=utf-8; header=present",
    ".json": b"application/json",
    ".ndjson": b"application/x-ndjson",
    ".svg": b"image/svg+xml",
    ".txt": b"text/plain; charset=utf-8",
    ".zip": b"application/zip",
    ".gz": b"application/gzip",
}


def stored_file(release: OpenRelease, path: str) -> StoredFile | None:
    """Return a file of the release with its compressed twin, if it has one; None when there is no
    such file.

    Only what the manifest lists is found, so no path leads out of the release.
    """
    entries = _files_by_path(release)
    entry = entries.get(path)
    if entry is None:
        return None
    twin = entries.get(f"{path}.gz")
    return _stored_file(
        release, entry, path, _stored_file(release, twin, path, None) if twin else None
    )


def release_file(
    scope: Scope, path: str, missing: ServiceProblem, headers: tuple[Header, ...] = ()
) -> FileAnswer:
    """Answer with a file of the release being served. Raises `missing` where it has none, and
    ServiceProblem (416, 503)."""
    file = stored_file(release_of(scope), path)
    if file is None:
        raise missing
    return file_answer(scope, file, max_age=HOUR, headers=headers)


@per_release
def _files_by_path(release: OpenRelease) -> dict[str, FileEntry]:
    return {entry.path: entry for entry in release.manifest.files}


def _stored_file(
    release: OpenRelease, entry: FileEntry, shown_as: str, twin: StoredFile | None
) -> StoredFile:
    suffix = shown_as[shown_as.rfind(".") :]
    return StoredFile(
        path=release.folder / (entry.stored_in or entry.path),
        size_bytes=entry.size_bytes,
        etag=b'"%s"' % entry.sha256[:32].encode(),
        media_type=_MEDIA_TYPES.get(suffix, b"application/octet-stream"),
        gzipped=twin,
        is_packed=bool(entry.stored_in),
    )
