"""Readers for file formats met in more than one source. Every value comes out as text or None."""

import codecs
import csv
import io
import math
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence, Sized
from datetime import date, datetime, time
from typing import Any, NamedTuple

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from openpyxl.utils.exceptions import InvalidFileException

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.headings import (
    OtherNames,
    best_header,
    header_at,
    number_duplicates,
    with_declared_names,
)
from schemas.sources.registry import Source

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


# Reason of a row whose cells cannot be told apart, or have bytes of another encoding.
DAMAGED_ROW = "damaged_row"
# Far above any publisher's workbook; the rows are held in memory.
MAX_WORKBOOK_BYTES = 2**30
MAX_CELLS = 50_000_000
# The widest real table has some 400. Each record may name others, which makes rows times names.
MAX_COLUMNS = 2_000
# Invalid XML, and XML that its entities expand without end, is a SyntaxError to both parsers.
_NO_WORKBOOK = (
    zipfile.BadZipFile,
    InvalidFileException,
    LookupError,
    TypeError,
    AttributeError,
    ValueError,
    OSError,
    SyntaxError,
)


def read_csv_text(
    file: RawFile,
    *,
    encoding: str = "utf-8-sig",
    separator: str = ",",
    names: list[str] | None = None,
    required: Iterable[str] = (),
    optional: Iterable[str] = (),
    lineterminator: str | None = None,
) -> pd.DataFrame:
    """Return a delimited file as a frame of text with `source_row`, values stripped, empty as None.

    `names` for files without a header; `required` columns must be there, `optional` ones get their
    declared names too. Encoding, separator and line ends are those of the known editions: another
    edition's own are recognized in its bytes. Raises UnreadableFileError naming file and fault.
    """
    required = list(required)
    try:
        text = decode(file.read_bytes(), encoding)
        form = form_of(text, separator, required, names, file.other_names)
        if lineterminator and text.count(lineterminator) <= text.count("\r\n"):
            lineterminator = None
        body = text[form.begins_at :] if form.begins_at else text
        try:
            with warnings.catch_warnings():
                # Cells beyond the header would be lost without a word.
                warnings.filterwarnings("error", category=pd.errors.ParserWarning)
                frame = pd.read_csv(
                    io.StringIO(body, newline=""),
                    sep=form.separator,
                    dtype=str,
                    keep_default_na=False,
                    header=None if names else "infer",
                    names=names,
                    lineterminator=lineterminator,
                    index_col=False,
                )
        except (pd.errors.ParserWarning, pd.errors.ParserError) as error:
            frame = _rows_of_any_width(body, form.separator, names, error)
    except (
        pd.errors.ParserWarning,
        ValueError,
        UnicodeDecodeError,
        pd.errors.ParserError,
    ) as error:
        raise UnreadableFileError(f"{file.name}: {_describe(error)}") from error
    rows = _records_of(frame, file, required, optional)
    return _set_damaged_aside(rows) if "\ufffd" in text else rows


def _rows_of_any_width(
    text: str, separator: str, names: list[str] | None, error: Exception
) -> pd.DataFrame:
    """Return the rows of delimited text, with those that are longer than the header set aside.

    Raises the parser's error if more than a tenth of them are: then it is another table.
    """
    records = [r for r in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if r]
    header = number_duplicates(names or records[0]) if records else []
    records = records if names else records[1:]
    width = len(header)
    surplus = [len([cell for cell in record[width:] if cell.strip()]) for record in records]
    if (
        not width
        or "EOF inside string" in str(error)
        or sum(map(bool, surplus)) * 10 > len(records)
    ):
        raise error
    frame = pd.DataFrame([(r + [""] * width)[:width] for r in records], columns=header, dtype="str")
    details = [
        f"{width + count} cells below {width} headings, a stray separator?" if count else None
        for count in surplus
    ]
    frame["reject_detail"] = pd.Series(details, dtype="str")
    frame["reject_reason"] = frame["reject_detail"].notna().map({True: DAMAGED_ROW, False: None})
    return frame


def _set_damaged_aside(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with those set aside that had bytes of another encoding."""
    cells = rows.drop(columns=["source_row", "reject_reason", "reject_detail"], errors="ignore")
    damaged = pd.Series(False, rows.index)
    for name in cells:
        damaged |= cells[name].str.contains("\ufffd", regex=False).fillna(False).astype(bool)
    rows = with_columns(rows, ["reject_reason", "reject_detail"])
    detail = "a byte that is not UTF-8; save the file as UTF-8"
    return rows.assign(
        reject_reason=rows["reject_reason"].mask(damaged, DAMAGED_ROW),
        reject_detail=rows["reject_detail"].mask(damaged, detail),
    )


def _describe(error: Exception) -> str:
    """Return pandas' error in words for the operator."""
    if isinstance(error, pd.errors.EmptyDataError):
        return "the file is empty"
    if "EOF inside string" in str(error):
        return f"a quotation mark is never closed; the file may be cut off ({error})"
    return str(error)


def refuse_wide(names: Sized, file: RawFile) -> None:
    """Raise UnreadableFileError for more names of columns than any table has."""
    if len(names) > MAX_COLUMNS:
        raise UnreadableFileError(f"{file.name}: more than {MAX_COLUMNS:,} columns")


def as_text_rows(
    frame: pd.DataFrame, file: RawFile, required: Iterable[str] = (), optional: Iterable[str] = ()
) -> pd.DataFrame:
    """Return stripped text rows numbered in `source_row`. Raises UnreadableFileError."""
    refuse_wide(frame.columns, file)
    names = [str(name).strip() for name in frame.columns]
    frame.columns = names
    required = list(required)
    frame = with_declared_names(frame, dict.fromkeys([*required, *optional]), file.other_names)
    missing = [name for name in required if name not in frame.columns]
    if missing:
        raise UnreadableFileError(f"{file.name}: columns {missing} are missing; found {names[:30]}")
    for at in range(frame.shape[1]):
        frame.isetitem(at, _plain_cells(frame.iloc[:, at]))
    frame["source_row"] = range(1, len(frame) + 1)
    return frame


def _records_of(
    frame: pd.DataFrame, file: RawFile, required: Iterable[str], optional: Iterable[str]
) -> pd.DataFrame:
    """Return `as_text_rows` of a table without blank rows and repeated headers."""
    header = [str(name).strip() for name in frame.columns]
    rows = as_text_rows(frame, file, required, optional)
    rows = rows[~_is_no_record(rows.drop(columns="source_row"), header)].reset_index(drop=True)
    rows["source_row"] = range(1, len(rows) + 1)
    return rows


# Texts that programs write into an empty cell. Words that people write are left to the
# cleaning.
_EMPTY_CELLS = pa.array(
    ["", "NULL", "null", "<Null>", "<NULL>", "(null)", "NaN", "nan", "NaT", "<NA>", "#N/A", "\\N",
     "N/A", "n/a"],
    pa.large_string(),
)  # fmt: skip
# How digits are kept from spreadsheets that would drop their zeros: ="02139", '02139.
_GUARDED_DIGITS = r"^(?:=\"(.*)\"|'(\d[\d-]*))$"
_FLOAT = r"\d+\.0"


def _plain_cells(column: pd.Series) -> pd.Series:
    texts = pc.utf8_trim_whitespace(pa.array(column.astype("str"), pa.large_string()))
    texts = pc.if_else(pc.is_in(texts, _EMPTY_CELLS), None, texts)
    is_guarded = pc.or_(pc.starts_with(texts, '="'), pc.starts_with(texts, "'"))
    cells = pd.Series(pd.array(texts, dtype="str"), column.index)
    if pc.any(is_guarded).as_py():
        guarded = pd.Series(is_guarded.fill_null(False), column.index, dtype=bool)
        inner = cells[guarded].str.extract(_GUARDED_DIGITS)
        plain = inner[0].fillna(inner[1]).fillna(cells[guarded]).str.strip()
        cells = cells.mask(guarded, plain.mask(plain == ""))
        texts = pa.array(cells, pa.large_string())
    # A column of whole numbers with gaps is one of fractions to many a program: 2139.0.
    filled = texts.drop_null()
    is_float = len(filled) > 0 and re.fullmatch(_FLOAT, filled[0].as_py())
    if is_float and cells.dropna().str.fullmatch(_FLOAT).all():
        cells = cells.str.removesuffix(".0")
    return cells


def _is_no_record(frame: pd.DataFrame, header: list[str]) -> pd.Series:
    """Check for a blank row of a spreadsheet or a joined file's repeated header."""
    is_blank = frame.isna().all(axis=1)
    if len(header) < 2 or frame.empty:
        return is_blank
    # Cells of hardly any row read as the name of the first column: only those are compared in full.
    again = frame.iloc[:, 0].fillna("") == header[0]
    for at, name in enumerate(header):
        if not again.any():
            break
        again &= frame.iloc[:, at].fillna(name) == name
    return is_blank | again


def rename(rows: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    """Return `source_row` and the columns renamed; a missing column is empty."""
    renamed = with_declared_names(rows, columns).rename(columns=columns)
    renamed = renamed.reindex(columns=["source_row", *columns.values()])
    return renamed.astype(dict.fromkeys(columns.values(), "str"))


def with_columns(rows: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Return the rows with every named column, with empty text for missing ones."""
    missing = [name for name in names if name not in rows]
    return rows.assign(**{name: pd.Series(None, rows.index, dtype="str") for name in missing})


def as_number(column: pd.Series) -> pd.Series:
    """Return a column of text as float64; other texts become missing."""
    return pd.to_numeric(column, errors="coerce").astype("float64")


def join_texts(*columns: pd.Series, separator: str = " ") -> pd.Series:
    """Join several columns row by row, without missing parts; missing when all are."""
    result = columns[0]
    for column in columns[1:]:
        both = result.notna() & column.notna()
        result = (result + separator + column).where(both, result.fillna(column))
    return result


def first_filled(columns: Iterable[pd.Series]) -> pd.Series:
    """Return the first value that is present in the columns, row by row."""
    first, *others = columns
    for column in others:
        first = first.where(first.notna(), column)
    return first


def without_sentinels(rows: pd.DataFrame, sentinels: Iterable[str]) -> pd.DataFrame:
    """Return the rows with the publisher's marks for "no value" as None."""
    marks = set(sentinels)
    for name in rows.columns:
        if name != "source_row":
            rows[name] = rows[name].mask(rows[name].isin(marks))
    return rows


def with_known(rows: pd.DataFrame, file: RawFile, source: Source) -> pd.DataFrame:
    """Return the rows with gaps filled from the registry's entry of the file."""
    layout = source.layout_of(file.name)
    for name, value in (layout.known if layout else {}).items():
        if name not in rows:
            rows[name] = pd.Series(value, index=rows.index, dtype="str")
        rows[name] = rows[name].fillna(value)
    return rows


def with_rejects(
    places: pd.DataFrame, checks: Iterable[tuple[str, pd.Series, pd.Series]]
) -> pd.DataFrame:
    """Return the places with the first (reason, mask, detail) that applies."""
    for name in ("reject_reason", "reject_detail"):
        places[name] = pd.Series(None, index=places.index, dtype="str")
    for reason, applies, detail in checks:
        target = applies & places["reject_reason"].isna()
        places.loc[target, "reject_reason"] = reason
        places.loc[target, "reject_detail"] = detail[target]
    return places


def read_xlsx_text(
    file: RawFile,
    *,
    sheet: str | None = None,
    required: Iterable[str] = (),
    optional: Iterable[str] = (),
) -> pd.DataFrame:
    """Return a sheet (the first that has the required columns, unless named) as a frame of text.

    Titles may be above its header. Numbers come as they are written shortest (19401, -75.341034),
    dates in ISO form. Leading zeros that a spreadsheet dropped are gone. Raises UnreadableFileError
    when it is no workbook of sane size.
    """
    required = list(required)
    try:
        table = _sheet_rows(file.read_bytes(), sheet, required, file.other_names)
    except _NO_WORKBOOK as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    if not table:
        raise UnreadableFileError(f"{file.name}: the sheet is empty")
    header = number_duplicates(
        as_text(value) or f"column {at}" for at, value in enumerate(table[0], 1)
    )
    records = [row for row in table[1:] if any(value is not None for value in row)]
    if longer := next(
        (row for row in records if any(v is not None for v in row[len(header) :])), None
    ):
        raise UnreadableFileError(f"{file.name}: a row is longer than the header: {longer[:5]}")
    columns = {
        name: pd.Series(
            [as_text(row[at]) if at < len(row) else None for row in records], dtype="str"
        )
        for at, name in enumerate(header)
    }
    return _records_of(pd.DataFrame(columns), file, required, optional)


def first_rows(file: RawFile) -> dict[str, list[tuple[Any, ...]]]:
    """Return the first rows of every sheet of a workbook by its name. Raises
    UnreadableFileError."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="openpyxl")
            book = openpyxl.load_workbook(
                io.BytesIO(file.read_bytes()), read_only=True, data_only=True
            )
        try:
            pages = {page.title: page for page in book.worksheets}
            for page in pages.values():
                page.reset_dimensions()
            return {
                name: list(page.iter_rows(max_row=_LINES_LOOKED_AT, values_only=True))
                for name, page in pages.items()
            }
        finally:
            book.close()
    except _NO_WORKBOOK as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error


def _sheet_rows(
    content: bytes, sheet: str | None, required: list[str], other_names: OtherNames
) -> list[tuple[Any, ...]]:
    """Return a sheet's rows from its header on, else the first sheet's."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        pages = [n for n in archive.namelist() if n.startswith("xl/worksheets/")]
        has_merged = unpacked <= MAX_WORKBOOK_BYTES and any(
            b"<mergeCell " in archive.read(name) for name in pages
        )
    if unpacked > MAX_WORKBOOK_BYTES:
        raise ValueError(f"unpacks to more than {MAX_WORKBOOK_BYTES} bytes")
    with warnings.catch_warnings():
        # Extensions that only change how a sheet looks.
        warnings.filterwarnings("ignore", module="openpyxl")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        first: list[tuple[Any, ...]] | None = None
        try:
            for page in [book[sheet]] if sheet else book.worksheets:
                # The size a file claims for its sheet may be wrong and would cut rows off.
                page.reset_dimensions()
                rows = _within(page.iter_rows(values_only=True))
                at = header_at(rows[:_LINES_LOOKED_AT], required, other_names)
                if at is not None or first is None:
                    if has_merged:
                        rows = _fill_merged(rows, at or 0, content, page.title)
                    first = rows
                if at is not None:
                    return rows[at:]
            return first or []
        finally:
            book.close()


def _fill_merged(
    rows: list[tuple[Any, ...]], header: int, content: bytes, sheet: str
) -> list[tuple[Any, ...]]:
    """Give each cell below the header that is merged with others the text that they share; a title
    across the table, from its first column on, stays one cell."""
    book = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
    width = max(map(len, rows), default=0)
    filled = [[*row, *[None] * (width - len(row))] for row in rows]
    for area in book[sheet].merged_cells.ranges:
        left, top, right, bottom = area.bounds
        if top - 1 <= header or top > len(rows) or (left == 1 and right > 1):
            continue
        for at in range(top - 1, min(bottom, len(rows))):
            for column in range(left - 1, min(right, width)):
                filled[at][column] = filled[top - 1][left - 1]
    return [tuple(row) for row in filled]


def _within(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the sheet's rows; a cell may name a place far out, which is cut."""
    inside, cells = [], 0
    for row in rows:
        cells += len(row) + 1
        if cells > MAX_CELLS:
            raise ValueError(f"the sheet has more than {MAX_CELLS} cells")
        inside.append(row)
    return inside


def as_text(value: object) -> str | None:
    """Return a cell as text: whole floats without a point, ISO dates, None for nothing."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)
