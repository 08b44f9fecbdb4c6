"""Reader for tables in HTML pages: the one that has most of the expected columns, else the
largest."""

import pandas as pd
from lxml import html

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.delimited import decode
from assets.sources.headings import best_header, number_duplicates
from assets.sources.reading import as_text_rows, refuse_wide

_ROWS_LOOKED_AT = 10
_MAX_SPAN = 1000


def read_html_table(file: RawFile, expected: list[str]) -> pd.DataFrame:
    """Return the table of a page that has most of the expected columns, and those with the same
    header, as a frame of text; cells that span rows count in each of them. Raises
    UnreadableFileError for a page without a table."""
    try:
        page = html.fromstring(decode(file.read_bytes(), "utf-8"))
    except (ValueError, UnicodeDecodeError, html.etree.ParserError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    tables = [_cells(table, file) for table in page.iter("table")]
    tables = [table for table in tables if len(table) > 1]
    if not tables:
        raise UnreadableFileError(f"{file.name}: the page has no table")
    heads = [table[:_ROWS_LOOKED_AT] for table in tables]
    number, at = best_header(heads, expected, file.other_names) or (0, 0)
    best = tables[number]
    names = number_duplicates(name or f"column {n}" for n, name in enumerate(best[at], 1))
    # A page may have a table for each county, all with one header.
    parts = [table[table.index(best[at]) + 1 :] for table in tables if best[at] in table]
    records = [row for part in parts for row in part if any(row) and row != best[at]]
    columns = {
        name: pd.Series([row[n] if n < len(row) else None for row in records], dtype="str")
        for n, name in enumerate(names)
    }
    return as_text_rows(pd.DataFrame(columns), file)


def _cells(table: html.HtmlElement, file: RawFile) -> list[list[str | None]]:
    """Return the texts of a table's cells row by row, spans filled in. Raises
    UnreadableFileError."""
    rows: list[list[str | None]] = []
    open_cells: dict[int, tuple[int, str | None]] = {}
    for row in table.iter("tr"):
        if next(row.iterancestors("table")) is not table:
            continue
        texts: list[str | None] = []
        for cell in row.iterchildren("td", "th"):
            _fill(texts, open_cells)
            text = _text(cell)
            for _ in range(_span(cell, "colspan")):
                if (down := _span(cell, "rowspan")) > 1:
                    open_cells[len(texts)] = (down - 1, text)
                texts.append(text)
            refuse_wide(texts, file)
        _fill(texts, open_cells)
        rows.append(texts)
    return rows


def _fill(texts: list[str | None], open_cells: dict[int, tuple[int, str | None]]) -> None:
    """Add the cells of rows above that span into this one."""
    while len(texts) in open_cells:
        row_count, text = open_cells.pop(len(texts))
        if row_count > 1:
            open_cells[len(texts)] = (row_count - 1, text)
        texts.append(text)


def _span(cell: html.HtmlElement, name: str) -> int:
    text = cell.get(name, "1")
    return min(int(text), _MAX_SPAN) if text.isdigit() and text != "0" else 1


def _text(cell: html.HtmlElement) -> str | None:
    for each in cell.iter("br", "p", "div", "li"):
        each.tail = "\n" + (each.tail or "")
    lines = (" ".join(line.split()) for line in cell.text_content().splitlines())
    return "\n".join(line for line in lines if line) or None
