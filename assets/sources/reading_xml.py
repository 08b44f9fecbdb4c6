"""Reader for lists in XML: the markers and stores of older store locators, in attributes or
elements."""

from collections import Counter

import pandas as pd
from lxml import etree

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading_json import Record
from assets.sources.reading_records import records_frame


def read_xml_records(file: RawFile) -> pd.DataFrame:
    """Return the most frequent element with several texts in it, one row each: its attributes and
    its elements by path. Entities are not resolved. Raises UnreadableFileError for no such element.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(file.read_bytes(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    texts = {each: _record(each) for each in root.iter(etree.Element)}
    counts = Counter(
        each.tag for each, record in texts.items() if len(record) > 1 and each is not root
    )
    if not counts:
        raise UnreadableFileError(f"{file.name}: no element with several texts in it")
    (tag, _), *_ = counts.most_common(1)
    # Of an element within one of the same name, the inner one is the record.
    records = [
        texts[each] for each in root.iter(tag) if next(each.iterdescendants(tag), None) is None
    ]
    return records_frame(records, file)


def _record(element: etree._Element) -> Record:
    record: Record = {etree.QName(name).localname: text for name, text in element.attrib.items()}
    for child in element:
        name = etree.QName(child).localname
        if len(child):
            record.setdefault(name, {**_record(child)})
        elif child.text and child.text.strip():
            record.setdefault(name, child.text.strip())
    return record
