"""The bulk files: an index, and every file at an address that never changes its content."""

import asyncio
from functools import partial
from typing import Annotated

from litestar import get
from litestar.openapi import ResponseSpec
from litestar.types import Scope

from schemas.api.exports import ExportsIndex
from serving.context import context_of
from serving.exports import files as exports
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
from serving.http.errors import release_of
from serving.http.files import FileAnswer, file_answer
from serving.http.openapi import answers
from serving.http.parameters import path_part
from serving.render.page import plain_page

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
        plain_page(scope, "Bulk files", exports.exports_page(index), MINUTE)
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
        exports.exports_index, context.watch.store, release, context.settings.url
    )


@_get(
    "/exports/latest/{name:str}",
    summary="A bulk file of the latest release",
    responses=answers(None, "Address of the file of the current release.", 404, status=302),
)
async def download_latest_export(scope: Scope, name: FileName) -> Answer:
    """Redirect to the file of the current release; request ranges there."""
    release, store = release_of(scope), context_of(scope).watch.store
    await asyncio.to_thread(exports.find_download, store, release.release_id, name)
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
    download = await asyncio.to_thread(exports.find_download, store, release_id, name)
    answer = with_cache_control(file_answer(scope, download.file, max_age=0), _IMMUTABLE)
    answer.start["headers"] += [
        (b"content-disposition", b'attachment; filename="%s"' % name.encode()),
        (b"repr-digest", exports.digest_header(download.digests[answer.file.etag])),
        (b"link", f'<https://spdx.org/licenses/{download.license}.html>; rel="license"'.encode()),
    ]
    return answer
