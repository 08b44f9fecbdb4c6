"""The description of the API as pages show it."""

import asyncio

import pytest
from litestar.testing import TestClient

from serving.app import create_app
from serving.http.openapi import descriptions_of
from serving.http.openapi_parts import DESCRIPTIONS
from serving.settings import Settings
from serving.site import pages
from serving.site.api_reference import TypeText, groups, sample, type_text
from tests.support.processes import comes_true
from warehouse.files import lock

REFERENCE = {"$ref": "#/components/schemas/Place"}


@pytest.mark.parametrize(
    ("schema", "text", "shape"),
    [
        ({"type": "string"}, "string", None),
        ({"type": "string", "maxLength": 9}, "string, at most 9 characters", None),
        (
            {"type": "integer", "minimum": 1.0, "maximum": 2**53 - 1},
            "integer, 1 to 9007199254740991",
            None,
        ),
        ({"type": "number", "minimum": 0}, "number, 0 or more", None),
        ({"type": ["string", "null"]}, "string or null", None),
        ({"oneOf": [REFERENCE, {"type": "null"}]}, "Place or null", "Place"),
        ({"allOf": [REFERENCE], "description": "x"}, "Place", "Place"),
        ({"type": "array", "items": REFERENCE}, "list of Place", "Place"),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            "object of integer",
            None,
        ),
        ({"enum": ["a", "b", None]}, "one of a, b", None),
        (
            {"enum": [str(n) for n in range(30)]},
            "one of " + ", ".join(str(n) for n in range(24)) + " and 6 more",
            None,
        ),
        ({"const": True}, "always True", None),
        ({"type": "string", "format": "date"}, "string, date", None),
        ({}, "anything", None),
    ],
)
def test_types_in_words(schema, text, shape):
    assert type_text(schema) == TypeText(text, shape)


def described(operation, path="/api/place/{id}", method="get"):
    schemas = {
        "Place": {
            "type": "object",
            "description": "A place.",
            "required": ["near"],
            "properties": {"near": REFERENCE, "other": {"type": "string"}},
        }
    }
    whole = {
        "operationId": "x",
        "tags": ["search"],
        "responses": {
            "200": {"description": "It.", "content": {"application/json": {"schema": REFERENCE}}}
        },
        **operation,
    }
    return {
        "servers": [{"url": "http://larder.example"}],
        "tags": [{"name": "empty"}, {"name": "search", "description": "Find."}],
        "paths": {path: {method: whole}},
        "components": {"schemas": schemas},
    }


@pytest.mark.parametrize(
    ("operation", "method", "command"),
    [
        (
            {
                "parameters": [
                    {
                        "name": "id",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "integer"},
                        "example": 7,
                    }
                ]
            },
            "get",
            "curl http://larder.example/api/place/7",
        ),
        (
            {
                "parameters": [
                    {
                        "name": "q",
                        "in": "query",
                        "schema": {"type": "string"},
                        "examples": {"a": {"value": "it's a b"}},
                    }
                ]
            },
            "get",
            "curl 'http://larder.example/api/place/{id}?q=it%27s%20a%20b'",
        ),
        (
            {"parameters": [{"name": "n", "in": "query", "schema": {"type": "integer"}}]},
            "get",
            "curl 'http://larder.example/api/place/{id}'",
        ),
        (
            {
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["a"],
                                "properties": {"a": {"type": "string", "examples": ["it's"]}},
                            }
                        }
                    }
                }
            },
            "post",
            "curl -X POST -H 'Content-Type: application/json' -d '{\"a\":\"it'\"'\"'s\"}' 'http://larder.example/api/place/{id}'",
        ),
    ],
)
def test_a_call_to_copy(operation, method, command):
    (group,) = groups(described(operation, method=method))
    assert group.operations[0].curl == command


def test_a_tag_brings_the_shapes_of_its_answers_once():
    (group,) = groups(described({}))
    assert (group.tag, group.description) == ("search", "Find.")
    assert [shape.name for shape in group.shapes] == ["Place"]
    assert [(m.name, m.is_required) for m in group.shapes[0].members] == [
        ("near", True),
        ("other", False),
    ]


def test_a_sample_of_a_shape_within_itself_ends():
    document = described({})
    assert "near" in sample(document, REFERENCE)


def test_the_first_description_yields_to_other_requests(tmp_path):
    """It takes a second, once for all requests, in another thread."""
    app = create_app(Settings(data_dir=tmp_path, log_level="critical"))

    async def work() -> tuple[int, bool]:
        both = asyncio.gather(descriptions_of(app), descriptions_of(app))
        turns = 0
        while not both.done():
            turns += 1
            await asyncio.sleep(0)
        first, second = await both
        return turns, first is second and first is await descriptions_of(app)

    turns, is_one = asyncio.run(work())
    assert turns > 20
    assert is_one


def test_a_file_lock_is_free_again_while_the_api_is_described(tmp_path):
    """A process forked for it would inherit the lock and hold it longer than the block."""
    app = create_app(Settings(data_dir=tmp_path, log_level="critical"))

    async def work() -> int:
        describing = asyncio.ensure_future(descriptions_of(app))
        blocks = 0
        while not describing.done():
            with lock(tmp_path / ".lock", "a test"):
                await asyncio.sleep(0.02)
            blocks += 1
        await describing
        return blocks

    assert asyncio.run(work()) > 1


def test_the_description_is_prepared_before_the_first_request(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "_QUIET_SECONDS", 0.0)
    app = create_app(Settings(data_dir=tmp_path, log_level="critical"))
    with TestClient(app):
        state = app.state
        assert comes_true(lambda: "openapi_documents" in state, seconds=20)
        assert state["openapi_documents"].keys() == set(DESCRIPTIONS)
