"""The HSDS feed in the versions after 3.0: each table at one address of the same form."""

from typing import Annotated, Any

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import SkipValidation
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.hsds.collections import VERSIONS, Version
from schemas.hsds.model import Collection
from serving.hsds.description import ALIAS, operation_name
from serving.hsds.feed import Shape
from serving.hsds.files import sent_description, sent_file
from serving.hsds.parameters import (
    AnyQuery,
    EntityId,
    Full,
    FullService,
)
from serving.hsds.routes import list_rows, show_row
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem
from serving.http.openapi import answers
from serving.http.parameters import path_part
from warehouse.hsds.nesting import NESTED

Table = Annotated[str, path_part("table")]


def _collection(version: Version, name: str) -> Collection:
    """Return a collection of a version. Raises ServiceProblem (404)."""
    wanted = "service_at_location" if name == ALIAS else name
    for collection in version.collections:
        if collection.name == wanted:
            return collection
    raise ServiceProblem("not-found", f"HSDS {version.number} has no table {name[:80]!r} here.")


def _routes(version: Version) -> list[HTTPRouteHandler]:
    """Return the lists and rows of a version."""

    @get(
        f"{version.root}/{{table:str}}",
        operation_id=operation_name("list", "rows", version),
        summary=f"One table of HSDS {version.number}",
        description=f"One page of a table in the order of its ids, as in version 3.0, with the tables and members that {version.number} adds. Each table takes the parameters of its own list.",
        tags=["hsds"],
        responses=answers(dict[str, Any], "A page of rows.", 404),
        dependencies={"asked": Provide(AnyQuery, sync_to_thread=False)},
    )
    async def rows(
        scope: Scope, table: Table, asked: SkipValidation[NamedDependency[AnyQuery]]
    ) -> ASGIResponse:
        name, _, kind = table.partition(".")
        if table == "checksums.txt":
            return sent_description(scope, table)
        collection = _collection(version, name if kind in {"csv", "ndjson", ""} else table)
        if kind and collection in version.stored:
            return sent_file(scope, f"{collection.name}.{kind}")
        if kind:
            raise ServiceProblem(
                "not-found", f"{collection.name} has no file: it changes by the hour."
            )
        return await list_rows(scope, collection.name, asked)

    @get(
        f"{version.root}/{{table:str}}/{{entity_id:str}}",
        operation_id=operation_name("get", "row", version),
        summary=f"One row of HSDS {version.number}",
        description="The row with an id. An id that was merged into another answers 301, one that is no longer published 410.",
        tags=["hsds"],
        responses=answers(dict[str, Any], "The row.", 404, 410),
    )
    async def row(
        scope: Scope,
        table: Table,
        entity_id: EntityId,
        full: Full = True,
        full_service: FullService = False,
    ) -> Answer:
        name = _collection(version, table).name
        shape = Shape(
            full and name in NESTED, full_service and name == "organizations", False, version
        )
        return await show_row(scope, name, entity_id, shape)

    return [rows, row]


HANDLERS = [handler for version in VERSIONS[1:] for handler in _routes(version)]
