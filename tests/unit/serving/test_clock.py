"""A clock that was set: what was kept goes, what had expired is shown again, and nobody is locked
out.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta

import pytest

from serving.clock import ClockWatch
from serving.language.facts import _facts_on
from serving.services.remembered import Remembered
from warehouse.live import LiveTable

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize("seconds", [-86_400.0, 3600.0])
def test_the_setting_of_the_clock_is_told_once(seconds, monkeypatch):
    watch, real = ClockWatch(), time.time
    assert abs(watch.moved_seconds()) < 1
    monkeypatch.setattr(time, "time", lambda: real() + seconds)
    assert abs(watch.moved_seconds() - seconds) < 1
    assert abs(watch.moved_seconds()) < 1


def test_answers_kept_until_an_instant_go_when_the_clock_was_set():
    table = LiveTable()
    kept = Remembered(1000, table)
    # Made three days ahead: it would be told for three days.
    kept.keep("open now?", "closed", 10, NOON + timedelta(days=3), [101])
    kept.keep("always?", "yes", 10)
    assert kept.get("open now?", NOON) == "closed"
    table.mark_all()
    assert kept.get("open now?", NOON) is None
    assert kept.get("always?", NOON) is None
    kept.keep("open now?", "open", 10, NOON + timedelta(hours=1), [101])
    assert kept.get("open now?", NOON) == "open"


@pytest.mark.parametrize(
    ("day", "until"),
    [
        (date(2026, 11, 22), date(2027, 6, 30)),
        (date(2027, 7, 1), date(2027, 6, 30)),
        (date(2031, 1, 1), date(2027, 6, 30)),
    ],
)
def test_pages_outlive_the_last_income_limits(day, until):
    known = _facts_on(day)
    assert known.wic.effective_to == until
    assert known.crisis.number
