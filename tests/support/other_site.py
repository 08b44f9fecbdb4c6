"""A third-party site on its own port, for embeds."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

from tests.support.http_servers import serving


class OtherSite:
    """A site of another origin, whose pages are files in a folder."""

    def __init__(self, folder: Path, address: str) -> None:
        self._folder = folder
        self.address = address

    def page(self, name: str, body: str) -> str:
        """Write a page; return its address."""
        text = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Other site</title></head><body><main><h1>Other site</h1>{body}</main></body></html>'
        (self._folder / f"{name}.html").write_text(text, encoding="utf-8")
        return f"{self.address}/{name}.html"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def running_other_site(folder: Path) -> Iterator[OtherSite]:
    """Serve the files of a folder until the block ends."""
    (folder / "favicon.ico").write_bytes(b"")
    with serving(partial(_Quiet, directory=str(folder))) as port:
        yield OtherSite(folder, f"http://127.0.0.1:{port}")
