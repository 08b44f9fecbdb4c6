"""The incremental map of handlers equals Litestar's."""

import pytest
from litestar import Litestar, get, post
from litestar.exceptions import ImproperlyConfiguredException
from litestar.testing import TestClient

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
    expected = names_by_path(Litestar(handlers))
    for methods in expected.values():
        del methods["OPTIONS"]
    assert names_by_path(Application(handlers)) == expected
    assert set(expected["/both"]) == {"GET", "POST"}


def names_by_path(app: Litestar) -> dict[str, dict[str, str]]:
    return {
        path: {method: handler.handler_name for method, handler in handlers.items()}
        for path, handlers in app.route_handler_method_map.items()
    }


def test_spellings_share_one_route():
    state = get("/AL.json", spellings=["/AK.json", "/al.json"], sync_to_thread=False)(read.fn)
    app = Application([state, write])
    assert "/AK.json" not in names_by_path(app)
    with TestClient(app) as client:
        paths = ["/AL.json", "/AK.json", "/al.json", "/AK.json/", "/Ak.json"]
        assert [client.get(path).status_code for path in paths] == [200, 200, 200, 200, 404]
        assert client.post("/AK.json").status_code == 405


def test_no_two_spellings_of_an_address():
    one = get("/one", spellings=["/both"], sync_to_thread=False)(listed.fn)
    with pytest.raises(ImproperlyConfiguredException, match="/both is answered twice"):
        Application([one, write])
