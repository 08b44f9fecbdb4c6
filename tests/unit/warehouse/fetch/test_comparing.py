"""A list that lost its rows or columns is refused."""

import gzip
import json
from pathlib import Path

import pytest

from tests.support.cases import cases
from warehouse.fetch.comparing import Outline, check_against_last, outline_of
from warehouse.fetch.errors import ChangedLayoutError, FetchError, ShrunkenError, WrongContentError

KML = "application/vnd.google-earth.kml+xml"
PLACES = [{"name": "A", "zip": "00601"}, {"name": "B", "phone": None}]
FEATURES = [{"attributes": place, "geometry": {"x": 1}} for place in PLACES]
NAMES = {"name", "zip", "phone"}


@cases(
    "media_type, content, expected",
    {
        "csv": ("text/csv", b"\xef\xbb\xbfName,ZIP\r\nA,1\r\nB,2\r\n", (2, "rows", {"name", "zip"})),
        "csv in gzip": ("text/csv", gzip.compress(b"Name;ZIP\nA;1"), (1, "rows", {"name", "zip"})),
        "header alone": ("text/csv", b"name,zip\n", (0, "rows", {"name", "zip"})),
        "list": ("application/json", json.dumps(PLACES).encode(), (2, "records", NAMES)),
        "a platform's own list": ("application/json", json.dumps({"fields": [{"a": 1}] * 9, "features": FEATURES}).encode(), (2, "records", NAMES)),
        "geojson": ("application/geo+json", json.dumps({"features": [{"properties": p} for p in PLACES]}).encode(), (2, "records", NAMES)),
        "list of pages": ("application/json", json.dumps([{"features": FEATURES}, {"features": FEATURES}]).encode(), (4, "records", NAMES)),
        "ckan": ("application/json", json.dumps({"result": {"records": PLACES}}).encode(), (2, "records", NAMES)),
        "longest list": ("application/json", json.dumps({"metadata": {}, "Declarations": PLACES, "tags": [1]}).encode(), (2, "records", NAMES)),
        "cut": ("application/json", b'{"features": [', (14, "bytes", set())),
        "no list": ("application/json", b'{"a": 1}', (8, "bytes", set())),
        "kml": (KML, b"<kml><Placemark><name>A</name></Placemark><Placemark/></kml>", (2, "records", set())),
        "calendar": ("text/calendar", b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR", (1, "records", set())),
        "pdf": ("application/pdf", b"%PDF-1.7 %%EOF", (14, "bytes", set())),
    },
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


@cases(
    "new, last, kind, message",
    {
        "first time": (outline(100), None, None, ""),
        "half": (outline(50), outline(100), None, ""),
        "less": (outline(49), outline(100), ShrunkenError, "49 rows came, 100 the"),
        "nothing": (outline(0), None, WrongContentError, "0 rows"),
        "half of the columns": (outline(9, "abxy"), outline(9), None, ""),
        "others": (outline(9, "axyz"), outline(9), ChangedLayoutError, "3 of 4"),
        "another unit": (outline(9), outline(900, unit="bytes"), None, ""),
    },
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
