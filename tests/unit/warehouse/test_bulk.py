"""The bulk files, opened by independent readers, and the check for damage."""

import csv
import gzip
import hashlib
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import geopandas as gpd
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyogrio
import pytest
import shapely

from schemas.api.record import COMPUTED_MEMBERS, DETAIL_MEMBERS, LIVE_MEMBERS, RECORD_MEMBERS
from schemas.bulk import (
    BULK_FIELDS,
    BULK_FOLDER,
    BULK_FORMATS,
    DATABASE_NAME,
    INDEX_NAME,
    ONLY_IN_FILES,
)
from schemas.tables.core import CITIES, CROSSWALK, RECORD_SOURCES, RESOURCES, STATEMENTS, ZIPS
from schemas.vocab.resource_types import RESOURCE_TYPES
from tests.support.releases import as_table, name_statements, resource, write_release
from tests.support.town import cities, resources, zips
from warehouse.exports.bulk import BulkFacts, read_index, write_bulk
from warehouse.exports.bulk_formats import hilbert_order
from warehouse.exports.bulk_tiles import MAX_TILES_ZOOM, tile_numbers, write_tiles
from warehouse.parquet import write_table
from warehouse.release.store import ReleaseStore

FACTS = BulkFacts("CC-BY-4.0", is_synthetic=True, as_of=date(2026, 11, 1))
COLUMNS = [f.name for f in BULK_FIELDS]
HARD = resource(
    900,
    name='Señora\'s "Kitchen", 2nd',
    notes="one\r\ntwo",
    services_offered=["a, b", 'c "d"'],
    address="1 Main St",
    zip="01970",
    phone_e164="+12125550101",
    accepts_walkins=True,
)
SHELTER = resource(
    901,
    name="Example Shelter",
    is_confidential=True,
    address=None,
    zip=None,
    location_precision="city",
)
GONE = resource(902, name="Not listed any more", is_active=False)
ROWS = [*resources(), HARD, SHELTER, GONE]
ACTIVE = len(ROWS) - 1
MAPPED = ACTIVE - 1  # all but the shelter


def written(folder: Path, rows: list[dict[str, Any]], facts: BulkFacts = FACTS) -> Path:
    """Return a bulk folder of rows of resources and the town's geography."""
    record_sources = [
        {
            "resource_id": r["resource_id"],
            "source_id": "x",
            "source_key": str(r["resource_id"]),
            "is_primary": True,
            "supplied_fields": ["name"],
            "match_reason": "only record",
            "retrieved_at": r["retrieved_at"],
        }
        for r in rows
    ]
    tables = {
        RESOURCES: rows,
        RECORD_SOURCES: record_sources,
        STATEMENTS: name_statements(rows),
        CROSSWALK: [],
        ZIPS: zips(),
        CITIES: cities(),
    }
    paths = {table.name: folder / f"{table.name}.parquet" for table in tables}
    for table, values in tables.items():
        write_table(as_table(values, table), table, paths[table.name])
    (folder / "bulk").mkdir()
    write_bulk(paths, folder / "bulk", facts)
    return folder / "bulk"


@pytest.fixture(scope="module")
def bulk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("bulk"), ROWS)


def bytes_of(bulk: Path, name: str) -> bytes:
    """Return the bytes of a file, which may be stored as gzip."""
    path = bulk / name
    return path.read_bytes() if path.is_file() else gzip.decompress(_packed(path).read_bytes())


def _packed(path: Path) -> Path:
    return path.with_name(f"{path.name}.gz")


def lines_of(bulk: Path) -> list[dict[str, str]]:
    text = bytes_of(bulk, "resources.csv").decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


# ---------------------------------------------------------------- every format


def rows_by_format(bulk: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return id, name, ZIP code and point of every row, read by each format's own reader."""
    geojson = json.loads(bytes_of(bulk, "resources.geojson"))
    names = ("id", "name", "zip", "lat", "lng")

    def of(frame: Any) -> list[tuple[Any, ...]]:
        return [
            tuple(row)
            for row in frame[list(names)]
            .astype(object)
            .where(frame[list(names)].notna(), None)
            .to_numpy()
            .tolist()
        ]

    with duckdb.connect(str(bulk / DATABASE_NAME), read_only=True) as db:
        database = db.execute(f"SELECT {', '.join(names)} FROM resources").fetchall()
    return {
        "resources.parquet": of(pq.read_table(bulk / "resources.parquet").to_pandas()),
        "resources.geoparquet": of(gpd.read_parquet(bulk / "resources.geoparquet")),
        "resources.csv": [
            (
                int(r["id"]),
                r["name"],
                r["zip"] or None,
                *(float(r[name]) if r[name] else None for name in ("lat", "lng")),
            )
            for r in lines_of(bulk)
        ],
        "resources.ndjson": [
            tuple(json.loads(t)[n] for n in names)
            for t in bytes_of(bulk, "resources.ndjson").splitlines()
        ],
        "resources.geojson": [
            tuple(f["properties"][n] for n in names) for f in geojson["features"]
        ],
        DATABASE_NAME: database,
    }


def test_every_format_has_the_same_active_places(bulk: Path) -> None:
    ids_by_format = {name: sorted(rows) for name, rows in rows_by_format(bulk).items()}
    expected = sorted(
        (
            r["resource_id"],
            r["name"],
            r["zip"],
            *((None, None) if r["is_confidential"] else (r["lat"], r["lng"])),
        )
        for r in ROWS
        if r["is_active"]
    )
    assert {name: rows == expected for name, rows in ids_by_format.items()} == dict.fromkeys(
        ids_by_format, True
    )


def test_a_place_with_a_withheld_address_has_no_geometry(bulk: Path) -> None:
    features = json.loads(bytes_of(bulk, "resources.geojson"))["features"]
    points = gpd.read_parquet(bulk / "resources.geoparquet").set_index("id")
    without = [f["id"] for f in features if f["geometry"] is None]
    assert without == points.index[points.geometry.isna()].tolist() == [SHELTER["resource_id"]]
    assert pq.read_table(bulk / "resources.geoparquet")["bbox"].null_count == 1


def test_columns_are_in_the_declared_order(bulk: Path) -> None:
    head = list(lines_of(bulk)[0])
    line = json.loads(bytes_of(bulk, "resources.ndjson").splitlines()[0])
    features = json.loads(bytes_of(bulk, "resources.geojson"))["features"]
    columns = {
        "csv": head,
        "ndjson": list(line),
        "geojson": list(features[0]["properties"]),
        "parquet": pq.read_schema(bulk / "resources.parquet").names,
        "geoparquet": pq.read_schema(bulk / "resources.geoparquet").names[:-2],
        "index": [c.name for c in read_index(bulk).columns],
    }
    assert {name: names == COLUMNS for name, names in columns.items()} == dict.fromkeys(
        columns, True
    )


def test_a_column_is_a_member_of_the_api_or_its_absence_is_explained() -> None:
    others = [*DETAIL_MEMBERS, *COMPUTED_MEMBERS, *LIVE_MEMBERS]
    members = {m.name for m in RECORD_MEMBERS} | {name for name, _ in others}
    assert set(COLUMNS) - members == set(ONLY_IN_FILES)
    assert {m.name for m in RECORD_MEMBERS} - set(COLUMNS) == {"services_offered_json"}


def test_the_index_names_every_file_with_its_digest(bulk: Path) -> None:
    index = read_index(bulk)
    assert [file.name for file in index.files] == list(BULK_FORMATS)
    assert (index.license, index.is_synthetic, index.as_of_date) == (
        "CC-BY-4.0",
        True,
        "2026-11-01",
    )
    assert "invented" in (index.notice or "")
    for file in [*index.files, *(t for f in index.files for t in f.compressed)]:
        content = bytes_of(bulk, file.name)
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size_bytes, file.sha256)


def test_texts_are_stored_as_gzip_only(bulk: Path) -> None:
    for name, file in BULK_FORMATS.items():
        assert (bulk / name).is_file() == (not file.is_packed), name
        assert _packed(bulk / name).is_file() == file.is_packed, name


def test_csv_is_rfc_4180(bulk: Path) -> None:
    content = bytes_of(bulk, "resources.csv")
    assert content.endswith(b"\r\n")
    assert content.count(b"\r\n") == ACTIVE + 2, (
        "one end for each line, the header's, and one inside a cell"
    )
    hard = next(line for line in lines_of(bulk) if line["id"] == "900")
    assert hard["name"] == HARD["name"]
    assert hard["notes"] == "one\r\ntwo"
    assert (hard["zip"], hard["phone_e164"]) == ("01970", "+12125550101")
    assert json.loads(hard["services_offered"]) == ["a, b", 'c "d"']
    assert (hard["accepts_walkins"], hard["requires_appointment"]) == ("true", "")
    assert hard["retrieved_at"] == "2026-11-01T06:00:00Z"


def test_geojson_is_rfc_7946(bulk: Path) -> None:
    whole = json.loads(bytes_of(bulk, "resources.geojson"))
    assert (whole["type"], whole["license"], whole["is_synthetic"]) == (
        "FeatureCollection",
        "CC-BY-4.0",
        True,
    )
    assert "crs" not in whole
    for feature in whole["features"]:
        place = feature["properties"]
        assert feature["id"] == place["id"]
        if not place["is_confidential"]:
            point = {"type": "Point", "coordinates": [place["lng"], place["lat"]]}
            assert feature["geometry"] == point
    assert pyogrio.read_info(bytes_of(bulk, "resources.geojson"))["features"] == ACTIVE


def test_geoparquet_is_valid(bulk: Path) -> None:
    """Check metadata, covering column and rows (https://geoparquet.org/releases/v1.1.0)."""
    schema = pq.read_schema(bulk / "resources.geoparquet")
    geo = json.loads(schema.metadata[b"geo"])
    column = geo["columns"][geo["primary_column"]]
    assert geo["version"] == "1.1.0"
    assert (column["encoding"], column["geometry_types"]) == ("WKB", ["Point"])
    sides = ["xmin", "ymin", "xmax", "ymax"]
    assert column["covering"] == {"bbox": {side: ["bbox", side] for side in sides}}
    assert schema.field("geometry").type == pa.binary()
    assert [f.name for f in schema.field("bbox").type] == sides
    frame = gpd.read_parquet(bulk / "resources.geoparquet")
    assert frame.crs == "OGC:CRS84"
    assert column["bbox"] == pytest.approx(list(frame.total_bounds))
    mapped = frame[frame["lat"].notna()]
    assert (mapped.geometry.x == mapped["lng"]).all()
    assert (mapped.geometry.y == mapped["lat"]).all()
    box = (-75.0, 40.0, -73.0, 41.0)
    near = gpd.read_parquet(bulk / "resources.geoparquet", bbox=box)
    assert len(near) == frame.geometry.within(shapely.box(*box)).sum()
    order = hilbert_order(mapped["lat"].to_numpy(), mapped["lng"].to_numpy())
    assert (np.diff(order) >= 0).all()
    with pq.ParquetFile(bulk / "resources.geoparquet") as file:
        group = file.metadata.row_group(0)
        assert {group.column(i).compression for i in range(group.num_columns)} == {"ZSTD"}


# ---------------------------------------------------------------- map tiles


def read_layer(path: Path, layer: str, zoom: int) -> gpd.GeoDataFrame:
    return pyogrio.read_dataframe(path, layer=layer, ZOOM_LEVEL=zoom)


@pytest.mark.parametrize("zoom", range(MAX_TILES_ZOOM + 1))
def test_tiles_of_every_zoom_count_every_place_with_a_point_once(bulk: Path, zoom: int) -> None:
    path = bulk / "resources.pmtiles"
    clusters = read_layer(path, "clusters", zoom)
    assert len(read_layer(path, "places", zoom)) + clusters["count"].sum() == MAPPED
    by_mode = clusters.drop(columns=["mvt_id", "count", "geometry"]).fillna(0)
    assert (by_mode.sum(axis=1) == clusters["count"]).all()


def test_tiles_of_the_last_zoom_have_every_place_where_it_is(bulk: Path) -> None:
    tiles = read_layer(bulk / "resources.pmtiles", "places", MAX_TILES_ZOOM).set_index("mvt_id")
    expected = gpd.read_parquet(bulk / "resources.geoparquet").set_index("id").loc[tiles.index]
    members = ["name", "resource_type", "verification_status", "location_precision"]
    assert len(tiles) == MAPPED
    assert SHELTER["resource_id"] not in tiles.index
    for name in members:
        assert (tiles[name] == expected[name]).all(), name
    modes = tiles["resource_type"].map(lambda kind: RESOURCE_TYPES[kind].mode)
    assert (tiles["mode"].fillna("") == modes.fillna("")).all()
    apart = tiles.to_crs("EPSG:3857").geometry.distance(expected.to_crs("EPSG:3857").geometry)
    assert apart.max() < 7  # a step of the grid is 4.8 by 4.8 m on the map


def test_tiles_too_many_for_one_directory_are_found(tmp_path: Path) -> None:
    """Over 3,000 tiles have places: the first directory names others."""
    count = 4000
    chance = np.random.default_rng(20261101)
    rows = pa.table(
        {
            "id": np.arange(1, count + 1),
            "lat": chance.uniform(25, 49, count),
            "lng": chance.uniform(-124, -67, count),
            "name": [f"Pantry {number}" for number in range(count)],
            "resource_type": ["food_pantry"] * count,
            "verification_status": ["official_listing"] * count,
            "location_precision": ["street"] * count,
        }
    )
    path = tmp_path / "many.pmtiles"
    with duckdb.connect() as db:
        db.register("resources", rows)
        write_tiles(db, path, FACTS.texts)
    tiles = read_layer(path, "places", MAX_TILES_ZOOM)
    assert sorted(tiles["mvt_id"]) == list(range(1, count + 1))
    info = pyogrio.read_info(path, layer="places")["dataset_metadata"]
    assert info["attribution"] == FACTS.license


# From the specification of PMTiles 3 and the tests of its authors: zoom, column, row, number.
TILE_NUMBERS = [
    (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
    (12, 3423, 1763, 19078479),
]  # fmt: skip


@pytest.mark.parametrize(("zoom", "x", "y", "number"), TILE_NUMBERS)
def test_tiles_are_numbered_as_the_format_does(zoom: int, x: int, y: int, number: int) -> None:
    assert tile_numbers(zoom, np.array([x]), np.array([y])).tolist() == [number]


def test_the_database_explains_itself(bulk: Path) -> None:
    with duckdb.connect(str(bulk / DATABASE_NAME), read_only=True) as db:
        tables = dict(
            db.execute("SELECT table_name, estimated_size FROM duckdb_tables()").fetchall()
        )
        assert tables == {
            "resources": ACTIVE,
            "record_sources": ACTIVE,
            "zips": len(zips()),
            "cities": len(cities()),
            "about": 5,
        }
        about = dict(db.execute("FROM about").fetchall())
        assert (about["license"], about["is_synthetic"]) == ("CC-BY-4.0", "true")
        comments = dict(
            db.execute(
                "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'resources'"
            ).fetchall()
        )
    assert comments == {f.name: f.description for f in BULK_FIELDS}


def test_the_database_is_in_a_format_that_older_versions_open(bulk: Path) -> None:
    """The storage version is in the file's header: 64 is that of DuckDB 1.0 to 1.x."""
    head = (bulk / DATABASE_NAME).read_bytes()[:4096]
    assert head[8:12] == b"DUCK"
    assert int.from_bytes(head[12:20], "little") <= 65


# ---------------------------------------------------------------- same rows, same bytes


def test_the_curve_steps_from_neighbour_to_neighbour() -> None:
    """Over a grid of 64 by 64 cells every step of a Hilbert curve leads to one of four neighbours."""
    side = 64
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(side), np.arange(side)))
    order = np.argsort(hilbert_order((y + 0.5) / side * 180 - 90, (x + 0.5) / side * 360 - 180))
    steps = np.abs(np.diff(x[order])) + np.abs(np.diff(y[order]))
    assert len(set(order)) == side * side
    assert (steps == 1).all()


def test_the_curve_covers_the_corners_of_the_globe() -> None:
    order = hilbert_order(np.array([-90.0, 90.0, 90.0]), np.array([-180.0, 180.0, -180.0]))
    assert ((order >= 0) & (order < 2**32)).all()
    assert len(set(order.tolist())) == 3


def digests(bulk: Path) -> dict[str, str]:
    names = {p.name for p in bulk.iterdir()} - {DATABASE_NAME, INDEX_NAME}
    return {name: hashlib.sha256((bulk / name).read_bytes()).hexdigest() for name in sorted(names)}


def test_the_same_rows_give_the_same_bytes(
    bulk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the order they come in and however many threads write; not the database (DuckDB's
    own).
    """
    monkeypatch.setenv("LARDER_DUCKDB_THREADS", "1")
    assert digests(written(tmp_path, ROWS[::-1])) == digests(bulk)


def test_without_a_place_the_files_are_empty_and_sound(tmp_path: Path) -> None:
    bulk = written(tmp_path, [])
    assert json.loads(bytes_of(bulk, "resources.geojson"))["features"] == []
    assert len(gpd.read_parquet(bulk / "resources.geoparquet")) == 0
    assert lines_of(bulk) == []


def test_real_data_are_not_marked_as_invented(tmp_path: Path) -> None:
    bulk = written(
        tmp_path, [HARD], BulkFacts("ODbL-1.0", is_synthetic=False, as_of=date(2026, 11, 1))
    )
    index = read_index(bulk)
    assert (index.notice, index.is_synthetic, index.license) == (None, False, "ODbL-1.0")
    head = json.loads(bytes_of(bulk, "resources.geojson"))
    assert (head["is_synthetic"], "notice" in head) == (False, False)
    assert pq.read_schema(bulk / "resources.parquet").metadata[b"license"] == b"ODbL-1.0"


def test_the_manifest_lists_rows_type_and_licence(tmp_path: Path) -> None:
    release_id = write_release(tmp_path, ROWS, zips=zips(), cities=cities(), bulk=True)
    store = ReleaseStore(tmp_path)
    entries = {e.path: e for e in store.verify(release_id).files}
    index = read_index(store.folder(release_id) / BULK_FOLDER)
    for file in index.files:
        entry = entries[f"{BULK_FOLDER}/{file.name}"]
        assert (entry.rows, entry.size_bytes, entry.sha256) == (
            file.rows,
            file.size_bytes,
            file.sha256,
        )
        assert (entry.media_type, entry.license) == (file.media_type, "CC-BY-4.0")
    assert entries["serving/directory.duckdb"].rows is None
