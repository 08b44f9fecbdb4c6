"""Words of the server (content/mcp.yaml)."""

from importlib import resources

import msgspec


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
