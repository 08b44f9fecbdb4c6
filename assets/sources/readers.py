"""Readers of file formats by name: each returns a frame of text columns with `source_row`.

"auto" decides by the first bytes: publishers give one list as CSV, workbook, JSON or KML, and an
edition may come in another form than the one before.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.haarrrvest_locators import chester_county, freshtrak, gulf_coast
from assets.sources.headings import best_header
from assets.sources.markup import with_labelled_columns
from assets.sources.reading import (
    as_text,
    as_text_rows,
    decode,
    first_rows,
    header_names,
    read_csv_text,
    read_xlsx_text,
    rename,
)
from assets.sources.reading_arcgis import read_arcgis_json
from assets.sources.reading_calendar import read_calendar
from assets.sources.reading_hsds_json import is_package, read_hsds_json, read_hsds_package
from assets.sources.reading_html import page_records, read_html_table, read_json_ld
from assets.sources.reading_osm import osm_places, read_osm_pbf, read_overpass_json
from assets.sources.reading_pdf import read_pdf_tables
from assets.sources.reading_records import JSONP, Record, decode_json, read_records, records_frame
from assets.sources.reading_xml import read_kml_placemarks, read_xml_records
from schemas.sources.mapping import Mapping
from schemas.sources.registry import Source

_FIRST_BYTES = 4000
_OSM_KEYS = ("amenity", "social_facility")
_OSM_AMENITIES = ("food_bank", "soup_kitchen", "food_sharing", "give_box", "social_facility")


@dataclass(frozen=True)
class Request:
    """A request: a file of a layout, its required and all mapped columns."""

    file: RawFile
    mapping: Mapping
    required: list[str]
    expected: list[str]


Reader = Callable[[Request], pd.DataFrame]


def read_frame(file: RawFile, mapping: Mapping, required: list[str]) -> pd.DataFrame:
    """Return a file as a frame of text by the reader of its mapping.

    Raises UnreadableFileError naming file and fault, ValueError for an unknown reader.
    """
    name = mapping.reader or "auto"
    reader = READERS.get(name)
    if reader is None:
        raise ValueError(f"reader {name!r} is not one of {', '.join(READERS)}")
    expected = list(dict.fromkeys([*required, *mapping.column_names()]))
    return reader(Request(file, mapping, required, expected))


def format_of(file: RawFile) -> str:
    """Return the name of the reader for a file, by its first bytes."""
    if is_package(file):
        return "hsds_csv"
    start = file.first_bytes(_FIRST_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()
    if call := JSONP.match(start):
        start = start[call.end() :]
    if named := next((text for mark, text in _NO_LISTS.items() if re.match(mark, start)), None):
        raise UnreadableFileError(f"{file.name}: it is {named}")
    head = start.lower()
    if start.startswith(b"PK\x03\x04"):
        return "kml" if _member(file, ".kml") is not None else "xlsx"
    if start[:1] in (b"{", b"["):
        return _format_of_json(head)
    if head.startswith(b"<"):
        return "kml" if b"<kml" in head else _format_of_markup(file, head)
    return next((name for mark, name in _MARKS.items() if mark in head[:40]), "csv")


# What is no list, by its beginning, and what to do.
_NO_LISTS = {
    rb"\xd0\xcf\x11\xe0": "an Excel workbook of before 2007 (.xls); save it as .xlsx or CSV",
    rb"\x89PNG|\xff\xd8\xff|GIF8": "a picture; ask the publisher for the table",
    rb"version https://git-lfs": "a pointer of Git LFS; fetch the file with `git lfs pull`",
    rb"SQLite format 3": "an SQLite database; export its table as CSV",
    rb"(?:function|import|class)\b(?!,)|\(function|[\"']use strict|(?:var|let|const) \w+\s*=": (
        "JavaScript, not a table; save the list in it as JSON or CSV"
    ),
}
# Signatures at the beginning of a file.
_MARKS = {b"%pdf": "pdf", b"osmheader": "osm", b"begin:vcalendar": "icalendar"}


def _format_of_json(head: bytes) -> str:
    plain = head.replace(b" ", b"").replace(b"\n", b"").replace(b"\r", b"")
    if b'"featurecollection"' in plain or b'"type":"feature"' in plain:
        return "geojson"
    if b'"osm3s"' in plain or (b'"elements":[{"type":"' in plain and b'"id"' in plain):
        return "osm"
    if plain.startswith(b'{"error":'):
        return "arcgis"
    if b'"attributes"' in plain and (b'"features"' in plain or b'"objectidfieldname"' in plain):
        return "arcgis"
    if b'"objectidfieldname"' in plain or b'"esrifieldtype' in plain:
        return "arcgis"
    hsds = (b'"service_at_locations"', b'"service_at_location"', b'"physical_addresses"')
    return "hsds" if any(name in plain for name in hsds) else "json"


def _format_of_markup(file: RawFile, head: bytes) -> str:
    content = file.read_bytes().lower()
    is_page = b"<html" in content or b"<table" in content or head.startswith(b"<!doctype html")
    # Without a prolog, XML is a text whose first element is closed at its end.
    first = re.match(rb"<([a-z_][\w.-]*)[\s>]", content)
    ends_as_xml = first is not None and content.rstrip().endswith(b"</" + first[1] + b">")
    if not is_page and (head.startswith(b"<?xml") or ends_as_xml):
        return "xml"
    return "json_ld" if b"application/ld+json" in content and b"<table" not in content else "html"


def _member(file: RawFile, ending: str) -> bytes | None:
    """Return the first member of a ZIP archive whose name has this ending."""
    try:
        with zipfile.ZipFile(io.BytesIO(file.read_bytes())) as archive:
            names = [n for n in archive.namelist() if n.casefold().endswith(ending)]
            return archive.read(names[0]) if names else None
    except zipfile.BadZipFile:
        return None


def _auto(request: Request) -> pd.DataFrame:
    name = format_of(request.file)
    if name == "json" and request.mapping.records is None:
        return _json(request)
    return READERS[name](request)


def _csv(request: Request) -> pd.DataFrame:
    file, mapping = request.file, request.mapping
    names, separator = mapping.header or None, mapping.separator
    header: list[str] = []
    if not names:
        text = decode(file.read_bytes(), mapping.encoding)
        separator, header = header_names(text, separator, request.expected, file.other_names)
    rows = read_csv_text(
        file,
        encoding=mapping.encoding,
        separator=separator,
        names=names,
        required=header,
        optional=request.required,
    )
    return with_labelled_columns(rows)


def _xlsx(request: Request) -> pd.DataFrame:
    """Read the sheet with the most expected columns, and others with the same header."""
    sheets: list[str | None] = [None]
    header, pages = request.required, first_rows(request.file)
    position = best_header(list(pages.values()), request.expected, request.file.other_names)
    if position is not None:
        header = _fill_cells(list(pages.values())[position[0]][position[1]])
        sheets = [n for n, rows in pages.items() if header in map(_fill_cells, rows)]
    frames = [
        read_xlsx_text(request.file, sheet=name, required=header, optional=request.required)
        for name in sheets
    ]
    if len(sheets) > 1:
        # A sheet for each town, or for pantries and for meals.
        frames = [f.assign(sheet=name) for f, name in zip(frames, sheets, strict=True) if name]
    rows = pd.concat(frames, ignore_index=True)
    return rows.assign(source_row=range(1, len(rows) + 1))


def _fill_cells(cells: tuple[object, ...]) -> list[str]:
    return [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]


def _json(request: Request) -> pd.DataFrame:
    records = read_records(request.file, request.mapping.records)
    rows = records_frame(records, request.file, request.required)
    return with_labelled_columns(rows)


def _page(request: Request) -> pd.DataFrame:
    """Read the list in a page's scripts, else its table."""
    if records := page_records(request.file):
        return with_labelled_columns(records_frame(records, request.file, request.required))
    return read_html_table(request.file, request.expected)


def _geojson(request: Request) -> pd.DataFrame:
    """Read each feature's properties, `latitude` and `longitude` (RFC 7946: longitude first)."""
    content = decode_json(request.file)
    is_list = isinstance(content, list) and all(
        isinstance(item, dict) and item.get("type") == "Feature" for item in content
    )
    features = content if is_list else read_records(request.file, "features")
    records = [_properties(feature, request.file) for feature in features]
    return with_labelled_columns(records_frame(records, request.file, request.required))


def _properties(feature: Record, file: RawFile) -> Record:
    properties, geometry = feature.get("properties"), feature.get("geometry") or {}
    if feature.get("type") != "Feature" or not isinstance(properties, dict):
        raise UnreadableFileError(f"{file.name}: a feature without properties")
    pair = geometry.get("coordinates") if geometry.get("type") == "Point" else None
    lng, lat = pair[:2] if isinstance(pair, list) and len(pair) >= 2 else (None, None)
    return {**properties, "latitude": lat, "longitude": lng}


def _kml(request: Request) -> pd.DataFrame:
    rows = read_kml_placemarks(request.file, request.required)
    empty = [n for n in rows if n not in request.required and rows[n].isna().all()]
    return with_labelled_columns(rows.drop(columns=empty))


def _osm(request: Request) -> pd.DataFrame:
    """Read an extract or an Overpass answer: tags by name, derived `place.` fields, `osm_key`."""
    is_json = request.file.first_bytes(100).lstrip()[:1] in (b"{", b"[")
    all_objects = (
        read_overpass_json(request.file) if is_json else read_osm_pbf(request.file, _OSM_KEYS)
    )
    objects = [
        each
        for each in all_objects
        if each.tags.get("amenity") in _OSM_AMENITIES or "social_facility" in each.tags
    ]
    rows = records_frame([{**each.tags, "osm_key": each.key} for each in objects], request.file)
    places = osm_places(objects).drop(columns="source_row")
    for name in places:
        rows[f"place.{name}"] = _as_texts(places[name])
    return rows


def _locator(reader: Callable[[list[Record]], pd.DataFrame], request: Request) -> pd.DataFrame:
    """Read a locator whose records are no places yet: fields of the contract as columns of text."""
    places = reader(read_records(request.file, request.mapping.records))
    texts = {name: _as_texts(places[name]) for name in places}
    return as_text_rows(pd.DataFrame(texts), request.file)


def _as_texts(column: pd.Series) -> pd.Series:
    plain = column.astype("object").where(column.notna(), None)
    return pd.Series([as_text(value) for value in plain], column.index, dtype="str")


READERS: dict[str, Reader] = {
    "auto": _auto,
    "csv": _csv,
    "xlsx": _xlsx,
    "html": lambda request: read_html_table(request.file, request.expected),
    "page": _page,
    "pdf": lambda request: read_pdf_tables(request.file, request.expected),
    "json": _json,
    "geojson": _geojson,
    "arcgis": lambda request: read_arcgis_json(request.file, request.required),
    "kml": _kml,
    "xml": lambda request: with_labelled_columns(read_xml_records(request.file)),
    "osm": _osm,
    "hsds": lambda request: read_hsds_json(request.file),
    "hsds_csv": lambda request: read_hsds_package(request.file),
    "json_ld": lambda request: read_json_ld(request.file, request.required),
    "chester_county": partial(_locator, chester_county),
    "freshtrak": partial(_locator, freshtrak),
    "gulf_coast": partial(_locator, gulf_coast),
    "icalendar": lambda request: read_calendar(request.file),
}


_JSON = frozenset({"arcgis", "geojson", "hsds", "json"})
_POINT = {"geometry.x": "X", "geometry.y": "Y"}


def read_table(
    file: RawFile,
    *,
    separator: str = ",",
    required: Iterable[str] = (),
    optional: Iterable[str] = (),
    lineterminator: str | None = None,
) -> pd.DataFrame:
    """Return the file as a frame of text with `source_row`, whether delimited text, workbook,
    ArcGIS JSON, GeoJSON or the JSON records of an API (`reading_records`).

    Separator and line ends are those of the known editions. Raises UnreadableFileError naming file
    and fault.
    """
    form = format_of(file)
    if form == "xlsx":
        return read_xlsx_text(file, required=required, optional=optional)
    if form not in _JSON:
        return read_csv_text(
            file,
            separator=separator,
            required=required,
            optional=optional,
            lineterminator=lineterminator,
        )
    rows = READERS[form](Request(file, Mapping(), [], [])).drop(columns="source_row")
    own = {name: axis for name, axis in _POINT.items() if axis not in rows}
    if form == "json":
        # A nested member goes by its own name, if no other has it.
        lasts = [str(name).rpartition(".")[2] for name in rows]
        pairs = zip(rows.columns, lasts, strict=True)
        own = {name: last for name, last in pairs if lasts.count(last) == 1}
    return as_text_rows(rows.rename(columns=own), file, required if len(rows) else (), optional)


def read_columns(file: RawFile, source: Source, separator: str = ",") -> pd.DataFrame:
    """Return the columns that the source declares for the file's layout, by its module's names.

    Raises UnreadableFileError naming file and fault.
    """
    columns = source.columns[file.layout]
    rows = read_table(
        file, separator=separator, required=columns.required, optional=columns.optional
    )
    return rename(rows, columns.names)
