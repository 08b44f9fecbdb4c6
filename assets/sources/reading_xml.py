"""Readers for lists in XML: KML as maps export it, and the markers and stores of older store
locators."""

import io
import zipfile
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd
from lxml import etree

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading_records import Record, records_frame
from warehouse.gzip_files import MAX_UNPACKED_BYTES


def read_xml_records(file: RawFile) -> pd.DataFrame:
    """Return the most frequent element with several texts in it, one row each: its attributes and
    its elements by path. If an element around it has more texts, that element is the record, as a
    place is around its days. Entities are not resolved. Raises UnreadableFileError for no such
    element.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(file.read_bytes(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    # An element that repeats within one other is a list in all of them.
    repeated = {
        (etree.QName(each).localname, name)
        for each in root.iter(etree.Element)
        for name, count in Counter(
            etree.QName(child).localname for child in each.iterchildren(etree.Element)
        ).items()
        if count > 1
    }
    texts = {each: _record(each, repeated) for each in root.iter(etree.Element)}
    counts = Counter(
        each.tag for each, record in texts.items() if len(record) > 1 and each is not root
    )
    if not counts:
        raise UnreadableFileError(f"{file.name}: no element with several texts in it")
    (tag, _), *_ = counts.most_common(1)
    # Texts of the element itself, without those of the elements that have elements.
    own = {
        each: sum(
            len(element.attrib) + sum(not len(child) and bool(child.text) for child in element)
            for element in root.iter(each)
        )
        / counts[each]
        for each in counts
    }
    inner = next(root.iter(tag))
    for outer in inner.iterancestors(*(each for each in counts if counts[each] > 1)):
        if own[outer.tag] > own[tag]:
            tag = outer.tag
    # Of an element within one of the same name, the inner one is the record.
    records = [
        texts[each] for each in root.iter(tag) if next(each.iterdescendants(tag), None) is None
    ]
    return records_frame(records, file)


def _record(element: etree._Element, repeated: set[tuple[str, str]]) -> Record:
    """Return an element's attributes and elements; those of one name as a list."""
    record: Record = {etree.QName(name).localname: text for name, text in element.attrib.items()}
    values: dict[str, list[Any]] = {}
    for child in element.iterchildren(etree.Element):
        text = (child.text or "").strip()
        if value := text if text and not len(child) else _record(child, repeated):
            values.setdefault(etree.QName(child).localname, []).append(value)
    own_name = etree.QName(element).localname
    for name, each in values.items():
        record.setdefault(name, each if (own_name, name) in repeated else each[0])
    return record


_ZIP_MAGIC = b"PK\x03\x04"


def read_kml_placemarks(file: RawFile, required: Sequence[str] = ()) -> pd.DataFrame:
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
                records.append(_placemark(element, folders.get(parent)))
            elif parent is not None and etree.QName(parent).localname != "Placemark":
                folders.setdefault(parent, element.text)
    except (etree.XMLSyntaxError, zipfile.BadZipFile, KeyError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    return records_frame(records, file, required)


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


def _placemark(placemark: etree._Element, folder: str | None) -> dict[str, str | None]:
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
