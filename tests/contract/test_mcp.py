"""Test the Model Context Protocol server with the SDK's client, in both eras, and bare requests."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import jsonschema
import msgspec
import pytest
from litestar.testing import TestClient
from mcp import Client

from schemas.api.mcp import ServerCard
from serving.app import create_app
from serving.mcp.tools import TOOLS, schema_of
from serving.settings import read_settings
from tests.support.mcp_calls import CALLS, write_mcp_town
from tests.support.server import running_service

PATH = "/mcp/v1"
MODERN = "2026-07-28"
BOTH = "application/json, text/event-stream"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A service of two workers: neither would know the other's sessions."""
    folder = tmp_path_factory.mktemp("mcp")
    write_mcp_town(folder)
    options = {
        "LARDER_WORKERS": "2",
        "LARDER_MCP_ORIGINS": "https://app.example.org",
        "LARDER_LOG_LEVEL": "error",
    }
    with running_service(folder, **options) as address:
        yield address


def modern(method, headers=None, version=MODERN, **params):
    """Return headers and body of a request of the newest protocol."""
    meta = {**META, "io.modelcontextprotocol/protocolVersion": version}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta, **params}}
    defaults = {"Accept": BOTH, "MCP-Protocol-Version": version, "Mcp-Method": method}
    return {"json": body, "headers": {**defaults, **(headers or {})}}


def with_client(address, use, mode="auto"):
    """Return what `use` returns for the SDK's client of a service."""

    async def run():
        async with Client(address + PATH, mode=mode) as client:
            return await use(client)

    return asyncio.run(run())


def call(address, *calls, mode="auto"):
    """Return the results of tools with their arguments."""

    async def use(client):
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    return with_client(address, use, mode)


@pytest.mark.parametrize("mode", ["legacy", MODERN, "auto"])
def test_the_sdk_client_calls_every_tool(service, mode):
    tools = with_client(service, lambda client: client.list_tools(), mode).tools
    results = call(service, *((name, arguments) for name, arguments, _ in CALLS), mode=mode)
    assert [tool.name for tool in tools] == [name for name, _, _ in CALLS]
    for tool in tools:
        assert tool.title
        assert tool.description
        hints = tool.annotations
        assert (hints.read_only_hint, hints.idempotent_hint) == (True, True)
        assert (hints.destructive_hint, hints.open_world_hint) == (False, False)
    for tool, result, (name, _, values) in zip(tools, results, CALLS, strict=True):
        assert not result.is_error, (name, result.content)
        jsonschema.validate(result.structured_content, tool.output_schema)
        content = result.structured_content
        assert {key: content[key] for key in values} == values, name
        assert content["summary"], name
        if "data" in content:
            assert "never instructions" in content["data"]["notice"], name


def test_schemas_are_valid():
    for tool in TOOLS:
        for shape in (tool.takes, tool.gives):
            schema = schema_of(shape)
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"


# tests/unit/serving/test_mcp.py has the faults of every kind of argument.
FAULTS = [
    ("find_food_resources", {}, "missing: `location`", "takes `location` (required)"),
    (
        "find_food_resources",
        {"location": "Nowhereville"},
        "location: we cannot find a city",
        "Ask the person for their ZIP code",
    ),
    (
        "get_resource_details",
        {"resource_id": 999},
        "There is no resource 999",
        "find_food_resources",
    ),
    ("get_state_portal", {"state": "Nowhereville"}, "state: we cannot find a city", "call again"),
    ("estimate_snap_benefit", {"household_size": 0, "state": "OR"}, "household_size", "call again"),
    ("get_organization_info", {"verbose": True}, "takes no arguments", "call again"),
    ("no_such_tool", {}, "There is no tool 'no_such_tool'", "find_food_resources"),
]


def test_errors_advise_the_next_step(service):
    results = call(service, *(fault[:2] for fault in FAULTS))
    for result, (name, _, fault, advice) in zip(results, FAULTS, strict=True):
        assert result.is_error, name
        assert fault in result.content[0].text
        assert advice in result.content[0].text


LENIENT = [
    ("find_food_resources", {"location": 10002, "limit": "2", "type": None}),
    ("get_resource_details", {"resource_id": "101"}),
    ("find_food_resources", {"location": "10002", "type": "snap_application_assistance"}),
    ("find_food_resources", {"location": "10002", "type": "home_delivered_meals"}),
]


def test_numbers_texts_and_older_words_are_accepted(service):
    assert [result.is_error for result in call(service, *LENIENT)] == [False] * len(LENIENT)


def test_text_of_records_is_not_in_summaries(service):
    """A publisher's text is in its member, never in the summary, which a model may trust as ours."""
    results, detail = (
        result.structured_content
        for result in call(
            service,
            ("find_food_resources", {"location": "10002"}),
            ("get_resource_details", {"resource_id": 102}),
        )
    )
    names = [place["name"] for place in results["places"]]
    assert names
    assert not [name for name in names if name in results["summary"]]
    assert detail["notes"] == "Two\nlines"
    assert "lines" not in detail["summary"]
    assert detail["place"]["name"] not in detail["summary"]


def test_every_tool_says_who_is_served(service):
    results, detail = call(
        service,
        ("find_food_resources", {"location": "10002", "type": "school_meal"}),
        ("get_resource_details", {"resource_id": 105}),
    )
    places = (results.structured_content["places"][0], detail.structured_content["place"])
    words = [place["who_may_eat"]["en"] for place in places]
    assert words == ["Students of this school."] * 2


def test_a_place_links_to_its_page_and_its_data(service):
    (result,) = call(service, ("find_food_resources", {"location": "10002"}))
    place = result.structured_content["places"][0]
    assert place["url"] == f"{service}/place/{place['id']}"
    assert httpx.get(place["url"]).headers["content-type"].startswith("text/html")
    assert httpx.get(place["json_url"]).json()["id"] == place["id"]


def test_resources_prompt_and_completion(service):
    async def use(client):
        listing = await client.list_resources()
        types = await client.read_resource(listing.resources[0].uri)
        place = await client.read_resource(f"{service}/api/resources/101")
        prompt = await client.get_prompt(
            "help_someone_find_food", {"location": "10002", "language": "es"}
        )
        return types.contents[0].text, place.contents[0].text, prompt.messages[0].content.text

    types, place, prompt = with_client(service, use)
    assert types == httpx.get(f"{service}/api/v1/types.json").text
    assert place == httpx.get(f"{service}/api/resources/101").text
    assert "10002" in prompt
    assert "find_open_now" in prompt


def test_every_worker_answers_without_a_session(service):
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    second = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}

    def talk(_):
        headers = {"Accept": BOTH}
        with httpx.Client(headers={"Connection": "close"}) as client:
            greeting = client.post(service + PATH, json=first, headers=headers)
            headers["MCP-Protocol-Version"] = greeting.json()["result"]["protocolVersion"]
            listing = client.post(service + PATH, json=second, headers=headers)
        return greeting.headers.get("mcp-session-id"), len(listing.json()["result"]["tools"])

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(talk, range(40))) == {(None, 7)}


# Name, request, status, code of the error.
REFUSALS = [
    ("method header differs", modern("tools/list", {"Mcp-Method": "tools/call"}), 400, -32020),
    (
        "version header differs",
        modern("tools/list", {"MCP-Protocol-Version": "2027-01-01"}),
        400,
        -32020,
    ),
    (
        "tool header missing",
        modern("tools/call", name="get_organization_info", arguments={}),
        400,
        -32020,
    ),
    ("unknown version", modern("tools/list", version="2099-01-01"), 400, -32022),
    ("unknown method", modern("no/such/method"), 404, -32601),
    ("foreign origin", modern("tools/list", {"Origin": "https://evil.example"}), 403, -32600),
    ("null origin", modern("tools/list", {"Origin": "null"}), 403, -32600),
]


@pytest.mark.parametrize(
    ("name", "request_", "status", "code"), REFUSALS, ids=[r[0] for r in REFUSALS]
)
def test_refusals(service, name, request_, status, code):
    answer = httpx.post(service + PATH, **request_)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_message_of_the_new_protocol_needs_its_header(service):
    request = modern("tools/list")
    del request["headers"]["MCP-Protocol-Version"]
    answer = httpx.post(service + PATH, **request)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)
    assert "MCP-Protocol-Version" in answer.json()["error"]["message"]


@pytest.mark.parametrize("origin", ["https://app.example.org", "http://localhost:5173", None])
def test_allowed_local_and_missing_origins_are_accepted(service, origin):
    headers = {"Origin": origin} if origin else {}
    answer = httpx.post(service + PATH, **modern("tools/list", headers))
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cache-control"] == "no-store"
    result = answer.json()["result"]
    assert result["resultType"] == "complete"
    assert result["ttlMs"] > 0
    assert result["cacheScope"] == "public"


def test_discover_returns_versions_and_instructions(service):
    result = httpx.post(service + PATH, **modern("server/discover")).json()["result"]
    assert MODERN in result["supportedVersions"]
    assert "never as instructions" in result["instructions"]
    assert set(result["capabilities"]) >= {"tools", "resources", "prompts", "completions"}


@pytest.mark.parametrize("version", ["2025-06-18", MODERN])
def test_a_notification_is_accepted_without_an_answer(service, version):
    body = {"jsonrpc": "2.0", "method": "notifications/initialized", "params": {"_meta": META}}
    headers = {
        "Accept": BOTH,
        "MCP-Protocol-Version": version,
        "Mcp-Method": "notifications/initialized",
    }
    answer = httpx.post(service + PATH, json=body, headers=headers)
    assert (answer.status_code, answer.content) == (202, b"")


def test_get_lists_the_tools_and_opens_no_stream(service):
    plain = httpx.get(service + PATH)
    assert plain.json() == httpx.get(f"{service}/.well-known/mcp.json").json()
    assert [tool["name"] for tool in plain.json()["tools"]] == [name for name, _, _ in CALLS]
    for method in ("GET", "DELETE"):
        answer = httpx.request(method, service + PATH, headers={"Accept": "text/event-stream"})
        assert answer.status_code == 405
        assert "POST" in answer.headers["allow"]


def test_cards_and_catalog_link_to_the_server(service):
    catalog = httpx.get(f"{service}/.well-known/ai-catalog.json")
    assert catalog.headers["content-type"] == "application/ai-catalog+json"
    entry = catalog.json()["entries"][0]
    card = httpx.get(entry["url"])
    assert card.headers["content-type"] == entry["type"] == "application/mcp-server-card+json"
    assert card.content == httpx.get(f"{service}/.well-known/mcp/server-card.json").content
    assert card.json()["remotes"] == [{"type": "streamable-http", "url": service + PATH}]
    assert 1 <= len(card.json()["description"]) <= 100


def test_the_registry_entry_follows_the_registrys_rules(service):
    """Check the rules of ServerDetail in the registry's schema of 2025-12-11."""
    answer = httpx.get(f"{service}/.well-known/mcp/server.json")
    entry = msgspec.json.decode(answer.content, type=ServerCard)
    assert entry.schema.endswith("/schemas/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry.name)
    assert re.fullmatch(r"\d+\.\d+\.\d+", entry.version), "one version, no range"
    assert 1 <= len(entry.description) <= 100
    assert 1 <= len(entry.title) <= 100
    assert [(remote.type, remote.url) for remote in entry.remotes] == [
        ("streamable-http", service + PATH)
    ]
    card = httpx.get(f"{service}/.well-known/mcp/server-card.json").json()
    assert {**card, "$schema": entry.schema} == answer.json()


def test_prefix_origins_and_hosts_are_settings(tmp_path, monkeypatch):
    write_mcp_town(tmp_path)
    options = {"LARDER_MCP_PREFIX": "feedam", "LARDER_MCP_ORIGINS": "*", "LARDER_HOSTS": "*"}
    for name, value in {**options, "LARDER_DATA": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    with TestClient(create_app(read_settings())) as client:
        headers = {"Origin": "https://evil.example", "Host": "any.example"}
        listing = client.post(PATH, **modern("tools/list", headers)).json()["result"]
        names = [tool["name"] for tool in listing["tools"]]
        assert names == [f"feedam_{name}" for name, _, _ in CALLS]
        name_header = {"Mcp-Name": names[-1]}
        answer = client.post(
            PATH, **modern("tools/call", name_header, name=names[-1], arguments={})
        )
        assert answer.json()["result"]["structuredContent"]["is_fictional"] is True
