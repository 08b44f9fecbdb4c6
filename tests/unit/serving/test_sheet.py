"""The sheet for the fridge door: the same hours as the places' pages, one tagged page of PDF."""

import io
import json
import re
from datetime import UTC, datetime

import pdfplumber
import pytest

from serving.places.week import week_of
from serving.search.start import start_of_zip
from serving.site.sheet import MAX_PLACES, sheet_of
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

NOW = datetime(2026, 11, 21, 15, tzinfo=UTC)


@pytest.fixture(scope="module")
def release(town):
    store = ReleaseStore(town)
    return OpenRelease(store.folder(str(store.current())))


def _sheet(release, count=8, language="en"):
    start = start_of_zip(release, "10002")
    return sheet_of(release, start, MODE_TYPES["free"], count, NOW, language)


def test_openings_are_those_of_each_places_week(release) -> None:
    sheet = _sheet(release)
    records = (release.read_record(row) for row in range(len(release)))
    rows = {json.loads(text + b"}")["name"]: row for row, text in enumerate(records)}
    count = 0
    for at, day in enumerate(sheet.days):
        for opening in day.openings:
            week = week_of(release, rows[opening.name], NOW, "en")
            assert (week[at].name, week[at].hours) == (day.name, opening.hours)
            assert opening.name == sheet.places[opening.number - 1].name
            count += 1
    assert count


@pytest.mark.parametrize("count", [1, 2, 3])
def test_places_with_hours_come_first(release, count) -> None:
    count_with_hours = sum(place.has_hours for place in _sheet(release).places)
    places = _sheet(release, count).places
    assert len(places) == count
    assert sum(place.has_hours for place in places) == min(count_with_hours, count)
    assert [place.number for place in places] == list(range(1, count + 1))


@pytest.mark.parametrize("language", ["en", "es"])
def test_pdf_is_one_tagged_page_in_its_language(client, language) -> None:
    prefix = "/es" if language == "es" else ""
    answer = client.get(f"{prefix}/print/10002.pdf?places={MAX_PLACES}")
    assert answer.headers["content-type"] == "application/pdf"
    assert len(answer.content) < 200_000
    with pdfplumber.open(io.BytesIO(answer.content)) as pdf:
        assert len(pdf.pages) == 1
        catalog = pdf.doc.catalog
        assert catalog["MarkInfo"]["Marked"] is True
        assert catalog["Lang"].decode() == language
        text = pdf.pages[0].extract_text()
    page = client.get(f"{prefix}/print/10002?places={MAX_PLACES}").text
    numbers = re.findall(r"\(\d{3}\) \d{3}-\d{4}", page)
    assert numbers
    assert all(number in text for number in numbers)


def test_choices_are_bounded(client) -> None:
    few = client.get("/print/10002?places=1").text
    assert few.count("<li><strong>") < client.get("/print/10002?places=99").text.count(
        "<li><strong>"
    )
    assert client.get("/print/10002?mode=snap").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"), [("/print/00000", 404), ("/print/10002.exe", 404), ("/print/here", 400)]
)
def test_unknown_sheets_are_refused(client, path, status) -> None:
    assert client.get(path).status_code == status
