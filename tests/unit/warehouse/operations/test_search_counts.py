"""Search counts: stored columns, and no lost count."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import inspect

from warehouse.operations import search_counts as module
from warehouse.operations.engine import StoreUnavailableError, open_store
from warehouse.operations.search_counts import SearchCounts

TODAY = datetime.now(UTC).date()


def add(
    counts: SearchCounts,
    zip_code: str,
    mode: str,
    times: int = 1,
    *,
    is_empty: bool = False,
    day: date = TODAY,
) -> None:
    for _ in range(times):
        counts.add(day, zip_code, mode, is_empty=is_empty)


def test_two_processes_add_up(store_url):
    stores = [open_store(store_url) for _ in range(2)]
    first, second = (SearchCounts(store) for store in stores)
    for counts in (first, second):
        add(counts, "10002", "free", 2)
        add(counts, "99546", "wic", is_empty=True)
        add(counts, "", "free")
        add(counts, "10002", "free", day=TODAY - timedelta(days=40))
        counts.write(counts.take())
    assert first.daily(30) == [(TODAY.isoformat(), 8, 2)]
    assert first.top_zips(30) == [("10002", 4), ("99546", 2)]
    assert first.zero_results(30) == [("99546", "wic", 2)]
    assert [row[1] for row in first.daily(60)] == [8, 2]
    for store in stores:
        store.close()


def test_nothing_is_written_twice(store):
    counts = SearchCounts(store)
    add(counts, "10002", "free")
    counts.write(counts.take())
    counts.close()
    assert counts.daily(1) == [(TODAY.isoformat(), 1, 0)]


def test_counts_that_cannot_be_written_remain(tmp_path):
    (tmp_path / "o.sqlite").mkdir()
    store = open_store(tmp_path / "o.sqlite")
    counts = SearchCounts(store)
    add(counts, "10002", "free", 3)
    batch = counts.take()
    add(counts, "10002", "free")
    with pytest.raises(StoreUnavailableError):
        counts.write(batch)
    counts.put_back(batch)
    (tmp_path / "o.sqlite").rmdir()
    counts.close()
    assert counts.daily(1) == [(TODAY.isoformat(), 4, 0)]
    store.close()


def test_memory_is_bounded(store, monkeypatch):
    monkeypatch.setattr(module, "MAX_PENDING", 5)
    counts = SearchCounts(store)
    for number in range(50):
        add(counts, f"{number:05d}", "free")
    assert len(counts.take()) == 5


def test_counts_have_only_day_place_and_mode(store):
    counts = SearchCounts(store)
    add(counts, "10002", "free")
    counts.close()
    with store.read() as db:
        columns = [column["name"] for column in inspect(db).get_columns("search_counts")]
    assert columns == ["day", "zip", "mode", "searches", "zero_results"]
