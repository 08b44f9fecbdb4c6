"""A clock that was set."""

import time
from datetime import date

import pytest

from serving.processes.clock import ClockWatch
from serving.reference.contacts import _facts_on


@pytest.mark.parametrize("seconds", [-86_400.0, 3600.0])
def test_the_setting_of_the_clock_is_logged_once(seconds, monkeypatch):
    watch, real = ClockWatch(), time.time
    assert abs(watch.measure_clock_shift()) < 1
    monkeypatch.setattr(time, "time", lambda: real() + seconds)
    assert abs(watch.measure_clock_shift() - seconds) < 1
    assert abs(watch.measure_clock_shift()) < 1


@pytest.mark.parametrize(
    ("day", "until"),
    [
        (date(2026, 11, 22), date(2027, 6, 30)),
        (date(2027, 7, 1), date(2027, 6, 30)),
        (date(2031, 1, 1), date(2027, 6, 30)),
    ],
)
def test_pages_outlive_the_last_income_limits(day, until):
    facts = _facts_on(day)
    assert facts.wic.effective_to == until
    assert facts.local
