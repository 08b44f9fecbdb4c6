"""Hostile names and reports appear as text on every surface."""

import csv
import io
import json
import re
from datetime import UTC, datetime

import html5lib
import pytest
from lxml import etree

from schemas.values.formulas import without_formula
from tests.support.clients import open_client
from tests.support.hostile import (
    FIRST_ID,
    FORMULA,
    LINES,
    SCRIPT,
    SVG,
    TEXTS,
    write_hostile_town,
)
from tests.support.mail_catcher import mail_catcher
from tests.support.pages import HTML
from tests.support.processes import comes_true
from warehouse.operations.claims import confirm
from warehouse.operations.engine import open_store

IDS = [FIRST_ID + n for n in range(len(TEXTS))]
# Attributes that hold an address which is followed or loaded.
ADDRESSES = {
    "href",
    "src",
    "action",
    "formaction",
    "data",
    "poster",
    "srcset",
    "background",
    "{http://www.w3.org/1999/xlink}href",
}
OWN_SCRIPTS = re.compile(r"/static/|/embed/")
PAGES = [
    "/",
    "/es/",
    "/search?q=10002",
    "/es/search?q=10002",
    "/urgent?zip=10002",
    "/embed/catalog",
    "/atlas/NY",
    "/data",
    "/releases",
    "/api/widget?zip=10002",
    "/badges",
    "/coverage/map",
    "/exports",
    "/feeds",
    "/press",
    "/snap-calculator",
    *(
        path
        for i in IDS
        for path in (
            f"/place/{i}",
            f"/es/place/{i}",
            f"/embed/pantry/{i}",
            f"/badge/{i}",
            f"/pantry/{i}/poster",
            f"/feedback?id={i}",
            f"/claim?id={i}",
        )
    ),
]
PICTURES = [
    path for i in IDS for path in (f"/og/resource/{i}", f"/badge/{i}.svg", f"/og/resource/{i}-es")
]
XML = ["/sitemap.xml", "/sitemaps/places-1.xml", "/press/feed.atom", "/api/feed/news.atom"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The service on the town, after an operator of every place has reported in the same words."""
    folder = tmp_path_factory.mktemp("hostile")
    write_hostile_town(folder)
    with open_client(folder, peer="127.0.0.1", limits="off") as client:
        store = open_store(f"sqlite:///{folder / 'operations' / 'operations.sqlite'}")
        client.tokens = {}
        for number, (i, text) in enumerate(zip(IDS, TEXTS, strict=True), 1):
            claim = {
                "resource_id": i,
                "operator_email": f"ann{i}@pantry.example",
                "operator_name": text[:100],
            }
            client.tokens[i] = client.post("/api/pantry/claim", json=claim).json()["claim_token"]
            with store.write() as db:
                confirm(db, number, "administrator", "administrator ann", datetime.now(UTC))
            actual = {"claim_token": client.tokens[i], "status": "open_today", "notes": text}
            assert client.post("/api/pantry/status", json=actual).status_code == 200
        store.close()
        yield client


def faults_of(root: etree._Element) -> list[str]:
    """Return scripts, event handlers and executable addresses in a parsed page or picture."""
    faults = []
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name = etree.QName(element).localname
        kind = element.get("type", "")
        if (
            name == "script"
            and kind != "application/ld+json"
            and not OWN_SCRIPTS.match(element.get("src") or "")
        ):
            faults.append(f"a script: {etree.tostring(element)[:80]!r}")
        if name in {"iframe", "object", "embed", "base", "foreignObject"} and not (
            element.get("src") or ""
        ).startswith("/"):
            faults.append(f"a {name}")
        for key, value in element.attrib.items():
            plain = re.sub(r"[\x00-\x20]", "", value).lower()
            if key.lower().startswith("on") or key == "style":
                faults.append(f"{name} {key}={value[:40]}")
            if key in ADDRESSES and plain.startswith(
                ("javascript:", "vbscript:", "data:text", "http://evil")
            ):
                faults.append(f"{name} {key}={value[:40]}")
    return faults


def page_of(answer) -> etree._Element:
    parser = html5lib.HTMLParser(html5lib.getTreeBuilder("lxml"))
    return parser.parse(answer.text).getroot()


def test_pages(hostile):
    pages = [*PAGES, *(f"/pantry/manage/{token}" for token in hostile.tokens.values())]
    faults, page_count = {}, 0
    for path in pages:
        answer = hostile.get(path, headers={"accept": "text/html"})
        assert answer.headers["content-type"].startswith("text/html"), (path, answer.status_code)
        assert answer.status_code < 500, path
        page_count += answer.status_code == 200
        page = page_of(answer)
        faults[path] = faults_of(page)
        for block in page.iter(f"{HTML}script"):
            if block.get("type") == "application/ld+json":
                assert isinstance(json.loads(block.text), dict | list)
                assert "<" not in block.text
    assert {path: page_faults for path, page_faults in faults.items() if page_faults} == {}
    assert page_count > len(pages) - 8


def test_hostile_names_are_shown_as_text(hostile):
    assert SCRIPT in "".join(page_of(hostile.get(f"/place/{IDS[0]}")).itertext())
    assert SVG in "".join(page_of(hostile.get(f"/place/{IDS[1]}")).itertext())


@pytest.mark.parametrize("path", PICTURES)
def test_pictures(hostile, path):
    answer = hostile.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert faults_of(etree.fromstring(answer.content)) == []
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", XML)
def test_feeds_and_sitemaps(hostile, path):
    answer = hostile.get(path)
    assert answer.status_code == 200
    for element in etree.fromstring(answer.content).iter():
        assert not isinstance(element.tag, str) or etree.QName(element).localname not in {
            "script",
            "svg",
        }


def test_text_messages(hostile):
    for body in ("10002", "COMIDA 10002", f"{SCRIPT} 10002"):
        answer = hostile.post(
            "/api/sms", data={"Body": body, "From": "+12125550199", "MessageSid": body}
        )
        root = etree.fromstring(answer.content)
        assert [e.tag for e in root.iter()] == ["Response", "Message"]


@pytest.mark.parametrize("resource_id", IDS)
def test_calendars(hostile, resource_id):
    answer = hostile.get(f"/calendar/{resource_id}.ics")
    assert answer.status_code == 200
    lines = re.sub(r"\r\n[ \t]", "", answer.text).split("\r\n")
    assert not [line for line in lines if "\n" in line or "\r" in line]
    assert not [line for line in lines if line.startswith(("X-EVIL", "Set-Cookie"))]
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT")


def test_the_frame_of_oembed_has_no_script(hostile):
    card = hostile.get(f"/oembed?url=http://127.0.0.1:8000/place/{IDS[1]}").json()
    faults = faults_of(html5lib.parse(card["html"], treebuilder="lxml").getroot())
    assert [fault for fault in faults if "iframe" not in fault] == []


def test_problems_repeat_input_as_text(hostile):
    for path in (
        f"/problems/{SCRIPT}",
        f"/static/{SVG}",
        f"/place/{SCRIPT}",
        f"/search?q={SVG}",
        f"/es/search?q={SCRIPT}",
        f"/releases/{SVG}",
        f"/docs/{SCRIPT}",
        f"/disasters/{SVG}",
    ):
        answer = hostile.get(path, headers={"accept": "text/html"})
        if answer.headers["content-type"].startswith("text/html"):
            assert faults_of(page_of(answer)) == [], path
        else:
            assert answer.headers["content-type"] == "application/problem+json"


def test_mails_have_one_header_each_and_no_other_recipient(tmp_path):
    write_hostile_town(tmp_path)
    with mail_catcher() as (url, mails):
        with open_client(
            tmp_path,
            operations_file=str(tmp_path / "o.sqlite"),
            limits="off",
            smtp_url=url,
            log_level="critical",
        ) as client:
            for i in IDS:
                claim = {
                    "resource_id": i,
                    "operator_email": f"ann{i}@pantry.example",
                    "operator_name": LINES,
                }
                assert client.post("/api/pantry/claim", json=claim).status_code == 200
            assert comes_true(lambda: len(mails) == len(IDS))
        assert sorted(mail.recipients for mail in mails) == sorted(
            [f"ann{i}@pantry.example"] for i in IDS
        )
        assert {len(mail.headers) for mail in mails} == {len(mails[0].headers)}
        for mail in mails:
            assert not {"bcc", "cc", "set-cookie", "x-evil"} & {n.lower() for n, _ in mail.headers}
            assert not [value for _, value in mail.headers if "\n" in value or "\r" in value]


CSV_PATHS = [
    "/api/resources/bulk?format=csv",
    "/exports/latest/resources.csv",
    "/hsds/v3/organizations?format=csv",
    "/hsds/v3/services?format=csv",
    "/hsds/v3/locations?format=csv",
    "/hsds/v3/addresses?format=csv",
    "/hsds/v3/schedules?format=csv",
]


@pytest.mark.parametrize("path", CSV_PATHS)
def test_csv_is_one_table_without_formulas(hostile, path):
    answer = hostile.get(path, headers={"accept-encoding": "identity"}, follow_redirects=True)
    assert answer.status_code == 200
    rows = list(csv.reader(io.StringIO(answer.text, newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) > 1
    cells = {cell for row in rows[1:] for cell in row}
    assert {cell for cell in cells if without_formula(cell) != cell} == set()


def test_a_formula_is_marked_in_csv_and_left_alone_in_json(hostile):
    """The mark is present, so the file of the test above has formulas."""
    for path in ("/api/resources/bulk", "/hsds/v3/services"):
        assert f'"{FORMULA}"' in hostile.get(path).text
        assert f",'{FORMULA}," in hostile.get(path, params={"format": "csv"}).text
