"""Reading a release: the gazetteer, the clock, rows and ids, the pointer."""

import asyncio
import gc
import math
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.api.record import PlainDetail, ResourceRecord
from schemas.values.coordinates import ecef_point, miles_to_chord
from schemas.vocab.states import state_by_words
from tests.support.cases import labelled
from tests.support.releases import open_release, resource
from tests.support.town import NEW_YORK, write_town
from warehouse.index.gazetteer import Gazetteer, ZipPlace
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import STATUSES, HoursClock
from warehouse.release.store import ReleaseStore
from warehouse.release.watch import ReleaseWatch

# A Wednesday, 09:30 in New York.
WEDNESDAY = datetime(2026, 10, 14, 13, 30, tzinfo=UTC)
TEN_TO_TWELVE = '[{"freq":"WEEKLY","byday":"WE","opens_at":"10:00","closes_at":"12:00"}]'


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town")
    return OpenRelease(ReleaseStore(folder).folder(write_town(folder)))


# ---------------------------------------------------------------- hours

INSTANTS = {
    "an hour before": (0, "opens_soon"),
    "open": (45, "open"),
    "the last hour": (105, "closes_soon"),
    "after": (160, "closed"),
    "the evening before": (-12 * 60, "closed"),
}


@pytest.mark.parametrize("first", [0, 45, 160])
@pytest.mark.parametrize(("minutes", "status"), INSTANTS.values(), ids=INSTANTS)
def test_cached_answers_expire_with_the_clock(first, minutes, status):
    """The answer is that of the instant, after any earlier question."""
    clock, code = HoursClock(["America/New_York"], [TEN_TO_TWELVE]), np.array([0])
    clock.states(code, WEDNESDAY + timedelta(minutes=first))
    now = WEDNESDAY + timedelta(minutes=minutes)
    (number,), (opening,) = clock.states(code, now)
    state = clock.state(0, now)
    assert (state.status, STATUSES[number]) == (status, status)
    assert state.opens_at is not None
    assert opening == state.opens_at.timestamp()


CONFIRMED = {
    "today": (WEDNESDAY.date(), "opens_soon", 0),
    "180 days ago": (WEDNESDAY.date() - timedelta(days=180), "opens_soon", 180),
    "181 days ago": (WEDNESDAY.date() - timedelta(days=181), "unknown", 181),
    "never": (None, "unknown", None),
    "tomorrow, by the publisher's clock": (WEDNESDAY.date() + timedelta(days=1), "opens_soon", 0),
}


def test_hours_are_shown_only_while_confirmed(tmp_path):
    rows = [
        resource(number, name=name, schedules_json=TEN_TO_TWELVE, source_updated_date=day)
        for number, (name, (day, *_)) in enumerate(CONFIRMED.items(), 1)
    ]
    release = open_release(tmp_path, rows)
    hours = {name: release.moment(row, WEDNESDAY)[:2] for row, name in enumerate(CONFIRMED)}
    assert hours == {name: (status, days) for name, (_, status, days) in CONFIRMED.items()}
    # Usual hours open and close too.
    assert None not in [release.hours_change_at(row, WEDNESDAY) for row in range(len(rows))]


# ---------------------------------------------------------------- records


def test_records_decode_strictly(town):
    for row in range(len(town)):
        record = msgspec.json.decode(town.record(row, WEDNESDAY, 1.5), type=ResourceRecord)
        detail = msgspec.json.decode(
            town.detail(row, town.moment(row, WEDNESDAY)), type=PlainDetail
        )
        assert (record.id, record.distance, record.relevance_score) == (town.id_of(row), 1.5, None)
        assert (detail.id, detail.distance, detail.sources[0].is_primary) == (record.id, None, True)
        assert town.row_of(record.id) == row
        assert town.point_of(row) == (record.lat, record.lng)
        assert town.precision_of(row) == record.location_precision


def test_a_place_with_a_withheld_address_is_found_but_its_point_is_not_published(tmp_path):
    release = open_release(tmp_path, [resource(1, is_confidential=True, location_precision="city")])
    record = msgspec.json.decode(release.record(0, WEDNESDAY, 1.5), type=ResourceRecord)
    assert (record.lat, record.lng, record.distance) == (None, None, 1.5)
    assert release.spatial.select(None).nearest(ecef_point(*release.point_of(0)), 5, 1e7)


@pytest.mark.parametrize("resource_id", [0, 100, 110, 10**15, -5])
def test_missing_ids(town, resource_id):
    assert town.row_of(resource_id) is None
    assert town.find_gone(resource_id) == (False, None)


def test_a_release_without_places(tmp_path):
    release = open_release(tmp_path, [])
    assert len(release) == 0
    assert release.spatial.select(None).nearest(ecef_point(*NEW_YORK), 5, 1e7) == []
    assert release.gazetteer.nearest_zip(ecef_point(*NEW_YORK), 1e6) is None


def test_a_damaged_release_is_not_opened(tmp_path):
    folder = ReleaseStore(tmp_path).folder(write_town(tmp_path))
    (folder / "serving" / "records.arrow").write_bytes(b"no arrow")
    with pytest.raises(pa.ArrowInvalid):
        OpenRelease(folder)


# ---------------------------------------------------------------- gazetteer


@labelled("text, code")
def test_states(text, code):
    assert state_by_words(text) == code


def test_the_nearest_zip_names_a_point(town):
    near, far = ecef_point(40.72, -73.99), ecef_point(0.0, 0.0)
    assert town.gazetteer.nearest_zip(near, 50_000).zip in {"10002", "10008"}
    assert town.gazetteer.nearest_zip(far, 50_000) is None


ZIP_POINTS = [(40.0 + 0.01 * n, -74.0 + 0.013 * (n % 7)) for n in range(40)]


@given(st.floats(39.5, 41.0), st.floats(-74.6, -73.4))
def test_the_nearest_zip_is_the_nearest(lat, lng):
    zips = [
        ZipPlace(f"{n:05}", "standard", None, "NY", *point, None, False)
        for n, point in enumerate(ZIP_POINTS)
    ]
    at = ecef_point(lat, lng)
    nearest = Gazetteer(zips, []).nearest_zip(at, 1e6)
    assert math.dist(at, ecef_point(nearest.lat, nearest.lng)) == min(
        math.dist(at, ecef_point(*point)) for point in ZIP_POINTS
    )


def test_zip_codes_and_cities_count_the_free_food_within_25_miles(town):
    free = town.spatial.select(MODE_TYPES["free"])
    places = [*town.gazetteer.all_zips(), *town.gazetteer.all_cities()]
    found = {(p.lat, p.lng): p.free_food_count for p in places if p.lat is not None}
    assert found == {at: len(free.within(ecef_point(*at), miles_to_chord(25)).rows) for at in found}
    assert len(set(found.values())) > 2


# ---------------------------------------------------------------- the pointer


def watch_of(folder):
    events = []
    return ReleaseWatch(folder, lambda event, facts: events.append((event, facts))), events


def test_follows_the_pointer_and_closes_the_old_release(tmp_path):
    gc.freeze()  # what other tests have left is not looked through below
    watch, events = watch_of(tmp_path)
    watch.open_now()
    assert watch.release is None, "nothing is promoted yet"
    first = write_town(tmp_path)
    asyncio.run(watch.step())
    old = weakref.ref(watch.release)
    second = write_town(tmp_path, release_id="20261102T060000Z-00000002")
    asyncio.run(watch.step())
    gc.collect()
    assert watch.release.release_id == second
    assert old() is None
    assert [facts["release_id"] for _, facts in events] == [first, second]
    assert watch.swaps == 1
    asyncio.run(watch.step())
    assert len(events) == 2, "nothing happens while the pointer stands still"


def test_serves_the_old_release_when_the_next_cannot_be_opened(tmp_path):
    watch, events = watch_of(tmp_path)
    first = write_town(tmp_path)
    watch.open_now()
    second = write_town(tmp_path, release_id="20261102T060000Z-00000002", promote=False)
    points = tmp_path / "releases" / second / "serving" / "directory.duckdb"
    content = points.read_bytes()
    points.write_bytes(b"")
    (tmp_path / "releases" / "current").write_text(second)
    asyncio.run(watch.step())
    assert watch.release.release_id == first
    assert watch.failures == 1
    assert (events[-1][0], events[-1][1]["still_serving"]) == ("release_refused", first)
    asyncio.run(watch.step())
    assert watch.failures == 1, "not tried again at once"
    points.write_bytes(content)
    watch._refused[second] = replace(watch._refused[second], retry_at=0)
    asyncio.run(watch.step())
    assert (watch.release.release_id, watch.refusal) == (second, None)


def test_a_pointer_to_nothing_is_reported(tmp_path):
    watch, events = watch_of(tmp_path)
    write_town(tmp_path)
    (tmp_path / "releases" / "current").write_text("../../etc")
    watch.open_now()
    assert watch.release is None
    assert "not a release id" in str(events[-1][1]["fault"])


def test_a_release_is_closed_while_a_thread_reads_its_tables(tmp_path):
    release = open_release(tmp_path, [resource(1)])
    has_begun, is_closed = threading.Event(), threading.Event()

    def pause(rows: int) -> int:
        has_begun.set()
        assert is_closed.wait(60)
        return rows

    with ThreadPoolExecutor(1) as other, release.cursor() as db:
        db.create_function("pause", pause, ["BIGINT"], "BIGINT")
        query = "SELECT pause(count(*)) FROM core_directory__resources"
        reading = other.submit(lambda: db.execute(query).fetchone())
        assert has_begun.wait(60)
        release.close()
        is_closed.set()
        assert reading.result() == (1,)
