"""Lists are put together from texts made once: they say what the general way says, to the byte."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest

from schemas.values.coordinates import chord_to_miles, ecef_point, miles_to_chord, round_miles
from serving.services.listing import Lister
from serving.services.relevance import relevance, standing
from warehouse.live import LiveEntry
from warehouse.reader import OpenRelease
from warehouse.release import ReleaseStore

MONDAY = datetime(2026, 11, 23, 0, 7, tzinfo=UTC)
REPORT = '{"status":"closed_today"}'


@pytest.fixture
def release(town):
    store = ReleaseStore(town)
    current = store.current()
    assert current
    opened = OpenRelease(store.folder(current))
    yield opened
    opened.close()


def generally(release, hits, now):
    """The records of hits, each member by member."""
    scores = standing(release)
    texts = []
    for square, row in hits:
        miles, moment = chord_to_miles(math.sqrt(square)), release.moment(row, now)
        distance = round_miles(miles, release.precision_of(row))
        texts.append(release.record(row, now, distance, relevance(scores[row], miles, moment)))
    return texts


def everywhere(release):
    """All places of the town, from near and from far."""
    for at in ((40.7157, -73.9863), (13.4443, 144.7937), (0.0, 0.0)):
        yield release.spatial.select(None).within(ecef_point(*at), miles_to_chord(12_450))


@pytest.mark.parametrize("hours", range(0, 24 * 8, 5))
def test_says_what_the_general_way_says(release, hours):
    now, lister = MONDAY + timedelta(hours=hours), Lister(release)
    for _ in range(2):  # the second time from what is kept
        for hits in everywhere(release):
            listed = lister.listed(hits, now)
            assert (
                b"".join(listed).decode()
                == b"".join(text + b"," for text in generally(release, hits, now)).decode()
            )


def test_ages_past_half_a_year_and_a_year(release):
    lister = Lister(release)
    hits = next(everywhere(release))
    for days in (0, 1, 150, 179, 180, 181, 364, 365, 366, 4000):
        now = MONDAY + timedelta(days=days)
        assert b"".join(lister.listed(hits, now)) == b"".join(
            text + b"," for text in generally(release, hits, now)
        )


def test_live_reports_are_told_and_forgotten(release):
    lister = Lister(release)
    hits = next(everywhere(release))
    before = b"".join(lister.listed(hits, MONDAY))
    for _, row in hits[:4]:
        until = MONDAY + timedelta(hours=3)
        entry = LiveEntry(
            "closed_today", True, MONDAY, datetime.now(UTC) + timedelta(hours=3), REPORT
        )
        release.live.put(
            release.id_of(row), entry._replace(expires_at=max(until, entry.expires_at))
        )
    listed = lister.listed(hits, MONDAY)
    told = b"".join(listed)
    assert told == b"".join(text + b"," for text in generally(release, hits, MONDAY))
    assert told.count(REPORT.encode()) == 4
    for _, row in hits[:4]:
        release.live.put(release.id_of(row), None)
    assert b"".join(lister.listed(hits, MONDAY)) == before
