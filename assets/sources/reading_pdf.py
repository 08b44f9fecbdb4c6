"""Reader for tables in PDF files: ruled tables, page by page, under one header."""

import io
from typing import Any

import pandas as pd
import pdfplumber
from pdfplumber.utils.exceptions import PdfminerException

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.headings import best_header, number_duplicates, plain_heading
from assets.sources.reading import DAMAGED_ROW, as_text_rows, with_columns

_ROWS_LOOKED_AT = 10
# A narrower table is a legend; so many headings show that another table is part of the list.
_FEWEST_COLUMNS, _FEWEST_HEADINGS = 3, 2
# Words closer than this, in points, belong to one cell; a line is that high at most.
_WORD_GAP, _LINE_HEIGHT = 7.0, 3.0
Cells = list[list[str | None]]
Word = dict[str, Any]


def read_pdf_tables(file: RawFile, expected: list[str]) -> pd.DataFrame:
    """Return the tables of a file that have the first one's columns as one frame of text.

    A table of another width is read by its headings if it repeats at least two. Otherwise its rows
    are set aside, with the number of the table and of its columns, unless it is as narrow as a
    legend. Tables without ruled lines are read by the places of their headings, only where no page
    has ruled ones. Raises UnreadableFileError for a file that is no PDF or has no table.
    """
    try:
        with pdfplumber.open(io.BytesIO(file.read_bytes())) as document:
            tables = [t for page in document.pages for t in page.extract_tables()]
            if not tables:
                lines = [line for page in document.pages for line in _lines(page.extract_words())]
                tables = _align(lines, file, expected)
    except (PdfminerException, ValueError, KeyError, TypeError, OSError) as error:
        raise UnreadableFileError(f"{file.name}: {type(error).__name__}: {error}") from error
    cells, details = _under_one_header([_plain(table) for table in tables], file, expected)
    names = number_duplicates(name or f"column {n}" for n, name in enumerate(cells[0], 1))
    columns = {
        name: pd.Series([row[n] for row in cells[1:]], dtype="str") for n, name in enumerate(names)
    }
    rows = as_text_rows(pd.DataFrame(columns), file)
    if not any(details):
        return rows
    detail = pd.Series(details, index=rows.index, dtype="str")
    rows = with_columns(rows, ["reject_reason", "reject_detail"])
    return rows.assign(
        reject_reason=rows["reject_reason"].mask(detail.notna(), DAMAGED_ROW), reject_detail=detail
    )


def _lines(words: list[Word]) -> list[list[Word]]:
    """Return the words of a page line by line, each from left to right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda each: (each["top"], each["x0"])):
        if lines and abs(word["top"] - lines[-1][0]["top"]) <= _LINE_HEIGHT:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda each: each["x0"]) for line in lines]


def _align(lines: list[list[Word]], file: RawFile, expected: list[str]) -> list[Cells]:
    """Return the table whose columns start at the headings; a line with an empty first column
    continues the previous one."""
    cells = [_cells(line) for line in lines]
    texts = [[text for _, text in row] for row in cells]
    place = best_header([texts], expected, file.other_names)
    if place is None:
        return []
    starts = [edge for edge, _ in cells[place[1]]]
    rows: Cells = [[*texts[place[1]]]]
    for line in lines[place[1] + 1 :]:
        row: list[list[str]] = [[] for _ in starts]
        for word in line:
            at = sum(start <= word["x0"] + _LINE_HEIGHT for start in starts) - 1
            row[max(at, 0)].append(word["text"])
        texts_of_row = [" ".join(parts) or None for parts in row]
        if texts_of_row[0] is None and len(rows) > 1:
            pairs = zip(rows[-1], texts_of_row, strict=True)
            rows[-1] = [" ".join(filter(None, pair)) or None for pair in pairs]
        elif texts_of_row != rows[0]:
            rows.append(texts_of_row)
    return [rows]


def _cells(line: list[Word]) -> list[tuple[float, str]]:
    """Return the cells of a line with their left edges: words with a blank between are one."""
    cells: list[tuple[float, float, str]] = []
    for word in line:
        if cells and word["x0"] - cells[-1][1] < _WORD_GAP:
            edge, _, text = cells.pop()
            cells.append((edge, word["x1"], f"{text} {word['text']}"))
        else:
            cells.append((word["x0"], word["x1"], word["text"]))
    return [(edge, text) for edge, _, text in cells]


def _plain(table: Cells) -> Cells:
    """Return a table with the line breaks that its narrow columns put into texts undone."""
    rows = [[" ".join(cell.split()) or None if cell else None for cell in row] for row in table]
    return [row for row in rows if any(row)]


def _under_one_header(
    tables: list[Cells], file: RawFile, expected: list[str]
) -> tuple[Cells, list[str | None]]:
    """Return the header and the rows of all tables, and for each row why it is set aside, if it
    is."""
    heads = [table[:_ROWS_LOOKED_AT] for table in tables]
    place = best_header(heads, expected, file.other_names)
    if place is None:
        raise UnreadableFileError(f"{file.name}: no table of {len(tables)} has a header")
    header = tables[place[0]][place[1]]
    rows = [header, *tables[place[0]][place[1] + 1 :]]
    details: list[str | None] = [None] * (len(rows) - 1)
    places = {plain_heading(name): at for at, name in enumerate(header) if name}
    for number, found in enumerate(tables[place[0] + 1 :], place[0] + 2):
        table = found
        width = max(map(len, table), default=0)
        kept = [n for n in range(width) if any(n < len(row) and row[n] for row in table)]
        if width != len(header) and len(kept) == len(header):
            # A line that is drawn twice makes an empty column.
            table = [[row[n] if n < len(row) else None for n in kept] for row in table]
            width = len(kept)
        own = [places.get(plain_heading(name or "")) for name in table[0]] if table else []
        named = [at for at in own if at is not None]
        if width == len(header):
            added = [row for row in table if row != header]
            detail = None
        elif len(named) >= _FEWEST_HEADINGS and len(named) == len(set(named)):
            added = [_by_heading(row, own, len(header)) for row in table[1:]]
            detail = None
        elif width >= _FEWEST_COLUMNS:
            added = [[*row, *[None] * len(header)][: len(header)] for row in table]
            detail = (
                f"table {number} of {len(tables)} has {width} columns, the list {len(header)}: "
                "give it the list's headings, or save it as a file of its own"
            )
        else:
            continue
        rows += added
        details += [detail] * len(added)
    return rows, details


def _by_heading(row: list[str | None], own: list[int | None], width: int) -> list[str | None]:
    """Return a row with its cells below the list's headings."""
    placed: list[str | None] = [None] * width
    for at, cell in zip(own, row, strict=False):
        if at is not None:
            placed[at] = cell
    return placed
