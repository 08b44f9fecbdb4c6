"""Reads a table that a publisher offers in several forms; the content decides which one a file is.

Hubs and data portals give the same columns as CSV, workbook and (Geo)JSON, and an edition may come
in another form than the one before.
"""

from collections.abc import Iterable

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.readers import READERS, Request, format_of
from assets.sources.reading import as_text_rows, read_csv_text, read_xlsx_text, rename
from schemas.sources.mapping import Mapping
from schemas.sources.registry import Source

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
    own = _own_names(rows) if form == "json" else {k: v for k, v in _POINT.items() if v not in rows}
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


def _own_names(rows: pd.DataFrame) -> dict[str, str]:
    """Map each nested member to its own name, if no other has it."""
    lasts = [str(name).rpartition(".")[2] for name in rows]
    pairs = zip(rows.columns, lasts, strict=True)
    return {name: last for name, last in pairs if lasts.count(last) == 1}
