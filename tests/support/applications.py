"""Creates applications that share the registration of their handlers."""

from copy import copy
from functools import lru_cache
from typing import Any

from litestar import Litestar
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.datastructures import State
from litestar.plugins import PluginRegistry

from serving.http.registration import Application

_APPLICATIONS: dict[tuple[Any, ...], Litestar] = {}


def application(handlers: list[Any], **options: Any) -> Litestar:
    """Return an `Application` whose routes are registered once in a process.

    Registration takes more than a second, and a session creates hundreds of applications. Each has
    its own state, lifespan, description and events.
    """
    key = tuple(handlers)
    if key not in _APPLICATIONS:
        bare = {**options, "lifespan": [], "state": State()}
        _APPLICATIONS[key] = Application(handlers, **bare)
    app = copy(_APPLICATIONS[key])
    app.state, app.openapi_config = options["state"], options["openapi_config"]
    app._lifespan_managers = list(options["lifespan"])
    app.event_emitter = type(app.event_emitter)(listeners=[])
    app.plugins = PluginRegistry([_own(plugin, app) for plugin in app.plugins])
    app.asgi_router = copy(app.asgi_router)
    app.asgi_router.app = app
    app.asgi_router.handle_routing = lru_cache(1024)(app.asgi_router._handle_routing)
    app.asgi_handler = app._create_asgi_handler()
    return app


def _own(plugin: Any, app: Litestar) -> Any:
    """Return the description plugin for `app`; any other plugin unchanged."""
    if not isinstance(plugin, OpenAPIPlugin):
        return plugin
    own = copy(plugin)
    own.app, own._openapi_config = app, app.openapi_config
    own._openapi = own._openapi_schema = None
    return own
