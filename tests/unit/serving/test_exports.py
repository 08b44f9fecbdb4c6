"""The bulk files over HTTP: index, ranges, conditions, encodings, and names that lead nowhere."""

import contextlib
import gzip
import hashlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import httpx
import msgspec
import pandas as pd
import pyarrow.parquet as pq
import pytest
from frictionless import Package

from schemas.api.exports import ExportsIndex
from tests.support.clients import Client, open_client
from tests.support.releases import write_release
from tests.support.sharing import copy_folder
from tests.support.town import resources, write_town
from warehouse.release.store import ReleaseStore

OLD, NEW = "20261101T060000Z-00000001", "20261102T060000Z-00000002"
BARE = "20261031T060000Z-00000003"
CSV = f"/exports/{NEW}/resources.csv"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases with bulk files, the newer one served, and one without."""
    folder = tmp_path_factory.mktemp("exports")
    write_release(folder, resources()[:3], release_id=BARE)
    write_town(folder, bulk=True, release_id=OLD, resources=resources()[:5])
    write_town(folder, bulk=True, release_id=NEW)
    return folder


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[Client]:
    """The service in this process, which reads files piece by piece."""
    with open_client(data) as client:
        client.headers["accept-encoding"] = "identity"
        yield client


@pytest.fixture(scope="module")
def csv_bytes(data: Path) -> bytes:
    packed = data / "releases" / NEW / "bulk" / "resources.csv.gz"
    return gzip.decompress(packed.read_bytes())


def raw(client: Client | httpx.Client, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """Return the response and its bytes before decompression."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    with client.stream("GET", path, headers=names) as answer:
        return answer, b"".join(answer.iter_raw())


# ---------------------------------------------------------------- index


def test_the_index_lists_every_release_with_files(client: Client) -> None:
    answer = client.get("/exports")
    index = msgspec.json.decode(answer.content, type=ExportsIndex)
    assert [(r.release_id, r.is_current) for r in index.releases] == [(NEW, True), (OLD, False)]
    assert index.latest == NEW
    assert (index.license, index.is_synthetic) == ("CC-BY-4.0", True)
    assert {file.license for file in index.files} == {"CC-BY-4.0"}
    for file in index.files:
        content = client.get(f"/exports/{NEW}/{file.name}").content
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size_bytes, file.sha256)
    names = {n for file in index.files for n in (file.name, *(t.name for t in file.compressed))}
    assert names == set(index.releases[0].files)
    assert client.get("/exports/index.json").content == answer.content


PAGES = {
    "a browser": ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
    "anything": ("*/*", "application/json"),
    "a program": ("application/json", "application/json"),
    "data before pages": ("application/json, text/html", "application/json"),
}


@pytest.mark.parametrize(("accepted", "kind"), PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("path", ["/exports", "/exports/"])
def test_the_index_is_a_page_for_readers(client, path, accepted, kind):
    answer = client.get(path, headers={"accept": accepted})
    assert answer.headers["content-type"] == kind
    assert "Accept" in answer.headers.get_list("vary")
    if kind.startswith("text/html"):
        assert "invented" in answer.text
        assert "resources.parquet" in answer.text
        assert OLD in answer.text


def test_statements_of_a_place_come_with_the_rule_and_their_source(client) -> None:
    document = client.get("/api/resources/101/statements").json()
    (stated,) = document["statements"]
    assert (stated["field"], stated["is_published"]) == ("name", True)
    assert stated["value"] == client.get("/api/resources/101").json()["name"]
    assert document["rule"]
    assert client.get("/api/resources/999999999/statements").status_code == 404


def test_the_index_without_bulk_files(tmp_path: Path) -> None:
    write_town(tmp_path)
    with open_client(tmp_path) as client:
        index = client.get("/exports").json()
        assert (index["latest"], index["files"], index["releases"]) == (None, [], [])
        assert "no bulk files" in client.get("/exports", headers={"accept": "text/html"}).text
        assert client.get("/exports/latest/resources.csv").status_code == 404


# ---------------------------------------------------------------- whole files


def test_a_file_never_changes_at_its_address(client, csv_bytes):
    answer = client.get(CSV)
    assert answer.content == csv_bytes
    headers = answer.headers
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-type"] == "text/csv; charset=utf-8; header=present"
    assert headers["accept-ranges"] == "bytes"
    assert headers["content-length"] == str(len(csv_bytes))
    assert headers["content-disposition"] == 'attachment; filename="resources.csv"'
    assert not headers["etag"].startswith("W/")
    assert 'rel="license"' in headers["link"]
    unchanged = client.get(CSV, headers={"if-none-match": headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")


def test_latest_redirects_to_the_served_release(client, csv_bytes):
    answer = client.get("/exports/latest/resources.csv", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, CSV)
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert client.get("/exports/latest/resources.csv", follow_redirects=True).content == csv_bytes


def test_pruned_releases_have_no_files(data: Path, tmp_path: Path) -> None:
    copy_folder(data, tmp_path)
    with open_client(tmp_path) as client:
        assert client.get(f"/exports/{OLD}/resources.parquet").status_code == 200
        ReleaseStore(tmp_path).prune(1)
        assert client.get(f"/exports/{OLD}/resources.parquet").status_code == 404
        assert [r["release_id"] for r in client.get("/exports").json()["releases"]] == [NEW]


# ---------------------------------------------------------------- compressed forms

ENCODINGS = {
    "gzip among others": ("gzip, zstd, br", "gzip"),
    "gzip": ("gzip", "gzip"),
    "other codings": ("br, zstd", None),
    "none": ("identity", None),
    "none wanted": ("gzip;q=0, zstd;q=0", None),
}


@pytest.mark.parametrize(("accepted", "encoding"), ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("name", ["resources.csv", "resources.ndjson", "resources.geojson"])
def test_encodings(client, data, name, accepted, encoding):
    file_bytes = (data / "releases" / NEW / "bulk" / f"{name}.gz").read_bytes()
    plain = gzip.decompress(file_bytes)
    answer, content = raw(client, f"/exports/{NEW}/{name}", accept_encoding=accepted)
    assert answer.headers.get("content-encoding") == encoding
    assert "Accept-Encoding" in answer.headers["vary"]
    assert content == (file_bytes if encoding else plain)
    assert answer.headers["content-length"] == str(len(content))
    unchanged = client.get(
        f"/exports/{NEW}/{name}",
        headers={"accept-encoding": accepted, "if-none-match": answer.headers["etag"]},
    )
    assert unchanged.status_code == 304


def test_each_form_has_a_tag_and_a_digest_of_its_own(client):
    forms = [raw(client, CSV, accept_encoding=e)[0].headers for e in ("identity", "gzip")]
    assert len({h["etag"] for h in forms}) == len({h["repr-digest"] for h in forms}) == 2


def test_the_compressed_file_itself_is_a_file(client, csv_bytes):
    answer, content = raw(client, CSV + ".gz", accept_encoding="gzip")
    assert answer.headers["content-type"] == "application/gzip"
    assert "content-encoding" not in answer.headers
    assert gzip.decompress(content) == csv_bytes


# ---------------------------------------------------------------- names

NOWHERE = [
    f"/exports/{NEW}/manifest.json",
    f"/exports/{NEW}/nothing.csv",
    f"/exports/{NEW}/resources.csv.gz.gz",
    f"/exports/{NEW}/RESOURCES.CSV",
    "/exports/current/resources.csv",
    "/exports/20991231T000000Z-00000000/resources.csv",
    f"/exports/{BARE}/resources.csv",
    "/exports/latest/nothing.csv",
    "/exports/.building-1/resources.csv",
]


@pytest.mark.parametrize("path", NOWHERE)
def test_unknown_names_are_404(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


# ---------------------------------------------------------------- as it runs


def test_the_data_package_is_valid_and_its_files_are_those_served(client, data, tmp_path) -> None:
    package = client.get("/exports/datapackage.json").json()
    assert package["version"] == NEW
    for resource in package["resources"]:
        body = raw(client, f"/exports/{resource['path']}")[1]
        assert len(body) == resource["bytes"]
        assert f"sha256:{hashlib.sha256(body).hexdigest()}" == resource["hash"]
        (tmp_path / NEW).mkdir(exist_ok=True)
        (tmp_path / resource["path"]).write_bytes(body)
    tables = [one for one in package["resources"] if "schema" in one]
    assert [one["name"] for one in tables] == ["resources-csv"]
    (tmp_path / "datapackage.json").write_text(json.dumps(package))
    report = Package(str(tmp_path / "datapackage.json")).validate()
    assert report.valid, report.flatten(["rowNumber", "fieldName", "note"])[:5]
    fields = {field["name"]: field for field in tables[0]["schema"]["fields"]}
    assert fields["zip"]["type"] == fields["county_fips"]["type"] == "string"


def test_lines_of_the_file_are_the_records_of_the_api(client) -> None:
    lines = raw(client, f"/exports/{NEW}/resources.ndjson")[1].splitlines()
    page = client.get("/api/resources/bulk?limit=1000").json()
    records = {record["id"]: record for record in page["resources"]}
    file_records = [json.loads(line) for line in lines]
    assert {record["id"] for record in file_records} == set(records)
    assert any(record["hours"] for record in file_records)
    for record in file_records:
        one = records[record["id"]]
        shared = one.keys() & record.keys()
        assert {n: record[n] for n in shared} == {n: one[n] for n in shared}


ROOT = Path(__file__).resolve().parents[3]
CODES = ("zip", "county_fips", "census_tract", "phone", "phone_e164")


def test_codes_survive_a_csv_read_as_documented(client, csv_bytes, tmp_path) -> None:
    """Compare the statements of docs/analysis.md with Parquet."""
    (tmp_path / "resources.csv").write_bytes(csv_bytes)
    lines = (ROOT / "docs/analysis.md").read_text().splitlines()
    pandas_call = next(line.split(None, 1)[1] for line in lines if line.startswith("    pandas "))
    query = next(line.split(None, 1)[1] for line in lines if line.startswith("    DuckDB "))
    content = raw(client, f"/exports/{NEW}/resources.parquet")[1]
    expected = pq.read_table(io.BytesIO(content), columns=["id", *CODES]).sort_by("id")
    with contextlib.chdir(tmp_path):
        by_pandas = eval(pandas_call, {"pd": pd}).sort_values("id")
        by_duckdb = duckdb.sql(query).to_arrow_table().sort_by("id")
    for name in CODES:
        texts = expected[name].to_pylist()
        assert by_duckdb[name].to_pylist() == texts, name
        assert [None if pd.isna(v) else v for v in by_pandas[name]] == texts, name


def test_codes_survive_the_way_to_datasette_as_documented() -> None:
    (command,) = re.findall(r"sqlite-utils insert .*", (ROOT / "docs/analysis.md").read_text())
    assert re.findall(r"--type (\w+) text", command) == list(CODES)


def test_checksums_are_those_of_the_files(client) -> None:
    lines = client.get("/exports/SHA256SUMS").text.splitlines()
    package = client.get("/exports/datapackage.json").json()
    digests = {one["path"].split("/")[1]: one["hash"][7:] for one in package["resources"]}
    assert dict(line.split("  ")[::-1] for line in lines) == digests


def test_the_catalog_lists_the_files_as_dcat_us(client) -> None:
    catalog = client.get("/data.json").json()
    assert catalog["conformsTo"]["title"] == "DCAT-US 3.0"
    places, hsds = catalog["dataset"]
    # What the JSON schema of DCAT-US 3.0 requires of a data set.
    for one in (places, hsds):
        assert {"title", "description", "identifier", "publisher", "contactPoint"} <= set(one)
        assert one["contactPoint"]["hasEmail"].startswith("mailto:")
        assert one["landingPage"]["title"]
        assert one["accrualPeriodicity"] == "daily"  # a code; the schema refuses addresses
    for one in places["distribution"]:
        path = one["downloadURL"].partition("//")[2].partition("/")[2]
        assert one["byteSize"] == str(len(raw(client, f"/{path}")[1]))


def test_datasette_gets_every_column_of_every_table(client) -> None:
    metadata = client.get("/exports/datasette.json").json()
    tables = metadata["databases"]["directory"]["tables"]
    columns = pq.read_schema(io.BytesIO(client.get(f"/exports/{NEW}/resources.parquet").content))
    assert list(tables["resources"]["columns"]) == columns.names
    assert all(text for table in tables.values() for text in table["columns"].values())
    assert set(tables["resources"]["facets"]) <= set(columns.names)
    assert NEW in metadata["source"]
