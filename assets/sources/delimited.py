"""Reads delimited text in any encoding and with any separator.

Editions may differ in encoding and separator, and have titles above the header. The bytes decide;
the source's declaration resolves ambiguities.
"""

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assets.sources.contract import RawFile
from assets.sources.headings import OtherNames, best_header, header_at

_SEPARATORS = (",", ";", "\t", "|")
# The header is within these lines: no publisher's notes are longer.
_LINES_LOOKED_AT = 40
_LOOKED_AT = 200_000
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
# Non-ASCII characters in UTF-8. In one-byte encodings these sequences are very rare.
_IS_UTF8 = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}")


class Form(NamedTuple):
    """The separator of a text and the start of its header (or, without one, of its first row)."""

    separator: str
    begins_at: int


def decode(content: bytes, encoding: str) -> str:
    """Decode a file: by its byte order mark, else as UTF-8 if valid, else as `encoding`, else
    Windows-1252.

    In UTF-8 with a few damaged bytes each becomes U+FFFD, by which its row is set aside: read as
    Windows-1252, every accent in the file would be wrong.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if encoding.startswith("utf") and _IS_UTF8.search(content):
            return content.decode("utf-8-sig", errors="replace")
        return content.decode("cp1252" if encoding.startswith("utf") else encoding)


def form_of(
    text: str,
    separator: str,
    required: Sequence[str],
    names: Sequence[str] | None,
    other: OtherNames,
) -> Form:
    """Return the format of the text: with the separator whose header matches, else the declared
    one."""
    lines = _LINE.findall(text[:_LOOKED_AT])[:_LINES_LOOKED_AT]
    for each in dict.fromkeys((separator, *_SEPARATORS)):
        records = list(_records(lines, each))
        if names:
            # Without a header only the number of cells distinguishes separators.
            if records and len(records[0][1]) == len(names):
                return Form(each, 0)
        elif required:
            at = header_at((record for _, record in records), required, other)
            if at is not None:
                return Form(each, sum(map(len, lines[: records[at][0]])))
    return Form(separator, 0)


def header_names(
    text: str, separator: str, expected: Sequence[str], other: OtherNames
) -> tuple[str, list[str]]:
    """Return separator and header of a text with uncertain columns: the line with the most wanted
    ones, else the first that looks like a header; the declared separator wins a tie."""
    lines = _LINE.findall(text[:_LOOKED_AT])[:_LINES_LOOKED_AT]
    separators = list(dict.fromkeys((separator, *_SEPARATORS)))
    tables = [[record for _, record in _records(lines, each)] for each in separators]
    widths = [max((len(record) for record in table), default=0) for table in tables]
    order = sorted(range(len(tables)), key=lambda n: -widths[n])
    position = best_header([tables[n] for n in order], expected, other)
    if position is None:
        return separator, []
    number = order[position[0]]
    cells = [cell.strip() for cell in tables[number][position[1]]]
    return separators[number], [cell for cell in cells if cell]


def _records(lines: list[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the lines before it; stops if the text is not delimited."""
    reader = csv.reader(lines, delimiter=separator)
    before = 0
    try:
        for record in reader:
            yield before, record
            before = reader.line_num
    except csv.Error:
        return


def first_record(file: RawFile) -> list[str]:
    """Return the cells of the first line of delimited text that has several; [] without."""
    text = decode(file.read_bytes()[:_LOOKED_AT], "cp1252")
    lines = _LINE.findall(text)[:_LINES_LOOKED_AT]
    records = [next((r for _, r in _records(lines, each) if r), []) for each in _SEPARATORS]
    widest = max(records, key=len)
    return widest if len(widest) > 1 else []
