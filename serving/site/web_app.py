"""Serves the finder as an app on a phone: manifest, icons, service worker.

W3C Web Application Manifest; Service Workers. The worker is served from the root, so that it may
answer for all pages.
"""

from functools import cache

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from serving.context import context_of
from serving.http.answers import DAY, HOUR, Answer
from serving.http.errors import ServiceProblem
from serving.reference.organization import organization_of
from serving.render.assets import asset, mark, static_files, tokens
from serving.render.svg_text import png_of
from serving.render.words import finder_paths, path_language, paths_of, words

_MANIFEST_TYPE = b"application/manifest+json"
# Width in pixels by name. A `maskable` icon has its mark within the inner 80 %, on full ground.
_ICONS = {"touch": 180, "small": 192, "large": 512, "maskable": 512}
_MASKABLE_SCALE = 0.75
# Below the icon on a home screen; longer names are cut off.
_SHORT_NAME = 12
# The worker fetches from here only. Firefox counts a page that it fetches as a frame.
_WORKER_POLICY = b"default-src 'self'"


@get(finder_paths("/manifest.webmanifest"), include_in_schema=False)
async def manifest(scope: Scope) -> Answer:
    """Return the manifest for the home screen of a phone."""
    language = path_language(scope)
    w, colours = words("pocket", language), tokens()["light"]
    name = organization_of(context_of(scope).settings).common_name
    start, _ = paths_of("/", language)
    shortcuts = (("/urgent", words("layout", language).nav.urgent), ("/saved", w.title))
    manifest_members = {
        "id": start,
        "name": name,
        "short_name": name if len(name) <= _SHORT_NAME else w.short_name,
        "description": words("site", language).front_lead,
        "lang": language,
        "start_url": start,
        "scope": "/",
        "display": "minimal-ui",
        "background_color": colours["paper"],
        "theme_color": colours["accent"],
        "categories": ["food", "lifestyle", "utilities"],
        "icons": [
            {"src": asset("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            *(
                {
                    "src": f"/icons/{icon}.png",
                    "sizes": f"{_ICONS[icon]}x{_ICONS[icon]}",
                    "type": "image/png",
                    "purpose": "maskable" if icon == "maskable" else "any",
                }
                for icon in ("small", "large", "maskable")
            ),
        ],
        "shortcuts": [
            {"name": title, "url": paths_of(path, language)[0]} for path, title in shortcuts
        ],
    }
    return Answer(msgspec.json.encode(manifest_members), media_type=_MANIFEST_TYPE, max_age=HOUR)


@get("/icons/{name:str}", include_in_schema=False)
async def icon(name: FromPath[str]) -> Answer:
    """Return the mark as pixels: `touch.png`, `small.png`, `large.png`, `maskable.png`."""
    stem = name.removesuffix(".png")
    if stem not in _ICONS or stem == name:
        raise ServiceProblem("not-found", f"There is no icon {name[:60]!r}.")
    return Answer(_draw(stem), media_type=b"image/png", max_age=DAY)


@cache
def _draw(name: str) -> bytes:
    inner = mark()
    if name == "maskable":
        ground = f'<path d="M0 0h32v32H0z" fill="{tokens()["light"]["accent"]}"/>'
        shift = 16 * (1 - _MASKABLE_SCALE)
        transform = f"translate({shift} {shift}) scale({_MASKABLE_SCALE})"
        inner = f'{ground}<g transform="{transform}">{inner}</g>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{inner}</svg>'
    return png_of(svg.encode(), _ICONS[name])


@get("/sw.js", include_in_schema=False)
async def worker() -> Answer:
    """Return the service worker. Browsers ask for it again at each visit, to notice a new one."""
    file = static_files()["sw.js"]
    return Answer(
        file.body,
        media_type=file.media_type,
        max_age=0,
        headers=((b"content-security-policy", _WORKER_POLICY),),
    )
