"""The HSDS feed over HTTP."""

import csv
import gzip
import hashlib
import io
import json
import re
import uuid
import zipfile

import pytest

from schemas.hsds.collections import BY_NAME, COLLECTIONS
from tests.support.clients import open_client
from tests.support.hsds_schemas import validator
from tests.support.town import write_town
from warehouse.hsds.nesting import NESTED

NAMES = [c.name for c in COLLECTIONS]
ENVELOPE = [
    "total_items",
    "total_pages",
    "page_number",
    "size",
    "first_page",
    "last_page",
    "empty",
    "contents",
]
URL = "https://larder.example"


@pytest.fixture(scope="module")
def client(feed):
    with open_client(feed, base_url=URL) as client:
        yield client


@pytest.fixture(scope="module")
def stored(feed):
    """Rows of every collection, from the files of the release."""
    release = (feed / "releases" / "current").read_text().strip()
    folder = feed / "releases" / release / "hsds"
    return {
        name: [
            json.loads(line)
            for line in gzip.decompress((folder / f"{name}.ndjson.gz").read_bytes()).splitlines()
        ]
        for name in NAMES
    }


def get(client, path, **options):
    return client.get(f"/hsds/v3{path}", **options)


def page(client, path):
    answer = get(client, path)
    assert answer.status_code == 200, answer.text
    return answer.json()


# ---------------------------------------------------------------- pages


@pytest.mark.parametrize("name", [*NAMES, "service_at_locations"])
def test_a_page_is_the_official_page(client, stored, name):
    rows = stored[name.replace("locations", "location") if name.startswith("service_at") else name]
    document = page(client, f"/{name}?per_page=3")
    assert list(document) == ENVELOPE
    assert document["contents"] == rows[:3]
    assert {k: document[k] for k in ENVELOPE[:7]} == {
        "total_items": len(rows),
        "total_pages": -(-len(rows) // 3),
        "page_number": 1,
        "size": len(rows[:3]),
        "first_page": True,
        "last_page": len(rows) <= 3,
        "empty": not rows,
    }


@pytest.mark.parametrize("name", NAMES)
def test_streams_have_every_row(client, stored, name):
    for path in (
        f"/{name}.ndjson",
        f"/{name}?format=ndjson",
        f"/{name}?format=ndjson&page=7&per_page=2",
    ):
        answer = get(client, path)
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        assert [json.loads(line) for line in answer.content.split(b"\n")[:-1]] == stored[name]
    filtered = get(client, f"/{name}?format=ndjson&modified_after=2000-01-01")
    assert [json.loads(line) for line in filtered.content.split(b"\n")[:-1]] == stored[name]
    whole = get(client, f"/{name}.csv")
    assert [
        row["id"] for row in csv.DictReader(io.StringIO(whole.content.decode(), newline=""))
    ] == [row["id"] for row in stored[name]]


def test_a_page_past_the_end_is_empty(client, stored):
    document = page(client, "/services?page=999")
    assert document["contents"] == []
    assert (document["empty"], document["last_page"], document["first_page"]) == (True, True, False)
    assert document["total_items"] == len(stored["services"])


def test_size_is_another_name_of_per_page(client):
    assert page(client, "/phones?size=1")["size"] == 1
    assert page(client, "/services?size=9&per_page=2")["size"] == 2
    assert page(client, "/services")["size"] == 44


def test_links_connect_the_pages(client, stored):
    contents, path = [], "/services?per_page=10&taxonomy_id=" + stored["taxonomies"][0]["id"]
    while path:
        answer = get(client, path)
        contents += answer.json()["contents"]
        links = {
            rel: url for url, rel in re.findall(r'<([^>]+)>; rel="(\w+)"', answer.headers["link"])
        }
        assert {"first", "last", "license", "describedby"} <= links.keys()
        assert ("prev" in links) == (not answer.json()["first_page"])
        path = links.get("next", "").removeprefix(f"{URL}/hsds/v3")
    assert contents == stored["services"]


def test_every_list_has_a_tag_of_its_own(client):
    tags = {
        get(client, f"/services?{q}").headers["etag"]
        for q in (
            "page=1",
            "page=2",
            "per_page=2",
            "search=x",
            "full=true",
            "minimal=true",
            "format=csv",
        )
    }
    assert len(tags) == 7


# ---------------------------------------------------------------- filters and shapes


def test_filters_together_narrow(client, stored):
    alliance = next(o["id"] for o in stored["organizations"] if o["name"] == "Example Alliance")
    pantry = next(t["id"] for t in stored["taxonomy_terms"] if t["code"] == "food-pantry")
    path = f"/services?organization_id={alliance}"
    assert page(client, path)["total_items"] == 3
    assert page(client, f"{path}&taxonomy_term_id={pantry}")["total_items"] == 1
    assert page(client, f"{path}&taxonomy_term_id={pantry}&search=truck")["total_items"] == 0
    near = page(client, "/service_at_locations?postcode=10002&proximity=5000")
    assert near["total_items"] == 4
    assert page(client, "/service_at_locations?postcode=10002-1234&proximity=1")["total_items"] == 0
    assert (
        page(
            client, f"/service_at_location?postcode=10002&proximity=5000&organization_id={alliance}"
        )["total_items"]
        == 3
    )


MOMENTS = [
    ("2026-10-01T00:00:00.000Z", 44),
    ("2026-10-01", 44),
    ("2026-10-01T02:00:00%2B02:00", 44),
    ("2026-09-30t23:59:59z", 44),
    ("2027-01-01T00:00:00Z", 0),
]


@pytest.mark.parametrize(("moment", "count"), MOMENTS)
def test_modified_after(client, moment, count):
    assert page(client, f"/services?modified_after={moment}")["total_items"] == count


def test_full_includes_related_rows(client, stored):
    for name in NESTED:
        rows = page(client, f"/{name}?full=true")["contents"] if name != "taxonomy_terms" else []
        for row, flat in zip(rows, stored[name], strict=False):
            assert {k: row[k] for k in flat} == flat
            assert get(client, f"/{name}/{row['id']}").json() == row
            assert get(client, f"/{name}/{row['id']}?full=false").json() == flat
        streamed = get(client, f"/{name}?full=true&format=ndjson").content
        if rows:
            assert [json.loads(line) for line in streamed.split(b"\n")[:-1]] == rows


def test_full_services_of_an_organization(client):
    organization = page(client, "/organizations?search=alliance&full_service=true")["contents"][0]
    assert all("service_at_locations" in service for service in organization["services"])
    plain = get(client, f"/organizations/{organization['id']}").json()
    assert not any("service_at_locations" in service for service in plain["services"])
    assert (
        get(client, f"/organizations/{organization['id']}?full_service=true").json() == organization
    )


def test_minimal_is_id_and_date_of_every_service(client, stored):
    short = [{k: row[k] for k in ("id", "last_modified")} for row in stored["services"]]
    document = page(client, "/services?minimal=true")
    assert (document["contents"], document["total_pages"]) == (short, 1)
    assert page(client, "/services?minimal=true&per_page=5&page=2")["contents"] == short[5:10]
    sheet = get(client, "/services?minimal=true&format=csv").content.decode()
    assert list(csv.DictReader(io.StringIO(sheet, newline=""))) == short
    lines = get(client, "/services?minimal=true&format=ndjson").content.split(b"\n")[:-1]
    assert [json.loads(line) for line in lines] == short


# ---------------------------------------------------------------- single rows


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_valid_by_the_published_profile(client, stored, name):
    check = validator(get(client, f"/schema/{BY_NAME[name].table}.json").json())
    assert [error.message for row in stored[name] for error in check.iter_errors(row)] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_an_address(client, stored, name):
    for row in stored[name]:
        row_shown = get(client, f"/{name}/{row['id']}").json()
        assert {k: row_shown[k] for k in row} == row
    for row in stored[name][:1]:
        assert get(client, f"/{name}/{row['id'].upper()}").status_code == 200
    assert get(client, f"/{name}/{uuid.UUID(int=9)}").status_code == 404


def test_a_merged_pair_redirects_within_its_collection(client, feed):
    before = feed / "releases" / "20261001T060000Z-00000001" / "hsds"
    retired = {
        row["id"]
        for row in map(
            json.loads,
            gzip.decompress((before / "service_at_location.ndjson.gz").read_bytes()).splitlines(),
        )
    }
    answers = {
        i: get(client, f"/service_at_locations/{i}", follow_redirects=False) for i in retired
    }
    assert sorted({a.status_code for a in answers.values()}) == [200, 301, 410]
    gone = next(a for a in answers.values() if a.status_code == 410)
    assert gone.headers["content-type"] == "application/problem+json"
    redirect = next(a for a in answers.values() if a.status_code == 301)
    assert redirect.headers["location"].startswith("/hsds/v3/service_at_locations/")
    assert client.get(redirect.headers["location"]).status_code == 200


# ---------------------------------------------------------------- refusals

BAD = [
    ("/services?page=0", "page", 400),
    ("/services?per_page=1001", "per_page", 400),
    ("/services?taxonomy_term_id=12345", "taxonomy_term_id", 400),
    ("/services?modified_after=2026-13-01", "modified_after", 400),
    ("/services?modified_after=2026-W01", "modified_after", 400),
    ("/services?modified_after=0000-01-01T00:00:00Z", "modified_after", 400),
    ("/service_at_locations?postcode=1234", "postcode", 400),
    ("/service_at_locations?proximity=100", "proximity", 400),
    ("/service_at_locations?postcode=10002&proximity=null", "proximity", 400),
    ("/services?organization_id=null", "organization_id", 400),
    ("/services?per_page=NULL", "per_page", 400),
    ("/phones?organization_id=3b9a7c0e-5d5f-5a51-9f0c-0d6c2b7d9f10", "organization_id", 400),
    ("/services?postcode=10002", "postcode", 400),
    ("/taxonomy_terms?full=true", "full", 400),
    ("/service_at_locations?postcode=00000&proximity=100", "postcode", 404),
    ("/services/abc", "id", 400),
    ("/services/{3b9a7c0e-5d5f-5a51-9f0c-0d6c2b7d9f10}", "id", 400),
    ("/services/3b9a7c0e5d5f5a519f0c0d6c2b7d9f10", "id", 400),
    ("/datapackage.json?paths=no", "paths", 400),
]


def test_a_list_names_its_parameters(client):
    fault = get(client, "/locations?taxonomy_id=3b9a7c0e-5d5f-5a51-9f0c-0d6c2b7d9f10").json()
    assert fault["detail"] == (
        "taxonomy_id: no parameter of locations, which takes page, per_page, size, format, search, "
        "modified_after, organization_id, postcode, proximity, full"
    )


@pytest.mark.parametrize(("path", "field", "status"), BAD)
def test_invalid_input_is_named(client, path, field, status):
    answer = get(client, path)
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "application/problem+json",
    )
    fault = answer.json()["errors"][0]
    assert fault["field"] == field
    assert fault["rule"]


def test_a_release_without_the_feed_is_503(tmp_path):
    write_town(tmp_path)
    with open_client(tmp_path) as bare:
        for path in (
            "/",
            "/services",
            "/services.csv",
            "/datapackage.json",
            f"/services/{uuid.UUID(int=1)}",
        ):
            assert get(bare, path).status_code == 503, path


# ---------------------------------------------------------------- documents

ACCEPTS = [
    ("", False),
    ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", False),
    ("application/json", True),
    ("application/*", True),
    ("application/json;q=x", False),
]


@pytest.mark.parametrize(("accept", "is_json"), ACCEPTS)
def test_the_front_is_a_page_or_json(client, accept, is_json):
    for path in ("/", ""):
        answer = get(client, path, headers={"Accept": accept})
        assert "Accept" in [v.strip() for v in answer.headers["vary"].split(",")]
        assert answer.headers["content-type"].startswith(
            "application/json" if is_json else "text/html"
        )
    if is_json:
        assert answer.json() == {
            "version": "3.0",
            "profile": f"{URL}/hsds/v3",
            "openapi_url": f"{URL}/api/openapi.json",
        }


def test_the_zip_and_the_sums_agree_with_the_files(client):
    sums = dict(
        reversed(line.split("  ")) for line in get(client, "/checksums.txt").text.splitlines()
    )
    assert {f"{name}.{kind}" for name in NAMES for kind in ("csv", "ndjson")} <= sums.keys()
    for name, digest in sums.items():
        assert hashlib.sha256(get(client, f"/{name}").content).hexdigest() == digest, name
    with zipfile.ZipFile(io.BytesIO(get(client, "/hsds.zip").content)) as bundle:
        for name in bundle.namelist():
            if name in sums:
                assert hashlib.sha256(bundle.read(name)).hexdigest() == sums[name]


# ---------------------------------------------------------------- description
