"""The map over HTTP: GeoJSON of a view, and vector tiles."""

import math

import mapbox_vector_tile
import pytest

from schemas.vocab.resource_types import TYPES_BY_MODE
from tests.support.town import ADAK, GUAM, NEW_YORK, resources

ROWS = resources()
WORLD = "-180,-90,180,90"
TOWN = "-74.1,40.6,-73.8,41"


def view(client, query):
    answer = client.get(f"/api/map?{query}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/geo+json"
    return answer.json()


def counted(clusters):
    return sum(f["properties"].get("count", 1) for f in clusters["features"])


# Query, places in the view, names of the places shown by themselves.
VIEWS = {
    "the world": (f"bbox={WORLD}&zoom=5", len(ROWS), {"Adak Pantry", "Guam Pantry", "Far Pantry"}),
    "a mode": (f"bbox={WORLD}&zoom=3&mode=wic", 1, {"Example WIC"}),
    "a type of no mode": (f"bbox={WORLD}&zoom=3&type=diaper_bank", 1, {"Example Diapers"}),
    "a mode and a type that share nothing": (
        f"bbox={WORLD}&zoom=3&mode=wic&type=food_bank",
        0,
        set(),
    ),
    "across the antimeridian": ("bbox=140,10,-170,60&zoom=3", 2, {"Adak Pantry", "Guam Pantry"}),
    "a map that counts on beyond 180 degrees": (
        "bbox=140,10,190,60&zoom=3",
        2,
        {"Adak Pantry", "Guam Pantry"},
    ),
    "a map more than once round the world": (
        "bbox=-300,10,300,60&zoom=5",
        len(ROWS),
        {"Adak Pantry", "Guam Pantry", "Far Pantry"},
    ),
    "a fraction of a zoom": (f"bbox={WORLD}&zoom=3.9&mode=wic", 1, {"Example WIC"}),
    "nothing there": ("bbox=0,0,1,1&zoom=9", 0, set()),
}


@pytest.mark.parametrize(("query", "total", "names"), VIEWS.values(), ids=VIEWS)
def test_views(client, query, total, names):
    document = view(client, query)
    assert document["total"] == counted(document) == total
    counts = {
        f["properties"]["name"] for f in document["features"] if f["properties"]["kind"] == "place"
    }
    assert counts == names


def test_a_cluster_counts_its_places(client):
    document = view(client, f"bbox={TOWN}&zoom=5")
    (cluster,) = (f for f in document["features"] if f["properties"]["kind"] == "cluster")
    actual = cluster["properties"]
    near = [row for row in ROWS if abs(row["lat"] - NEW_YORK[0]) < 0.2999]
    assert actual["count"] == len(near) == 129
    assert actual["modes"] == {
        "free": 123,
        "snap": 1,
        "school": 1,
        "summer": 1,
        "wic": 1,
        "health": 1,
        "other": 1,
    }
    west, south, east, north = actual["bounds"]
    assert (west, east) == (NEW_YORK[1], NEW_YORK[1])
    assert (south, north) == (min(r["lat"] for r in near), max(r["lat"] for r in near))
    lng, lat = cluster["geometry"]["coordinates"]
    assert south <= lat <= north
    assert lng == pytest.approx(NEW_YORK[1], abs=1e-4)
    closer = view(client, f"bbox={TOWN}&zoom={actual['expansion_zoom']}")
    assert len(closer["features"]) > 1


def test_a_place_has_the_members_of_a_pin(client):
    document = view(client, f"bbox={TOWN}&zoom=16&mode=free")
    pins = {
        f["properties"]["id"]: f for f in document["features"] if f["properties"]["kind"] == "place"
    }
    assert pins[101]["properties"] == {
        "kind": "place",
        "id": 101,
        "name": "Example Pantry East",
        "resource_type": "food_pantry",
        "mode": "free",
        "hours_status": "open",
        "verification_status": "unverified",
        "location_precision": "street",
    }
    assert pins[101]["geometry"]["coordinates"] == [ROWS[0]["lng"], ROWS[0]["lat"]]
    assert pins[102]["properties"]["name"] == 'Kitchen "Señor" <b>'
    assert pins[102]["properties"]["hours_status"] == "unknown"


def test_from_zoom_17_on_every_place_is_by_itself(client):
    document = view(client, f"bbox={TOWN}&zoom=17")
    assert {f["properties"]["kind"] for f in document["features"]} == {"place"}
    assert len(document["features"]) == document["total"] == 129


REFUSED = {
    "no view": ("zoom=3", "bbox"),
    "no zoom": (f"bbox={WORLD}", "zoom"),
    "three numbers": ("bbox=1,2,3&zoom=3", "bbox"),
    "words": ("bbox=a,b,c,d&zoom=3", "bbox"),
    "south above north": ("bbox=0,50,10,40&zoom=3", "bbox"),
    "beyond the pole": ("bbox=0,40,10,91&zoom=3", "bbox"),
    "far round the world": ("bbox=0,40,900,50&zoom=3", "bbox"),
    "too near": (f"bbox={WORLD}&zoom=23", "zoom"),
    "not a number": (f"bbox={WORLD}&zoom=nan", "zoom"),
    "unknown type": (f"bbox={WORLD}&zoom=3&type=shop", "type"),
}


@pytest.mark.parametrize(("query", "field"), REFUSED.values(), ids=REFUSED)
def test_refuses(client, query, field):
    answer = client.get(f"/api/map?{query}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == field


# ---------------------------------------------------------------- tiles


def tile_of(point, zoom):
    lat, lng = point
    sine, size = math.sin(math.radians(lat)), 1 << zoom
    down = 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
    return int((lng + 180) / 360 * size), int(down * size)


def tile(client, zoom, x, y, query=""):
    answer = client.get(f"/api/tiles/{zoom}/{x}/{y}.mvt{query}")
    assert answer.status_code in {200, 204}, answer.text
    if answer.status_code == 204:
        assert answer.content == b""
        return {}
    assert answer.headers["content-type"] == "application/vnd.mapbox-vector-tile"
    layers = mapbox_vector_tile.decode(answer.content, default_options={"y_coord_down": True})
    return {name: layer["features"] for name, layer in layers.items()}


@pytest.mark.parametrize("zoom", [0, 1, 2, 4])
@pytest.mark.parametrize("mode", [None, "free", "snap"])
def test_the_tiles_of_a_zoom_have_every_place_once(client, zoom, mode):
    total = 0
    for x in range(1 << zoom):
        for y in range(1 << zoom):
            layers = tile(client, zoom, x, y, f"?mode={mode}" if mode else "")
            total += len(layers.get("places", []))
            total += sum(f["properties"]["count"] for f in layers.get("clusters", []))
    expected = [r for r in ROWS if mode is None or r["resource_type"] in TYPES_BY_MODE[mode]]
    assert total == len(expected)


@pytest.mark.parametrize(("point", "name"), [(ADAK, "Adak Pantry"), (GUAM, "Guam Pantry")])
@pytest.mark.parametrize("zoom", [3, 10, 17])
def test_a_place_is_in_its_tile(client, point, name, zoom):
    x, y = tile_of(point, zoom)
    (place,) = tile(client, zoom, x, y)["places"]
    assert place["properties"]["name"] == name
    assert place["id"] == place["properties"]["id"]
    across, down = place["geometry"]["coordinates"]
    # The point within the tile, back in degrees.
    lng = (x + across / 4096) / (1 << zoom) * 360 - 180
    lat = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * (y + down / 4096) / (1 << zoom)))))
    assert (lat, lng) == pytest.approx(point, abs=0.03 if zoom == 3 else 1e-3)


def test_a_tile_is_the_same_for_the_whole_release(client):
    x, y = tile_of(NEW_YORK, 8)
    first = client.get(f"/api/tiles/8/{x}/{y}.mvt")
    assert first.headers["x-release"] in first.headers["etag"]
    assert first.headers["cache-control"] == "public, max-age=3600"
    again = client.get(
        f"/api/tiles/8/{x}/{y}.mvt", headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


ABSENT = [
    "/api/tiles/2/4/0.mvt",
    "/api/tiles/2/0/4.mvt",
    "/api/tiles/2/0/0.png",
    "/api/tiles/2/0/x.mvt",
    "/api/tiles/2/0/-1.mvt",
    "/api/tiles/2/0/0",
]


@pytest.mark.parametrize("path", ABSENT)
def test_unknown_tiles_are_404(client, path):
    assert client.get(path).status_code == 404


def test_tiles_end_at_zoom_17(client):
    answer = client.get("/api/tiles/18/0/0.mvt")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "z")
