"""Reader for KML: placemarks with their extended data, as Google My Maps exports them."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pandas as pd
from lxml import etree

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading import as_text_rows

_KML = "{http://www.opengis.net/kml/2.2}"


def read_kml_placemarks(file: RawFile, required: Iterable[str] = ()) -> pd.DataFrame:
    """Return one row of text per placemark: `name`, `address`, `coordinates` and its extended data
    by name.

    The description repeats the extended data and is not read. Entities are not resolved. Raises
    UnreadableFileError when the file is no XML or lacks a required column.
    """
    try:
        events = etree.iterparse(
            io.BytesIO(file.read_bytes()),
            tag=f"{_KML}Placemark",
            resolve_entities=False,
            no_network=True,
        )
        records = [_record(placemark) for _, placemark in events]
    except etree.XMLSyntaxError as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    columns = dict.fromkeys(name for record in records for name in record)
    frame = pd.DataFrame(
        {name: pd.Series([r.get(name) for r in records], dtype="str") for name in columns}
    )
    return as_text_rows(frame, file, required)


def _record(placemark: etree._Element) -> dict[str, str | None]:
    record = {
        "name": placemark.findtext(f"{_KML}name"),
        "address": placemark.findtext(f"{_KML}address"),
        "coordinates": placemark.findtext(f"{_KML}Point/{_KML}coordinates"),
    }
    for data in placemark.iter(f"{_KML}Data"):
        record[data.get("name", "")] = data.findtext(f"{_KML}value")
    placemark.clear()
    return record
