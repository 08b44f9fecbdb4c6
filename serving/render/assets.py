"""Static files of pages, each under a name with its digest, so that caches may store it
permanently."""

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.metadata import distribution
from pathlib import Path

import xxhash

_TOKEN = re.compile(r"--([\w-]+):(#[0-9a-f]{3,6})")
_TYPES = {
    "css": b"text/css; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "svg": b"image/svg+xml",
}
PREFIX = "/static/"
# Inlined in pages: in all, in all that may be dark, and in those with a map.
STYLE_SHEETS = ("style.css", "dark.css", "map.css")
# MapLibre GL JS as the Python package `maplibre` ships it; importing the package would load more.
_MAPLIBRE = ("maplibre-gl.js", "maplibre-gl.css")


@dataclass(frozen=True)
class StaticFile:
    """A file of web/static: its address and content."""

    path: str
    body: bytes
    media_type: bytes


@cache
def static_files() -> dict[str, StaticFile]:
    """Return all files by name. Read once per process."""
    own = (resources.files("web") / "static").iterdir()
    library = Path(str(distribution("maplibre").locate_file("maplibre/srcjs")))
    files = {}
    for file in (*own, *(library / name for name in _MAPLIBRE)):
        stem, _, ending = file.name.rpartition(".")
        if ending in _TYPES:
            body = file.read_bytes()
            digest = xxhash.xxh3_64_hexdigest(body)[:10]
            files[file.name] = StaticFile(f"{PREFIX}{stem}-{digest}.{ending}", body, _TYPES[ending])
    return files


def asset(name: str) -> str:
    """Return the address of a file of web/static. Raises KeyError for a name that is not there."""
    return static_files()[name].path


@cache
def by_path() -> dict[str, StaticFile]:
    """Return the same by address, with and without the digest."""
    by_name = {f"{PREFIX}{name}": file for name, file in static_files().items()}
    return by_name | {file.path: file for file in static_files().values()}


def style_sheet(name: str) -> str:
    """Return an inlined style sheet."""
    return static_files()[name].body.decode()


@cache
def style_sources() -> str:
    """Return the inlined style sheets as sources of a content security policy (CSP 3, 2.3.1)."""
    digests = (sha256(style_sheet(name).encode()).digest() for name in STYLE_SHEETS)
    return " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests)


def mark() -> str:
    """Return the shapes of the mark, 32 by 32, for embedding in pictures."""
    svg = static_files()["icon.svg"].body.decode()
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")]


@cache
def tokens() -> dict[str, dict[str, str]]:
    """Return the colours of pages by name, for `light` and `dark`."""
    sheets = {"light": style_sheet("style.css"), "dark": style_sheet("dark.css")}
    return {theme: dict(_TOKEN.findall(sheet)) for theme, sheet in sheets.items()}
