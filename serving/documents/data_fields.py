"""Members of documents about the data, the ways to reach it, and the site itself."""

from typing import Any

import msgspec

from schemas.sources.registry import Source, sources
from schemas.sources.registry import feeds as living_lists
from schemas.vocab.states import FIFTY_ONE
from serving.documents.feeds import FEEDS, press_items, press_path
from serving.documents.llms import list_surfaces
from serving.documents.registry import STATE
from serving.documents.render_context import RenderContext, iso
from serving.mcp.arguments import with_prefix
from serving.mcp.tools import TOOLS
from serving.reference.totals import coverage_figures, statistics_of
from serving.releases.history import list_versions, release_list
from serving.render.formats import day
from serving.render.words import Language, words
from warehouse.release.manifest import SourceEntry
from warehouse.release.store import ReleaseStore


def documents(context: RenderContext) -> list[dict[str, Any]]:
    """Return every document and page of the registry, with its addresses; `{state}` stands for 51
    codes. `json_or_page` is what a person would open: one state represents all."""
    language, base, rows = context.language, context.settings.url, []
    for row in context.library.list_rows():
        json, page = row.json_of(language) or row.json, row.page_of(language) or row.page
        rows.append(
            {
                "id": row.id,
                "section": row.section,
                "title": context.library.title(row, language),
                "json": json and base + json,
                "page": page and base + page,
                "json_or_page": (page or json or "/").replace(STATE, FIFTY_ONE[0]),
                "is_per_state": row.is_per_state,
            }
        )
    return rows


_MAX_RELEASES = 30
# What the manifest of a release says of a source: when it was read, and its rows.
_OF_ENTRY = (
    "retrieved_at",
    "failed_at",
    "failure",
    "rows_read",
    "rows_published",
    "rows_merged",
    "rows_rejected",
    "rows_withheld",
)


def data_sources(context: RenderContext) -> list[dict[str, Any]]:
    """Return every source of the registry with the counts of its rows in the release; those in the
    release first, the largest first.
    """
    by_id = {s.id: s for s in context.release.manifest.sources} if context.release else {}
    places = statistics_of(context.release).group("places_led_by_source") if context.release else {}
    rows = [
        _source(context, source, by_id.get(source.id), places.get(source.id, 0))
        for source in sources().values()
        # Of the living lists only those that gave rows.
        if source.id not in living_lists() or source.id in by_id
    ]
    return sorted(
        rows, key=lambda r: (not r["is_in_release"], -(r["rows_published"] or 0), r["title"])
    )


def _source(
    context: RenderContext, source: Source, entry: SourceEntry | None, places: int
) -> dict[str, Any]:
    """Return a source. `places` are those that it leads, as `/api/v1/data-quality.json` counts
    them."""
    licence, vintage = source.license, entry.newest_vintage if entry else None
    name = (
        f"[{source.title}]({source.homepage})"
        if source.homepage.startswith("http")
        else source.title
    )
    return {
        "id": source.id,
        "title": source.title,
        "publisher": source.publisher,
        "homepage": source.homepage,
        "citation": f"{name}, {source.publisher}",
        "description": source.description.strip(),
        "license": licence.id,
        "license_name": licence.name,
        "license_url": licence.url,
        "license_granted_by": licence.granted_by,
        "attribution": licence.attribution,
        "is_republished": licence.is_republishable,
        "cadence": source.cadence,
        "authority": source.authority,
        "is_in_release": entry is not None,
        "newest_data": vintage,
        "newest_data_shown": _format_vintage(entry, context.language) if entry else None,
        "places": places if entry else None,
        **{name: getattr(entry, name, None) for name in _OF_ENTRY},
    }


def _format_vintage(entry: SourceEntry, language: Language) -> str | None:
    """Return the day of the newest data used, with a remark if newer files could not be read."""
    if not entry.newest_vintage:
        return None
    newest = day(entry.newest_vintage, language)
    if not entry.failed_at:
        return newest
    failure_day = day(entry.failed_at[:10], language)
    remark: str = words("documents", language)["earlier_build"]
    return remark.format(date=newest, failed=failure_day)


def coverage(context: RenderContext) -> dict[str, Any] | None:
    """Return the main totals of the directory, the same as in the snapshot."""
    if context.release is None:
        return None
    figures: dict[str, Any] = msgspec.to_builtins(coverage_figures(context.release))
    return figures


def versions(context: RenderContext) -> list[dict[str, Any]]:
    """Return the versions of the software (English)."""
    return [msgspec.to_builtins(v) for v in list_versions()]


def data_releases(context: RenderContext) -> list[dict[str, Any]]:
    """Return the last releases of the data, newest first."""
    if context.release is None:
        return []
    store = ReleaseStore(context.release.folder.parent.parent)
    releases = release_list(store, context.release, context.settings.url).releases[:_MAX_RELEASES]
    return [
        {
            "release_id": r.id,
            "linked": f"[{r.id}](/releases/{r.id})",
            "created_at": r.created_at,
            "date": r.created_at[:10],
            "as_of_date": r.as_of_date,
            "listed": r.listed,
            "is_synthetic": r.is_synthetic,
            **{
                kind: r.changes[kind] if r.changes else None
                for kind in ("added", "changed", "reactivated", "merged", "retired")
            },
            "report_url": r.links.report,
        }
        for r in releases
    ]


def mcp_tools(context: RenderContext) -> list[dict[str, str]]:
    """Return the tools of the MCP server."""
    return [
        {
            "name": with_prefix(context.settings.mcp_prefix, t.name),
            "title": t.title,
            "description": t.description,
        }
        for t in TOOLS
    ]


def addresses(context: RenderContext) -> list[dict[str, Any]]:
    """Return every address that documents name, with its usual query and placeholders in
    braces."""
    return [
        {
            "id": s.id,
            "group": s.group,
            "title": context.say(s.title, s.title_es),
            "url_template": context.settings.url + s.template,
        }
        for s in list_surfaces(context.release)
    ]


def feeds(context: RenderContext) -> list[dict[str, str]]:
    """Return the feeds, those in the document's language first."""
    return [
        {
            "kind": f.kind,
            "language": f.language,
            "media_type": f.media_type,
            "title": f.title,
            "link": f.path,
            "url": context.settings.url + f.path,
        }
        for f in sorted(FEEDS, key=lambda f: f.language != context.language)
    ]


def press_releases(context: RenderContext) -> list[dict[str, str | None]]:
    """Return press releases, newest first."""
    rows = []
    for item in press_items():
        text = item.texts(context.language)
        rows.append(
            {
                "id": item.id,
                "date": iso(item.date),
                "title": text.title,
                "summary": text.summary,
                "dated": f"{day(item.date, context.language)}. {text.summary}",
                "link": press_path(item, context.language),
            }
        )
    return rows
