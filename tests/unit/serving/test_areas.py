"""Pages of ZIP codes, cities and counties agree with the API."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from serving.render.words import words
from tests.support.clients import open_client
from tests.support.pages import HTML, read_page
from tests.support.town import NEW_YORK, TODAY, cities, resources, write_town, zips

BASE = "http://127.0.0.1:8000"
COUNTY = {"county_fips": "36061", "county_name": "New York County"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The town with a county and a pantry whose hours are known for two days of the week."""
    folder = tmp_path_factory.mktemp("areas")
    rows = [row | COUNTY if row["zip"] in {"10002", "10003"} else row for row in resources()]
    days = [(TODAY + timedelta(days=n)).strftime("%a")[:2].upper() for n in (1, 3)]
    rows[0] |= {
        "schedules_json": msgspec.json.encode(
            [
                {
                    "freq": "WEEKLY",
                    "byday": ",".join(days),
                    "opens_at": "10:00",
                    "closes_at": "12:00",
                    "description": "open on holidays",
                }
            ]
        ).decode()
    }
    codes = [row | COUNTY if row["zip"] in {"10002", "10003"} else row for row in zips()]
    write_town(folder, resources=rows, zips=codes)
    with open_client(folder) as client:
        yield client


def links(root) -> list[str]:
    return [a.get("href") for a in root.iter(f"{HTML}a")]


def graph(root) -> dict[str, dict]:
    body = [msgspec.json.decode(s.text) for s in root.iter(f"{HTML}script") if s.text]
    return {entry["@type"]: entry for entry in body}


PAGES = ["/zip/10002", "/city/NY/new-york", "/county/36061", "/zip/82401", "/zip/10008"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_pages_are_valid_and_indexable(client, path, language) -> None:
    own, twin = (path, f"/es{path}") if language == "en" else (f"/es{path}", path)
    answer = client.get(own)
    assert answer.status_code == 200, answer.text
    root = read_page(answer)
    assert root.get("lang") == language
    assert len(list(root.iter(f"{HTML}h1"))) == 1
    assert 'name="robots"' not in answer.text
    heads = {(e.get("rel"), e.get("hreflang")): e.get("href") for e in root.iter(f"{HTML}link")}
    assert heads["canonical", None] == BASE + own
    assert {heads["alternate", "en"], heads["alternate", "es"]} == {BASE + own, BASE + twin}
    assert heads["alternate", "x-default"] == BASE + path
    assert graph(root)["BreadcrumbList"]["itemListElement"][-1]["item"] == BASE + own
    assert len(answer.content) < 40_000


def test_a_city_page_links_to_the_other_town_of_its_name(tmp_path) -> None:
    other = {**cities()[0], "place_name": "New York (Kings County)", "zip": "11201"}
    other |= {"search_name": "new york kings county", "lat": 40.69, "lng": -73.99}
    write_town(tmp_path, cities=[*cities(), other])
    with open_client(tmp_path) as client:
        page, twin = (client.get(f"/es/city/NY/new-york{end}") for end in ("", "-kings-county"))
    assert "/es/city/NY/new-york-kings-county" in links(read_page(page))
    assert "/es/city/NY/new-york" in links(read_page(twin))
    assert "New York (Kings County)" in twin.text


def test_a_zip_page_shows_the_results_of_the_search(client) -> None:
    root = read_page(client.get("/zip/10002"))
    cards = [a.get("href") for h in root.iter(f"{HTML}h3") for a in h.iter(f"{HTML}a")]
    more = next(href for href in links(root) if href.startswith("/search?") and "day" not in href)
    radius = parse_qs(urlsplit(more).query)["radius"][0]
    records = client.get(
        f"/api/resources/search?zip=10002&mode=free&radius={radius}&limit=10"
    ).json()
    page = read_page(client.get(f"/search?q=10002&radius={radius}"))
    heads = [a.get("href") for h in page.iter(f"{HTML}h2") for a in h.iter(f"{HTML}a")]
    assert cards == heads
    lead = words("areas", "en").lead(
        records["total_available"], total=records["total_available"], radius=radius
    )
    assert lead in client.get("/zip/10002").text
    items = graph(root)["ItemList"]
    assert [one["url"] for one in items["itemListElement"]] == [BASE + card for card in cards]
    assert items["numberOfItems"] == len(cards)


def test_days_count_as_the_filter_does(client) -> None:
    root = read_page(client.get("/zip/10002"))
    counts_by_day = []
    for row in root.iter(f"{HTML}tr"):
        link = next(row.iter(f"{HTML}a"), None)
        if link is None:
            continue
        query = parse_qs(urlsplit(link.get("href")).query)
        counts = [int(cell.text.replace(",", "")) for cell in row.iter(f"{HTML}td")]
        document = client.get(
            "/api/resources/search",
            params={
                "zip": "10002",
                "mode": "free",
                "radius": query["radius"][0],
                "day": query["day"][0],
            },
        ).json()
        is_far = bool(document["expanded"])
        assert counts[0] == (0 if is_far else document["total_available"])
        assert counts[1] + counts[2] == document["filtered_out_unknown"]
        counts_by_day.append(counts[0])
    assert len(counts_by_day) == 7
    assert set(counts_by_day) == {0, 1}


def test_counts_of_a_day_are_labelled_for_phones(client) -> None:
    root, w = read_page(client.get("/es/zip/10002")), words("areas", "es")
    rows = [row for row in root.iter(f"{HTML}tr") if row.getparent().tag == f"{HTML}tbody"]
    labels = [[cell.get("data-label") for cell in row.iter(f"{HTML}td")] for row in rows]
    assert labels == [[w.open, w.usual, w.unknown]] * 7


def test_a_search_in_a_county_links_its_page(client) -> None:
    text = client.get("/search", params={"q": "New York County, NY"}).text
    assert "<h1>Food help near New York County, NY</h1>" in text
    assert '<a href="/county/36061">' in text


def test_a_county_counts_its_own_places(client) -> None:
    root = read_page(client.get("/county/36061"))
    inside = [r for r in resources() if r["zip"] in {"10002", "10003"}]
    kinds = {"food_pantry", "soup_kitchen", "food_bank"}
    total = sum(r["resource_type"] in kinds for r in inside)
    assert words("areas", "en").lead_county(total, total=total) in client.get("/county/36061").text
    assert "/zip/10003" in links(root)
    assert "/city/NY/new-york" in links(root)


def test_pages_have_contacts(client) -> None:
    for path, bank in (("/zip/10002", "Second Food Bank"), ("/zip/82401", "Example Food Bank")):
        text = client.get(path).text
        assert bank in text
        assert 'href="tel:211"' in text
    far = client.get("/zip/82401").text
    assert "Far Pantry" not in far, "nobody asked for a place so far away"


def test_pages_link_their_neighbours(client) -> None:
    addresses = links(read_page(client.get("/es/zip/10002")))
    assert {"/es/zip/10003", "/es/city/NY/new-york", "/es/county/36061"} <= set(addresses)


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/zip/10002-1234", "/zip/10002"),
        ("/es/zip/100021234", "/es/zip/10002"),
        ("/city/ny/New%20York", "/city/NY/new-york"),
        ("/city/MN/saint-paul", "/city/MN/st-paul"),
        ("/es/city/gu/Hag%C3%A5t%C3%B1a", "/es/city/GU/hagatna"),
    ],
)
def test_other_spellings_redirect_to_the_page(client, path, leads_to) -> None:
    answer = client.get(path, follow_redirects=False)
    assert answer.status_code == 301
    assert answer.headers["location"] == leads_to
    assert client.get(leads_to).status_code == 200


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/zip/00000", "00000"),
        ("/es/zip/00000", "00000"),
        ("/zip/1000", "1000"),
        ("/zip/09012", "military"),
        ("/city/NY/nowhere-at-all", "Nowhere At All, NY"),
        ("/city/OR/salme", "Salem, OR"),
        ("/city/XX/salem", "Salem, XX"),
        ("/county/99999", "99999"),
        ("/zip/%3Cscript%3E", "&lt;script&gt;"),
    ],
)
def test_unknown_areas_are_404_with_a_search(client, path, message) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert message in answer.text
    assert 'content="noindex"' in answer.text
    assert "<script>" not in answer.text
    read_page(answer)
    assert 'name="q"' in answer.text
    assert 'href="tel:211"' in answer.text


def test_every_area_is_in_the_sitemap(client) -> None:
    index = client.get("/sitemap.xml").text
    sitemap_names = re.findall(r"/sitemaps/((?:zips|cities|counties)-\d+\.xml)", index)
    assert sitemap_names == ["zips-1.xml", "cities-1.xml", "counties-1.xml"]
    sitemaps = "".join(client.get(f"/sitemaps/{name}").text for name in sitemap_names)
    paths = set(re.findall(rf"<loc>{BASE}(/[^<]*)</loc>", sitemaps))
    with_point = {row["zip"] for row in zips() if "lat" in row}
    assert {f"/zip/{code}" for code in with_point} | {f"/es/zip/{code}" for code in with_point} == {
        path for path in paths if "/zip/" in path
    }
    assert "/city/MN/st-paul" in paths
    assert "/es/county/36061" in paths
    for path in sorted(paths):
        assert client.get(path, follow_redirects=False).status_code == 200, path


def test_a_page_reads_from_the_middle_of_its_place(client) -> None:
    assert NEW_YORK[0] == client.get("/api/resources/search?zip=10002").json()["location"]["lat"]
    assert words("areas", "en").notes.po_box in client.get("/zip/10008").text
    assert words("areas", "es").notes.rough in client.get("/es/zip/82401").text
