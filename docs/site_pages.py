"""Adds the documents that lie beside `docs/` to the site, and leads links to them there (MkDocs hooks)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
# Page of the site by the document of the repository.
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "README.md": "index.md",
    "clients/python/README.md": "python-client.md",
    "clients/typescript/README.md": "typescript-client.md",
}
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)[^)\s#]+")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that no file of `docs/` has."""
    for document, page in PAGES.items():
        if page != "index.md":
            text = _links_led(ROOT / document)
            files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links of a page of `docs/` to the pages of documents beside it."""
    source = page.file.abs_src_path
    return _led(markdown, Path(source).parent) if source else markdown


def _links_led(document: Path) -> str:
    return _led(document.read_text(encoding="utf-8"), document.parent)


def _led(text: str, folder: Path) -> str:
    """Rewrite links, which are relative to a folder of the repository, for a page of the site."""

    def target(link: re.Match[str]) -> str:
        path = (folder / link[0]).resolve()
        if not path.is_relative_to(ROOT):
            return link[0]
        name = path.relative_to(ROOT).as_posix()
        if name in PAGES:
            return PAGES[name]
        is_beside = not folder.is_relative_to(ROOT / "docs")
        return name.removeprefix("docs/") if is_beside else link[0]

    return _LINK.sub(target, text)
