"""Answers made of the served release alone: its files as stored, and documents computed once.

Files are sent whole or in part, compressed in advance. Single byte ranges (RFC 9110, 14) with
`If-Range`; requests for several ranges get the whole file. A whole file is passed to the server by
path if the server supports it, so that it never goes through Python; otherwise it is read in
pieces, with flat memory.
"""

from __future__ import annotations

import asyncio
import errno
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from serving.context import context_of, is_head_request
from serving.http.answers import (
    CSV_TYPE,
    HOUR,
    JSON_TYPE,
    NDJSON_TYPE,
    Answer,
    Header,
    cache_control,
    etag_matches,
)
from serving.http.caching import of_release, per_release
from serving.http.compression import accepts
from serving.http.errors import ServiceProblem, release_of
from serving.settings import Settings
from warehouse.gzip_files import open_gzip
from warehouse.index.reader import OpenRelease
from warehouse.release.manifest import FileEntry

_PIECE_BYTES = 1 << 20
_RANGE = re.compile(rb"bytes=(\d{0,18})-(\d{0,18})")
_PATHSEND = "http.response.pathsend"


@dataclass(frozen=True)
class StoredFile:
    """A file to send. `etag` is strong and changes with its content; `gzipped` is the same file
    compressed. A file that `is_packed` is stored as the gzip file at `path` and decoded while sent.
    """

    path: Path
    size_bytes: int
    etag: bytes
    media_type: bytes
    gzipped: StoredFile | None = None
    is_packed: bool = False


class FileAnswer(ASGIResponse):
    """Part or all of a file. Made by `file_answer`."""

    __slots__ = ("file", "first", "length", "start")

    def __init__(self, start: Any, file: StoredFile, first: int, length: int) -> None:
        self.start = start
        self.file = file
        self.first = first
        self.length = length

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_whole = self.start["status"] == 200
        extensions: Any = scope.get("extensions") or {}
        if self.length and is_whole and not self.file.is_packed and _PATHSEND in extensions:
            # For a deleted file the server itself would answer 404, as if it never existed.
            if (await asyncio.to_thread(self.file.path.stat)).st_size < self.file.size_bytes:
                raise _shorter(self.file)
            await send(self.start)
            await send({"type": _PATHSEND, "path": str(self.file.path)})  # type: ignore[arg-type]
            return
        if self.length:
            await self._send_pieces(send)
        else:
            await send(self.start)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_pieces(self, send: Send) -> None:
        """Send the answer once its first piece is read, so that a read error becomes a problem."""
        path = self.file.path
        stream: IO[bytes] = (
            await asyncio.to_thread(open_gzip, path)
            if self.file.is_packed
            else await asyncio.to_thread(path.open, "rb")
        )
        try:
            await asyncio.to_thread(stream.seek, self.first)
            remaining = self.length
            while remaining:
                piece = await asyncio.to_thread(stream.read, min(_PIECE_BYTES, remaining))
                if not piece:
                    raise _shorter(self.file)
                if remaining == self.length:
                    await send(self.start)
                remaining -= len(piece)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            stream.close()


def _shorter(file: StoredFile) -> OSError:
    return OSError(errno.EIO, f"{file.path.name} is shorter than the release says")


def file_answer(
    scope: Scope, file: StoredFile, *, max_age: int, headers: tuple[Header, ...] = ()
) -> FileAnswer:
    """Return the answer to a request for a file. Raises ServiceProblem (416) for a range beyond its
    end."""
    request_headers: dict[bytes, bytes] = dict(scope["headers"])
    # RFC 9110, 14.2: only GET has ranges.
    ranges = b"" if is_head_request(scope) else request_headers.get(b"range", b"")
    span = _RANGE.fullmatch(ranges)
    condition = request_headers.get(b"if-range", b"")
    # A part of the compressed form is useful only to a client that has its beginning.
    variant = file
    if file.gzipped and (
        condition == file.gzipped.etag
        if span
        else accepts(request_headers.get(b"accept-encoding", b""), b"gzip")
    ):
        variant = file.gzipped
    extra: list[Header] = [(b"accept-ranges", b"bytes"), (b"etag", variant.etag), *headers]
    if variant is not file:
        extra.append((b"content-encoding", b"gzip"))
    match = request_headers.get(b"if-none-match", b"")
    is_known = bool(match) and etag_matches(match, variant.etag)
    is_partial = span and not is_known and (not condition or condition == variant.etag)
    part = _part(span, variant.size_bytes) if span and is_partial else None
    first, length, status = (0, variant.size_bytes, 200) if part is None else (*part, 206)
    if part is not None:
        extra.append(
            (b"content-range", b"bytes %d-%d/%d" % (first, first + length - 1, variant.size_bytes))
        )
    start = {
        "type": "http.response.start",
        "status": status,
        "headers": [
            (b"content-type", file.media_type),
            (b"content-length", b"%d" % length),
            (b"cache-control", cache_control(max_age)),
            *extra,
        ],
    }
    if is_known or is_head_request(scope):
        length = 0
    return FileAnswer(start, variant, first, length)


def _part(span: re.Match[bytes], size: int) -> tuple[int, int] | None:
    """Return first byte and length of a range; None for an invalid header.

    Raises ServiceProblem (416) for a range that begins beyond the end.
    """
    first, last = span[1], span[2]
    if not first and not last:
        return None
    if not first:
        length = min(int(last), size)
        begin = size - length
    else:
        begin = int(first)
        length = min(int(last) if last else size - 1, size - 1) - begin + 1
        if last and int(last) < begin:
            return None
    if length <= 0 or begin >= size:
        raise ServiceProblem(
            "range-not-satisfiable",
            f"The file has {size} bytes.",
            headers=((b"content-range", b"bytes */%d" % size),),
        )
    return begin, length


# ---------------------------------------------------------------- the served release

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
