"""Reader for tables in PDF files: ruled tables, page by page, under one header."""

from __future__ import annotations

import io

import pandas as pd
import pdfplumber
from pdfplumber.utils.exceptions import PdfminerException

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.headings import best_header, numbered
from assets.sources.reading import as_text_rows

_ROWS_LOOKED_AT = 10
_BY_TEXT = {"vertical_strategy": "text", "horizontal_strategy": "text"}
Cells = list[list[str | None]]


def read_pdf_tables(file: RawFile, wanted: list[str]) -> pd.DataFrame:
    """Return the tables of a file that have the first one's columns as one frame of text.

    Tables without ruled lines are found by the alignment of their words, only where no page has
    ruled ones. Raises UnreadableFileError for a file that is none or has no table.
    """
    try:
        with pdfplumber.open(io.BytesIO(file.read_bytes())) as document:
            tables = [t for page in document.pages for t in page.extract_tables()]
            if not tables:
                tables = [t for page in document.pages for t in page.extract_tables(_BY_TEXT)]
    except (PdfminerException, ValueError, KeyError, TypeError, OSError) as error:
        raise UnreadableFileError(f"{file.name}: {type(error).__name__}: {error}") from error
    cells = _under_one_header([_plain(table) for table in tables], file, wanted)
    names = numbered(name or f"column {n}" for n, name in enumerate(cells[0], 1))
    columns = {
        name: pd.Series([row[n] for row in cells[1:]], dtype="str") for n, name in enumerate(names)
    }
    return as_text_rows(pd.DataFrame(columns), file)


def _plain(table: Cells) -> Cells:
    """Return a table with the line breaks that its narrow columns put into texts undone."""
    rows = [[" ".join(cell.split()) or None if cell else None for cell in row] for row in table]
    return [row for row in rows if any(row)]


def _under_one_header(tables: list[Cells], file: RawFile, wanted: list[str]) -> Cells:
    """Return the rows of all tables as wide as the one with the header, which other pages repeat."""
    heads = [table[:_ROWS_LOOKED_AT] for table in tables]
    place = best_header(heads, wanted, file.other_names)
    if place is None:
        raise UnreadableFileError(f"{file.name}: no table has a header")
    header = tables[place[0]][place[1]]
    found = [header, *tables[place[0]][place[1] + 1 :]]
    for table in tables[place[0] + 1 :]:
        found += [row for row in table if len(row) == len(header) and row != header]
    return found
