"""The API description: the handlers' declarations, completed where Litestar leaves gaps."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
from litestar import Litestar, Request, Router
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Contact, License, Server, Tag

from schemas.api.common import Problem
from schemas.api.registry import describe_members
from schemas.bulk import BULK_FORMATS, GZIP_TYPE
from schemas.vocab.attributes import AUDIENCE_CODES, DOCUMENT_CODES, FOOD_CODES
from schemas.vocab.languages import LANGUAGE_NAMES
from schemas.vocab.resource_types import TYPE_IDS
from serving.http.errors import KINDS, ServiceProblem
from serving.http.per_state import DESCRIBED_AS, PARAMETER
from serving.reference.organization import organization_of
from serving.settings import API_VERSION, Settings

_OWN_PATH = "/api/description"
_STATE_KEY = "openapi_document"
_TURN = threading.Lock()
_TAGS = (
    Tag("search", "Find places by ZIP code, city or point."),
    Tag("resources", "One place: its record, its sources, its status."),
    Tag("benefits", "What a household may get: SNAP, WIC, school meals."),
    Tag("disasters", "Federal disaster declarations that are active, and Disaster SNAP."),
    Tag("data", "The whole directory: export, catalog, counts."),
    Tag("statistics", "Coverage, access to food and completeness, by state, county and ZIP code."),
    Tag("history", "Releases of the data: what changed, and proof of it."),
    Tag(
        "documents",
        "What the site says, as JSON: programs, dates, words, giving, who runs it. "
        "English and Spanish.",
    ),
    Tag("hsds", "Open Referral (HSDS 3.0 and 3.1): every table as pages, as files, row by row."),
    Tag("embeds", "What other sites show: one place as a card, the catalog of embeds, oEmbed."),
    Tag("discovery", "Where everything is, for programs and language models."),
    Tag("writing", "Submit places, correct them, vote on them."),
    Tag("operators", "For those who run a place: claim it, report how it is today."),
    Tag("health", "Whether the service works."),
    Tag("operations", "For those who run an instance."),
)
_DESCRIPTION = """A directory of food assistance in the United States: pantries, meal sites, \
SNAP, WIC, health centers.

Reading needs no key. Every answer names the release of the data it is made from in `X-Release` \
and itself in
`X-Request-Id`; answers that may be stored carry an `ETag`, honour `If-None-Match`, and say in \
`Cache-Control`
for how long. Every GET also answers HEAD. Answers made from invented places say so in
`X-Synthetic: true`. Errors are RFC 9457 problem reports. Unknown query parameters are ignored."""
_PROBLEM_TYPE = "application/problem+json"
# Every 5xx status, as a range (OpenAPI 3.1, Responses Object).
_FAULTS = "5XX"
_FAULT_WORDS = (
    "We cannot answer: 500 is a fault on our side; 501 is a format that is not answered; "
    "after 503, there is no data now, or too much to do."
)
_WAITS = ("429", _FAULTS)
_ERROR_WORDS = {
    403: "The form has expired, or belongs to another service.",
    409: "It is already listed, or already waits for review.",
    429: "Too many requests from this address; `Retry-After` says when to try again.",
    400: "A parameter or a header is missing or breaks its rule.",
    401: "The token is missing or wrong.",
    404: "What the address or a parameter names does not exist.",
    410: "It was listed once and is no longer.",
    416: "The range begins beyond the end of the file.",
}

# Objects of request bodies whose structs forbid unknown members, which Litestar does not derive.
_CLOSED = frozenset({"Inventory"})
# Parameters with a comma-separated list of codes.
LISTED_CODES: dict[str, tuple[str, ...]] = {
    "type": TYPE_IDS,
    "documents": DOCUMENT_CODES,
    "food": FOOD_CODES,
    "audience": AUDIENCE_CODES,
    "language": tuple(LANGUAGE_NAMES),
}


def answers(
    shape: Any,
    description: str,
    *errors: int,
    media_type: str = "application/json",
    status: int = 200,
) -> dict[int, ResponseSpec]:
    """Return `responses=` of a handler: the answer's shape, and its errors in addition to 400 and
    5xx, which `_complete` adds everywhere."""
    return {
        status: ResponseSpec(
            shape, description=description, generate_examples=False, media_type=media_type
        )
    } | {
        error: ResponseSpec(
            Problem,
            description=_ERROR_WORDS[error],
            generate_examples=False,
            media_type=_PROBLEM_TYPE,
        )
        for error in errors
    }


def _refuse_others(request: Request) -> None:
    """Answer other addresses below Litestar's own, which would get its page without our headers."""
    if not request.scope["path"].endswith(("/openapi.json", _OWN_PATH)):
        raise ServiceProblem("not-found", KINDS["not-found"].advice)


def openapi_config(settings: Settings) -> OpenAPIConfig:
    """Return Litestar's part of the description. Its own page is not served; see `document`."""
    organization = organization_of(settings)
    return OpenAPIConfig(
        title="Open Larder",
        version=API_VERSION,
        description=_DESCRIPTION,
        summary="Food assistance in the United States, open and reproducible.",
        contact=Contact(name=organization.common_name, email=organization.email),
        # Licence of the data that clients of this API take. The code has its own.
        license=License(name="CC BY 4.0", identifier="CC-BY-4.0"),
        servers=[Server(url=settings.url)],
        tags=list(_TAGS),
        # Reading needs no key; the operations that need a token say so.
        security=[{}],
        openapi_router=Router(
            _OWN_PATH,
            route_handlers=[],
            include_in_schema=False,
            dto=None,
            return_dto=None,
            before_request=_refuse_others,
        ),
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        use_handler_docstrings=True,
        operation_id_creator=_operation_id,
    )


def _operation_id(handler: HTTPRouteHandler, _method: object, _path: object) -> str:
    """Return the id of an operation from its handler: `getAtlas` of `get_atlas`."""
    first, *others = handler.handler_name.split("_")
    return first + "".join(word.capitalize() for word in others)


_PLACE_ID = {
    "name": "id",
    "schema": {"type": "integer", "minimum": 1, "maximum": 2**53 - 1},
    "description": "Permanent id of the place.",
    "example": 101,
}
# Litestar has no route for `{id}.ics` or `{id}.json`: it reads the whole segment, which is
# described with its suffix.
_FILE_PATHS: dict[str, tuple[str, dict[str, Any]]] = {
    "/calendar/{file_name}": ("/calendar/{id}.ics", _PLACE_ID),
    "/api/embed/pantry/{file_name}": ("/api/embed/pantry/{id}.json", _PLACE_ID),
}


def _with_suffixes(app: Litestar, paths: dict[str, Any]) -> dict[str, Any]:
    """Return the paths with the file suffix after its parameter."""
    described = dict(_FILE_PATHS)
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if template := handler.opt.get(DESCRIBED_AS):
                described[route.path.replace(":str", "")] = (template, PARAMETER)
    all_paths = dict(paths)
    for routed, (template, parameter) in described.items():
        item = all_paths.pop(routed, None)
        if item is not None:
            for routed_parameter in item["get"]["parameters"]:
                if routed.endswith(f"{{{routed_parameter['name']}}}"):
                    routed_parameter.update(parameter)
                    for name in ("examples", "deprecated"):
                        routed_parameter.pop(name, None)
            all_paths[template] = item
    return all_paths


def document(app: Litestar) -> bytes:
    """Return the description as JSON."""
    schema: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(app.openapi_schema.to_schema())
    )
    schema["paths"] = _with_suffixes(app, schema["paths"])
    for path in schema["paths"].values():
        for operation in path.values():
            _complete(operation)
    describe_members(schema["components"]["schemas"])
    for name in _CLOSED & schema["components"]["schemas"].keys():
        schema["components"]["schemas"][name]["additionalProperties"] = False
    for complete in app.state["descriptions"]:
        complete(schema)
    for part in list(_objects(schema)):
        # Litestar describes an optional value as a choice of one.
        if len(part.get("oneOf", ())) == 1:
            part.update(part.pop("oneOf")[0] | part)
    # Litestar stores the addresses of a handler in a set: their order differs between processes.
    schema["paths"] = dict(sorted(schema["paths"].items()))
    return msgspec.json.encode(schema)


def _document_once(app: Litestar) -> bytes:
    """Return `document`, computed once per application: a second of work."""
    with _TURN:
        if _STATE_KEY not in app.state:
            app.state[_STATE_KEY] = document(app)
        description: bytes = app.state[_STATE_KEY]
        return description


async def description_of(app: Litestar) -> bytes:
    """Return `document`; the first call computes it in another thread."""
    description: bytes | None = app.state.get(_STATE_KEY)
    return await asyncio.to_thread(_document_once, app) if description is None else description


def _objects(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a description; examples are data and are left out."""
    if isinstance(part, list):
        for item in part:
            yield from _objects(item)
    elif isinstance(part, dict):
        yield part
        for name, item in part.items():
            if name not in {"example", "examples"}:
                yield from _objects(item)


def _complete(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    # The Host header of every request has a rule.
    responses["400"] = _problem_response("400")
    _share_faults(responses)
    if operation["operationId"] == "exportResources":
        responses["200"]["content"]["text/csv"] = {"schema": {"type": "string"}}
    if operation["operationId"] in {"listChanges", "getReleaseChanges", "getReleaseLog"}:
        responses["200"]["content"]["application/x-ndjson"] = {"schema": {"type": "string"}}
    if operation["operationId"] == "listExports":
        responses["200"]["content"]["text/html"] = {"schema": {"type": "string"}}
    if operation["operationId"] == "downloadLatestExport":
        responses.pop("200", None)
        responses["302"]["headers"] = {"Location": _header("Address of the file.")}
    if operation["operationId"] == "downloadExport":
        _complete_download(responses)
    if "410" in responses and "history" not in operation["tags"]:
        responses["301"] = {
            "description": "The id was merged into another; `Location` names it.",
            "headers": {"Location": _header("Address of the successor.")},
        }
    for parameter in operation.get("parameters", []):
        _without_null(parameter["schema"])
        if parameter["in"] == "query" and parameter["name"] in LISTED_CODES:
            items = {"type": "string", "enum": list(LISTED_CODES[parameter["name"]])}
            parameter["schema"] = {"type": "array", "items": items, "minItems": 1}
            parameter["style"], parameter["explode"] = "form", False
    for status, answer in responses.items():
        if status in _WAITS:
            answer.setdefault("headers", {})["Retry-After"] = _header("Seconds to wait.")
        for content in answer.get("content", {}).values():
            if "problem" in str(content["schema"]).lower():
                content["example"] = _example(status)


def _share_faults(responses: dict[str, Any]) -> None:
    """Describe 5xx problems as one answer: clients handle all of them alike.

    A health report stays: its 503 is not a problem document.
    """
    for status in [status for status in responses if status[0] == "5"]:
        if _PROBLEM_TYPE in responses[status]["content"]:
            del responses[status]
    responses[_FAULTS] = _problem_response(_FAULTS)


def _complete_download(responses: dict[str, Any]) -> None:
    """Add every media type of a bulk file, and the headers of a partial one."""
    types = sorted(
        {f.media_type.partition(";")[0] for f in BULK_FORMATS.values()}
        | {GZIP_TYPE, "application/json"}
    )
    for status in ("200", "206"):
        # A part of JSON is not JSON.
        responses[status]["content"] = {
            kind: {
                "schema": {"type": "object"}
                if status == "200" and kind.endswith(("/json", "+json"))
                else {"type": "string", "contentMediaType": kind}
            }
            for kind in types
        }
        responses[status].setdefault("headers", {})["Repr-Digest"] = _header(
            "SHA-256 of the whole file as sent (RFC 9530)."
        )
    responses["206"]["headers"]["Content-Range"] = _header(
        "First and last byte, and the size of the file."
    )


def _without_null(schema: dict[str, Any]) -> None:
    """Remove null from a parameter: it may be omitted, but null cannot be sent."""
    if isinstance(schema.get("type"), list):
        kinds = [kind for kind in schema["type"] if kind != "null"]
        schema["type"] = kinds[0] if len(kinds) == 1 else kinds
    if "enum" in schema:
        schema["enum"] = [value for value in schema["enum"] if value is not None]
    if "oneOf" in schema:
        schema["oneOf"] = [part for part in schema["oneOf"] if part.get("type") != "null"]


def _problem_response(status: str) -> dict[str, Any]:
    words = _FAULT_WORDS if status == _FAULTS else _ERROR_WORDS[int(status)]
    content = {_PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": words, "content": content}


def _header(text: str) -> dict[str, Any]:
    return {"description": text, "schema": {"type": "string"}}


def _example(status: str) -> dict[str, Any]:
    number = 503 if status == _FAULTS else int(status)
    kind, entry = next((name, k) for name, k in KINDS.items() if k.status == number)
    return {
        "type": f"https://larder.example/problems/{kind}",
        "title": entry.title,
        "status": number,
        "detail": entry.advice,
        "instance": "/api/resources/search",
        "error": entry.advice,
        "request_id": "9f0c2d1e-2a",
        "success": False,
    }
