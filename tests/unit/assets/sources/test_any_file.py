"""Publishers' files with anything in them: they are read, or refused by name. Nothing else may
happen.
"""

import csv
import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from assets.sources.assemble import UnusableRowsError, assemble
from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import table_of
from tests.support.examples import examples
from tests.support.source_files import FIXTURES, raw_file

FILES = [
    (source, path)
    for source in sources().values()
    for path in sorted((FIXTURES / source.id).glob("*"))
    if source.layout_of(path.name)
]
TEXTS = [*table_of(__file__, "texts"), "a" * 3000, "9" * 400]
VALUES = [*TEXTS, *table_of(__file__, "values")]
BYTES = [*(text.encode("latin-1") for text in table_of(__file__, "bytes"))]
BYTES += [b"\x80\x01" * 40, b"0" * 500]
pytestmark = pytest.mark.slow


def raw_damage(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw bytes with a part removed, inserted, repeated, or with the end lost."""
    for _ in range(draw(st.integers(1, 4))):
        at, length = draw(st.integers(0, len(content))), draw(st.integers(0, 40))
        kind = draw(st.sampled_from(["cut", "put", "double", "end", "flip"]))
        if kind == "end":
            content = content[:at]
        elif kind == "double":
            content = content[:at] + content[at : at + length * 10] + content[at:]
        elif kind == "flip" and at < len(content):
            content = (
                content[:at] + bytes([content[at] ^ draw(st.integers(1, 255))]) + content[at + 1 :]
            )
        else:
            content = (
                content[:at]
                + (draw(st.sampled_from(BYTES)) if kind == "put" else b"")
                + content[at + (length if kind == "cut" else 0) :]
            )
    return content


def cell_damage(draw: st.DrawFn, content: bytes, separator: str) -> bytes:
    """Draw a table with other cells, column names, columns or rows."""
    rows = list(
        csv.reader(io.StringIO(content.decode("utf-8", "replace"), newline=""), delimiter=separator)
    )
    for _ in range(draw(st.integers(1, 5))):
        row = rows[draw(st.integers(0, len(rows) - 1))]
        at = draw(st.integers(0, max(0, len(row) - 1)))
        kind = draw(
            st.sampled_from(["cell", "cell", "cell", "head", "less", "more", "again", "swap"])
        )
        if kind == "cell" and row:
            row[at] = draw(st.sampled_from(TEXTS) | st.text(max_size=30))
        elif kind == "head" and rows[0]:
            rows[0][at % len(rows[0])] = draw(st.sampled_from([*TEXTS, rows[0][-1]]))
        elif kind == "less" and row:
            del row[at]
        elif kind == "more":
            row.append(draw(st.sampled_from(TEXTS)))
        elif kind == "again":
            rows.append(list(row))
        elif kind == "swap" and row:
            row.reverse()
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n", escapechar="\\").writerows(rows)
    return text.getvalue().encode("utf-8", "replace")


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every container of a JSON value with every key or index of it."""
    places: list[tuple[Any, Any]] = []
    keys = (
        value.keys()
        if isinstance(value, dict)
        else range(len(value))
        if isinstance(value, list)
        else ()
    )
    for key in list(keys):
        places.append((value, key))
        places += spots(value[key])
    return places


def json_damage(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw JSON, or JSON lines, with members of another type, removed or renamed."""
    text, is_lines = content.decode("utf-8-sig"), False
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        whole, is_lines = [json.loads(line) for line in text.splitlines() if line.strip()], True
    for _ in range(draw(st.integers(1, 4))):
        places = spots(whole)
        if not places:
            break
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        kind = draw(st.sampled_from(["value", "value", "value", "gone", "name"]))
        if kind == "value":
            holder[key] = draw(st.sampled_from(VALUES) | st.text(max_size=20))
        elif kind == "gone":
            del holder[key]
        elif isinstance(holder, dict):
            holder[draw(st.sampled_from(TEXTS))] = holder.pop(key)
    if is_lines:
        return "\n".join(json.dumps(entry) for entry in whole).encode()
    return json.dumps(whole).encode()


def workbook_damage(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw a workbook with one damaged part in an intact archive."""
    archive = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        names = old.namelist()
        member = draw(st.sampled_from(names))
        for name in names:
            body = old.read(name)
            new.writestr(name, raw_damage(draw, body) if name == member else body)
    return archive.getvalue()


@st.composite
def damaged(draw: st.DrawFn) -> tuple[Any, Path, bytes]:
    """Draw a source, the name of one of its files, and damaged content."""
    source, path = draw(st.sampled_from(FILES))
    content = path.read_bytes()
    suffix = path.suffix
    if draw(st.integers(0, 3)) == 0:
        return source, path, raw_damage(draw, content)
    if suffix in {".csv", ".tsv"}:
        return source, path, cell_damage(draw, content, "\t" if suffix == ".tsv" else ",")
    if suffix in {".json", ".geojson", ".jsonl"}:
        return source, path, json_damage(draw, content)
    if suffix == ".xlsx":
        return source, path, workbook_damage(draw, content)
    return source, path, raw_damage(draw, content)


@pytest.mark.slow
@examples(60, suppress_health_check=list(HealthCheck))
@given(damaged())
def test_a_damaged_file_is_read_or_refused(case: tuple[Any, Path, bytes]) -> None:
    source, path, content = case
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / path.name
        place.write_bytes(content)
        others = [
            p for p in sorted(path.parent.glob("*")) if p != path and source.layout_of(p.name)
        ]
        try:
            assembled = assemble(source, [raw_file(source, p) for p in (place, *others)])
        except (UnreadableFileError, UnusableRowsError):
            return  # the source stops with a message, the last good files stay in use
    assert set(assembled.accepted["source_id"]) <= {source.id}
