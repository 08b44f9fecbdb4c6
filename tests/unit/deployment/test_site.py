"""The navigation of the documents' site names every document once."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[3]


def _pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from _pages(part)


def _pages_beside() -> dict[str, str]:
    """Return pages of documents outside `docs/`; MkDocs is not installed, so the hooks are read as
    text.
    """
    tree = ast.parse((ROOT / "docs" / "site_pages.py").read_text())
    assigned = {
        node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)
    }
    pages: dict[str, str] = ast.literal_eval(assigned["PAGES"])
    return pages


def test_the_navigation_names_every_document_once() -> None:
    pages = list(_pages(msgspec.yaml.decode((ROOT / "mkdocs.yml").read_bytes())["nav"]))
    documents = {
        path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")
    }
    beside = _pages_beside()
    assert all((ROOT / name).is_file() for name in beside)
    assert sorted(pages) == sorted(documents | set(beside.values()))
