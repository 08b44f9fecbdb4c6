"""A list that lost its rows or columns is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from warehouse.fetch.comparing import Outline, check_against_last, outline_of
from warehouse.fetch.errors import (
    ChangedLayoutError,
    FetchError,
    ShrunkenError,
    WrongContentError,
)

KML = "application/vnd.google-earth.kml+xml"
PLACES = [{"name": "A", "zip": "00601"}, {"name": "B", "phone": None}]
FEATURES = [{"attributes": place, "geometry": {"x": 1}} for place in PLACES]
NAMES = {"name", "zip", "phone"}


@pytest.mark.parametrize(
    ("media_type", "content", "expected"),
    [
        pytest.param("text/csv", b"\xef\xbb\xbfName,ZIP\r\nA,1\r\nB,2\r\n", (2, "rows", {"name", "zip"}), id="csv"),
        pytest.param("text/csv", gzip.compress(b"Name;ZIP\nA;1"), (1, "rows", {"name", "zip"}), id="csv in gzip"),
        pytest.param("text/csv", b"name,zip\n", (0, "rows", {"name", "zip"}), id="header alone"),
        pytest.param("application/json", json.dumps(PLACES).encode(), (2, "records", NAMES), id="list"),
        pytest.param("application/json", json.dumps({"fields": [{"a": 1}] * 9, "features": FEATURES}).encode(), (2, "records", NAMES), id="a platform's own list"),
        pytest.param("application/geo+json", json.dumps({"features": [{"properties": p} for p in PLACES]}).encode(), (2, "records", NAMES), id="geojson"),
        pytest.param("application/json", json.dumps([{"features": FEATURES}, {"features": FEATURES}]).encode(), (4, "records", NAMES), id="list of pages"),
        pytest.param("application/json", json.dumps({"result": {"records": PLACES}}).encode(), (2, "records", NAMES), id="ckan"),
        pytest.param("application/json", json.dumps({"metadata": {}, "Declarations": PLACES, "tags": [1]}).encode(), (2, "records", NAMES), id="longest list"),
        pytest.param("application/json", b'{"features": [', (14, "bytes", set()), id="cut"),
        pytest.param("application/json", b'{"a": 1}', (8, "bytes", set()), id="no list"),
        pytest.param(KML, b"<kml><Placemark><name>A</name></Placemark><Placemark/></kml>", (2, "records", set()), id="kml"),
        pytest.param("text/calendar", b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR", (1, "records", set()), id="calendar"),
        pytest.param("application/x-ndjson", b"{}\n{}\n", (2, "records", set()), id="lines"),
        pytest.param("application/pdf", b"%PDF-1.7 %%EOF", (14, "bytes", set()), id="pdf"),
    ],
)  # fmt: skip
def test_outlines(
    tmp_path: Path, media_type: str, content: bytes, expected: tuple[int, str, set[str]]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    size, unit, names = expected
    assert outline_of(path, media_type, 10_000) == Outline(size, unit, frozenset(names))


def outline(size: int, names: str = "abcd", unit: str = "rows") -> Outline:
    return Outline(size, unit, frozenset(names))


@pytest.mark.parametrize(
    ("new", "last", "kind", "message"),
    [
        pytest.param(outline(100), None, None, "", id="first time"),
        pytest.param(outline(50), outline(100), None, "", id="half"),
        pytest.param(outline(49), outline(100), ShrunkenError, "49 rows came, 100 the", id="less"),
        pytest.param(outline(0), None, WrongContentError, "0 rows", id="nothing"),
        pytest.param(outline(9, "abxy"), outline(9), None, "", id="half of the columns"),
        pytest.param(outline(9, "axyz"), outline(9), ChangedLayoutError, "3 of 4", id="others"),
        pytest.param(outline(9), outline(900, unit="bytes"), None, "", id="another unit"),
    ],
)
def test_comparison(
    new: Outline, last: Outline | None, kind: type[FetchError] | None, message: str
) -> None:
    if kind is None:
        check_against_last(new, last, "https://x.example/", 0.5)
        return
    with pytest.raises(kind, match=message):
        check_against_last(new, last, "https://x.example/", 0.5)
    if kind is not WrongContentError:
        check_against_last(new, last, "https://x.example/", 0.0)
