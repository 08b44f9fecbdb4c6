"""The release log as a tile log (https://c2sp.org/tlog-tiles): checkpoint, tiles, entries, its key.

Tiles are computed on request: a log has some hundred entries, and clients cache tiles.
"""

import asyncio

from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from serving.context import context_of
from serving.http.answers import DAY, HOUR, MINUTE, Answer
from serving.http.errors import ServiceProblem
from serving.releases.routes import release_keys
from warehouse.release.checkpoint import read_checkpoint, verifier_key
from warehouse.release.merkle import read_tile

_TEXT, _BYTES = b"text/plain; charset=utf-8", b"application/octet-stream"


@get("/log/checkpoint", include_in_schema=False)
async def checkpoint(scope: Scope) -> Answer:
    """Return the signed head of the tree."""
    return Answer(await _checkpoint(scope), media_type=_TEXT, max_age=MINUTE)


@get("/log/key", include_in_schema=False)
async def key(scope: Scope) -> Answer:
    """Return the keys as tools for signed notes take them, one a line, the current one first."""
    signed_head = read_checkpoint(await _checkpoint(scope))
    if signed_head is None:
        raise ServiceProblem("not-found", "The checkpoint of the release log is damaged.")
    lines = [
        verifier_key(signed_head.origin, public_key) for public_key in release_keys(scope).values()
    ]
    return Answer("".join(f"{line}\n" for line in lines).encode(), media_type=_TEXT, max_age=HOUR)


@get("/log/tile/{name:path}", include_in_schema=False)
async def tile(scope: Scope, name: FromPath[str]) -> Answer:
    """Return hashes `<level>/<number>`, or entries `entries/<number>`; partial ones end in
    `.p/<width>`."""
    log = context_of(scope).watch.store.log
    body = await asyncio.to_thread(lambda: read_tile(log.lines(), name.strip("/")))
    if body is None:
        raise ServiceProblem("not-found", "The release log has no such tile.")
    return Answer(body, media_type=_BYTES, max_age=DAY)


async def _checkpoint(scope: Scope) -> bytes:
    body = await asyncio.to_thread(context_of(scope).watch.store.log.checkpoint)
    if body is None:
        raise ServiceProblem("not-found", "The release log of this instance is not signed.")
    return body
