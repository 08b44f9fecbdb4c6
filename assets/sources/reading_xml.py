"""Reader for lists in XML: the markers and stores of older store locators, in attributes or
elements."""

from collections import Counter
from typing import Any

import pandas as pd
from lxml import etree

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading_records import Record, records_frame


def read_xml_records(file: RawFile) -> pd.DataFrame:
    """Return the most frequent element with several texts in it, one row each: its attributes and
    its elements by path. An element around it that has more texts of its own is the record, as a
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
    own = {
        each: sum(_texts_of(element) for element in root.iter(each)) / counts[each]
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


def _texts_of(element: etree._Element) -> int:
    """Count the texts of an element, without those of the elements that have elements."""
    return len(element.attrib) + sum(not len(child) and bool(child.text) for child in element)


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
