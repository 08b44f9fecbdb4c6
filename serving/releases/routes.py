"""The history of the data: releases, the changes between them, the signed log and its key."""

import asyncio
from functools import partial
from typing import Annotated
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.api import history as shapes
from schemas.vocab.reviews import CHANGES
from serving.context import Context, context_of
from serving.http.answers import (
    DAY,
    HOUR,
    JSON_TYPE,
    MINUTE,
    Answer,
    StreamedAnswer,
    json_answer,
)
from serving.http.errors import ServiceProblem, invalid, release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part, query
from serving.releases import history
from serving.releases.history import report_values
from serving.render.page import Head, page
from warehouse.index.reader import OpenRelease
from warehouse.release.log import Keys
from warehouse.release.signing import public_keys, public_pem

_MAX_LIMIT = 1000
_NDJSON = b"application/x-ndjson"
ReleaseIdPath = Annotated[
    str, path_part("release", name="release_id", pattern=shapes.RELEASE_ID_PATTERN)
]
Since = Annotated[str, query("since", pattern=shapes.RELEASE_ID_PATTERN)]
Until = Annotated[str | None, query("until", pattern=shapes.RELEASE_ID_PATTERN)]
After = Annotated[int, query("after", of="changes", ge=0, le=2**53 - 1)]
PageLimit = Annotated[int, query("limit", of="changes", ge=1, le=_MAX_LIMIT)]
FeedFormat = Annotated[
    str, query("format", of="changes", schema_extra={"enum": ["json", "ndjson"]})
]
LogFormat = Annotated[str, query("format", of="log", schema_extra={"enum": ["json", "ndjson"]})]
_get = partial(get, tags=["history"])


@_get(
    "/api/releases",
    summary="History of releases",
    responses=answers(shapes.ReleaseList, "Every release that was ever served, newest first."),
)
async def list_releases(scope: Scope) -> Answer:
    """Return every release ever served: its date, inputs, counts of rows and changes, and links."""
    context, release = context_of(scope), release_of(scope)
    releases = await asyncio.to_thread(
        history.release_list, context.watch.store, release, context.settings.url
    )
    return json_answer(releases, MINUTE)


@_get(
    "/api/releases/log",
    summary="Signed log of releases",
    responses=answers(shapes.ReleaseLog, "All entries, oldest first."),
)
async def get_release_log(scope: Scope, format: LogFormat = "json") -> Answer:
    """Return every promotion and roll-back, chained by hashes and, where a key is configured,
    signed."""
    store = context_of(scope).watch.store
    _check_format(format)
    if format == "ndjson":
        content = await asyncio.to_thread(store.log.content)
        return Answer(content, media_type=_NDJSON, max_age=MINUTE)
    return json_answer(await asyncio.to_thread(history.release_log, store), MINUTE)


@_get(
    "/api/releases/{release_id:str}/manifest.json",
    summary="Manifest of a release",
    responses=answers(dict[str, object], "The manifest as it was written.", 404),
)
async def get_release_manifest(scope: Scope, release_id: ReleaseIdPath) -> Answer:
    """Return the contents of a release and its inputs: tables, every file with its SHA-256,
    sources, checks. It remains after the files are gone."""
    store, release = context_of(scope).watch.store, release_of(scope)
    await asyncio.to_thread(history.check_known, store, release, release_id=release_id)
    content = await asyncio.to_thread(store.history.manifest_bytes, release_id)
    if content is None:
        raise ServiceProblem(
            "unknown-release", f"The manifest of release {release_id} is not available."
        )
    return Answer(content, max_age=DAY)


@_get(
    "/api/releases/{release_id:str}/changes",
    summary="Changes of a release",
    responses=answers(shapes.ChangePage, "Changes against the parent, in order of id.", 404, 410),
)
async def get_release_changes(
    scope: Scope,
    release_id: ReleaseIdPath,
    format: FeedFormat = "json",
    limit: PageLimit = _MAX_LIMIT,
    after: After = 0,
) -> ASGIResponse:
    """Return the changes of a release since the one served when it was made. The first release of a
    history has no changes: use the export."""
    context, release = context_of(scope), release_of(scope)
    store = context.watch.store
    await asyncio.to_thread(history.check_known, store, release, release_id=release_id)
    parent = (await asyncio.to_thread(history.report_of, store, release_id))[0].parent
    path = f"/api/releases/{release_id}/changes"
    return await _changes(context, release, (parent, release_id), format, limit, after, path, {})


@_get(
    "/api/changes",
    summary="Changes since a release",
    responses=answers(shapes.ChangePage, "Changes since a release, in order of id.", 404, 410),
)
async def list_changes(
    scope: Scope,
    since: Since,
    until: Until = None,
    format: FeedFormat = "json",
    limit: PageLimit = _MAX_LIMIT,
    after: After = 0,
) -> ASGIResponse:
    """Return all changes since the release that a client has, in one step, across any number of
    releases."""
    context, release = context_of(scope), release_of(scope)
    target = until or release.release_id
    store = context.watch.store
    await asyncio.to_thread(history.check_known, store, release, since=since, until=target)
    parameters = {"since": since, "until": target}
    return await _changes(
        context, release, (since, target), format, limit, after, "/api/changes", parameters
    )


def _check_format(format: str) -> None:
    if format not in {"json", "ndjson"}:
        raise invalid("format", "json or ndjson")


async def _changes(
    context: Context,
    release: OpenRelease,
    pair: tuple[str | None, str],
    format: str,
    limit: int,
    after: int,
    path: str,
    parameters: dict[str, str],
) -> ASGIResponse:
    store, (since, until) = context.watch.store, pair
    _check_format(format)
    feed = None
    if since is not None:
        older, newer = await asyncio.to_thread(history.pair_of_folders, store, since, until)
        feed = await history.feed_cache_of(release).feed(older, newer)
    else:
        await asyncio.to_thread(history.resolve_folder, store, until)
    max_age = HOUR if "until" not in parameters else MINUTE
    if format == "ndjson":
        tag = f'W/"{since}..{until}.{after}.ndjson"'.encode()
        return StreamedAnswer(
            history.ndjson_chunks(feed, after), _NDJSON, max_age, ((b"etag", tag),)
        )
    page = await asyncio.to_thread(feed.page, after, limit) if feed else history.NO_CHANGES
    query = urlencode({**parameters, "limit": limit, "after": page.last_id or 0})
    following = None if page.is_last else f"{context.settings.url}{path}?{query}"
    head = shapes.ChangeHead(
        success=True,
        since=since,
        until=until,
        total=len(feed) if feed else 0,
        count=page.count,
        next=following,
        license=release.manifest.data_license,
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )
    links = ((b"link", f'<{following}>; rel="next"'.encode()),) if following else ()
    return Answer(
        history.change_page_json(head, page), media_type=JSON_TYPE, max_age=max_age, headers=links
    )


# ---------------------------------------------------------------- pages


@get("/releases", include_in_schema=False)
async def releases_page(scope: Scope) -> Answer:
    """Return the history for readers."""
    context, release = context_of(scope), release_of(scope)
    releases = await asyncio.to_thread(
        history.release_list, context.watch.store, release, context.settings.url
    )
    head = Head(
        "/releases",
        "Releases",
        "Every release of the data that was served here, and what it changed.",
    )
    return page(
        scope, "releases.html", head, max_age=MINUTE, history=releases, kinds=list(CHANGES.items())
    )


@get("/releases/{release_id:str}", include_in_schema=False)
async def release_page(scope: Scope, release_id: FromPath[str]) -> Answer:
    """Return the changes of a release, for readers."""
    context, release = context_of(scope), release_of(scope)
    store = context.watch.store
    await asyncio.to_thread(history.check_known, store, release, release_id=release_id)
    manifest, report = await asyncio.to_thread(history.report_of, store, release_id)
    is_kept = release_id in store.ids()
    title = f"What changed in release {release_id}"
    head = Head(f"/releases/{release_id}", title, title)
    return page(
        scope,
        "release.html",
        head,
        max_age=HOUR,
        **report_values(
            manifest,
            report,
            is_kept=is_kept,
            withdrawn=store.log.withdrawn().get(release_id),
        ),
    )


# ---------------------------------------------------------------- the key


@get("/.well-known/larder-release-key.pem", include_in_schema=False)
async def key_pem(scope: Scope) -> Answer:
    """Return the public keys of the release log as PEM, the current one first."""
    pem = b"".join(public_pem(key) for key in release_keys(scope).values())
    return Answer(pem, media_type=b"application/x-pem-file", max_age=HOUR)


def release_keys(scope: Scope) -> Keys:
    """Return the public keys of the release log. Raises ServiceProblem (404) without one."""
    text = context_of(scope).settings.release_keys
    if not text:
        raise ServiceProblem(
            "not-found",
            "This instance has no public key. Its release log is unsigned, or its operators have "
            "not published the key.",
        )
    return public_keys(text)
