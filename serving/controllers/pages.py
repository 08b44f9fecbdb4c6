"""The few pages that are not data: the front, the problems, the description, the metrics."""

from __future__ import annotations

from html import escape

from litestar import Request, get
from litestar.params import FromPath
from litestar.types import Scope

from serving.answers import DAY, HOUR, MINUTE, Answer, Header
from serving.context import context_of, current_release
from serving.errors import KINDS, ServiceProblem
from serving.openapi import document
from serving.services.organization import organization_of

_HTML = b"text/html; charset=utf-8"
# Pages need them, data does not: nothing in JSON is followed or run.
_GUARDS: tuple[Header, ...] = (
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"content-security-policy", b"default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"),
)  # fmt: skip
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body{{font:17px/1.5 system-ui,sans-serif;max-width:68ch;margin:24px auto;padding:0 16px}}</style></head>
<body><main><h1>{title}</h1>{body}</main></body></html>
"""
_LINKS = (
    ("/api/openapi.json", "Description of the API (OpenAPI 3.1)"),
    ("/hsds/v3/", "Open Referral feed (HSDS 3.0)"),
    ("/exports", "The whole directory as files"),
    ("/releases", "Releases, and what each changed"),
    ("/atlas.json", "Atlas of the states"),
    ("/api/v1/coverage.json", "Coverage for every 1,000 residents"),
    ("/api/v1/data-quality.json", "Data quality in detail"),
    ("/api/resources/types", "Types of places, with counts"),
    ("/api/stats", "Statistics"),
    ("/hsds/v3/", "Open Referral feed (HSDS 3.0)"),
    ("/api/stats/quality", "Data quality"),
    ("/api/v1/health.json", "Status of the service"),
)


def html_page(title: str, body: str, max_age: int, headers: tuple[Header, ...] = ()) -> Answer:
    """`title` is text, `body` is HTML."""
    html = _PAGE.format(title=escape(title), body=body)
    return Answer(html.encode(), media_type=_HTML, max_age=max_age, headers=(*_GUARDS, *headers))


@get("/", include_in_schema=False)
async def front(scope: Scope) -> Answer:
    """Name, release and links."""
    settings, release = context_of(scope).settings, current_release(scope)
    if release is None:
        state = "<p><strong>No data yet:</strong> no release has been promoted.</p>"
    else:
        invented = "<p><strong>All places on this instance are invented: demonstration data.</strong></p>" if release.is_synthetic else ""  # fmt: skip
        state = f"{invented}<p>{len(release):,} places. Release <code>{escape(release.release_id)}</code>, data as of {escape(release.manifest.as_of_date)}, licence {escape(release.manifest.data_license)}.</p>"
    links = "".join(f'<li><a href="{path}">{escape(text)}</a></li>' for path, text in _LINKS)
    run_by = f"<p>This instance is run by {escape(organization_of(settings).common_name)}.</p>"
    intro = "<p>A directory of food assistance in the United States.</p>"
    return html_page("Open Larder", f"{intro}{state}<ul>{links}</ul>{run_by}", MINUTE)


@get("/problems/{slug:str}", include_in_schema=False)
async def problem(slug: FromPath[str]) -> Answer:
    """What a kind of problem means; the `type` of every problem report leads here."""
    kind = KINDS.get(slug)
    if kind is None:
        raise ServiceProblem("not-found", f"There is no problem kind {slug[:60]!r}.")
    return html_page(
        kind.title, f"<p>HTTP status {kind.status}.</p><p>{escape(kind.advice)}</p>", DAY
    )


@get(["/api/openapi.json", "/.well-known/openapi.json"], include_in_schema=False)
async def description(request: Request) -> Answer:
    """The API description."""
    state = request.app.state
    if "description" not in state:
        state["description"] = document(request.app)
    return Answer(state["description"], max_age=HOUR)


@get("/metrics", include_in_schema=False)
async def metrics(scope: Scope) -> Answer:
    """Numbers of this process for Prometheus."""
    text = context_of(scope).metrics.render()
    return Answer(text, media_type=b"text/plain; version=0.0.4; charset=utf-8", max_age=0)


HANDLERS = [front, problem, description, metrics]
