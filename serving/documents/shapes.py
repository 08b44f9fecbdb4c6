"""A rendered document as JSON, and as the values and the head of its page."""

from collections.abc import Callable
from typing import Any

import msgspec
from markupsafe import Markup

from schemas.languages import localize
from serving.documents.feeds import feed_alternates
from serving.documents.inline import as_html, as_plain, phone_mark
from serving.documents.registry import STATE, Bars, Column, Entries, Entry, From, Section
from serving.documents.render_context import TAGS, RenderContext, iso
from serving.documents.renderer import RenderedDocument, TextError
from serving.places import json_ld
from serving.reference.organization import organization_head
from serving.render.formats import filters
from serving.render.page import Head
from serving.render.words import Language, words

VERSION = "1.0"
_LICENSE = "CC-BY-4.0"
_PARTS = ("items", "steps", "definitions", "questions", "links")


# ---------------------------------------------------------------- addresses


def address(context: RenderContext, kind: str, language: Language) -> str | None:
    """Return the path of the document's `json` or `page` in a language, for its own state."""
    path = context.row.json_of(language) if kind == "json" else context.row.page_of(language)
    return path.replace(STATE, context.state.code) if path and context.state else path


def _data_address(context: RenderContext) -> str | None:
    """Return the JSON of the page in its language, or the answer of other code."""
    path = context.row.data_path
    own = path.replace(STATE, context.state.code) if path and context.state else path
    return address(context, "json", context.language) or own


def _other(language: Language) -> Language:
    return "es" if language == "en" else "en"


def _links(context: RenderContext) -> dict[str, str | None]:
    def full(kind: str, language: Language) -> str | None:
        path = address(context, kind, language)
        return path and context.settings.url + path

    here, there = context.language, _other(context.language)
    return {
        "self": full("json", here),
        "page": full("page", here),
        "twin": full("json", there),
        "twin_page": full("page", there),
    }


# ---------------------------------------------------------------- JSON


def document_json(document: RenderedDocument) -> bytes:
    """Return head, own members, remaining sections of the page, sources. Own members override those
    of the head."""
    context = document.context
    release, plain = context.release, _plain(context)
    head = {
        "id": context.row.id,
        "version": VERSION,
        "language": TAGS[context.language],
        "title": plain(document.title),
        "description": plain(document.description),
        "updated": document.updated,
        "figures_on": context.day.isoformat(),
        "generated_at": release.manifest.created_at if release else None,
        "release_id": release.release_id if release else None,
        "is_synthetic": release.is_synthetic if release else None,
        "license": license_of(context),
        "organization": msgspec.to_builtins(organization_head(context.settings)),
        "links": _links(context),
        "summary": plain(document.lead),
    }
    members = {
        "sections": [_section_json(s, plain) for s in document.sections],
        "sources": sources(document),
    }
    return msgspec.json.encode({**head, **_plain_tree(document.data, plain), **members})


def license_of(context: RenderContext) -> str:
    """Return the SPDX id of the release's license."""
    return context.release.manifest.data_license if context.release else _LICENSE


def sources(document: RenderedDocument) -> list[dict[str, Any]]:
    """Return each source of a figure once, with the day it was read and the last day of its
    figures."""
    by_source: dict[tuple[str, str | None], dict[str, Any]] = {}
    for use in document.used:
        fact = use.fact
        entry = by_source.setdefault(
            (fact.source_title, fact.source_url),
            {
                "title": fact.source_title,
                "url": fact.source_url,
                "as_of": fact.as_of.isoformat(),
                "facts": [],
                "is_current": True,
            },
        )
        entry["facts"].append(fact.id)
        entry["is_current"] = entry["is_current"] and use.is_current
    return list(by_source.values())


def list_expired_figures(document: RenderedDocument) -> list[dict[str, str | None]]:
    """Return the figures that are shown although their time is over, with its last day."""
    return [
        {"id": u.fact.id, "to": iso(u.fact.effective_to)} for u in document.used if not u.is_current
    ]


def _plain(context: RenderContext) -> Callable[[str], str]:
    """Return the form of texts in JSON: plain, and every path of the service as a full address."""

    def plain(text: str) -> str:
        is_path = text.startswith("/") and not any(map(str.isspace, text))
        return context.url(text) if is_path else as_plain(text, context.url)

    return plain


def _plain_tree(value: Any, plain: Any) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {name: _plain_tree(inner, plain) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_tree(inner, plain) for inner in value]
    return value


def _section_json(section: Section, plain: Any) -> dict[str, Any]:
    """Return a section; parts from a member are named in `shows` and not repeated."""
    raw: dict[str, Any] = msgspec.to_builtins(section)
    members: dict[str, Any] = {"id": section.id, "heading": section.heading}
    shows = []
    for name, part in raw.items():
        if name in members or not part:
            continue
        if isinstance(part, dict) and part.get("from"):
            shows.append(part["from"])
            continue
        if name == "table":
            titles = [column["title"] for column in part["columns"]]
            table = {"caption": part["caption"], "columns": titles, "rows": part["rows"]}
            members[name] = _plain_tree(table, plain)
        else:
            members[name] = _plain_tree(_tidy(part), plain)
    return members | ({"shows": shows} if shows else {})


def _tidy(part: Any) -> Any:
    """Return entries without the members that they do not have."""
    if isinstance(part, list):
        return [_tidy(entry) for entry in part]
    return {k: v for k, v in part.items() if v is not None} if isinstance(part, dict) else part


# ---------------------------------------------------------------- page


def page_values(document: RenderedDocument) -> dict[str, Any]:
    """Return the values of serving/documents/document.html."""
    context = document.context

    def html(text: str) -> Markup:
        return as_html(text, lambda path: context.library.link(path, context.language))

    return {
        "document": document,
        "sections": [_section_view(document, section) for section in document.sections],
        "contents": [(s.id, s.heading) for s in document.sections if s.heading],
        "html": html,
        "row": context.row,
        "trail": trail(context, document.title)[1:],
        "related": list_related_pages(context),
        "sources": sources(document),
        "old_figures": list_expired_figures(document),
        "json_path": _data_address(context) or address(context, "json", "en"),
        "local": lambda path: context.library.link(path, context.language),
        "words_named": lambda name: words(name, context.language),
    }


def _section_view(document: RenderedDocument, section: Section) -> dict[str, Any]:
    """Return the section with its entries looked up and its table's cells written."""
    view = {
        name: getattr(section, name)
        for name in ("id", "heading", "notice", "paragraphs", "figures", "note")
    }
    view |= {name: entries(document, getattr(section, name)) for name in _PARTS}
    view["bars"] = _bars_view(document, section.bars) if section.bars else []
    view["table"] = None
    if (table := section.table) is not None:
        rows = table.rows
        if table.member:
            rows = [
                [
                    _cell(c, _inside(row, c.member or ""), document.context.language)
                    for c in table.columns
                ]
                for row in _member(document, table.member)
            ]
        view["table"] = {"caption": table.caption, "columns": table.columns, "rows": rows}
    return view


def entries(document: RenderedDocument, source: Entries) -> list[Entry]:
    """Return the given entries, or those of the named member. Raises TextError for an unknown
    member."""
    if not isinstance(source, From):
        return [Entry(text=e) if isinstance(e, str) else e for e in source]
    rows = [
        row
        for row in _member(document, source.member)
        if all(_inside(row, member) == value for member, value in source.where.items())
    ]
    if all(isinstance(row, str) for row in rows):
        return [Entry(text=row) for row in rows]
    names = ("title", source.title), ("text", source.text), ("link", source.link)
    return [
        Entry(**{n: None if (v := _inside(row, m)) is None else str(v) for n, m in names if m})
        for row in rows
    ]


def _inside(row: Any, path: str) -> Any:
    for step in path.split("."):
        row = row.get(step) if isinstance(row, dict) else None
    return row


def _member(document: RenderedDocument, path: str) -> list[Any]:
    rows = _inside(document.data, path)
    if not isinstance(rows, list | tuple):
        raise TextError(
            f"{document.context.row.id}/{document.context.language}: "
            f"`from: {path}` is no list of the data"
        )
    return list(rows)


def _bars_view(document: RenderedDocument, bars: Bars) -> list[tuple[str, float, str]]:
    """Return label, value and value in words, for the macro `bars` of parts.html."""
    format_number = filters(document.context.language)["number"]
    rows = [
        (str(_inside(row, bars.label)), _inside(row, bars.value))
        for row in _member(document, bars.member)
    ]
    return [(label, value, format_number(value)) for label, value in rows if value is not None]


def _cell(column: Column, value: Any, language: Language) -> str:
    if isinstance(value, dict) and "value" in value:  # a figure
        value = value["value"]
    if value is None:
        return "—"
    if column.format == "phone":
        return phone_mark(str(value))
    if column.format == "link":
        return f"[{str(value).removeprefix('https://').rstrip('/')}]({value})"
    return str(value) if column.format == "text" else str(filters(language)[column.format](value))


def trail(context: RenderContext, title: str) -> list[tuple[str, str]]:
    """Return path and short name of the front page, of the pages above this one, and of the page
    itself, whose path is empty."""
    library, row, language = context.library, context.row, context.language
    home = localize("/", language)
    parent = library.rows.get(row.id.removesuffix("-state")) if context.state else None
    above = {
        r.id: r
        for r in (library.hub(row), parent)
        if r and r.page and not r.planned and r.id != row.id
    }
    steps = [
        (r.page_of(language) or r.page or "", library.title(r, language)) for r in above.values()
    ]
    own = library.text(row, language).short or title
    if context.state:
        own = context.state.names[language]
    return [(home, str(words("layout", language).home)), *steps, ("", own)]


def list_related_pages(context: RenderContext) -> list[tuple[str, str]]:
    """Return the other pages of the section."""
    library, row = context.library, context.row
    return [
        (r.page_of(context.language) or r.page, library.title(r, context.language))
        for r in library.list_rows()
        if r.section == row.section and r.id != row.id and r.page and STATE not in r.page
    ]


def head_of(document: RenderedDocument) -> Head:
    """Return the head of the page, with its structured data."""
    context = document.context
    path = address(context, "page", context.language)
    assert path is not None
    json_path = _data_address(context)
    data = (("application/json", json_path, document.title),) if json_path else ()
    return Head(
        path=path,
        title=document.title,
        description=document.description,
        language=context.language,
        twin=address(context, "page", _other(context.language)),
        image=context.row.image.replace(STATE, context.state.code if context.state else "")
        if context.row.image
        else None,
        json_ld=_json_ld(document, path),
        alternates=(*data, *(feed_alternates(context.language) if context.row.has_feeds else ())),
    )


def _json_ld(document: RenderedDocument, path: str) -> list[dict[str, Any]]:
    """Return the page, the way to it, its visible questions, the data set (schema.org)."""
    context, url = document.context, document.context.settings.url
    publisher = {"@type": "Organization", "name": context.organization.common_name, "url": url}
    common = {
        "url": url + path,
        "name": document.title,
        "description": document.description,
        "inLanguage": TAGS[context.language],
    }
    web_page = {
        "@type": context.row.web_type,
        **common,
        "dateModified": document.updated,
        "publisher": publisher,
    }
    steps = [(step or path, name) for step, name in trail(context, document.title)]
    items: list[dict[str, Any]] = [web_page]
    plain = _plain(context)
    questions = [
        {
            "@type": "Question",
            "name": plain(entry.title or ""),
            "acceptedAnswer": {"@type": "Answer", "text": plain(entry.text or "")},
        }
        for section in document.sections
        for entry in entries(document, section.questions)
    ]
    if questions:
        items.append({"@type": "FAQPage", "mainEntity": questions})
    data_path = _data_address(context) or address(context, "json", "en")
    if context.row.is_dataset and data_path:
        state = context.state
        area = {"spatialCoverage": {"@type": "State", "name": state.name}} if state else {}
        download = {
            "@type": "DataDownload",
            "encodingFormat": "application/json",
            "contentUrl": url + data_path,
        }
        items.append(
            {
                "@type": "Dataset",
                **common,
                **area,
                "license": f"https://spdx.org/licenses/{license_of(context)}.html",
                "creator": publisher,
                "distribution": [download],
            }
        )
    page, *others = ({"@context": "https://schema.org", **one} for one in items)
    return [page, json_ld.breadcrumbs(url, steps), *others]
