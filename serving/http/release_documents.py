"""Documents computed once per release."""

from collections.abc import Callable, Hashable

import msgspec
from litestar.types import Scope

from serving.context import context_of
from serving.http.answers import Answer
from serving.http.errors import release_of
from serving.http.response_cache import of_release
from serving.settings import Settings
from warehouse.index.reader import OpenRelease


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
