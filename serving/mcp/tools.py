"""Declarations of the tools: names, texts, shapes and functions. Without the SDK, so that
documents can list them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from schemas.api import mcp as shapes
from schemas.api.registry import describe_members
from schemas.api.snap import SnapRequest
from serving.mcp import info_tools, search_tools
from serving.mcp.arguments import WORDS

_REFERENCE = "#/$defs/{name}"


@dataclass(frozen=True)
class Tool:
    """One tool. `run` takes a call and the arguments as `takes`, and returns `gives`."""

    name: str
    takes: type[msgspec.Struct]
    gives: type[msgspec.Struct]
    run: Callable[[Any, Any], Awaitable[msgspec.Struct]]
    is_checked_by_service: bool = False
    """The arguments go to the service as they are: it takes further names and reports
    every fault itself."""

    @property
    def title(self) -> str:
        return WORDS.tools[self.name].title

    @property
    def description(self) -> str:
        return WORDS.tools[self.name].description


TOOLS: tuple[Tool, ...] = (
    Tool(
        "find_food_resources",
        shapes.FindFoodArguments,
        shapes.FoundPlaces,
        search_tools.find_food,
    ),
    Tool("get_resource_details", shapes.AskDetails, shapes.PlaceDetails, search_tools.get_details),
    Tool("find_open_now", shapes.FindOpen, shapes.OpenPlaces, search_tools.find_open),
    Tool(
        "estimate_snap_benefit",
        SnapRequest,
        shapes.ToolEstimate,
        info_tools.estimate_snap,
        is_checked_by_service=True,
    ),
    Tool("get_state_portal", shapes.AskPortal, shapes.StatePortal, info_tools.get_portal),
    Tool(
        "get_active_disasters",
        shapes.AskDisasters,
        shapes.FoundDisasters,
        info_tools.get_disasters,
    ),
    Tool(
        "get_organization_info",
        shapes.AskNothing,
        shapes.OrganizationInfo,
        info_tools.get_organization,
    ),
)
TOOLS_BY_NAME: dict[str, Tool] = {tool.name: tool for tool in TOOLS}


@lru_cache(maxsize=32)
def schema_of(shape: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a struct, an object at its root and the rest in
    `$defs`."""
    (root,), parts = msgspec.json.schema_components((shape,), ref_template=_REFERENCE)
    describe_members(parts)
    name = root["$ref"].removeprefix("#/$defs/")
    schema = {key: value for key, value in parts.pop(name).items() if key != "title"}
    if shape in _TAKEN:
        schema["properties"] = {
            key: _without_null(part) for key, part in schema["properties"].items()
        }
    return {**schema, "$defs": parts} if parts else schema


_TAKEN = frozenset(tool.takes for tool in TOOLS)


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an argument's schema without null: unknown values are left out."""
    choices = [part for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    members = {
        key: value
        for key, value in schema.items()
        if key != "anyOf" and not (key == "default" and value is None)
    }
    return {**choices[0], **members} if len(choices) == 1 else schema
