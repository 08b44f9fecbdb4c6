"""How near free food is, as documents, files and pages."""

import csv
import io
from pathlib import Path

import pytest
from lxml import etree

from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.vocab.food_access import ACCESS_CLASSES
from schemas.vocab.states import STATES
from serving.render.assets import style_sheet
from serving.render.words import words
from tests.support.clients import open_client
from tests.support.pages import HTML, read_page
from tests.support.releases import update_manifest
from tests.support.town import write_town
from warehouse.duckdb import connection
from warehouse.release.store import ReleaseStore
from warehouse.release.tables import DATABASE_NAME, SERVING_FOLDER

DOCUMENTS = ["/api/v1/access.json", "/api/v1/access/NY.json", "/coverage/map", "/es/coverage/map"]
FILES = ["/api/v1/access/counties.csv", "/api/v1/access/zips.csv"]
PAGES = {"en": "/coverage/map", "es": "/es/coverage/map"}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/access/XX.json", 404),
        ("/api/v1/access/gu.json", 200),
        ("/coverage/counties.svg", 404),
    ],
)
def test_states_and_maps_that_exist(client, path, status) -> None:
    assert client.get(path).status_code == status


@pytest.mark.parametrize(("path", "table"), [(FILES[0], COUNTY_TOTALS), (FILES[1], ZIP_ACCESS)])
def test_files_have_the_columns_of_their_table(client, path, table) -> None:
    text = client.get(path).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == table.field_names
    assert "nan" not in text.lower()
    assert {row.get("is_quality_low", "true") for row in rows} <= {"true", "false"}
    part = client.get(path, headers={"range": "bytes=0-9", "accept-encoding": "identity"})
    assert (part.status_code, part.text) == (206, text[:10])
    assert client.get(path).headers["content-encoding"] == "gzip"


# ---------------------------------------------------------------- pages


@pytest.fixture(scope="module", params=PAGES)
def page(request, client) -> tuple[str, etree._Element]:
    answer = client.get(PAGES[request.param], headers={"accept-encoding": "identity"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len(answer.text.replace(style_sheet("style.css"), "")) < 50_000
    return request.param, read_page(answer)


def test_the_map_shows_every_state_once_and_not_by_colour_alone(page) -> None:
    language, root = page
    tiles = [g for g in root.iter(f"{SVG}g") if g.get("transform")]
    assert len(tiles) == len(STATES)
    assert len({g.get("transform") for g in tiles}) == len(STATES)
    labels = {c.id: c.label_es if language == "es" else c.label for c in ACCESS_CLASSES}
    for tile in tiles:
        texts = [t.text for t in tile.iter(f"{SVG}text")]
        state = STATES[texts[0]]
        name = state.names[language]
        expected = texts[1] if len(texts) == 2 else labels[tile.get("class")]
        assert tile.find(f"{SVG}title").text == f"{name}: {expected}"
        # A hatching of the class, or the only class without one.
        assert len(list(tile.iter(f"{SVG}rect"))) == (1 if tile.get("class") == "most" else 2)


def test_the_table_agrees_with_the_document(page, client) -> None:
    _, root = page
    document = client.get("/api/v1/access.json").json()
    by_code = {area["area"]: area for area in [document["national"], *document["states"]]}
    rows = next(root.iter(f"{HTML}tbody"))
    assert len(rows) == len(STATES) + 1
    heads = [e.text for e in root.iter(f"{HTML}th") if e.get("scope") == "col"]
    assert all(len(row) == len(heads) for row in rows)
    names = {e[0].text: [cell.text for cell in e] for e in rows}
    guam, nation = by_code["GU"], by_code["US"]
    cells_shown = next(cells for name, cells in names.items() if name == "Guam")
    assert cells_shown[1:5] == ["1", "0%", "100%", f"{guam['zip_population']:,}"]
    whole = next(iter(names.values()))
    assert whole[5] == f"{nation['median_free_miles']:.1f}"
    assert whole[7] == f"{nation['people_share_within_5_miles']:.0%}"
    # Nothing is listed in Oregon: no distance is shown.
    oregon = next(cells for name, cells in names.items() if name in {"Oregon", "Oregón"})
    assert oregon[5:11] == ["–"] * 6


def test_without_residents_zip_codes_are_counted(tmp_path) -> None:
    release = write_town(tmp_path)
    folder = ReleaseStore(tmp_path).folder(release)
    with connection(folder / SERVING_FOLDER / DATABASE_NAME) as db:
        for table, columns in (
            (ZIP_ACCESS, ["population_source"]),
            (COUNTY_TOTALS, ["population_source"]),
            (AREA_ACCESS, ["zip_population", "people_share_within_5_miles"]),
        ):
            for column in columns:
                db.execute(f"UPDATE {table.name} SET {column} = NULL")
    update_manifest(folder)
    with open_client(tmp_path) as client:
        document = client.get("/api/v1/access.json").json()
        assert not document["is_population_known"]
        assert document["population_sources"] == []
        assert "without residents" in document["methodology"]["residents"]
        assert document["national"]["map_class"] == "more"
        text = client.get("/coverage/map").text
        assert words("coverage_map", "en").lead_zips in text
        assert words("coverage_map", "en").no_residents in text


def test_a_map_of_counties_is_linked_if_present(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    write_town(tmp_path, access=svg)
    with open_client(tmp_path) as client:
        document = client.get("/api/v1/access.json").json()
        assert document["links"]["county_map"].endswith("/coverage/counties.svg")
        answer = client.get("/coverage/counties.svg")
        assert (answer.text, answer.headers["content-type"]) == (svg, "image/svg+xml")
        assert 'href="/coverage/counties.svg"' in client.get("/coverage/map").text


@pytest.mark.parametrize("path", [*DOCUMENTS, *FILES, "/coverage/NY"])
def test_a_release_without_the_measure_is_503(tmp_path: Path, path) -> None:
    write_town(tmp_path, access=False)
    with open_client(tmp_path) as client:
        answer = client.get(path)
    assert answer.status_code == 503
    assert answer.json()["type"].endswith("/not-in-release")
