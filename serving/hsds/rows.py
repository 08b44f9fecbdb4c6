"""Single rows of the HSDS feed, by their id."""

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from schemas.hsds.collections import HSDS_3_0
from serving.hsds.description import ALIAS, operation_name
from serving.hsds.feed import Moved, Shape, entity, live_feed, tells_alerts
from serving.hsds.files import ROOT
from serving.hsds.parameters import EntityId, Full, FullService, checked_id
from serving.http.answers import DAY, MINUTE, Answer, redirect
from serving.http.errors import release_of
from serving.http.openapi import answers
from warehouse.hsds.nesting import NESTED

Handler = Any


async def show_row(scope: Scope, name: str, entity_id: str, shape: Shape) -> Answer:
    row_id = checked_id(entity_id)
    feed = await live_feed(release_of(scope), name, shape)
    found = await asyncio.to_thread(entity, feed, name, row_id, shape)
    if isinstance(found, Moved):
        path = scope["path"].rstrip("/").rpartition("/")[0]
        return redirect(f"{path}/{found.successor}")
    return Answer(found, max_age=MINUTE if tells_alerts(name, shape) else DAY)


def _entity_route(name: str, *more: str) -> Callable[[Handler], HTTPRouteHandler]:
    """Decorate the handler of the single rows of a collection."""
    title = name.replace("_", " ")
    paths = [f"{ROOT}/{path}/{{entity_id:str}}" for path in (name, *more)]
    return get(
        paths if more else paths[0],
        operation_id=lambda _handler, _method, path: operation_name("get", str(path[-2])),
        summary=f"One row of HSDS {title}",
        description="The row with an id. An id that was merged into another answers 301, one that is no longer published 410.",
        tags=["hsds"],
        responses=answers(dict[str, Any], "The row.", 404, 410),
    )


def _single(name: str) -> HTTPRouteHandler:
    more = (ALIAS,) if name == "service_at_location" else ()
    if name == "organizations":

        @_entity_route(name)
        async def organization(
            scope: Scope, entity_id: EntityId, full: Full = True, full_service: FullService = False
        ) -> Answer:
            return await show_row(scope, name, entity_id, Shape(full, full_service))

        return organization
    if name in NESTED:

        @_entity_route(name, *more)
        async def nested(scope: Scope, entity_id: EntityId, full: Full = True) -> Answer:
            return await show_row(scope, name, entity_id, Shape(full))

        return nested

    @_entity_route(name)
    async def flat(scope: Scope, entity_id: EntityId) -> Answer:
        return await show_row(scope, name, entity_id, Shape())

    return flat


HANDLERS = [_single(c.name) for c in HSDS_3_0.collections]
