"""The API description for people: Swagger UI as a Python package ships it, from this origin."""

from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from serving.http.answers import DAY, HOUR, Answer
from serving.http.errors import ServiceProblem
from serving.render.page import Head, page

# What Swagger UI needs: its files, pictures in its style sheet, calls of this API.
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
# Files of Swagger UI that the page loads, with their media types.
_VIEWER = {
    "swagger-ui.css": b"text/css; charset=utf-8",
    "swagger-ui-bundle.js": b"text/javascript; charset=utf-8",
}


@get("/docs", include_in_schema=False)
async def index(scope: Scope) -> Answer:
    """Return the page that shows the description."""
    head = Head(
        "/docs",
        "API documentation",
        "Every address of the API with its parameters, examples and answers.",
    )
    policy = (b"content-security-policy", _POLICY)
    return page(scope, "reference.html", head, max_age=HOUR, headers=(policy,))


@get("/docs/{name:str}", include_in_schema=False)
async def viewer_file(name: FromPath[str]) -> Answer:
    """Return a file of Swagger UI."""
    if name not in _VIEWER:
        raise ServiceProblem("not-found", f"The documentation has no file {name[:60]!r}.")
    return Answer(_read(name), media_type=_VIEWER[name], max_age=DAY)


@cache
def _read(name: str) -> bytes:
    """Return a file of the package, whose folder has the version of Swagger UI in its name."""
    package = Path(str(distribution("swagger-ui-bundle-v2").locate_file("swagger_ui_bundle")))
    (file,) = package.glob(f"vendor/swagger-ui-*/{name}")
    return file.read_bytes()
