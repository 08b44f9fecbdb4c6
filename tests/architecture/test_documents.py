"""Generated documents are up to date; versions agree; every source has its three files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from pipelines.documents import documents
from schemas.sources.registry import sources

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", sorted(documents()))
def test_generated_documents_are_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == documents()[name], "run `make docs`"


def test_the_changelog_opens_with_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    headings = re.findall(
        r"(?m)^## \[?([0-9.]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    )
    assert headings[0] == version


@pytest.mark.parametrize("source_id", sorted(sources()))
def test_a_source_is_a_module_a_file_of_facts_and_a_fixture(source_id: str) -> None:
    assert (ROOT / "assets" / "sources" / f"{source_id}.py").is_file()
    assert (ROOT / "schemas" / "sources" / f"{source_id}.yaml").is_file()
    fixtures = ROOT / "tests" / "unit" / "assets" / "sources" / "fixtures" / source_id
    assert any(fixtures.iterdir())


@pytest.mark.parametrize("text", ["README.md", "CONTRIBUTING.md"])
def test_every_make_target_the_documents_name_exists(text: str) -> None:
    targets = set(re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    named = set(re.findall(r"\bmake ([a-z]+)", (ROOT / text).read_text(encoding="utf-8")))
    assert named <= targets
