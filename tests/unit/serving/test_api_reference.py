"""The API description, made once in the background, and the page that shows it."""

import asyncio
import json
import re

import pytest
from litestar.testing import TestClient

from serving.app import create_app
from serving.http.openapi import description_of, document
from serving.settings import Settings
from serving.site import pages
from tests.support.processes import comes_true


@pytest.fixture
def app(tmp_path):
    return create_app(Settings(data_dir=tmp_path, log_level="critical"))


def test_the_first_description_yields_to_other_requests(app):
    """It takes a second, once for all requests, in another thread."""

    async def work() -> tuple[int, bool]:
        both = asyncio.gather(description_of(app), description_of(app))
        turns = 0
        while not both.done():
            turns += 1
            await asyncio.sleep(0)
        first, second = await both
        return turns, first is second and first is await description_of(app)

    turns, is_one = asyncio.run(work())
    assert turns > 20
    assert is_one


def test_the_description_is_prepared_before_the_first_request(app, monkeypatch):
    monkeypatch.setattr(pages, "_QUIET_SECONDS", 0.0)
    with TestClient(app):
        assert comes_true(lambda: "openapi_document" in app.state)
        assert app.state["openapi_document"] == document(app)


def test_an_optional_parameter_has_a_plain_type(app):
    """Null cannot be sent: neither a choice with null nor a choice of one remains."""
    parameters = [
        parameter["schema"]
        for item in json.loads(document(app))["paths"].values()
        for operation in item.values()
        for parameter in operation.get("parameters", [])
    ]
    assert len(parameters) > 200
    assert [p for p in parameters if len(p.get("oneOf", (1, 2))) < 2 or "null" in str(p)] == []


def test_the_page_loads_the_viewer_from_this_server(app):
    with TestClient(app) as client:
        answer = client.get("/docs")
        files = re.findall(r'(?:src|href)="(/(?:docs|static)/[^"]+\.(?:js|css))"', answer.text)
        assert {"/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"} <= set(files)
        for file in files:
            body = client.get(file)
            assert body.status_code == 200
            assert body.headers["content-type"].startswith(("text/javascript", "text/css"))
            assert len(body.content) > 100
        assert client.get("/docs/swagger-ui.js.map").status_code == 404
        assert client.get("/docs/search").status_code == 404
