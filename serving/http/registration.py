"""Registers hundreds of handlers in linear time, and aliases of an address at no cost."""

from typing import Any

from litestar import Litestar, Router
from litestar.exceptions import ImproperlyConfiguredException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.routes import BaseRoute, HTTPRoute, WebSocketRoute
from litestar.types import ControllerRouterHandler
from litestar.types.internal_types import RouteHandlerMapItem

# Handler option: further addresses, without parameters, for its only path.
SPELLINGS = "spellings"


class Application(Litestar):
    """A Litestar application that maps each route to its handlers once.

    Litestar maps all routes again for every registered path, which was half of the two seconds of
    an application's start. Each route costs another half millisecond: an address with a state's
    code is one route, and `spellings=` of its handler are the others. Routes have no handler for
    OPTIONS, which `on_http_exception` answers for all: that was a third of the remaining time, and
    5 MB.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._mapped: list[BaseRoute] = []
        self._handlers: dict[str, RouteHandlerMapItem] = {}
        super().__init__(*args, **options)
        self.asgi_router.construct_routing_trie()
        self._spell_out()

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        """Return plugins without those for libraries that no handler uses: pydantic alone takes a
        twentieth of the startup time, and 6 MB."""
        return [*plugins, MsgspecDIPlugin()]

    def register(self, value: ControllerRouterHandler) -> None:  # type: ignore[override]
        """Register as Litestar does, but build the map of addresses only once."""
        for route in Router.register(self, value):
            handlers: list[Any] = list(dict.fromkeys(_handlers_of(route).values()))
            for handler in handlers:
                handler.on_registration(self)
            if isinstance(route, HTTPRoute):
                route.route_handlers = handlers
                route.create_handler_map()
            for plugin in self.plugins.receive_route:
                plugin.receive_route(route)

    def _spell_out(self) -> None:
        """Route the `spellings` of every handler to its route.

        Raises ImproperlyConfiguredException if one of them is already an address.
        """
        router = self.asgi_router
        nodes, plain = router.root_route_map_node.children, router._plain_routes
        for route in self.routes:
            for handler in getattr(route, "route_handlers", ()):
                for path in handler.opt.get(SPELLINGS, ()):
                    if path in plain:
                        raise ImproperlyConfiguredException(f"{path} is answered twice")
                    nodes[path] = nodes[route.path]
                    plain.add(path)

    @property
    def route_handler_method_map(self) -> dict[str, RouteHandlerMapItem]:
        if self.routes[: len(self._mapped)] != self._mapped:  # a route was replaced
            self._mapped, self._handlers = [], {}
        for route in self.routes[len(self._mapped) :]:
            self._handlers.setdefault(route.path, {}).update(_handlers_of(route))
            self._mapped.append(route)
        return self._handlers


def _handlers_of(route: BaseRoute) -> RouteHandlerMapItem:
    if isinstance(route, HTTPRoute):
        return {
            method: handler
            for handler in route.route_handlers
            for method in handler.http_methods
            if method != "OPTIONS"
        }
    return {"websocket" if isinstance(route, WebSocketRoute) else "asgi": route.route_handler}  # type: ignore[attr-defined]
