"""Selects the release for a request with `as_of`: a release id or a day."""

import asyncio
from datetime import date
from typing import Any
from urllib.parse import parse_qsl

from litestar.types import Scope

from schemas.api.history import RELEASE_ID_PATTERN
from serving.context import Context
from serving.http.errors import ServiceProblem, invalid
from warehouse.index.reader import OpenRelease
from warehouse.release.older import MIN_OPEN_SECONDS, OtherReleaseError, release_on
from warehouse.release.store import ReleaseStore, is_release_id

NAME = "as_of"
_RULE = "a day, such as 2026-11-22, or the id of a release, as in `/api/releases`"
# Addresses whose answers depend on a release.
_PATHS = (
    "/api/resources/",
    "/api/v1/",
    "/api/stats",
    "/api/leaderboard.json",
    "/api/llm-search",
    "/api/map",
    "/api/tiles/",
    "/atlas.json",
    "/atlas/",
    "/snapshot.json",
    "/hsds/",
)
PARAMETER: dict[str, Any] = {
    "name": NAME,
    "in": "query",
    "required": False,
    "description": (
        "Answer from an earlier release while its files are stored: its id, or a day, "
        "which means the release that was served at the end of it (UTC). `X-Release` names "
        "the release. Opening states and operators' reports are those of now."
    ),
    "schema": {
        "anyOf": [
            {"type": "string", "format": "date"},
            {"type": "string", "pattern": RELEASE_ID_PATTERN},
        ]
    },
    "example": "2026-11-22",
}


def takes_as_of(path: str) -> bool:
    """Return whether the answers of an address use `as_of`; elsewhere it is ignored."""
    return path.startswith(_PATHS)


def as_of_parameter(scope: Scope) -> dict[str, str]:
    """Return the request's `as_of` for links to further pages; empty without."""
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return {name: value for name, value in query if name == NAME}


async def release_as_of(
    context: Context, scope: Scope, current: OpenRelease | None
) -> OpenRelease | None:
    """Return the release that answers a request.

    Raises ServiceProblem: 400 for an invalid `as_of`, 404 for a release that was never served, 410
    for one whose files are deleted, 503 while another older one is in use or if the settings allow
    none.
    """
    if b"as_of=" not in scope["query_string"] or not takes_as_of(scope["path"]):
        return current
    as_of = as_of_parameter(scope).get(NAME)
    if as_of is None:
        return current
    if context.settings.older_releases == "off":
        raise ServiceProblem("not-set-up", "LARDER_OLDER_RELEASES is off here.")
    release_id = await asyncio.to_thread(_find_release_id, context.watch.store, as_of)
    if current is not None and release_id == current.release_id:
        return current
    try:
        release = await context.watch.older.release(release_id)
    except OtherReleaseError as other:
        raise ServiceProblem(
            "overloaded",
            f"Release {other} was opened a moment ago; one older release is open at a time.",
            headers=((b"retry-after", b"%d" % MIN_OPEN_SECONDS),),
        ) from None
    if release is None:
        raise ServiceProblem("unreadable", f"Release {release_id} cannot be read.")
    return release


def _find_release_id(store: ReleaseStore, as_of: str) -> str:
    """Return the id of the stored release meant by `as_of`. Reads the release log."""
    if is_release_id(as_of):
        release_id: str | None = as_of
        if not any(entry.release_id == as_of for entry in store.log.readable_entries()):
            raise ServiceProblem(
                "unknown-release",
                f"as_of: this service never served release {as_of}.",
                {NAME: _RULE},
            )
    else:
        try:
            day = date.fromisoformat(as_of)
        except ValueError:
            raise invalid(NAME, _RULE) from None
        release_id = release_on(store, day)
        if release_id is None:
            raise ServiceProblem(
                "unknown-release", f"as_of: no release was served by {as_of}.", {NAME: _RULE}
            )
    if release_id not in store.ids():
        raise ServiceProblem(
            "release-gone",
            f"as_of: the files of release {release_id} were deleted. /api/releases "
            "lists the releases that are stored.",
            {NAME: _RULE},
        )
    return release_id
