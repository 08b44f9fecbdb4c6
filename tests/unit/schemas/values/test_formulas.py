"""Cells that a spreadsheet would run."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.formulas import TEXT_MARK, without_formula
from warehouse.duckdb import csv_cell

DANGEROUS = [
    "=1+1",
    "=cmd|'/C calc'!A0",
    '-1+HYPERLINK("http://evil.example")',
    "+A1&B2",
    "-(1)+SUM(A1:A9)",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "+cmd|'/C x'!A",
    "-2+3",
    "+1-2",
    "- Photo ID (any)",
    "@Home Community",
    " =1+1",
    "\ufeff=1+1",
    "\u200b\u00a0=1+1",
    "\t1",
    "\r1",
    "\n=1",
    "\uff1d1+1",
    "\uff0b1",
    "\uff20SUM(1)",
    "+1 (212) 555-0101 + A1",
    "+1 212 555 0101|x!A1",
    "-",
    "-1\n=2",
]
HARMLESS = [
    "",
    "a = b",
    "Pantry",
    "1+1",
    "(212) 555-0101 ext. 3",
    "+12125550101",
    "+1 (212) 555-0101",
    "+1.212.555.0101 x12",
    "-73.9857",
    "+5",
    "-1,200.50",
    "-1.5e-05",
    "-5%",
    "'=1",
]


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_formula_becomes_text(text):
    assert without_formula(text) == TEXT_MARK + text


@pytest.mark.parametrize("text", HARMLESS)
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
    texts = [*DANGEROUS, *HARMLESS]
    with duckdb.connect() as db:
        db.execute("CREATE TABLE cells AS SELECT unnest(?::VARCHAR[]) AS cell", [texts])
        rows = db.execute(f"SELECT {csv_cell('cell')} FROM cells").fetchall()
    expected = [without_formula(text) for text in texts]
    needs_quotes = [any(c in text for c in ',"\r\n') for text in texts]
    assert [cell for (cell,) in rows] == [
        '"' + cell.replace('"', '""') + '"' if quotes else cell
        for cell, quotes in zip(expected, needs_quotes, strict=True)
    ]
