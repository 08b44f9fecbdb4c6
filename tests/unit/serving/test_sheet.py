"""The sheet for the fridge door: the same hours as the places' pages, one tagged page of PDF."""

import io
import json
import re
from datetime import UTC, datetime
from urllib.parse import unquote

import pdfplumber
import pytest

from serving.places.view import week_of
from serving.render.assets import static_files
from serving.search.find import Page, Query, find
from serving.search.start import start_of_zip
from serving.site.sheet import MAX_PLACES, sheet_of
from tests.support.clients import open_client
from tests.support.releases import resource
from tests.support.town import write_town
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

NOW = datetime(2026, 11, 21, 15, tzinfo=UTC)


def _sheet(release, count=8, language="en"):
    start = start_of_zip(release, "10002")
    return sheet_of(release, start, MODE_TYPES["free"], count, NOW, language)


def test_columns_are_those_of_each_places_week(release) -> None:
    sheet = _sheet(release)
    records = (release.read_record(row) for row in range(len(release)))
    rows = {json.loads(text + b"}")["name"]: row for row, text in enumerate(records)}
    count = 0
    for place in sheet.places:
        week = week_of(release, rows[place.name], NOW, "en") or []
        for day, cell, name in zip(week, place.cells, sheet.days, strict=bool(place.cells)):
            assert (day.name, day.hours or "not known") == (name, cell.text)
            assert cell.is_open == day.is_open
            count += cell.is_open
    assert count


def test_places_for_others_are_left_out(tmp_path) -> None:
    limits = {
        1: {},
        2: {"service_areas": ["zip:10003"], "is_service_area_exclusive": True},
        3: {"service_areas": ["zip:10002"], "is_service_area_exclusive": True},
        4: {"audiences": ["students"]},
        5: {"audiences": ["everyone", "seniors"]},
    }
    rows = [resource(n, service_area_text="Some", **limit) for n, limit in limits.items()]
    release_id = write_town(tmp_path, resources=rows)
    release = OpenRelease(ReleaseStore(tmp_path).folder(release_id))
    names = {place.name for place in _sheet(release).places}
    assert names == {resource(n)["name"] for n in (1, 3, 5)}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_places_with_hours_come_first(release, count) -> None:
    count_with_hours = sum(bool(place.cells) for place in _sheet(release).places)
    places = _sheet(release, count).places
    assert len(places) == count
    assert sum(bool(place.cells) for place in places) == min(count_with_hours, count)


def test_a_page_has_as_many_places_as_fit_and_says_how_many_more_there_are(release, client) -> None:
    start = start_of_zip(release, "10002")
    total = find(release, start, Query(MODE_TYPES["free"], None, Page(1)), NOW).total
    sheet = _sheet(release, MAX_PLACES)
    assert 0 < len(sheet.places) < MAX_PLACES
    assert sheet.more == total - len(sheet.places)
    for prefix, words in (
        ("", "more places within 25 miles"),
        ("/es", "lugares más a menos de 25"),
    ):
        assert re.search(rf"\b\d+ {words}", client.get(f"{prefix}/print/10002").text)


def test_a_sheet_and_a_printed_list_say_what_to_bring(tmp_path) -> None:
    papers = ["identification", "proof_of_address"]
    rows = [
        resource(1, required_documents=papers, requires_documents=True, requires_id=True),
        resource(2, requires_id=False),
    ]
    release_id = write_town(tmp_path, resources=rows)
    release = OpenRelease(ReleaseStore(tmp_path).folder(release_id))
    facts = [place.facts for place in _sheet(release).places]
    assert any("Bring an ID and proof of your address." in one for one in facts)
    assert any("You do not need an ID, according to its listing." in one for one in facts)
    spanish = [place.facts for place in _sheet(release, language="es").places]
    assert any("Lleve una identificación y un comprobante de domicilio." in one for one in spanish)
    with open_client(tmp_path) as other:
        page = other.get("/search?q=10002").text
        assert '<p class="small paper">Bring an ID and proof of your address.</p>' in page


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


def test_a_printed_list_has_telephones_and_complete_hours(client) -> None:
    style = static_files()["style.css"].body.decode()
    printed = style[style.index("@media print") :]
    assert '.actions>:not([href^="tel:"])' in printed, "the buttons go, the telephone stays"
    text = client.get("/search?q=10002").text
    assert 'href="tel:' in text
    assert re.search(r'<p class="small paper">[^<]+', text)


def test_a_list_is_sent_with_its_telephones(client) -> None:
    text = client.get("/search?q=10002").text
    message = unquote(re.search(r'href="sms:\?&amp;body=([^"]+)"', text)[1])
    lines = message.splitlines()
    assert len(lines) == 7
    assert lines[-1].endswith("/search?q=10002")
    assert any(re.search(r", \(\d{3}\) \d{3}-\d{4}$", line) for line in lines[1:-1])
    # The address of a search from a device has its point.
    device = client.get("/search?lat=40.7157&lng=-73.9863").text
    assert "sms:" not in device


def test_choices_are_bounded(client) -> None:
    row = '<th scope="rowgroup"'
    few = client.get("/print/10002?places=1").text
    assert few.count(row) == 1
    most = client.get(f"/print/10002?places={MAX_PLACES}").text
    assert client.get("/print/10002?places=99").text.count(row) == most.count(row) > 1
    assert client.get("/print/10002?mode=snap").status_code == 200
