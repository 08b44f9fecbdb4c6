"""Resources, prompts and completions of the server."""

import re
from datetime import UTC, datetime

import mcp_types as types
import msgspec
from litestar.types import Scope
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from serving.context import Context, context_of
from serving.http.errors import ServiceProblem, release_of
from serving.mcp.arguments import Call, fault_of, with_prefix
from serving.mcp.search_tools import record_json
from serving.search.suggest import suggestions
from serving.search.suggest_index import suggest_index_of
from serving.settings import Settings
from serving.statistics import reports

PROMPT, PLACE_ARGUMENT = "help_someone_find_food", "location"
_TYPES, _STATS, _RECORD = "/api/v1/types.json", "/api/stats", "/api/resources/{id}"
_RECORD_PATH = re.compile(r"/api/resources/([1-9][0-9]{0,15})\Z")
_COMPLETIONS = 10
_JSON = "application/json"


def scope_of(request: ServerRequestContext) -> Scope:
    """Return the scope of the HTTP request, with context and release."""
    scope: Scope = request.request.scope  # type: ignore[union-attr]
    return scope


# ---------------------------------------------------------------- resources


def list_resources(settings: Settings) -> types.ListResourcesResult:
    """Return documents under their own public addresses."""
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=settings.url + _TYPES,
                name="types",
                title="Types of places",
                description=(
                    "Every type of place with its name in English and Spanish and how many "
                    "there are."
                ),
                mime_type=_JSON,
            ),
            types.Resource(
                uri=settings.url + _STATS,
                name="stats",
                title="Statistics",
                description="Contents of the directory: places by type and state, sources, age "
                "of the data.",
                mime_type=_JSON,
            ),
        ]
    )


def list_templates(settings: Settings) -> types.ListResourceTemplatesResult:
    """Return one place by its id."""
    template = types.ResourceTemplate(
        uri_template=settings.url + _RECORD,
        name="place",
        title="One place",
        description="The whole record of a place with its sources.",
        mime_type=_JSON,
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(
    request: ServerRequestContext, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    """Return the document at an address. Raises MCPError when there is none."""
    scope = scope_of(request)
    context, path = context_of(scope), str(params.uri)
    try:
        body = await _document(context, scope, path.removeprefix(context.settings.url))
    except ServiceProblem as problem:
        raise MCPError(types.INVALID_PARAMS, str(fault_of(problem)), {"uri": path}) from problem
    contents = types.TextResourceContents(uri=path, mime_type=_JSON, text=body.decode())
    return types.ReadResourceResult(contents=[contents], ttl_ms=60_000, cache_scope="public")


async def _document(context: Context, scope: Scope, path: str) -> bytes:
    release = release_of(scope)
    if path == _TYPES:
        return msgspec.json.encode(reports.type_catalog(release))
    if path == _STATS:
        return msgspec.json.encode(reports.stats(release))
    match = _RECORD_PATH.match(path)
    if match is None:
        raise ServiceProblem(
            "not-found",
            "There is no such resource. See resources/list and resources/templates/list",
        )
    return (await record_json(Call(context, release, ""), int(match[1]), datetime.now(UTC)))[0]


# ---------------------------------------------------------------- prompts


LISTED_PROMPTS = types.ListPromptsResult(
    prompts=[
        types.Prompt(
            name=PROMPT,
            title="Help someone find food",
            description=(
                "Begins a conversation that finds free food near a place, in English or Spanish."
            ),
            arguments=[
                types.PromptArgument(
                    name=PLACE_ARGUMENT, description="ZIP code, or `City, ST`.", required=True
                ),
                types.PromptArgument(
                    name="language", description="en or es; English without it.", required=False
                ),
            ],
        )
    ]
)
_PROMPTS = {
    "en": (
        "Find free food near {location} for a person who needs it. Begin with {open}; if "
        "little is open, use {find}. For each place say name, distance, whether it is "
        "open, telephone and address, and how old the facts are. Where it is not known "
        "whether a place is open, say to call first."
    ),
    "es": (
        "Busca comida gratis cerca de {location} para una persona que la necesita, y "
        "responde en español. Empieza con {open}; si hay poco abierto, usa {find}. De cada "
        "lugar di nombre, distancia, si está abierto, teléfono y dirección, y de cuándo "
        "son los datos. Si no se sabe si está abierto, di que llame primero."
    ),
}


async def get_prompt(
    _: ServerRequestContext, params: types.GetPromptRequestParams, prefix: str
) -> types.GetPromptResult:
    """Return the prompt with its place. Raises MCPError for another name, or without a place."""
    if params.name != PROMPT:
        raise MCPError(
            types.INVALID_PARAMS,
            f"There is no prompt {params.name[:80]!r}. The prompt is {PROMPT}.",
        )
    arguments = params.arguments or {}
    location, language = arguments.get(PLACE_ARGUMENT, "").strip(), arguments.get("language", "en")
    if not location or language not in _PROMPTS:
        raise MCPError(
            types.INVALID_PARAMS,
            "The prompt needs `location` (ZIP code or `City, ST`). `language` is en or es.",
        )
    tools = {
        "open": with_prefix(prefix, "find_open_now"),
        "find": with_prefix(prefix, "find_food_resources"),
    }
    text = _PROMPTS[language].format(location=location[:100], **tools)
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])


async def complete(
    request: ServerRequestContext, params: types.CompleteRequestParams
) -> types.CompleteResult:
    """Return cities and ZIP codes that begin with the typed text, for the prompt's place;
    nothing for all else."""
    values: list[str] = []
    ref, argument = params.ref, params.argument
    is_place = (
        isinstance(ref, types.PromptReference)
        and ref.name == PROMPT
        and argument.name == PLACE_ARGUMENT
    )
    if is_place and len(argument.value.strip()) >= 2:
        release = release_of(scope_of(request))
        index = await suggest_index_of.in_thread(release)
        values = [s.label for s in suggestions(index, argument.value[:100], _COMPLETIONS)]
    return types.CompleteResult(completion=types.Completion(values=values, has_more=False))
