"""Reads the arguments of a tool call leniently; errors tell a model how to correct them."""

import re
from dataclasses import dataclass
from importlib import resources
from typing import Any, TypeVar

import msgspec

from schemas.api.mcp import DataNote
from serving.context import Context
from serving.http.errors import ServiceProblem
from serving.http.parameters import rule_of
from serving.reference.organization import organization_of
from serving.search.language.needs import answer_dangers
from warehouse.index.reader import OpenRelease


class ToolWords(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    description: str


class ServerWords(msgspec.Struct, forbid_unknown_fields=True):
    """`notice` is in every result with texts of publishers: a client may not show the model the
    `instructions`."""

    instructions: str
    notice: str
    tools: dict[str, ToolWords]


WORDS = msgspec.yaml.decode(
    (resources.files("content") / "mcp.yaml").read_bytes(), type=ServerWords
)
INSTRUCTIONS = WORDS.instructions.format(
    hotlines=" ".join(f"{need.id}: {answer.short}" for need, answer in answer_dangers("en"))
)


T = TypeVar("T", bound=msgspec.Struct)
# The argument in a message of msgspec.
_NAMED = re.compile(r"at `\$\.(\w+)")
# Arguments in which a ZIP code may come as a number, its leading zeros lost.
_PLACE_ARGUMENTS = frozenset({"location", "serves_zip", "state", "zip"})
_ADVICE = {
    "unknown-place": "Ask the person for their ZIP code, then call again.",
    "place-too-wide": "Ask for the city or the ZIP code, then call again.",
    "no-point": "Ask for the city, then call again with `City, ST`.",
    "unknown-resource": "Ids come from find_food_resources or find_open_now: call one of them.",
    "gone": "Call find_food_resources with the person's location to find another place.",
    "no-release": "Try again in 30 seconds.",
    "not-in-release": "It is unavailable until the data are renewed; the other tools work.",
}
_DEFAULT_ADVICE = "Correct the argument and call again."


class ToolFault(Exception):
    """A call that cannot be answered; the text names the next step."""


@dataclass(frozen=True)
class Call:
    """Context of a tool call. `release` is the same for the whole call."""

    context: Context
    release: OpenRelease
    prefix: str

    def tool(self, name: str) -> str:
        """Return the name under which this instance offers a tool."""
        return with_prefix(self.prefix, name)

    @property
    def data(self) -> DataNote:
        """Return which data an answer is made from."""
        release, settings = self.release, self.context.settings
        return DataNote(
            notice=WORDS.notice,
            release_id=release.release_id,
            is_synthetic=release.is_synthetic,
            license=release.manifest.data_license,
            provider=organization_of(settings).common_name,
            url=settings.url,
        )

    def summary(self, *sentences: str | None) -> str:
        """Return the summary of a result: the sentences there are, and the warning that invented
        data need."""
        parts = [sentence for sentence in sentences if sentence]
        if self.release.is_synthetic:
            parts.append("These places are invented for demonstration: do not send anyone there.")
        return " ".join(parts)


def with_prefix(prefix: str, name: str) -> str:
    """Return a tool's name with the vendor's prefix, if there is one."""
    return f"{prefix}_{name}" if prefix else name


def read_arguments(arguments: dict[str, Any] | None, shape: type[T], tool: str) -> T:
    """Return the arguments as their struct: numbers may come as text, ZIP codes as numbers, null
    for nothing.

    Raises ToolFault naming the argument and all that the tool takes.
    """
    try:
        return msgspec.convert(_as_lists(clean_arguments(arguments), shape), shape, strict=False)
    except msgspec.ValidationError as error:
        fault = str(error).replace("Object contains unknown field", "There is no argument")
        fault = fault.replace("Object missing required field", "This argument is missing:")
        match = _NAMED.search(fault)
        if match and (rule := rule_of(shape, match[1])):
            fault = f"`{match[1]}` must be {rule}"
        fields = msgspec.structs.fields(shape)
        taken = [f"`{field.name}`{' (required)' if field.required else ''}" for field in fields]
        usage = f"{tool} takes {', '.join(taken) or 'no arguments'}."
        raise ToolFault(f"{fault}. {usage} Correct it and call again.") from error


def clean_arguments(arguments: dict[str, Any] | None) -> dict[str, Any]:
    """Return the non-empty arguments, with ZIP codes as text."""
    cleaned = {name: value for name, value in (arguments or {}).items() if value is not None}
    for name in _PLACE_ARGUMENTS & cleaned.keys():
        value = cleaned[name]
        if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
            cleaned[name] = f"{int(value):05d}"
    return cleaned


def _as_lists(arguments: dict[str, Any], shape: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the arguments, with a single text converted to a list where a list is expected."""
    lists = {f.name for f in msgspec.structs.fields(shape) if f.default_factory is list}
    return {
        name: [one.strip() for one in value.split(",")]
        if name in lists and isinstance(value, str)
        else value
        for name, value in arguments.items()
    }


def fault_of(problem: ServiceProblem) -> ToolFault:
    """Return a service problem as a tool's error."""
    parts = [problem.detail.rstrip(".") + "."]
    if problem.suggestions:
        parts.append(f"Places that may be meant: {'; '.join(problem.suggestions)}.")
    parts.append(_ADVICE.get(problem.kind, _DEFAULT_ADVICE))
    return ToolFault(" ".join(parts))
