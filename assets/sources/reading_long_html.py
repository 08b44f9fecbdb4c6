"""Reader for one long HTML table, a row in memory at a time: web pages named .xls are such
files."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pandas as pd
from lxml import etree

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.headings import header_at
from assets.sources.reading import as_text_rows


@dataclass(frozen=True)
class HtmlTable:
    """A table of a web page: the text of the rows above its header, and the rows below as text."""

    preamble: str
    rows: pd.DataFrame


def read_long_html_table(
    file: RawFile, required: Iterable[str], optional: Iterable[str] = ()
) -> HtmlTable:
    """Return the table under a row of all `required` names. Raises UnreadableFileError."""
    required_names, above = list(required), []
    header: list[str] = []
    records: list[list[str]] = []
    for cells in _html_rows(file):
        if header:
            if len(cells) != len(header):
                raise UnreadableFileError(
                    f"{file.name}: row {len(records) + 1} has {len(cells)} cells, not {len(header)}"
                )
            records.append(cells)
        elif header_at([cells], required_names, file.other_names) is not None:
            header = cells
        else:
            above.append(" ".join(cells))
    if not header:
        raise UnreadableFileError(f"{file.name}: no table has the columns {sorted(required_names)}")
    frame = pd.DataFrame(records, columns=header, dtype="str")
    return HtmlTable("\n".join(above), as_text_rows(frame, file, required_names, optional))


def _html_rows(file: RawFile) -> Iterator[list[str]]:
    """Yield each table row's cells, one row in memory at a time; tags in any case."""
    events = etree.iterparse(
        io.BytesIO(file.read_bytes()), tag="tr", html=True, huge_tree=True, remove_comments=True
    )
    try:
        for _, row in events:
            cells = [_cell_text(cell) for cell in row if cell.tag in {"td", "th"}]
            row.clear()
            while row.getprevious() is not None:
                del row.getparent()[0]
            if cells:
                yield cells
    except etree.XMLSyntaxError as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error


def _cell_text(cell: etree._Element) -> str:
    for line_break in cell.iter("br"):
        line_break.tail = f" {line_break.tail or ''}"
    return "".join(cell.itertext()).strip()
