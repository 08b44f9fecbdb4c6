"""Descriptions of the members of requests and answers."""

import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import serving
from schemas.api import registry

FILES = sorted(Path(registry.__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_descriptions_are_of_members_of_the_module(file: Path) -> None:
    module = import_module(f"schemas.api.{file.stem}")
    described = msgspec.yaml.decode(file.read_bytes(), type=dict[str, dict[str, object]])
    for struct, members in described.items():
        assert getattr(module, struct).__module__ == module.__name__
        assert members.keys() <= set(getattr(module, struct).__struct_fields__), struct


def test_every_module_has_its_file_of_meanings() -> None:
    names = {file.stem for file in Path(registry.__file__).parent.glob("*.py")}
    assert {file.stem for file in FILES} == names - {"__init__", "registry"}


def test_a_struct_is_described_in_one_file() -> None:
    names = [name for file in FILES for name in msgspec.yaml.decode(file.read_bytes(), type=dict)]
    assert len(names) == len(set(names)) == len(registry.meanings())


def test_members_are_described_by_their_public_name() -> None:
    schemas = {
        "ServerCard": {"properties": {"websiteUrl": {"type": "string"}}},
        "AtlasState": {"properties": {"food_banks": {"type": "integer"}}},
    }
    registry.describe_members(schemas)
    assert schemas["ServerCard"]["properties"]["websiteUrl"]["description"]
    assert schemas["AtlasState"]["properties"]["food_banks"]["description"] == "Type `food_bank`."


def test_every_meaning_of_a_parameter_is_used() -> None:
    folder = Path(serving.__file__).parent
    code = "".join(file.read_text("utf-8") for file in folder.rglob("*.py"))
    meanings = {
        "/".join(filter(None, match))
        for match in re.findall(r'\b(?:query|path_part)\(\s*"([^"]+)"(?:,\s*of="(\w+)")?', code)
    }
    file = folder / "http" / "parameters.yaml"
    assert msgspec.yaml.decode(file.read_bytes(), type=dict).keys() - {"unknown"} == meanings
