"""The finder as pages: usable without JavaScript, in two languages, nothing broken out of."""

import re
from base64 import b64encode
from hashlib import sha256

import msgspec
import pytest

from serving.places import json_ld
from serving.render.assets import asset, style_sheet
from serving.render.words import words
from tests.support.pages import HTML, read_page


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/search?q=10002", 200),
        ("/es/search?q=10002&mode=all", 200),
        ("/search?q=10002&page=9999999", 400),
        ("/search?q=10002&page=two", 200),
        ("/search?q=10002&mode=sailboat", 200),
        ("/search?q=free+food+tonight+near+10002", 200),
        ("/search?q=%3Cscript%3Ealert(1)%3C/script%3E", 404),
        ("/es/search?q=Nirgendwo", 404),
        ("/search?q=Example+Pantry+East", 200),
        ("/es/search?q=pantry+EXÁMPLE", 200),
        ("/search?q=Examp", 404),
        ("/es/claim?q=Example+Pantry+East", 200),
        ("/claim?q=Example+Market", 404),
        ("/claim?id=999999999", 404),
        ("/urgent?q=10002", 200),
        ("/es/urgent?q=10002", 200),
        ("/es/place/101", 200),
    ],
)
def test_pages_answer_and_are_valid(client, path, status) -> None:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    if status == 400:
        return
    root = read_page(answer)
    styles = [e.text or "" for e in root.iter(f"{HTML}style")]
    assert len(answer.text) - sum(map(len, styles)) < 50_000
    # What is shown waits for no other file, and the policy lets the style count.
    assert styles[0] == style_sheet("style.css")
    assert [e for e in root.iter(f"{HTML}link") if e.get("rel") == "stylesheet"] == []
    for style in styles:
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in answer.headers["content-security-policy"]
    assert root.get("lang") == ("es" if path.startswith("/es/") else "en")
    assert len(list(root.iter(f"{HTML}h1"))) == 1
    assert "<script>alert" not in answer.text
    # Data, and scripts without which the page works as well.
    scripts = {e.get("type") or e.get("src") for e in root.iter(f"{HTML}script")}
    own = {asset(name) for name in ("finder.js", "map.js", "pocket.js", "saved.js")}
    assert scripts <= {"application/ld+json", *own}
    twins = [a.get("href") for a in root.iter(f"{HTML}a") if "lang" in (a.get("class") or "")]
    assert len(twins) == 1
    assert twins[0].startswith("/es/") != path.startswith("/es/")


@pytest.mark.parametrize(
    ("path", "is_indexed", "may_locate"),
    [
        ("/", True, True),
        ("/search", True, True),
        ("/search?q=10002", False, True),
        ("/search?day=monday", False, True),
        ("/filters", False, False),
        ("/urgent?q=10002", False, True),
        ("/place/101", True, False),
        ("/zip/10002", True, False),
    ],
)
def test_searches_are_not_indexed_and_only_search_boxes_may_locate(
    client, path, is_indexed, may_locate
) -> None:
    answer = client.get(path)
    assert ('content="noindex"' not in answer.text) == is_indexed
    policy = "geolocation=(self)," if may_locate else "geolocation=(),"
    assert answer.headers["permissions-policy"].startswith(policy)
    assert (asset("finder.js") in answer.text) == may_locate


@pytest.mark.parametrize(
    ("query", "status"),
    [("40.7157, -73.9863", 200), ("40.715712345,-73.986298765", 200), ("91, 200", 404)],
)
def test_a_point_is_searched_from_and_rounded(client, query, status) -> None:
    answer = client.get("/es/search", params={"q": query})
    assert answer.status_code == status
    assert (words("site", "es").from_device in answer.text) == (status == 200)
    if status == 200:
        assert "New York, NY 10002" in answer.text
        exact = client.get("/es/search", params={"q": "40.716, -73.986"}).text
        cards = re.compile(r'<article class="card.*?</article>', re.S)
        assert cards.findall(answer.text) == cards.findall(exact)


@pytest.mark.parametrize("page", ["/search", "/es/urgent"])
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("zip=10002", "10002"),
        ("zip=10002&city=Salem&state=OR", "10002"),
        ("q=Salem%2C+OR&zip=10002", "Salem, OR"),
        ("city=New+York&state=NY", "New York, NY"),
        ("city=New+York&state=", "New York"),
    ],
)
def test_pages_accept_parameters_of_the_api(client, page, query, text) -> None:
    page_of_names, same = client.get(f"{page}?{query}"), client.get(page, params={"q": text})
    assert page_of_names.status_code == 200
    assert page_of_names.text == same.text
    title = "".join(next(read_page(page_of_names).iter(f"{HTML}h1")).itertext())
    assert text.partition(",")[0] in title


@pytest.mark.parametrize(("page", "status"), [("/search", 200), ("/es/urgent", 404)])
def test_a_whole_state_is_answered_with_its_cities(client, page, status) -> None:
    answer = client.get(f"{page}?state=OR")
    assert answer.status_code == status
    language = "es" if page.startswith("/es") else "en"
    assert words("site", language).state_lead in answer.text
    assert "?q=Salem%2C" in answer.text


@pytest.mark.parametrize(
    ("text", "title", "contact"),
    [
        ("Wyoming", "Food help in Wyoming", "dfs.wyo.gov"),
        ("Puerto Rico", "Food help in Puerto Rico", "787-289-7600"),
        ("Guam", "Food help in Guam", "dphss.guam.gov"),
        ("LA", "Food help in Louisiana", "?q=Los+Angeles%2C+CA"),
    ],
)
def test_a_state_or_territory_names_whom_to_ask(client, text, title, contact) -> None:
    answer = client.get("/search", params={"q": text})
    assert answer.status_code == 200
    assert title in answer.text
    assert contact in answer.text.partition("<main")[2].partition("</main")[0]


def test_a_place_page_agrees_with_the_record(client) -> None:
    record = client.get("/api/resources/101").json()
    answer = client.get("/place/101")
    root = read_page(answer)
    assert record["name"] in "".join(next(root.iter(f"{HTML}h1")).itertext())
    for source in record["sources"]:
        assert source["publisher"].replace("&", "&amp;") in answer.text
    body = [msgspec.json.decode(s.text) for s in root.iter(f"{HTML}script") if s.text]
    assert {entry["@context"] for entry in body} == {"https://schema.org"}
    assert body[0]["url"].endswith("/place/101")


def test_search_engines_get_no_hours_of_a_season() -> None:
    weekly = {"freq": "WEEKLY", "byday": "TU", "opens_at": "13:30", "closes_at": "17:00"}
    rules = [
        weekly | {"valid_from": "06-01", "valid_to": "08-31"},
        weekly | {"interval": 2},
        weekly,
    ]
    assert json_ld._hours({"hours": rules}) == [
        {
            "@type": "OpeningHoursSpecification",
            "dayOfWeek": ["Tuesday"],
            "opens": "13:30",
            "closes": "17:00",
        }
    ]
