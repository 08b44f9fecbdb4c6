"""Reads a table that a publisher offers in several forms; the content decides which one a file is.

Hubs and data portals give the same columns as CSV, workbook and (Geo)JSON, and an edition may come
in another form than the one before.
"""

from collections.abc import Iterable

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.headings import plain_heading, with_declared_names
from assets.sources.reading import as_text_rows, read_csv_text, read_xlsx_text, rename
from assets.sources.reading_arcgis import read_arcgis_json
from assets.sources.reading_geojson import read_geojson_points
from assets.sources.reading_json import texts
from assets.sources.reading_records import read_records, records_frame
from schemas.sources.registry import Source
from warehouse.unpacking import ZIP_MAGIC

# Members of an ArcGIS answer, the first of which stands near its beginning.
_ARCGIS_SIGNS = (b'"features"', b'"objectIdFieldName"', b'"geometryType"', b'"fields"', b'"error"')
_POINT_HEADINGS = {"x", "y", "latitude", "lat"}
_POINT = {"latitude": ("Latitude", "Y"), "longitude": ("Longitude", "X")}


def read_table(
    file: RawFile,
    *,
    encoding: str = "utf-8-sig",
    separator: str = ",",
    required: Iterable[str] = (),
    optional: Iterable[str] = (),
    lineterminator: str | None = None,
) -> pd.DataFrame:
    """Return the file as a frame of text with `source_row`, whether delimited text, workbook,
    ArcGIS JSON, GeoJSON or the JSON records of an API (`reading_records`).

    Encoding, separator and line ends are those of the known editions. Raises UnreadableFileError
    naming file and fault.
    """
    start = file.first_bytes(1000).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(ZIP_MAGIC):
        return read_xlsx_text(file, required=required, optional=optional)
    if start[:1] in (b"{", b"["):
        if b'"FeatureCollection"' in start:
            return _read_geojson(file, list(required), list(optional))
        if any(sign in start for sign in _ARCGIS_SIGNS):
            return _read_arcgis(file, list(required), list(optional))
        return _read_api(file, list(required), list(optional))
    return read_csv_text(
        file,
        encoding=encoding,
        separator=separator,
        required=required,
        optional=optional,
        lineterminator=lineterminator,
    )


def read_columns(file: RawFile, source: Source, separator: str = ",") -> pd.DataFrame:
    """Return the columns that the source declares for the file's layout, by its module's names.

    Raises UnreadableFileError naming file and fault.
    """
    columns = source.columns[file.layout]
    rows = read_table(
        file, separator=separator, required=columns.required, optional=columns.optional
    )
    return rename(rows, columns.names)


def _read_arcgis(file: RawFile, required: list[str], optional: list[str]) -> pd.DataFrame:
    """Return the attributes, and the points as X, Y where no attribute holds them."""
    rows = read_arcgis_json(file, required)
    if not {plain_heading(str(name)) for name in rows} & _POINT_HEADINGS:
        rows = rows.rename(columns={"geometry.x": "X", "geometry.y": "Y"})
    return with_declared_names(rows, [*required, *optional], file.other_names)


def _read_api(file: RawFile, required: list[str], optional: list[str]) -> pd.DataFrame:
    """Return the records of an API's answer; a nested member has its own name where no other has."""
    rows = records_frame(read_records(file), file)
    lasts = [str(name).rpartition(".")[2] for name in rows]
    own = {
        name: last for name, last in zip(rows.columns, lasts, strict=True) if lasts.count(last) == 1
    }
    rows = rows.drop(columns="source_row").rename(columns=own)
    return as_text_rows(rows, file, required if len(rows) else (), optional)


def _read_geojson(file: RawFile, required: list[str], optional: list[str]) -> pd.DataFrame:
    """Return the features' properties as text, and their points as X, Y."""
    records = read_geojson_points(file)
    for record in records:
        for place, names in _POINT.items():
            value = record.pop(place)
            # The table's own columns count where it has them.
            record.update({name: value for name in names if record.get(name) is None})
    columns = dict.fromkeys(name for record in records for name in record)
    frame = pd.DataFrame({name: texts(records, name) for name in columns})
    return as_text_rows(frame, file, required if records else (), optional)
