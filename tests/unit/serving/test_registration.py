"""The map of handlers that grows with each route is the one that Litestar works out anew."""

from __future__ import annotations

from litestar import Litestar, get, post

# The class itself: tests share what it registers (`tests/conftest.py`).
from tests.support.applications import Application


@get("/both", sync_to_thread=False)
def read() -> str:
    return "read"


@get(["/one", "/other"], sync_to_thread=False)
def listed() -> str:
    return "listed"


@post("/both", sync_to_thread=False)
def write() -> str:
    return "written"


def test_the_map_is_that_of_litestar():
    handlers = [read, listed, write]
    assert names_by_path(Application(handlers)) == names_by_path(Litestar(handlers))
    assert set(names_by_path(Application(handlers))["/both"]) == {"GET", "POST", "OPTIONS"}


def names_by_path(app: Litestar) -> dict[str, dict[str, str]]:
    return {
        path: {method: handler.handler_name for method, handler in handlers.items()}
        for path, handlers in app.route_handler_method_map.items()
    }
