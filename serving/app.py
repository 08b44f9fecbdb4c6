"""The application: settings in, a Litestar application out."""

import contextlib
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import Any

import msgspec
from litestar import Controller, Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ControllerRouterHandler

from schemas.descriptions import structs_below
from schemas.hours.clock_words import day_name
from schemas.languages import PUBLISHED
from serving.http.answers import Answer
from serving.http.edge import Edge
from serving.http.errors import (
    InsteadError,
    ServiceProblem,
    on_exception,
    on_http_exception,
    on_instead,
    on_problem,
)
from serving.http.openapi import openapi_config
from serving.http.per_state import StateAddress, handlers_per_state
from serving.http.rate_limits import read_trusted_networks
from serving.http.request_limits import BodyRequest
from serving.notifications.senders import mail_server
from serving.processes.lifespan import process_lifespan
from serving.processes.make_context import make_context
from serving.reference.organization import organization_of
from serving.render.problem_page import problem_page
from serving.search.plain_language import names_of
from serving.search.rank import standing
from serving.search.suggest_index import suggest_index_of
from serving.settings import Settings
from warehouse.index.reader import OpenRelease

# Modules of routes; some have `LIFESPANS`, `describe`, which completes the API description, or
# `measure`, which adds metrics of a release.
_ROOMS = (
    "serving.search.routes",
    "serving.exports.bulk_routes",
    "serving.exports.routes",
    "serving.exports.catalogs",
    "serving.statistics.routes",
    "serving.health.routes",
    "serving.site.pages",
    "serving.site.routes",
    "serving.site.place_routes",
    "serving.site.text_routes",
    "serving.site.sheet_routes",
    "serving.site.area_routes",
    "serving.site.web_app",
    "serving.site.pack_routes",
    "serving.site.design",
    "serving.forms.routes",
    "serving.forms.household_routes",
    "serving.releases.routes",
    "serving.hsds.routes",
    "serving.hsds.documents",
    "serving.hsds.description",
    "serving.statistics.snapshots",
    "serving.search.urgent_routes",
    "serving.benefits.routes",
    "serving.places.calendar_routes",
    "serving.statistics.food_access_routes",
    "serving.statistics.coverage",
    "serving.search.plain_language_routes",
    "serving.mcp.routes",
    "serving.site.reference",
    "serving.site.static",
    "serving.disasters.routes",
    "serving.disasters.declarations_in_use",
    "serving.sms.routes",
    "serving.documents.routes",
    "serving.documents.discovery_routes",
    "serving.documents.press_routes",
    "serving.submissions.routes",
    "serving.operators.routes",
    "serving.operators.pages",
    "serving.embeds.routes",
    "serving.embeds.badges",
    "serving.embeds.picture_routes",
    "serving.embeds.oembed",
    "serving.documents.verify_routes",
    "serving.review.sign_in",
    "serving.review.passkeys",
    "serving.review.messages",
    "serving.review.queues",
    "serving.processes.storage",
)


_ERROR_HANDLERS: dict[int | type[Exception], Any] = {
    ServiceProblem: on_problem,
    InsteadError: on_instead,
    HTTPException: on_http_exception,
    Exception: on_exception,
}


def create_app(settings: Settings) -> Litestar:
    """Create the food directory. It opens the current release when it starts and follows the
    pointer.
    """
    rooms = tuple(map(import_module, _ROOMS))
    return make_app(settings, rooms, openapi_config(settings), problem_page)


def make_app(
    settings: Settings,
    rooms: tuple[Any, ...],
    config: OpenAPIConfig,
    problem_page: Callable[..., Answer] | None = None,
) -> Litestar:
    """Make an application of the handlers of `rooms`, modules of routes.

    Every application has the release, the edge, the problem answers and the API description.
    """
    context = make_context(settings, warm, problem_page)
    # A wrong file of facts about the organization stops the start, not a request.
    organization_of(settings)
    read_trusted_networks(settings.trusted_proxies)
    mail_server(settings.smtp_url)

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        async with process_lifespan(context):
            yield

    found = [handler for room in rooms for handler in handlers_of(room)]
    handlers: list[ControllerRouterHandler] = [
        *(handler for handler in found if not isinstance(handler, StateAddress)),
        *handlers_per_state(one for one in found if isinstance(one, StateAddress)),
    ]
    config.components = Components(
        security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}
    )
    context.observer.of_release += [r.measure for r in rooms if hasattr(r, "measure")]
    app = Litestar(
        handlers,
        lifespan=[lifespan, *(part for room in rooms for part in getattr(room, "LIFESPANS", ()))],
        request_class=BodyRequest,
        state=State(
            {
                "settings": settings,
                "context": context,
                "descriptions": [room.describe for room in rooms if hasattr(room, "describe")],
            }
        ),
        openapi_config=config,
        exception_handlers=_ERROR_HANDLERS,
        logging_config=None,
    )
    prepare_structs()
    app.asgi_handler = Edge(app.asgi_handler, context)
    return app


def handlers_of(room: Any) -> list[Any]:
    """Return what answers requests in a module: its `HANDLERS`, or all handlers, controllers and
    addresses of states that it defines."""
    if hasattr(room, "HANDLERS"):
        return list(room.HANDLERS)
    found: list[Any] = []
    for value in vars(room).values():
        for one in value if isinstance(value, list) else (value,):
            is_controller = isinstance(one, type) and issubclass(one, Controller)
            if isinstance(one, BaseRouteHandler | StateAddress) or (
                is_controller and one is not Controller
            ):
                found.append(one)
    return found


def prepare_structs() -> int:
    """Have msgspec compile every message class of ours; return their number. Takes some 50 ms.

    msgspec inspects a class on first use, and other threads see a half-finished result: two threads
    that first use a class concurrently crash the process (a segmentation fault, seen once at a
    worker's start).
    """
    structs = [s for s in structs_below(msgspec.Struct) if not s.__module__.startswith("litestar.")]
    for struct in structs:
        msgspec.json.Decoder(struct)
    return len(structs)


def warm(release: OpenRelease) -> None:
    """Build the inputs of searches before the first request, and before workers are forked: values
    and objects first used in a worker take memory in every worker."""
    suggest_index_of(release)
    names_of(release)
    standing(release)
    release.gazetteer.index_spellings()
    for language in PUBLISHED:
        day_name(0, language)  # reads the names of days and months
