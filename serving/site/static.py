"""The style sheet and scripts of pages, the base map of the release, and the street map."""

import asyncio

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.vocab.base_map import BASE_MAP_FOLDER
from serving.context import context_of
from serving.http.answers import HOUR, Answer, Header
from serving.http.errors import ServiceProblem
from serving.http.files import StoredFile, file_answer, release_file
from serving.render.assets import by_path
from serving.render.street_map import OWN_ARCHIVE, street_map_of

_ARCHIVE_TYPE = b"application/vnd.pmtiles"
_YEAR = 31_536_000
_IMMUTABLE: Header = (b"cache-control", b"public, max-age=%d, immutable" % _YEAR)


@get("/static/{name:str}", include_in_schema=False)
async def static_file(scope: Scope, name: FromPath[str]) -> Answer:
    """Return a file of web/static: cached permanently under its name with digest, an hour under
    its plain name."""
    file = by_path().get(scope["path"])
    if file is None:
        raise ServiceProblem("not-found", f"There is no file {name[:60]!r}.")
    answer = Answer(file.body, media_type=file.media_type, max_age=HOUR)
    if file.path == scope["path"]:
        headers = answer.start["headers"]
        answer.start["headers"] = [h for h in headers if h[0] != b"cache-control"] + [_IMMUTABLE]
    return answer


@get("/map/{name:str}", include_in_schema=False)
async def base_map(scope: Scope, name: FromPath[str]) -> ASGIResponse:
    """Return a file of the base map: `US.geojson`, `NY.geojson`."""
    missing = ServiceProblem("not-found", f"The base map has no file {name[:60]!r}.")
    return release_file(scope, f"{BASE_MAP_FOLDER}/{name}", missing)


@get(OWN_ARCHIVE, include_in_schema=False)
async def street_map(scope: Scope) -> ASGIResponse:
    """Return the street map, a file of this machine, whole or in ranges."""
    streets = street_map_of(context_of(scope).settings)
    if streets is None or streets.file is None:
        raise ServiceProblem("not-found", "This instance serves no street map.")
    about = await asyncio.to_thread(streets.file.stat)
    tag = b'"%x-%x"' % (about.st_mtime_ns, about.st_size)
    return file_answer(
        scope, StoredFile(streets.file, about.st_size, tag, _ARCHIVE_TYPE), max_age=HOUR
    )
