"""Reader for KML: placemarks with their extended data, as Google My Maps exports them."""

import io
import zipfile
from collections.abc import Iterable

import pandas as pd
from lxml import etree

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading import as_text_rows, refuse_wide
from warehouse.gzip_files import MAX_UNPACKED_BYTES

_ZIP_MAGIC = b"PK\x03\x04"


def read_kml_placemarks(file: RawFile, required: Iterable[str] = ()) -> pd.DataFrame:
    """Return one row of text per placemark: `name`, `address`, `coordinates`, `lat`, `lng`,
    `description`, `folder` and its extended data by name. KMZ is KML in a ZIP archive.

    Where there is extended data, the description repeats it. Entities are not resolved. Raises
    UnreadableFileError when the file is no XML or lacks a required column.
    """
    try:
        events = etree.iterparse(
            io.BytesIO(_kml(file)),
            tag=("{*}Placemark", "{*}name"),
            resolve_entities=False,
            no_network=True,
        )
        records = []
        # A folder has a name and, in large maps, many placemarks: it is searched for its name once.
        folders: dict[etree._Element | None, str | None] = {}
        for _, element in events:
            parent = element.getparent()
            if etree.QName(element).localname == "Placemark":
                records.append(_record(element, folders.get(parent)))
            elif parent is not None and etree.QName(parent).localname != "Placemark":
                folders.setdefault(parent, element.text)
    except (etree.XMLSyntaxError, zipfile.BadZipFile, KeyError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    columns = dict.fromkeys(name for record in records for name in record)
    refuse_wide(columns, file)
    frame = pd.DataFrame(
        {name: pd.Series([r.get(name) for r in records], dtype="str") for name in columns}
    )
    return as_text_rows(frame, file, required)


def _kml(file: RawFile) -> bytes:
    content = file.read_bytes()
    if not content.startswith(_ZIP_MAGIC):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.casefold().endswith(".kml")]
        main = "doc.kml" if "doc.kml" in names or not names else names[0]
        if archive.getinfo(main).file_size > MAX_UNPACKED_BYTES:
            raise UnreadableFileError(f"{file.name}: {main} is too large")
        return archive.read(main)


def _record(placemark: etree._Element, folder: str | None) -> dict[str, str | None]:
    coordinates = placemark.findtext("{*}Point/{*}coordinates")
    pair = [part.strip() for part in (coordinates or "").split(",")]
    record = {
        "name": placemark.findtext("{*}name"),
        "address": placemark.findtext("{*}address"),
        "coordinates": coordinates,
        "lng": pair[0] if len(pair) >= 2 else None,
        "lat": pair[1] if len(pair) >= 2 else None,
        "description": placemark.findtext("{*}description"),
        "folder": folder,
    }
    for data in placemark.iter("{*}Data"):
        record[data.get("name", "")] = data.findtext("{*}value")
    for data in placemark.iter("{*}SimpleData"):
        record[data.get("name", "")] = data.text
    placemark.clear()
    return record
