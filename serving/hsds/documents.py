"""Describe the HSDS feed: its front, its data package and the schemas of its rows."""

from functools import partial
from html import escape
from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.hsds.collections import (
    BY_TABLE,
    COLLECTIONS,
    HSDS_ROOT,
    HSDS_VERSION,
    MAIN,
    Collection,
    descriptor,
)
from serving.context import context_of
from serving.hsds.description import operation_name
from serving.hsds.parameters import MAX_PER_PAGE
from serving.hsds.routes import send_file, tables_of
from serving.http.answers import HOUR, VARY_ACCEPT, Answer, json_answer, weights_of
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem, invalid, release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part, query
from serving.render.page import plain_page
from warehouse.hsds.reader import HsdsTables
from warehouse.index.reader import OpenRelease

Paths = Annotated[str, query("paths", enum=("files", "pages"))]
SchemaName = Annotated[str, path_part("schema")]
_get = partial(get, tags=["hsds"])


class FeedFacts(msgspec.Struct):
    """Version of HSDS, and the addresses of its descriptions."""

    version: Annotated[str, msgspec.Meta(description="HSDS version.", examples=["3.0"])]
    profile: Annotated[
        str,
        msgspec.Meta(
            description=(
                "URI of the profile: this feed, whose `schema/` has the members of its rows."
            )
        ),
    ]
    openapi_url: Annotated[str, msgspec.Meta(description="OpenAPI description of this API.")]


@_get(
    f"{HSDS_ROOT}/",
    operation_id=operation_name("get", "feed"),
    summary="HSDS feed",
    responses=answers(
        FeedFacts, "Version, profile and description (`Accept: application/json`), or a page."
    ),
)
async def front(scope: Scope) -> Answer:
    """Return the front of the feed: a page for browsers, JSON for clients that prefer it."""
    release, url = release_of(scope), context_of(scope).settings.url
    tables_of(release)  # 503 in a release without one
    if prefers_json(scope):
        facts = FeedFacts(HSDS_VERSION, f"{url}{HSDS_ROOT}", f"{url}/api/openapi.json")
        return json_answer(facts, HOUR, headers=(VARY_ACCEPT,))
    body = await _front_body.in_thread(release)
    return plain_page(
        scope, f"Open Referral feed (HSDS {HSDS_VERSION})", body, HOUR, (VARY_ACCEPT,)
    )


def prefers_json(scope: Scope) -> bool:
    """Return whether `Accept` names JSON, and HTML less or not at all."""
    weights = weights_of(scope, b"accept")
    as_json = weights.get("application/json", weights.get("application/*", 0.0))
    as_html = weights.get("text/html", weights.get("text/*", 0.0))
    return as_json > as_html


@per_release
def _front_body(release: OpenRelease) -> str:
    tables = tables_of(release)
    invented = (
        "<p><strong>All places on this instance are invented: demonstration data.</strong></p>"
        if release.is_synthetic
        else ""
    )
    root = HSDS_ROOT
    rows = "".join(_table_row(tables, root, collection) for collection in COLLECTIONS)
    return f"""{invented}
<p>The directory in the Human Services Data Specification {HSDS_VERSION} of Open Referral: \
{len(MAIN)} tables that the
specification knows as the core, and {len(COLLECTIONS) - len(MAIN)} more. Release \
<code>{escape(release.release_id)}</code>,
data as of {escape(release.manifest.as_of_date)}, licence \
{escape(release.manifest.data_license)}.</p>
<h2>Take everything</h2>
<ul><li><a href="{root}/hsds.zip">hsds.zip</a>: all tables as CSV with their \
descriptor</li>
<li><a href="{root}/datapackage.json">datapackage.json</a>: tabular data package of the CSV files
(<a href="{root}/datapackage.json?paths=pages">of the pages</a>)</li>
<li><a href="{root}/checksums.txt">checksums.txt</a>: SHA-256 of every file</li></ul>
<h2>Tables</h2>
<table><thead><tr><th scope="col">Table</th><th scope="col">Rows</th><th \
scope="col">Whole</th></tr></thead>
<tbody>{rows}</tbody></table>
<p>Lists take <code>page</code>, <code>per_page</code> (at most {MAX_PER_PAGE:,}), \
<code>format</code> (json, csv, ndjson),
<code>search</code>, <code>modified_after</code> and the filters of the official API; \
<code>full=true</code> nests. One row:
<code>{root}/services/{{id}}</code>. An id that was merged into another answers 301, one that is \
no longer published 410.</p>
<h2>What is particular here</h2>
<p>We publish some members that HSDS does not have, and always fill some that it leaves open: \
<a href="{root}/schema/service.json">schema/service.json</a> and its siblings are the schemas of \
our rows. The description for programs: <a \
href="/api/openapi.json">/api/openapi.json</a>.</p>"""


def _table_row(tables: HsdsTables, root: str, collection: Collection) -> str:
    name, title, description = collection.name, collection.title, collection.description
    count = tables.count(name)
    files = ", ".join(
        f'<a href="{root}/{name}.{kind}" aria-label="{escape(title)} as {kind.upper()}">'
        f"{kind.upper()}</a>"
        for kind in ("csv", "ndjson")
    )
    return (
        f'<tr><th scope="row"><a href="{root}/{name}">{escape(title)}</a>'
        f"<br><small>{escape(description)}</small></th>"
        f"<td>{count:,}</td><td>{files}</td></tr>"
    )


@_get(
    f"{HSDS_ROOT}/datapackage.json",
    operation_id=operation_name("get", "data_package"),
    summary="HSDS data package",
    responses=answers(dict[str, Any], "A Tabular Data Package descriptor."),
)
async def datapackage(scope: Scope, paths: Paths = "files") -> ASGIResponse:
    """Return the descriptor of the CSV files: their paths, columns, keys and licence."""
    if paths == "files":
        return send_file(scope, "datapackage.json")
    if paths != "pages":
        raise invalid("paths", "files or pages")
    release = release_of(scope)
    return Answer(await _page_package.in_thread(release), max_age=HOUR)


@per_release
def _page_package(release: OpenRelease) -> bytes:
    """Describe the tables with the pages of each list as the parts of its table."""
    tables = tables_of(release)
    parts = {
        c.name: [
            f"{c.name}?format=csv&per_page={MAX_PER_PAGE}&page={n}"
            for n in range(1, max(-(-tables.count(c.name) // MAX_PER_PAGE), 1) + 1)
        ]
        for c in COLLECTIONS
    }
    manifest = release.manifest
    package = descriptor(
        manifest.data_license,
        is_synthetic=release.is_synthetic,
        version=release.release_id,
        paths=parts,
    )
    return msgspec.json.encode(package)


@_get(
    f"{HSDS_ROOT}/schema/{{file_name:str}}",
    operation_id=operation_name("get", "schema"),
    summary="Schema of an HSDS table",
    responses=answers(dict[str, Any], "JSON Schema 2020-12 of one row as we publish it.", 404),
)
async def schema(scope: Scope, file_name: SchemaName) -> Answer:
    """Return the JSON Schema of one flat row of a table."""
    collection = BY_TABLE.get(file_name.removesuffix(".json"))
    if collection is None or not file_name.endswith(".json"):
        raise ServiceProblem("not-found", f"The feed has no schema {file_name[:80]!r}.")
    return json_answer(collection.row_schema(), HOUR)
