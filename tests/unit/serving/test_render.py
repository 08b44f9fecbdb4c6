"""A list has the bytes of single records, each with its score."""

import json
import math
from datetime import UTC, datetime, timedelta

import pytest

from schemas.values.coordinates import chord_to_miles, ecef_point, miles_to_chord, round_miles
from serving.search.rank import relevance, standing
from serving.search.render import records_json
from warehouse.index.live_overlay import LiveEntry
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

MONDAY = datetime(2026, 11, 23, 0, 7, tzinfo=UTC)
REPORT = '{"status":"closed_today"}'


@pytest.fixture
def release(town):
    store = ReleaseStore(town)
    current = store.current()
    assert current
    open_release = OpenRelease(store.folder(current))
    yield open_release
    open_release.close()


def one_by_one(release, hits, now):
    """Return the records of hits, each rendered alone."""
    scores = standing(release)
    texts = []
    for square, row in hits:
        miles, moment = chord_to_miles(math.sqrt(square)), release.moment(row, now)
        distance = round_miles(miles, release.precision_of(row))
        score = relevance(scores[row], miles, moment)
        head, member, end = release.record(row, now, distance).rpartition(b"null}")
        assert (member, end) == (b"null}", b""), "the score stands last"
        texts.append(head + f"{score!r}}}".encode())
    return b"[" + b",".join(texts) + b"]"


def everywhere(release):
    """Return all places of the town, near and far."""
    for at in ((40.7157, -73.9863), (13.4443, 144.7937), (0.0, 0.0)):
        yield release.spatial.select(None).within(ecef_point(*at), miles_to_chord(12_450)).hits()


@pytest.mark.parametrize("hours", range(0, 24 * 8, 5))
def test_a_list_has_records_with_their_scores(release, hours):
    now = MONDAY + timedelta(hours=hours)
    for hits in everywhere(release):
        assert records_json(release, hits, now) == one_by_one(release, hits, now)


def test_ages_past_half_a_year_and_a_year(release):
    hits = next(everywhere(release))
    for days in (0, 1, 150, 179, 180, 181, 364, 365, 366, 4000):
        now = MONDAY + timedelta(days=days)
        assert records_json(release, hits, now) == one_by_one(release, hits, now)


def test_live_reports_are_shown_until_removed(release):
    hits = next(everywhere(release))
    before = records_json(release, hits, MONDAY)
    for _, row in hits[:4]:
        until = MONDAY + timedelta(hours=3)
        entry = LiveEntry(
            "closed_today", True, MONDAY, datetime.now(UTC) + timedelta(hours=3), REPORT
        )
        release.live.put(
            release.id_of(row), entry._replace(expires_at=max(until, entry.expires_at))
        )
    text = records_json(release, hits, MONDAY)
    assert text == one_by_one(release, hits, MONDAY)
    assert text.count(REPORT.encode()) == 4
    for _, row in hits[:4]:
        release.live.put(release.id_of(row), None)
    assert records_json(release, hits, MONDAY) == before


def test_an_empty_list(release):
    assert records_json(release, [], MONDAY) == b"[]"


def test_more_members_follow_the_score(release):
    hits = next(everywhere(release))
    text = records_json(release, hits, MONDAY, lambda row, *_: b',"row":%d' % row)
    records = json.loads(text)
    assert [record.pop("row") for record in records] == [row for _, row in hits]
    assert records == json.loads(records_json(release, hits, MONDAY))
