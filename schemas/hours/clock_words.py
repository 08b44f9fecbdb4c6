"""Formats times, days and dates in words, as people say them in each language in the United States.

English and Spanish define their own formats (`content/messages/clock.yaml`); anything they do not
define, and every other language, follows CLDR. Wall times are minutes since midnight; 1440 is
midnight at the end of the day.
"""

from collections.abc import Sequence
from datetime import date, datetime, time
from functools import lru_cache

from babel.dates import format_date, format_skeleton, format_time, get_day_names
from babel.lists import format_list

from schemas.languages import PUBLISHED, Language, languages
from schemas.words import Words, messages, say

_NOON, _DAY = 720, 1440


@lru_cache(maxsize=4096)
def clock(minutes: int, language: Language) -> str:
    """Format "9 a.m.", "12:30 p.m.", "noon", "midnight"; "9 a. m.", "mediodía", "medianoche"."""
    minute_of_day = minutes % _DAY
    hour, minute = divmod(minute_of_day, 60)
    if language not in PUBLISHED:
        return str(format_time(time(hour, minute), "short", locale=languages()[language].locale))
    w = messages("clock", language)
    if minute_of_day % _NOON == 0:
        return str(w.noon if minute_of_day else w.midnight)
    dial = f"{(hour - 1) % 12 + 1}:{minute:02d}" if minute else f"{(hour - 1) % 12 + 1}"
    return str(w.time).format(dial=dial, half=w.halves[hour >= 12])


def hour_words(minutes: int, language: Language) -> str:
    """Return the time as a noun: "9 a.m."; "las 9 a. m.", "la 1 p. m.", "mediodía"."""
    text = clock(minutes, language)
    if language not in PUBLISHED or minutes % _NOON == 0:
        return text
    w = messages("clock", language)
    return str(w.hour_one if (minutes // 60) % 12 == 1 else w.hour).format(time=text)


def at_clock(minutes: int, language: Language) -> str:
    """Return the time with its preposition: "at 9 a.m.", "a las 9 a. m.", "a mediodía"."""
    return str(messages("hours", language).at).format(time=hour_words(minutes, language))


def minutes_of(at: datetime | time) -> int:
    """Return the wall time of an instant."""
    return at.hour * 60 + at.minute


def span(opens: int, closes: int, language: Language) -> str:
    """Format a span of wall times; an end on the next day is above 1440."""
    w = messages("hours", language)
    if opens == 0 and closes == _DAY:
        return str(w.all_day)
    text, begin, end = w.span, clock(opens, language), clock(closes, language)
    if closes > _DAY:
        text = w.span_next_day
    elif language in PUBLISHED:
        # "de 2 a 6 p. m.": Spanish names the half of the day once.
        t = messages("clock", language)
        half = t.halves[opens >= _NOON]
        if begin.endswith(half) and end.endswith(half):
            text, begin = t.span_in_half, begin.removesuffix(half).rstrip()
            return str(text.format(opens=begin, half=half, closes=end))
    return str(text.format(opens=begin, closes=end))


def join_words(parts: Sequence[str], language: Language) -> str:
    """Join as "a", "a and b", "a, b and c"; in Spanish "y", or "e" before the sound of i."""
    if len(parts) < 2:
        return "".join(parts)
    w, last = messages("hours", language), parts[-1]
    is_i = last.lower().startswith(("i", "hi")) and not last.lower().startswith("hie")
    text = w.and_before_i if is_i else w["and"]
    return str(text.format(first=w.comma.join(parts[:-1]), last=last))


def list_words(names: Sequence[str], language: Language) -> str:
    """Join names as CLDR does: "a, b, and c"."""
    if language not in PUBLISHED:
        return join_words(names, language)
    return str(format_list(names, locale=language))


def day_name(weekday: int, language: Language) -> str:
    """Return the name of a weekday; Monday is 0."""
    return _day_names(language)[weekday]


@lru_cache(maxsize=64)
def _day_names(language: Language) -> Sequence[str]:
    spec = languages()[language]
    names = get_day_names("wide", "format", spec.locale)
    return spec.days or [str(names[weekday]) for weekday in range(7)]


def weekdays(days: Sequence[int], language: Language) -> str:
    """Format weekdays (Monday is 0); runs of three or more become "Monday to Friday and Sunday"."""
    w = messages("hours", language)
    if len(set(days)) == 7:
        return str(w.every_day)
    # Spanish weekdays that end in s do not change in the plural.
    is_own = language in PUBLISHED
    names = messages("clock", language).weekdays if is_own else _day_names(language)
    parts: list[str] = []
    for run in _runs(sorted(set(days))):
        if len(run) >= 3:
            first, last = day_name(run[0], language), day_name(run[-1], language)
            parts.append(w.day_range.format(first=first, last=last))
        else:
            parts += [names[day] for day in run]
    return join_words(parts, language)


def _runs(days: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for day in days:
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return runs


@lru_cache(maxsize=4096)
def month_day(month: int, day: int, language: Language, year: int | None = None) -> str:
    """Format "November 1", with its year "November 1, 2026"; "1.º de noviembre"."""
    spec, when = languages()[language], date(year or 2000, month, day)
    if spec.months:
        return f"{day} {spec.months[month - 1]}" + (f" {year}" if year else "")
    skeleton = format_skeleton("MMMMd", when, locale=spec.locale)
    text = str(format_date(when, "long", locale=spec.locale) if year else skeleton)
    if day == 1 and language in PUBLISHED:
        name = str(format_date(when, "MMMM", locale=spec.locale))
        first = str(messages("clock", language).first_of_month).format(month=name)
        text = text.replace(str(skeleton), first, 1)
    return text


@lru_cache(maxsize=4096)
def month_year(day: date, language: Language) -> str:
    """Format "August 2025"; "agosto de 2025"."""
    spec = languages()[language]
    if spec.months:
        return f"{spec.months[day.month - 1]} {day.year}"
    return str(format_skeleton("yMMMM", day, locale=spec.locale))


def full_date(day: date, language: Language, *, year: bool = False) -> str:
    """Format "Tuesday, November 24"; "martes 24 de noviembre"; with the year if needed."""
    text = month_day(day.month, day.day, language, day.year if year else None)
    name = day_name(day.weekday(), language)
    return str(messages("hours", language).full_date.format(weekday=name, date=text))


def day_from(today: date, day: date, language: Language) -> str:
    """Return a coming day relative to today: "today", "tomorrow", "Tuesday, November 24"."""
    w = messages("hours", language)
    if day == today:
        return str(w.today)
    if (day - today).days == 1:
        return str(w.tomorrow)
    return full_date(day, language, year=day.year != today.year)


def on_day_from(today: date, day: date, language: Language) -> str:
    """Return a coming day as used after a verb: "abre mañana", "abre el martes 24 de noviembre"."""
    text = day_from(today, day, language)
    is_date = (day - today).days > 1
    return str(messages("hours", language).on_day.format(day=text)) if is_date else text


def opening_words(start: datetime, end: datetime, now: datetime) -> Words:
    """Format a coming opening from local start to local end, relative to `now` (any zone).

    "Tomorrow, 10 a.m. to noon"; "Mañana, de 10 a. m. a mediodía".
    """
    today = now.astimezone(start.tzinfo).date()
    opens, days = minutes_of(start), (end.date() - start.date()).days
    closes = minutes_of(end) + days * _DAY

    def render(language: Language) -> str:
        w, first = messages("hours", language), day_from(today, start.date(), language)
        if closes <= 2 * _DAY - 1 or closes - opens < _DAY:
            return capital(w.coming.format(day=first, hours=span(opens, closes, language)))
        text = w.coming_long.format(
            day=first,
            opens=at_clock(opens, language),
            last_day=day_from(today, end.date(), language),
            closes=at_clock(closes, language),
        )
        return capital(text)

    return say(render)


def capital(text: str) -> str:
    """Return the text with its first letter capitalized, the rest unchanged."""
    return text[:1].upper() + text[1:]


def sentence(text: str, language: Language = "en") -> str:
    """Return the text with a single full stop at its end, even after "p.m."."""
    return str(messages("hours", language).sentence.format(text=text.rstrip(".")))
