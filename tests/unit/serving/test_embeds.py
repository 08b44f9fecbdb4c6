"""Embeds on other sites: escaped, framed here only, and equal to the API."""

import json
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import html5lib
import pytest

from tests.support.clients import Client, open_client
from tests.support.releases import identity, resource
from tests.support.town import resources, write_town
from warehouse.index.live_overlay import LiveEntry

HOSTILE = '</text><script>alert("1")</script>\'&amp;\x01 ]]> O’Brien’s Ñandú Ejército <img src=x onerror=y> {{ 7*7 }} \u202e'
LONG = "Saint " * 40 + "Supercalifragilisticexpialidocious" * 6
BASE = "http://127.0.0.1:8000"
PNG_LIMIT = 300_000


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """The town, with names that try to break out, an id that was merged and one that is retired."""
    folder = tmp_path_factory.mktemp("embeds")
    more = [
        resource(
            801,
            name=HOSTILE,
            address='1 "Quote" <b> Street',
            phone="(212) 555-0101",
            phone_e164="+12125550101",
            lat=40.766,
            lng=-73.98,
            organization="<i>Org</i>",
        ),
        resource(802, name=LONG, lat=40.767, lng=-73.98),
        resource(
            803,
            name="Example Shelter",
            city="New York",
            is_confidential=True,
            location_precision="city",
            lat=40.7,
            lng=-73.9,
        ),
    ]
    ended = [identity(900, "merged", 101), identity(901, "retired")]
    write_town(folder, resources=resources() + more, identities=ended)
    with open_client(folder) as client:
        yield client


PAGES = [
    "/embed/widget",
    "/embed/widget?zip=10002",
    "/embed/widget?zip=10002&lang=es&theme=dark&limit=20&compact=1&ref=clinic",
    "/api/widget?zip=10002",
    "/embed/widget?zip=Nowhereville",
    f"/embed/widget?zip={quote(HOSTILE)}",
    "/embed/pantry/101",
    "/embed/pantry/801?theme=dark&lang=es",
    "/embed/pantry/802",
    "/embed/catalog",
    "/es/embed/catalog?theme=dark",
    "/badges",
    "/es/badges",
    "/badge/101",
    "/es/badge/801",
    "/badge/801",
]
FRAMED = ("/embed/", "/api/widget", "/es/embed/")


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_valid_html_with_frame_ancestors(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    html5lib.HTMLParser(strict=True).parse(answer.text)
    ancestors = "*" if path.startswith(FRAMED) else "'self'"
    policy = answer.headers["content-security-policy"]
    assert f"frame-ancestors {ancestors}" in policy
    assert "script-src 'self'" in policy
    assert "x-frame-options" not in answer.headers
    language = "es" if path.startswith("/es/") or "lang=es" in path else "en"
    assert f'<html lang="{language}"' in answer.text
    assert ('data-theme="dark"' in answer.text) == ("theme=dark" in path)
    # A frame that asks for it is dark on every device.
    assert ('<style media="screen">' in answer.text) == ("theme=dark" in path)


def test_a_card_has_its_parts_in_order(client: Client) -> None:
    text = client.get("/embed/widget?zip=10002").text
    card = text[text.index("Example Pantry East") :]
    marks = [
        "Example Pantry East",
        "miles away",
        "1 Example Street",
        "Open now",
        'href="tel:+12125550101"',
        "maps/dir",
        "confirmed",
    ]
    assert [card.index(mark) for mark in marks] == sorted(card.index(mark) for mark in marks)


def test_a_live_report_is_shown_and_escaped(client: Client) -> None:
    now = datetime.now(UTC)
    text = json.dumps(
        {
            "status": "out_of_stock",
            "notes": HOSTILE,
            "inventory": {},
            "reported_at": now.isoformat(),
            "expires_at": now.isoformat(),
            "is_confirmed": True,
        }
    )
    entry = LiveEntry("out_of_stock", True, now, now + timedelta(hours=1), text)
    release = client.app.state["context"].watch.release
    release.live.put(101, entry)
    try:
        for path in ("/embed/pantry/101", "/embed/widget?zip=10002"):
            page = client.get(path).text
            assert "Out of food" in page
            assert "reported by the place" in page
            assert "just now" in page
            assert "<script>alert" not in page
        assert "Se acabó la comida" in client.get("/embed/pantry/101?lang=es").text
        assert (
            client.get("/api/embed/pantry/101.json").json()["live_status"]["status"]
            == "out_of_stock"
        )
    finally:
        release.live.put(101, None)


def test_a_short_list_has_the_four_things_and_the_doubt(client: Client) -> None:
    text = client.get("/embed/widget?zip=10002&compact=1&limit=1").text
    assert "miles away" in text
    assert "tel:+12125550101" in text
    assert "1 Example Street" not in text.replace("1+Example+Street", "")
    assert "Hours confirmed 3 weeks ago." in text


@pytest.mark.parametrize(
    ("query", "visible", "hidden"),
    [
        ("zip=10002", "Free food.", "Example Market"),
        ("zip=10002&mode=snap", "Example Market", "Example Pantry East"),
        (
            "zip=10002&mode=nonsense&limit=nonsense&theme=pink&ref=%3Cb%3E&compact=maybe",
            "Example Pantry East",
            "&lt;b&gt;&amp;",
        ),
        ("zip=10002&limit=1", "Example Pantry East", "Kitchen"),
        ("zip=10002&limit=99999999", "Example Pantry East", "Example Market"),
        ("zip=82401", "We list no free food within 50 miles of 82401.", "Example Pantry East"),
        (
            "zip=82401&lang=es",
            "No tenemos comida gratis en la lista a menos de 50 millas de 82401.",
            "We list no",
        ),
        ("zip=00000", "We cannot find “00000”", "miles away"),
        ("zip=Adakk", "Adak, AK", "miles away"),
        ("zip=10002&ref=my-clinic", "ref=my-clinic", "Example Market"),
        ("", "Find food near you", "miles away"),
    ],
)
def test_a_widget_follows_its_query(client: Client, query: str, visible: str, hidden: str) -> None:
    text = client.get(f"/embed/widget?{query}").text
    assert visible in text
    assert hidden not in text


def test_a_shelter_has_no_door_anywhere(client: Client) -> None:
    place = client.get("/api/embed/pantry/803.json").json()
    assert place["directions_url"] is None
    assert place["is_doubtful"]
    assert "maps/dir" not in client.get("/embed/pantry/803").text


# ---------------------------------------------------------------- ids that are not listed


@pytest.mark.parametrize(
    "template",
    [
        "/embed/pantry/{}",
        "/embed/pantry/{}?theme=dark&lang=es",
        "/api/embed/pantry/{}.json",
        "/badge/{}.svg",
        "/badge/{}",
        "/es/badge/{}",
        "/og/resource/{}",
        "/og/resource/{}.png",
        "/og/resource/{}-es.png",
    ],
)
def test_ids_that_are_not_listed(client: Client, template: str) -> None:
    redirect = client.get(template.format(900), follow_redirects=False)
    assert (redirect.status_code, redirect.headers["location"]) == (301, template.format(101))
    assert client.get(template.format(101)).status_code == 200
    assert client.get(template.format(901)).status_code == 410
    assert client.get(template.format(999999999)).status_code == 404


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize(
    ("path", "size"),
    [
        *(
            (f"/og/resource/{i}{ending}", (1200, 630))
            for i in (101, 801, 802, 803)
            for ending in ("", "-es.png")
        ),
        *(
            (f"/og/{kind}/{name}", (1200, 630))
            for kind in ("atlas", "press")
            for name in ("ny", "GU-es", "DC-es.png")
        ),
        *((f"/badge/{name}", (240, 60)) for name in ("108.svg", "801.svg?lang=es", "802.svg")),
    ],
)
def test_pictures(client: Client, path: str, size: tuple[int, int]) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert answer.headers["access-control-allow-origin"] == "*"
    if ".png" in path:
        assert answer.headers["content-type"] == "image/png"
        assert struct.unpack(">II", answer.content[16:24]) == size
        assert len(answer.content) < PNG_LIMIT
        return
    assert answer.headers["content-type"] == "image/svg+xml"
    root = ElementTree.fromstring(answer.content)
    assert (root.get("width"), root.get("height")) == tuple(str(side) for side in size)
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names <= {"svg", "title", "rect", "path", "circle", "g", "text"}
    assert not any(
        "href" in name or name.startswith("on") for e in root.iter() for name in e.attrib
    )
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text.get("x", "-1")) < size[0]
        assert 0 <= float(text.get("y", "-1")) <= size[1]


def _text(client: Client, path: str) -> str:
    return " ".join(ElementTree.fromstring(client.get(path).content).itertext())


def test_accents_and_apostrophes_are_right(client: Client) -> None:
    text = _text(client, "/og/resource/801")
    assert "O’Brien’s Ñandú Ejército" in text.replace("  ", " ")
    assert "\u202e" not in text
    assert "…" in _text(client, "/og/resource/802")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/badge/108.svg", ("VERIFIED ON",)),
        ("/badge/108.svg?lang=es", ("VERIFICADO EL", " de ")),
        ("/badge/101.svg", ("LISTED",)),
        ("/badge/101.svg?lang=es", ("EN LA LISTA",)),
        ("/og/resource/803", ("Address not published",)),
        (
            "/og/resource/101-es",
            ("Despensa de alimentos", "Llame antes de ir: (212) 555-0101", "Lugar inventado"),
        ),
        ("/og/press/NY", ("Press: food help in", "New York")),
        ("/og/atlas/US", ("Food help in", "the United States")),
        ("/og/atlas/US-es", ("Ayuda alimentaria en", "los Estados Unidos")),
        ("/og/atlas/DC-es", ("Ayuda alimentaria en", "Distrito de Columbia")),
    ],
)
def test_texts_of_pictures(client: Client, path: str, words: tuple[str, ...]) -> None:
    text = _text(client, path)
    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize(
    ("path", "image"),
    [
        ("/es/", "/og/atlas/US-es"),
        ("/zip/10002", "/og/atlas/NY"),
        ("/es/city/NY/new-york", "/og/atlas/NY-es"),
        ("/place/101", "/og/resource/101"),
    ],
)
def test_every_page_has_a_card_that_exists(client: Client, path: str, image: str) -> None:
    text = client.get(path).text
    assert f'property="og:image" content="http://127.0.0.1:8000{image}.png"' in text
    assert client.get(f"{image}.png").headers["content-type"] == "image/png"


# ---------------------------------------------------------------- catalog and JSON

CATALOG = {
    "search-widget": ("iframe", ["zip", "mode", "theme", "limit", "ref", "compact"]),
    "pantry-card": ("iframe", ["theme"]),
    "verified-badge": ("svg-image", None),
    "pantry-json": ("json-api", None),
    "og-state": ("svg-image", None),
    "og-resource": ("svg-image", None),
    "hsds-feed": ("json-api", None),
    "wp-plugin": ("wordpress-plugin", None),
    "mcp-server": ("mcp", None),
}


def test_the_catalog_has_the_nine_items(client: Client) -> None:
    document = client.get("/api/embed/catalog.json").json()
    assert list(document) == [
        "generated_at",
        "version",
        "organization",
        "items_count",
        "items",
        "license",
        "contact",
        "docs",
    ]
    assert document["items_count"] == 9
    assert {i["id"]: (i["type"], i.get("params")) for i in document["items"]} == CATALOG
    page = client.get("/embed/catalog").text
    for item in document["items"]:
        assert item["docs_url"] == f"{BASE}/embed/catalog#{item['id']}"
        assert f'id="{item["id"]}"' in page
        assert item["license"] == document["license"]
        assert item["cost"] == 0


def test_one_place_as_json(client: Client) -> None:
    place = client.get("/api/embed/pantry/801.json").json()
    assert place["name"] == client.get("/api/resources/801").json()["name"]
    assert place["address"] == '1 "Quote" <b> Street, New York, NY 10002'
    assert place["badges"][0]["label"] == "LISTED ON"
    # The date is that of the record: no list dates this place.
    assert place["badges"][0]["date"] == client.get("/api/resources/801").json()["listed_date"]
    for name in ("embed_url", "image_url"):
        assert client.get(place[name].removeprefix(BASE)).status_code == 200
    verified = client.get("/api/embed/pantry/108.json").json()
    assert verified["badges"][0]["id"] == "verified"
    record = client.get("/api/resources/108").json()
    assert verified["badges"][0]["date"] == record["last_verified_date"] is not None


# ---------------------------------------------------------------- oEmbed


def _oembed(client: Client, url: str, **more: Any) -> Any:
    return client.get("/oembed", params={"url": url, **more})


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/embed/pantry/101", (420, 380)),
        ("/place/101", (420, 380)),
        ("/es/place/101", (420, 380)),
        ("/badge/101", (420, 380)),
        ("/embed/pantry/900", (420, 380)),
        ("/embed/widget?zip=10002&theme=dark", (520, 500)),
        ("/api/widget", (520, 500)),
    ],
)
def test_oembed(client: Client, path: str, size: tuple[int, int]) -> None:
    document = _oembed(client, BASE + path).json()
    assert (document["type"], document["version"]) == ("rich", "1.0")
    assert (document["width"], document["height"]) == size
    frame = html5lib.parseFragment(document["html"], namespaceHTMLElements=False).find("iframe")
    assert frame.get("width") == str(size[0])
    assert frame.get("title")
    assert client.get(frame.get("src").removeprefix(BASE)).status_code == 200
    thumbnail = [name for name in document if name.startswith("thumbnail_")]
    assert len(thumbnail) in {0, 3}


@pytest.mark.parametrize(
    "room",
    [
        {"maxheight": 100},
        {"maxwidth": 300, "maxheight": 300},
        {"maxwidth": 9999},
    ],
)
def test_oembed_respects_maximum_sizes(client: Client, room: dict[str, int]) -> None:
    for path in ("/embed/pantry/801", "/embed/widget"):
        document = _oembed(client, BASE + path, **room).json()
        assert document["width"] <= room.get("maxwidth", 10_000)
        assert document["height"] <= room.get("maxheight", 10_000)
        assert document.get("thumbnail_width", 0) <= room.get("maxwidth", 10_000)


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"url": f"{BASE}/embed/pantry/999999999"}, 404),
        ({"url": f"{BASE}/embed/pantry/901"}, 404),
        ({"url": f"{BASE}/releases"}, 404),
        ({"url": "https://elsewhere.example/embed/pantry/101"}, 404),
        ({"url": "javascript:alert(1)"}, 404),
        ({"url": "http://[bad/embed"}, 404),
        ({"url": f"{BASE}/embed/pantry/101", "format": "yaml"}, 501),
        ({}, 400),
        ({"url": f"{BASE}/embed/pantry/101", "maxwidth": "0"}, 400),
    ],
)
def test_oembed_refuses(client: Client, params: dict[str, str], status: int) -> None:
    assert client.get("/oembed", params=params).status_code == status


def test_oembed_as_xml_equals_json(client: Client) -> None:
    url = f"{BASE}/embed/pantry/801"
    answer = _oembed(client, url, format="xml")
    assert answer.headers["content-type"] == "text/xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)
    assert root.tag == "oembed"
    assert {e.tag: e.text for e in root} == {
        k: str(v) for k, v in _oembed(client, url).json().items()
    }


@pytest.mark.parametrize(
    "path", ["/embed/pantry/801?lang=es", "/embed/widget?zip=10002", "/badge/101"]
)
def test_pages_link_their_oembed(client: Client, path: str) -> None:
    tree = html5lib.parse(client.get(path).text, namespaceHTMLElements=False)
    links = {
        e.get("type"): e.get("href") for e in tree.iter("link") if "oembed" in e.get("type", "")
    }
    assert set(links) == {"application/json+oembed", "text/xml+oembed"}
    for address in links.values():
        assert client.get(address.removeprefix(BASE)).status_code == 200
