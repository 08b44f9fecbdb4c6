"""The application: settings in, a Litestar application out."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.routes import HTTPRoute

from serving.bodies import BodyRequest
from serving.edge import Edge
from serving.errors import (
    ServiceProblem,
    on_exception,
    on_http_exception,
    on_problem,
)
from serving.lifespan import running
from serving.limits import trusted_networks
from serving.make_context import make_context
from serving.openapi import openapi_config
from serving.registration import Application
from serving.senders import mail_server
from serving.services.organization import organization_of
from serving.settings import Settings
from serving.structs import prepare_structs

# Modules with `HANDLERS` and perhaps `LIFESPANS`, in the order of their routes.
_ROOMS = (
    "serving.controllers.resources",
    "serving.controllers.bulk",
    "serving.controllers.exports",
    "serving.controllers.catalog",
    "serving.controllers.health",
    "serving.controllers.pages",
    "serving.controllers.site",
    "serving.controllers.forms",
    "serving.controllers.static",
    "serving.controllers.history",
    "serving.controllers.hsds",
    "serving.controllers.hsds_rows",
    "serving.controllers.hsds_files",
    "serving.controllers.hsds_documents",
    "serving.controllers.snapshots",
    "serving.controllers.urgent",
    "serving.controllers.benefits",
    "serving.controllers.calendars",
    "serving.controllers.access",
    "serving.controllers.language",
    "serving.controllers.maps",
    "serving.controllers.mcp",
    "serving.controllers.reference",
    "serving.controllers.disasters",
    "serving.controllers.disaster_pages",
    "serving.controllers.sms",
    "serving.controllers.documents",
    "serving.controllers.discovery_files",
    "serving.controllers.press",
    "serving.controllers.program_dates",
    "serving.controllers.writing",
    "serving.controllers.operators",
    "serving.controllers.operator_pages",
    "serving.controllers.embeds",
    "serving.controllers.badges",
    "serving.controllers.pictures",
    "serving.controllers.oembed",
    "serving.controllers.verify",
    "serving.controllers.console",
    "serving.controllers.console_queues",
    "serving.storage",
)


def create_app(settings: Settings) -> Litestar:
    """The food directory. It opens the current release when it starts and follows the pointer."""
    return make_app(settings, tuple(map(import_module, _ROOMS)), openapi_config(settings))


def make_app(settings: Settings, rooms: tuple[Any, ...], config: OpenAPIConfig) -> Litestar:
    """An application of the handlers of `rooms`, each a module with `HANDLERS` and perhaps
    `LIFESPANS`.

    Whatever it answers, it has the release, the edge, the problems and the description of them all.
    """
    context = make_context(settings)
    # A wrong file of facts about the organization stops the start, not a request.
    organization_of(settings)
    trusted_networks(settings.trusted_proxies)
    mail_server(settings.smtp_url)

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        async with running(context):
            yield

    config.components = Components(
        security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}
    )
    app = Application(
        [handler for room in rooms for handler in room.HANDLERS],
        lifespan=[lifespan, *(part for room in rooms for part in getattr(room, "LIFESPANS", ()))],
        request_class=BodyRequest,
        state=State({"settings": settings, "context": context}),
        openapi_config=config,
        exception_handlers={
            ServiceProblem: on_problem,
            HTTPException: on_http_exception,
            Exception: on_exception,
        },
        logging_config=None,
    )
    _name_all_methods(app)
    prepare_structs()
    app.asgi_handler = Edge(app.asgi_handler, context)
    return app


def _name_all_methods(app: Litestar) -> None:
    """Litestar answers OPTIONS with the methods of the handler of an address that it met first, not
    with all.
    """
    for route in app.routes:
        if isinstance(route, HTTPRoute) and len(route.methods) > 2:
            replaced, parameters = route.route_handler_map["OPTIONS"]
            handler = route.create_options_handler(route.path)
            handler.owner = replaced.owner
            handler.on_registration(app)
            route.route_handler_map["OPTIONS"] = (handler, parameters)
