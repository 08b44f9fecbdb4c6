"""When a table of a database is brought up to date, and when it is loaded anew."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

from warehouse.database import drop_tables, most_updates, table_names, update_table


@pytest.fixture
def db(tmp_path: object) -> duckdb.DuckDBPyConnection:
    opened = duckdb.connect(f"{tmp_path}/x.duckdb")
    opened.execute("CREATE TABLE t AS SELECT range AS id, 'old' AS name FROM range(300_000)")
    opened.execute("CREATE TABLE few AS SELECT range AS id FROM range(19_999)")
    opened.execute("CHECKPOINT")
    return opened


def test_small_tables_and_those_with_many_changes_are_loaded(db: duckdb.DuckDBPyConnection) -> None:
    assert most_updates(db, "few") == 0
    assert most_updates(db, "t") == 30_000


def test_rows_are_replaced_came_and_went(db: duckdb.DuckDBPyConnection) -> None:
    wanted = """SELECT range AS id, if(range = 7, 'new', 'old') AS name FROM range(300_000) WHERE range <> 5
        UNION ALL SELECT 300_001, 'old'"""
    keys = pa.table({"id": pa.array([5, 7, 300_001])})
    assert update_table(db, "t", keys, wanted, ["id", "name"])
    assert (
        db.execute(
            f"(FROM t EXCEPT ALL ({wanted})) UNION ALL (({wanted}) EXCEPT ALL FROM t)"
        ).fetchall()
        == []
    )


def test_what_the_keys_did_not_name_is_noticed(db: duckdb.DuckDBPyConnection) -> None:
    wanted = "SELECT range AS id, if(range IN (7, 8), 'new', 'old') AS name FROM range(300_000)"
    assert not update_table(db, "t", pa.table({"id": pa.array([7])}), wanted, ["id", "name"])


def test_rows_that_lie_scattered_are_loaded_in_order_again(db: duckdb.DuckDBPyConnection) -> None:
    rows = "SELECT range AS id, 'new' AS name FROM range(300_000)"
    for n in range(10):
        keys = pa.table({"id": pa.array(range(n, 300_000, 40))})
        update_table(db, "t", keys, rows, ["id", "name"])
        db.execute("CHECKPOINT")
        if most_updates(db, "t") == 0:
            assert n > 3
            return
    pytest.fail("brought up to date for ever")


def test_dropped_tables_are_gone(db: duckdb.DuckDBPyConnection) -> None:
    drop_tables(db, set())
    assert table_names(db) == {"t", "few"}
    drop_tables(db, {"few"})
    assert table_names(db) == {"t"}
