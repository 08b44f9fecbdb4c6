"""llms.txt, sitemaps, robots.txt, security.txt, the plugin manifest: by the rules of each, read
with other people's code.
"""

import re
from datetime import UTC, date, datetime, timedelta
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from llms_txt import parse_llms_file
from lxml import etree

from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.states import FIFTY_ONE
from serving.documents.discovery import security_expires, security_txt
from serving.documents.sitemap import PAGES_PER_FILE
from serving.reference.organization import organization_of
from serving.settings import Settings
from tests.support.clients import Client, open_client
from tests.support.releases import resource, write_release

BASE = "http://127.0.0.1:8000"
MAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"


# ---------------------------------------------------------------- llms.txt


def test_llms_txt_is_read_by_its_library(client: Client) -> None:
    answer = client.get("/llms.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert client.get("/.well-known/llms.txt").content == answer.content
    document = parse_llms_file(answer.text)
    assert document.title == organization_of(Settings()).common_name
    assert "It lists 132 places" in document.summary, "live counts"
    assert list(document.sections)[-1] == "Optional"
    assert {"Find food", "Documents", "The service"} <= set(document.sections)
    urls = [link.url for links in document.sections.values() for link in links]
    assert len(set(urls)) > 100
    assert f"{BASE}/api/resources/search?zip={{zip}}&mode=free" in urls
    whole = [link.url for link in document.sections["The whole directory"]]
    assert {f"{BASE}/exports/index.json", f"{BASE}/api/releases"} <= set(whole)


def test_llms_txt_without_a_release(tmp_path: Path) -> None:
    with open_client(tmp_path) as empty:
        answer = empty.get("/llms.txt")
        assert answer.status_code == 200
        assert parse_llms_file(answer.text).sections
        assert empty.get("/llms-full.txt").status_code == 503


def test_llms_full_txt_lists_at_most_200_of_each_type(tmp_path: Path) -> None:
    rows = [
        resource(
            i,
            name=f"Pantry {i} [x](y)",
            completeness_score=i % 100,
            address=f"{i} Oak Street",
            phone="(202) 555-0100",
        )
        for i in range(1, 231)
    ]
    write_release(
        tmp_path, [*rows, resource(900, resource_type="food_bank", name="Bank", phone=None)]
    )
    with open_client(tmp_path) as large:
        text = large.get("/llms-full.txt").text
    parts = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(parts) == {RESOURCE_TYPES[t].label for t in ("food_pantry", "food_bank")}
    lines = re.findall(r"^- \[(.+?)\]\((.+?)\): (.+)$", parts["Food pantry"], re.MULTILINE)
    assert len(lines) == 200
    assert "200 of 230" in parts["Food pantry"]
    assert all(re.match(r"\d+ Oak Street, .*; \(202\) 555-0100", place) for _, _, place in lines)
    scores = [int(url.rpartition("/")[2]) % 100 for _, url, _ in lines]
    assert scores == sorted(scores, reverse=True), "the most complete records first"
    assert "no phone listed" in parts["Food bank"]


# ---------------------------------------------------------------- sitemap


def _pages(body: bytes) -> dict[str, tuple[str | None, dict[str, str]]]:
    """Return lastmod and alternates by address; assert the rules of sitemaps.org and of hreflang."""
    root = etree.fromstring(body)
    assert root.tag == f"{MAPS}urlset"
    assert len(root) <= 50_000
    assert len(body) <= 50 * 1024 * 1024
    pages = {}
    for entry in root:
        assert entry.tag == f"{MAPS}url"
        assert [child.tag for child in entry if child.tag.startswith(MAPS)] in (
            [f"{MAPS}loc"],
            [f"{MAPS}loc", f"{MAPS}lastmod"],
        )
        loc = entry.findtext(f"{MAPS}loc")
        assert loc.startswith(f"{BASE}/")
        assert len(loc) < 2048
        assert loc not in pages, "listed twice"
        links = {e.get("hreflang"): e.get("href") for e in entry.findall(f"{XHTML}link")}
        pages[loc] = entry.findtext(f"{MAPS}lastmod"), links
    for loc, (day, links) in pages.items():
        assert day is None or date.fromisoformat(day) <= datetime.now(UTC).date()
        if links:
            assert set(links) == {"en", "es", "x-default"}
            assert loc in links.values(), "names itself"
            assert links["x-default"] == links["en"]
            assert all(pages[other][1] == links for other in links.values()), "reciprocal"
    return pages


def test_the_index_links_every_page_and_place(client: Client) -> None:
    index = etree.fromstring(client.get("/sitemap.xml").content)
    assert index.tag == f"{MAPS}sitemapindex"
    files = [urlsplit(e.findtext(f"{MAPS}loc")).path for e in index]
    pages: dict[str, tuple[str | None, dict[str, str]]] = {}
    for path in files:
        answer = client.get(path)
        assert answer.headers["content-type"].startswith("application/xml")
        pages |= _pages(answer.content)
    ids = [row["id"] for row in client.get("/api/resources/bulk?limit=1000").json()["resources"]]
    assert {f"{BASE}/place/{i}" for i in ids} <= set(pages)
    assert {f"{BASE}/es/place/{i}" for i in ids} <= set(pages)
    for code in FIFTY_ONE:
        for page in ("/atlas/", "/es/atlas/", "/grants/", "/press/"):
            assert f"{BASE}{page}{code}" in pages
    assert pages[f"{BASE}/place/103"][0], "the day of the newest confirmation"


def test_places_are_divided_between_files(tmp_path: Path, monkeypatch) -> None:
    from serving.documents import sitemap

    write_release(
        tmp_path,
        [
            resource(1, source_updated_date=None, last_verified_date=None),
            *(resource(i) for i in range(2, 12)),
        ],
    )
    monkeypatch.setattr(sitemap, "PAGES_PER_FILE", 5)
    assert PAGES_PER_FILE * 2 <= 50_000
    with open_client(tmp_path) as small:
        index = small.get("/sitemap.xml").text
        assert index.count("/sitemaps/places-") == 3
        sizes = [len(_pages(small.get(f"/sitemaps/places-{n}.xml").content)) for n in (1, 2, 3)]
        assert sizes == [10, 10, 2]
        first = _pages(small.get("/sitemaps/places-1.xml").content)
        assert first[f"{BASE}/place/1"][0] is None, "nothing is claimed where nothing is known"
        assert first[f"{BASE}/place/2"][0] is not None
        for wrong in (
            "places-0.xml",
            "places-4.xml",
            "places-x.xml",
            "other.xml",
            "places-99999.xml",
        ):
            assert small.get(f"/sitemaps/{wrong}").status_code == 404


# ---------------------------------------------------------------- robots.txt, security.txt, plugin


def test_robots_txt_is_understood(client: Client) -> None:
    rules = RobotFileParser()
    rules.parse(client.get("/robots.txt").text.splitlines())
    assert rules.site_maps() == [f"{BASE}/sitemap.xml"]
    for path, is_allowed in (
        ("/", True),
        ("/place/1", True),
        ("/api/resources/search", True),
        ("/pantry/manage/secret", False),
        ("/admin/claims", False),
    ):
        assert rules.can_fetch("anybot", f"{BASE}{path}") == is_allowed, path


def test_security_txt_follows_rfc_9116(client: Client) -> None:
    answer = client.get("/.well-known/security.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "http://" not in answer.text, "web addresses must begin with https"
    text = security_txt(Settings(base_url="https://food.example")) or ""
    assert set(answer.text.splitlines()) < set(text.splitlines())
    fields = [tuple(line.split(": ", 1)) for line in text.splitlines()]
    names = [name for name, _ in fields]
    assert names.count("Expires") == names.count("Preferred-Languages") == 1
    assert names[0] == "Contact"
    actual = dict(reversed(fields))
    assert actual["Contact"] == "mailto:security@example.org"
    assert actual["Canonical"] == "https://food.example/.well-known/security.txt"
    assert client.get(urlsplit(actual["Policy"]).path).status_code == 200
    expires = datetime.fromisoformat(actual["Expires"])
    assert expires < datetime.now(UTC) + timedelta(days=365), "less than a year ahead"


def test_the_security_contact_was_checked_not_too_long_ago() -> None:
    """Check that the contact still answers, then set security_contact_checked in
    content/organization.yaml.
    """
    expires = security_expires(organization_of(Settings()))
    assert expires is not None
    assert expires > datetime.now(UTC) + timedelta(days=45), "security.txt runs out soon"


def test_an_unchecked_contact_has_no_security_txt(tmp_path: Path) -> None:
    shipped = (resources.files("content") / "organization.yaml").read_text()
    (tmp_path / "own.yaml").write_text(re.sub(r"(?m)^security_contact_checked:.*$", "", shipped))
    assert security_txt(Settings(organization_file=str(tmp_path / "own.yaml"))) is None


def test_the_plugin_manifest_has_limited_lengths(client: Client) -> None:
    body = client.get("/.well-known/ai-plugin.json").json()
    assert len(body["name_for_human"]) <= 20
    assert len(body["description_for_human"]) <= 100
    assert body["auth"] == {"type": "none"}
    for address in (body["api"]["url"], body["logo_url"], body["legal_info_url"]):
        assert client.get(urlsplit(address).path).status_code == 200, address
