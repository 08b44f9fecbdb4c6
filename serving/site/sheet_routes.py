"""The sheet for the fridge door as a page and as PDF."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
import segno
from litestar import get
from litestar.params import FromPath, QueryParameter
from litestar.types import Scope

from schemas.hours.clock_words import full_date
from schemas.languages import languages
from schemas.vocab.resource_types import MODES
from serving.context import context_of
from serving.http.answers import MINUTE, Answer
from serving.http.errors import ServiceProblem, release_of
from serving.reference.organization import facts, organization_of
from serving.render.formats import number
from serving.render.page import as_host, page, page_head, page_of_minute
from serving.render.words import Language, finder_paths, path_language, paths_of, words
from serving.search.find import choose_types
from serving.search.start import Start, start_of_zip
from serving.site.area_links import zip_path
from serving.site.sheet import MAX_PLACES, Sheet, sheet_of
from warehouse.index.reader import OpenRelease

PDF = b"application/pdf"
_WORDS = "sheet"
# Any of the eight is read as well; to try them all takes longer than the rest of the page.
QR_MASK = 2
# Text sizes in points, largest first: the first that fits on one page is used.
_SIZES = ("14", "13", "12", "11", "10")
# Scripts of the fonts of Typst; pages in other scripts are printed from the browser.
_PDF_SCRIPTS = frozenset({"Latn", "Cyrl"})
_SOURCE = Path(__file__).with_name("sheet.typ").read_bytes()

ModeText = Annotated[str, QueryParameter(name="mode", max_length=20)]
PlacesText = Annotated[str, QueryParameter(name="places", max_length=4)]


@get(finder_paths("/print/{code:str}"), include_in_schema=False)
async def sheet(
    scope: Scope,
    code: FromPath[str],
    mode: ModeText = "free",
    places_text: PlacesText = str(MAX_PLACES),
) -> Answer:
    """Return the sheet of a ZIP code as a page, with `.pdf` as PDF/UA. `mode`: kind of place;
    `places`: at most how many, to 10."""
    language, release, now = path_language(scope), release_of(scope), datetime.now(UTC)
    zip_code, _, ending = code.partition(".")
    has_pdf = languages()[language].script in _PDF_SCRIPTS
    if ending not in ("", "pdf") or (ending and not has_pdf):
        raise ServiceProblem("not-found", f"There is no sheet {code[:20]!r}.")
    start = start_of_zip(release, zip_code)
    mode = mode if mode in MODES or mode == "all" else "free"
    count = _count(places_text)

    async def make() -> tuple[Answer, None]:
        types = choose_types(None if mode == "all" else mode, None)
        contents = await asyncio.to_thread(sheet_of, release, start, types, count, now, language)
        return await _sheet_page(scope, contents, start, zip_code, mode, count, bool(ending)), None

    answer, _ = await page_of_minute(scope, now, make)
    return answer


async def _sheet_page(
    scope: Scope,
    contents: Sheet,
    start: Start,
    zip_code: str,
    mode: str,
    count: int,
    is_pdf: bool,
) -> Answer:
    language, release = path_language(scope), release_of(scope)
    w = words(_WORDS, language)
    day = full_date(contents.today, language)
    town = ", ".join(part for part in (start.location.city, start.location.state) if part)
    place = f"{town} {zip_code}".strip()
    address = context_of(scope).settings.url + paths_of(zip_path(zip_code), language)[0]
    title = str(w.title[mode if mode in ("free", "snap") else "other"]).format(place=place)
    values: dict[str, Any] = {
        "title": title,
        "lead": w.lead.format(day=day),
        "scan": w.more(
            contents.more, count=number(contents.more, language), radius=f"{contents.radius:g}"
        )
        if contents.more
        else w.scan,
        "address": address,
        "code": segno.make(address, error="m", mask=QR_MASK).svg_data_uri(scale=4, border=2),
    }
    if is_pdf:
        body = await asyncio.to_thread(_pdf, scope, release, contents, values, language)
        return _pdf_answer(body, f"food-{zip_code}-{language}.pdf")
    query = urlencode({"mode": mode, "places": count})
    head = page_head(
        scope, f"/print/{zip_code}", title, title, query=query, is_indexed=False, is_bare=True
    )
    has_pdf = languages()[language].script in _PDF_SCRIPTS
    return page(
        scope,
        "sheet.html",
        head,
        max_age=MINUTE,
        words_of=_WORDS,
        sheet=contents,
        modes=[*MODES, "all"],
        mode=mode,
        count=count,
        most=MAX_PLACES,
        pdf=f"{head.path}.pdf?{query}" if has_pdf else None,
        zip_page=paths_of(zip_path(zip_code), language)[0],
        s=words("site", language),
        **values,
    )


def _pdf_answer(body: bytes, name: str) -> Answer:
    disposition = f'inline; filename="{name}"'.encode()
    headers = ((b"content-disposition", disposition),)
    return Answer(body, media_type=PDF, max_age=MINUTE, headers=headers)


def _count(text: str) -> int:
    return max(1, min(int(text), MAX_PLACES)) if text.isdecimal() else MAX_PLACES


def _pdf(
    scope: Scope, release: OpenRelease, contents: Sheet, values: dict[str, Any], language: Language
) -> bytes:
    """Return the sheet as a tagged PDF (PDF/UA-1), the same for the same content."""
    w, t, local = words(_WORDS, language), words("layout", language), facts().local
    code = segno.make(values["address"], error="m", mask=QR_MASK).svg_inline(scale=4, border=2)
    notes = [t.draft] if languages()[language].is_draft else []
    notes += [t.synthetic] if release.is_synthetic else []
    contacts = [
        {
            "name": c.name,
            "text": c.text[language],
            "phone": None if c.phone == c.name else c.phone,
            "url": c.url and as_host(c.url),
        }
        for c in contents.contacts
    ]
    data = {
        **values,
        "code": code.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
        "language": language,
        "author": organization_of(context_of(scope).settings).common_name,
        "days": contents.days,
        "places": [
            asdict(place) | {"cells": [cell._asdict() for cell in place.cells]}
            for place in contents.places
        ],
        "contacts": contacts,
        "help_line": str(t.help_line).format(local=local.number) if local else None,
        "synthetic": " ".join(notes) or None,
        "words": {name: word for name, word in w.items() if isinstance(word, str)},
    }
    inputs = {"data": msgspec.json.encode(data).decode()}
    size = next((size for size in _SIZES if _fits({**inputs, "size": size})), _SIZES[-1])
    body = _compile(
        {**inputs, "size": size},
        format="pdf",
        pdf_standards=["ua-1"],
        timestamp=0,
    )
    assert isinstance(body, bytes), "PDF is one file"
    return body


def _fits(inputs: dict[str, str]) -> bool:
    """Return whether the sheet takes one page: pictures of pages come as a list."""
    return not isinstance(_compile(inputs, format="svg"), list)


def _compile(inputs: dict[str, str], **options: Any) -> Any:
    # A compiler with its fonts, for sheets on paper alone.
    import typst  # noqa: PLC0415

    return typst.compile(_SOURCE, sys_inputs=inputs, ignore_system_fonts=True, **options)
