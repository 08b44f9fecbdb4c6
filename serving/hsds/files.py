"""Files of the HSDS feed, as they lie in the release."""

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.hsds.collections import COLLECTIONS, HSDS_ROOT
from serving.hsds.description import operation_name
from serving.hsds.feed import feed_of
from serving.http.answers import HOUR
from serving.http.errors import ServiceProblem, release_of
from serving.http.files import file_answer
from serving.http.openapi import answers
from serving.http.release_files import find_file
from warehouse.hsds.layout import FOLDER


def send_file(scope: Scope, path: str) -> ASGIResponse:
    """Send a file of the feed. Raises ServiceProblem (404)."""
    release = release_of(scope)
    file = find_file(release, f"{FOLDER}/{path}")
    if file is None:
        feed_of(release)
        raise ServiceProblem("not-found", f"The feed has no file {path[:80]!r}.")
    return file_answer(scope, file, max_age=HOUR)


def _whole_file(path: str, title: str) -> HTTPRouteHandler:
    """Return a file of the feed under its own name."""

    @get(
        f"{HSDS_ROOT}/{path}",
        operation_id=operation_name("download", path),
        summary=title,
        description="A file of the release as stored: byte ranges, `If-Range`, precompressed gzip.",
        tags=["hsds"],
        responses=answers(bytes, "The file.", 404, 416),
    )
    async def download(scope: Scope) -> ASGIResponse:
        return send_file(scope, path)

    return download


_FILES = {
    "hsds.zip": "The whole HSDS package as one file",
    "checksums.txt": "SHA-256 of every file of the HSDS feed",
    **{
        f"{c.name}.{kind}": f"All HSDS {c.title.lower()} as {kind.upper()}"
        for c in COLLECTIONS
        for kind in ("csv", "ndjson")
    },
}

HANDLERS = [_whole_file(path, title) for path, title in _FILES.items()]
