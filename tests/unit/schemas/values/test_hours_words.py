"""Hours in words, as spoken on the telephone."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from schemas.hours.clock_words import at_clock, clock, join_words, opening_words, span, weekdays
from schemas.hours.hours_words import hours_in_words
from schemas.hours.schedule import Schedule
from tests.support.cases import labelled

TODAY = date(2026, 11, 21)  # a Saturday
NB = "\u00a0"


def weekly(
    days: str | None, opens: str | None = None, closes: str | None = None, **more
) -> Schedule:
    return Schedule(opens, closes, "WEEKLY", days, **more)


def monthly(days: str | None, opens: str = "10:00", closes: str = "12:00", **more) -> Schedule:
    return Schedule(opens, closes, "MONTHLY", days, **more)


def dated(day: str, opens: str = "10:00", closes: str = "12:00", **more) -> Schedule:
    return Schedule(opens, closes, valid_from=day, valid_to=day, **more)


@labelled("minutes, words")
def test_clocks(minutes: int, words: tuple[str, ...]):
    texts = (clock(minutes, "en"), clock(minutes, "es"), at_clock(minutes, "es"))
    assert tuple(text.replace(NB, " ") for text in texts) == words
    assert at_clock(minutes, "en") == f"at {words[0]}"


@given(st.integers(0, 1439), st.integers(1, 1440))
def test_a_span_can_be_read_back(opens, length):
    """Both ends appear in order, and the next day is named exactly where it begins."""
    closes = opens + length
    text = span(opens, closes, "en")
    if (opens, closes) == (0, 1440):
        assert text == "24 hours"
    else:
        assert text.startswith(f"{clock(opens, 'en')} to {clock(closes, 'en')}")
        assert text.endswith("the next day") == (closes > 1440)
        assert span(opens, closes, "es").endswith("del día siguiente") == (closes > 1440)


@labelled("days, words")
def test_weekdays(days: tuple[int, ...], words: tuple[str, ...]):
    assert (weekdays(days, "en"), weekdays(days, "es")) == words


def test_and_before_a_sound_of_i():
    assert join_words(["padres", "hijos"], "es") == "padres e hijos"
    assert join_words(["nieve", "hielo"], "es") == "nieve y hielo"


@labelled("schedules, en, es")
def test_hours(schedules: list[Schedule], en: str, es: str):
    words = hours_in_words(schedules, TODAY)
    assert words is not None
    assert (words.en, words.es.replace(NB, " ")) == (en, es)


def test_no_hours_give_no_words():
    assert hours_in_words([], TODAY) is None


NOW = datetime(2026, 11, 21, 22, 30, tzinfo=ZoneInfo("UTC"))  # 17:30 in New York


@labelled("start, end, en, es")
def test_coming_openings(start: list[int], end: list[int], en: str, es: str):
    zone = ZoneInfo("America/New_York")
    first, last = (datetime(2026, 11, *parts, tzinfo=zone) for parts in (start, end))
    words = opening_words(first, last, NOW)
    assert (words.en, words.es.replace(NB, " ")) == (en, es)
