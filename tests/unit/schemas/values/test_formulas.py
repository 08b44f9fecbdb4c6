"""Cells that a spreadsheet would run."""

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.formulas import TEXT_MARK, without_formula
from tests.support.cases import labelled, table_of
from warehouse.duckdb import csv_cell


@labelled("text")
def test_a_formula_becomes_text(text):
    assert without_formula(text) == TEXT_MARK + text


@labelled("text")
def test_any_other_cell_stays(text):
    assert without_formula(text) == text


SIGNS = "=+-@\t\r\uff1d\uff0b\uff0d\uff20 \ufeff"
CELLS = st.text(st.sampled_from([*SIGNS, *"019.,()eE%x|!&'\"\nAZ "]), max_size=12)


@given(CELLS)
def test_a_leading_sign_of_a_number_or_telephone_number(text):
    cell = without_formula(text)
    if cell.lstrip(" \ufeff\n")[:1] in set(SIGNS) - {" ", "\ufeff"}:
        assert set(cell) <= set("+-0123456789.,eE%() xt")
        assert cell[0] in "+-"
        assert cell[1] in ".0123456789"


@given(CELLS)
def test_the_second_time_changes_nothing(text):
    assert without_formula(without_formula(text)) == without_formula(text)


def test_the_database_marks_the_same_cells():
    tables = ("test_a_formula_becomes_text", "test_any_other_cell_stays")
    texts = [text for table in tables for text in table_of(__file__, table)]
    with duckdb.connect() as db:
        db.execute("CREATE TABLE cells AS SELECT unnest(?::VARCHAR[]) AS cell", [texts])
        rows = db.execute(f"SELECT {csv_cell('cell')} FROM cells").fetchall()
    expected = [without_formula(text) for text in texts]
    needs_quotes = [any(c in text for c in ',"\r\n') for text in texts]
    assert [cell for (cell,) in rows] == [
        '"' + cell.replace('"', '""') + '"' if quotes else cell
        for cell, quotes in zip(expected, needs_quotes, strict=True)
    ]
