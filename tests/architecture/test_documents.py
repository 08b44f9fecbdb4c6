"""Check that generated documents are current, versions agree, and sources have their files."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pipelines.documents import documents
from schemas.sources.registry import feeds, sources

ROOT = Path(__file__).resolve().parents[2]


def test_generated_documents_are_up_to_date() -> None:
    stale = [
        name
        for name, text in documents().items()
        if (ROOT / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, "run `make docs`"


def test_the_changelog_opens_with_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    headings = re.findall(
        r"(?m)^## \[?([0-9.]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    )
    assert headings[0] == version
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == version


def test_a_source_has_a_fixture_and_a_mapping_or_a_module() -> None:
    fixtures = ROOT / "tests" / "unit" / "assets" / "sources" / "fixtures"
    modules = {path.stem for path in (ROOT / "assets" / "sources").glob("*.py")}
    sources_with_mapping = {name for name, source in sources().items() if source.layouts}
    assert set(sources()) - sources_with_mapping <= modules
    assert not sources_with_mapping & modules
    # The rows of feeds are invented by their test (tests/integration/fetch/test_feeds.py).
    own = set(sources()) - set(feeds())
    assert [name for name in sorted(own) if not any((fixtures / name).glob("*"))] == []


def _keys(node: yaml.Node) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the keys of every mapping below a node."""
    if isinstance(node, yaml.MappingNode):
        yield node.start_mark.line + 1, [key.value for key, _ in node.value]
    if isinstance(node, yaml.CollectionNode):
        for entry in node.value:
            for part in entry if isinstance(entry, tuple) else (entry,):
                yield from _keys(part)


@pytest.mark.parametrize(
    "folder", ["content/messages", "content/facts", "schemas", "serving", "tests"]
)
def test_no_yaml_file_has_a_key_twice(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.yaml"))
    assert files
    twice = [
        f"{path.relative_to(ROOT)}:{line}: {key}"
        for path in files
        for line, keys in _keys(yaml.compose(path.read_text(encoding="utf-8")))
        for key in {key for key in keys if keys.count(key) > 1}
    ]
    assert twice == []
