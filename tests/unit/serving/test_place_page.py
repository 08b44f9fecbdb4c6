"""The page of a place: its week, papers, ways, shares and corrections, and its card."""

import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import msgspec
import pytest

from schemas.hours.clock_words import capital, full_date
from serving.render.words import words
from tests.support.clients import open_client
from tests.support.pages import HTML, read_page
from tests.support.releases import resource
from tests.support.town import NEW_YORK, TODAY, write_town

NY = ZoneInfo("America/New_York")


def _weekly(days: list[int]) -> str:
    today = datetime.now(NY).date()
    codes = [(today + timedelta(days=n)).strftime("%a")[:2].upper() for n in days]
    rule = {
        "freq": "WEEKLY",
        "byday": ",".join(codes),
        "opens_at": "10:00",
        "closes_at": "12:00",
        "description": "open on holidays",
    }
    return msgspec.json.encode([rule]).decode()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places")
    point = {"lat": NEW_YORK[0] + 0.01, "lng": NEW_YORK[1]}
    fresh = {"source_updated_date": TODAY - timedelta(days=20)}
    rows = [
        resource(
            1,
            name="Week Pantry",
            address="1 Example Street",
            phone="(212) 555-0101",
            phone_e164="+12125550101",
            schedules_json=_weekly([0, 2]),
            required_documents=["photo_id", "proof_of_address"],
            requires_documents=True,
            audiences=["seniors"],
            minimum_age=60,
            food_types=["groceries"],
            **point,
            **fresh,
        ),
        resource(2, name="No Papers", requires_documents=False, **point, **fresh),
        resource(5, name="No ID", requires_id=False, **point, **fresh),
        resource(9, name="Told", notes="Ring 212-555-0199 at the door.", **point, **fresh),
        resource(
            3,
            name="Old Hours",
            schedules_json=_weekly([1]),
            source_updated_date=TODAY - timedelta(days=400),
            **point,
        ),
        resource(
            6,
            name="Half Read",
            schedules_json='[{"freq":"WEEKLY","byday":"MO","opens_at":"10:00","closes_at":"12:00"},'
            '{"description":"part of the text could not be read"}]',
            source_updated_date=TODAY - timedelta(days=400),
            **point,
        ),
        resource(
            4,
            name="Shelter",
            is_confidential=True,
            schedules_json=_weekly([0]),
            location_precision="zip",
            **point,
            **fresh,
        ),
    ]
    write_town(folder, resources=rows)
    with open_client(folder) as client:
        yield client


def text_of(element) -> str:
    return " ".join("".join(element.itertext()).split())


def week(root) -> list[tuple[str, str, bool]]:
    """Name of the day, hours, and whether it is marked as today."""
    rows = []
    for row in root.iter(f"{HTML}tr"):
        cells = [text_of(cell) for cell in row if cell.tag in (f"{HTML}th", f"{HTML}td")]
        if row.getparent().tag == f"{HTML}tbody":
            rows.append((*cells, row.get("class") == "now"))
    return rows


@pytest.mark.parametrize(("prefix", "language"), [("", "en"), ("/es", "es")])
@pytest.mark.parametrize("page", ["", "/card"])
def test_a_week_begins_today(client, prefix, language, page) -> None:
    rows = week(read_page(client.get(f"{prefix}/place/1{page}")))
    today = datetime.now(NY).date()
    names = [capital(full_date(today + timedelta(days=n), language)) for n in range(7)]
    w, closed_words = words("site", language), words("place", language).closed_all_day
    assert [name for name, _, _ in rows] == [f"{names[0]} ({w.today})", *names[1:]]
    assert [is_today for *_, is_today in rows] == [True] + [False] * 6
    opens = "10 a.m. to noon" if language == "en" else "de 10 a. m. a mediodía"
    assert [hours for _, hours, _ in rows] == [
        opens if n in (0, 2) else closed_words for n in range(7)
    ]


@pytest.mark.parametrize("page", ["", "/card"])
def test_an_unknown_week_has_no_table(client, page) -> None:
    root = read_page(client.get(f"/place/6{page}"))
    assert week(root) == []
    assert "could not be read" in text_of(root)
    assert words("site", "en").day_unknown not in text_of(root)


def test_old_hours_are_usual_hours(client) -> None:
    text, w = client.get("/place/3").text, words("site", "en")
    assert w.week_usual in text
    assert w.week not in text
    assert "Usually" in text
    assert {hours for _, hours, _ in week(read_page(client.get("/place/3")))} == {
        "usually 10 a.m. to noon",
        "usually closed",
    }
    assert w.week in client.get("/place/1").text
    # The age of the hours stands above, once; the table needs no sentence of them.
    text = text_of(read_page(client.get("/place/3")))
    assert "(checked " in text
    assert "Hours confirmed" not in text
    assert "a check of" not in text


def test_documents_are_required_not_required_or_unknown(client) -> None:
    w = words("site", "es")
    first = client.get("/es/place/1").text
    assert "Lleve una identificación con foto y un comprobante de domicilio." in first
    p = words("place", "es")
    assert p.papers_none in client.get("/es/place/2").text
    assert w.papers_unknown in client.get("/es/place/3").text
    for path in ("/es/place/5", "/es/place/5/card"):
        assert p.id_none in client.get(path).text
        assert w.papers_unknown not in client.get(path).text


def test_audiences_and_services(client) -> None:
    text = client.get("/place/1").text
    assert "Older people" in text
    assert words("site", "en").ages.least.format(low=60) in text
    assert "Groceries" in text
    assert words("site", "en").people_unknown in client.get("/place/2").text


def test_ways_name_the_address_and_no_other_origin_is_loaded(client) -> None:
    root = read_page(client.get("/place/1"))
    links = [a.get("href") for a in root.iter(f"{HTML}a")]
    directions = {
        urlsplit(href).hostname: parse_qs(urlsplit(href).query)
        for href in links
        if href.startswith("https://") and "travelmode=transit" not in href
    }
    address = "1 Example Street, New York, NY 10002"
    assert directions["www.google.com"]["destination"] == [address]
    assert directions["maps.apple.com"]["daddr"] == [address]
    assert directions["www.openstreetmap.org"]["to"] == ["40.725700,-73.986300"]
    addresses = [e.get("src") or e.get("href") for e in root.iter(f"{HTML}img", f"{HTML}script")]
    addresses += [e.get("href") for e in root.iter(f"{HTML}link") if e.get("rel") == "stylesheet"]
    assert all(path is None or path.startswith("/static/") for path in addresses)


def test_a_hidden_door_has_no_ways(client) -> None:
    for path in ("/place/4", "/place/4?near=10002", "/place/4/card"):
        text = client.get(path).text
        assert "maps" not in re.sub(r"<head>.*?</head>", "", text, flags=re.S)
        assert "straight line" not in text
        assert "data-map" not in text
        assert week(read_page(client.get(path))) == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/place/1?near=10002", "0.7 miles away from New York, NY 10002, in a straight line."),
        ("/es/place/1?near=10002", "A 0.7 millas de New York, NY 10002, en línea recta."),
        ("/place/1?near=40.7157, -73.9863", "0.7 miles away from New York, NY 10002"),
        ("/place/1?near=Nirgendwo", words("site", "en").not_known.format(text="Nirgendwo")),
        ("/place/1?near=%3Cscript%3E", "&lt;script&gt;"),
    ],
)
def test_a_page_opened_from_a_search_names_the_distance(client, path, message) -> None:
    answer = client.get(path)
    assert message in answer.text
    assert 'content="noindex"' in answer.text
    assert 'content="noindex"' not in client.get("/place/1").text


def test_sharing_links_name_the_place(client) -> None:
    root = read_page(client.get("/place/1"))
    links = {urlsplit(a.get("href")).scheme: a.get("href") for a in root.iter(f"{HTML}a")}
    for scheme in ("sms", "mailto"):
        body = parse_qs(links[scheme].partition("?")[2])["body"][0]
        assert "Week Pantry" in body
        assert body.endswith("/place/1")


def test_a_card_has_directions_and_contact(client) -> None:
    answer = client.get("/place/1/card")
    root = read_page(answer)
    text = text_of(root)
    for part in ("Week Pantry", "1 Example Street", "(212) 555-0101", "Bring a photo ID and proof"):
        assert part in text
    assert "http://127.0.0.1:8000/place/1" in text
    pictures = [e.get("src") for e in root.iter(f"{HTML}img")]
    assert len(pictures) == 1
    assert pictures[0].startswith("data:image/svg+xml")
    assert 'content="noindex"' in answer.text
    assert len(answer.content) < 20_000
    assert client.get("/place/99/card").status_code == 404


def test_a_page_links_its_city_and_zip_code(client) -> None:
    links = [a.get("href") for a in read_page(client.get("/es/place/1")).iter(f"{HTML}a")]
    assert {"/es/city/NY/new-york", "/es/zip/10002"} <= set(links)


@pytest.mark.parametrize(("resource_id", "is_said"), [(5, True), (9, False)])
def test_no_phone_is_said_to_be_missing_above_a_text_that_has_it(client, resource_id, is_said):
    text = client.get(f"/place/{resource_id}").text
    assert ("No phone" in text) is is_said
    assert ("212-555-0199" in text) is not is_said
