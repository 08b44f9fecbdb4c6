"""The export by page: cursors, formats, and its effect on other requests."""

import asyncio
import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from schemas.api.lists import BulkPage
from schemas.values.formulas import without_formula
from serving.exports import bulk_routes
from tests.support.clients import open_client
from tests.support.processes import comes_true
from tests.support.releases import open_release, resource, write_release
from tests.support.town import resources, write_town

IDS = [row["resource_id"] for row in resources()]


def query_of(url: str) -> str:
    return url.partition("/api/resources/bulk?")[2]


# ---------------------------------------------------------------- cursors

CURSORS: dict[str, tuple[str, list[int], set[str]]] = {
    "the beginning": ("cursor=0&limit=5", IDS[:5], {"first", "next", "last", "license"}),
    "no cursor": ("limit=5", IDS[:5], {"first", "next", "last", "license"}),
    "after a place": (
        f"cursor={IDS[4]}&limit=5",
        IDS[5:10],
        {"first", "prev", "next", "last", "license"},
    ),
    "after an id that is gone": (
        "cursor=150&limit=3",
        IDS[9:12],
        {"first", "prev", "next", "last", "license"},
    ),
    "the last page": (f"cursor={IDS[-3]}&limit=5", IDS[-2:], {"first", "prev", "last", "license"}),
    "past the end": (f"cursor={IDS[-1]}&limit=5", [], {"first", "prev", "last", "license"}),
    "with a state": ("cursor=0&state=AK", [201], {"first", "last", "license"}),
    "with a type": (
        "cursor=101&type=food_bank,soup_kitchen",
        [102, 108],
        {"first", "last", "license"},
    ),
    "a cursor wins over a page": (
        "cursor=0&page=3&limit=5",
        IDS[:5],
        {"first", "next", "last", "license"},
    ),
    "nothing matches": ("cursor=0&state=AK&type=food_bank", [], {"first", "last", "license"}),
}


@pytest.mark.parametrize(("query", "ids", "links"), CURSORS.values(), ids=CURSORS)
def test_cursors(client, query, ids, links):
    answer = client.get(f"/api/resources/bulk?{query}")
    page = msgspec.json.decode(answer.content, type=BulkPage)
    assert [place.id for place in page.resources] == ids
    assert set(answer.links) == links
    assert page.next == answer.links.get("next", {}).get("url")
    assert page.next_cursor == (str(ids[-1]) if "next" in links else None)


@pytest.mark.parametrize("limit", [1, 7, 50, 131, 132, 1000])
@pytest.mark.parametrize("form", ["json", "csv"])
def test_following_the_links_yields_every_place_once_both_ways(client, limit, form):
    def ids_of(answer):
        if form == "json":
            return [place["id"] for place in answer.json()["resources"]]
        return [int(line["id"]) for line in csv.DictReader(io.StringIO(answer.text, newline=""))]

    answer = client.get(f"/api/resources/bulk?limit={limit}&format={form}")
    ids, pages = ids_of(answer), 1
    while "next" in answer.links:
        answer = client.get("/api/resources/bulk?" + query_of(answer.links["next"]["url"]))
        ids, pages = ids + ids_of(answer), pages + 1
    assert ids == IDS
    assert pages == -(-len(IDS) // limit)
    back = ids_of(answer)
    while "prev" in answer.links:
        answer = client.get("/api/resources/bulk?" + query_of(answer.links["prev"]["url"]))
        back = ids_of(answer) + back
    assert back == IDS
    last = client.get("/api/resources/bulk?" + query_of(answer.links["last"]["url"]))
    assert ids_of(last) == IDS[(pages - 1) * limit :]


def test_a_cursor_stays_right_when_a_release_comes_between(tmp_path: Path) -> None:
    """A place before the cursor is removed and one is added: no later place is skipped or repeated."""
    write_town(tmp_path)
    with open_client(tmp_path, poll_seconds=0.02) as client:
        first = client.get("/api/resources/bulk?limit=6").json()
        rows = [row for row in resources() if row["resource_id"] != IDS[2]]
        rows_after = [resource(10), *rows]
        write_release(tmp_path, rows_after, release_id="20261102T060000Z-00000002")
        assert comes_true(
            lambda: client.get("/api/health").json()["release_id"].startswith("20261102")
        )
        rest = client.get(f"/api/resources/bulk?cursor={first['next_cursor']}").json()
        assert rest["release_id"].startswith("20261102")
        assert [place["id"] for place in rest["resources"]] == IDS[6:]


# ---------------------------------------------------------------- formats


HARD = {
    "quotes": {"name": 'The "Good" Place'},
    "commas and lines": {"name": "A, B", "notes": "one\r\ntwo\nthree\rfour"},
    "only a quote": {"name": '"', "notes": '""'},
    "accents": {"name": "Señor Ñandú — Hagåtña 食"},
    "blank at the ends": {"name": " padded ", "notes": "\ttab"},
    "looks like a formula": {"name": "=1+1", "notes": "@x"},
    "empty text": {"notes": ""},
    "lists": {"services_offered": ["a, b", 'c "d"'], "languages": ["en", "es"]},
    "empty list": {"services_offered": []},
    "hours": {
        "schedules_json": '[{"freq":"WEEKLY","byday":"MO","opens_at":"09:00","closes_at":"12:00"}]',
        "hours_json": '{"monday":"09:00-12:00"}',
    },
    "numbers": {"lat": 1e-05, "lng": -179.999999},
    "truths": {"accepts_walkins": True, "requires_appointment": False},
    "nothing known": {"city": None, "zip": None, "organization": None},
}


def test_cells_are_those_of_the_record(tmp_path: Path) -> None:
    rows = [resource(i + 1, **values) for i, values in enumerate(HARD.values())]
    release = open_release(tmp_path, rows)
    now, numbers = datetime(2026, 11, 3, 15, tzinfo=UTC), list(range(len(rows)))
    moments = asyncio.run(bulk_routes.moments_of(release, numbers, now))
    text = bulk_routes.csv_lines(release, numbers, moments).decode()
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row, name in enumerate(HARD):
        record = json.loads(release.record(row, now))
        cells = dict(zip(bulk_routes.CSV_COLUMNS, lines[row], strict=True))
        assert {n: cell_text(record[n]) for n in bulk_routes.CSV_COLUMNS} == cells, name
    release.close()


def cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | list | dict):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return without_formula(value) if isinstance(value, str) else str(value)


# ---------------------------------------------------------------- cost


def test_a_page_of_new_timetables_yields_to_other_requests(tmp_path: Path) -> None:
    """1,000 distinct timetables take tens of milliseconds, with pauses for other requests."""
    timetable = '[{{"freq":"WEEKLY","byday":"MO,TU,WE,TH,FR","opens_at":"{:02d}:{:02d}","closes_at":"{:02d}:{:02d}"}}]'
    rows = [
        resource(
            n + 1, schedules_json=timetable.format(n // 60 % 12, n % 60, 13 + n // 60 % 10, n % 60)
        )
        for n in range(700)
    ]
    release = open_release(tmp_path, rows)

    async def work() -> tuple[int, bool]:
        turns, is_done = 0, False

        async def others() -> None:
            nonlocal turns
            while not is_done:
                turns += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(others())
        await asyncio.sleep(0)
        now = datetime(2026, 11, 3, 15, tzinfo=UTC)
        moments = await bulk_routes.moments_of(release, list(range(700)), now)
        is_done = True
        await beside
        return turns, moments == [release.moment(row, now) for row in range(700)]

    turns, is_same = asyncio.run(work())
    assert is_same
    assert turns > 5
    release.close()
