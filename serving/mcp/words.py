"""Words of the server (content/mcp.yaml)."""

from importlib import resources

import msgspec

from serving.search.language.needs import answer_dangers


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
