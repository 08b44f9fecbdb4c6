"""Times, days and dates in words, as a person in the United States says them, in English and
Spanish.

Wall times are minutes since midnight; 1440 is the midnight at the end of the day.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

import msgspec

Language = Literal["en", "es"]

_NOON, _DAY = 720, 1440
DAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "es": ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
}
# Spanish weekdays that end in s are the same in the plural.
_PLURALS_ES = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábados", "domingos")
MONTHS: dict[Language, tuple[str, ...]] = {
    "en": (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    "es": (
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
}


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence in both languages of the directory."""

    en: str
    es: str


def clock(minutes: int, language: Language) -> str:
    """Format "9 a.m.", "12:30 p.m.", "noon", "midnight"; "9 a. m.", "mediodía", "medianoche"."""
    minute_of_day = minutes % _DAY
    if minute_of_day == 0:
        return "midnight" if language == "en" else "medianoche"
    if minute_of_day == _NOON:
        return "noon" if language == "en" else "mediodía"
    hour, minute = divmod(minute_of_day, 60)
    dial = f"{(hour - 1) % 12 + 1}:{minute:02d}" if minute else f"{(hour - 1) % 12 + 1}"
    half = ("a.m.", "p.m.") if language == "en" else ("a.\u00a0m.", "p.\u00a0m.")
    return f"{dial} {half[hour >= 12]}" if language == "en" else f"{dial}\u00a0{half[hour >= 12]}"


def at_clock(minutes: int, language: Language) -> str:
    """Return the time with its preposition: "at 9 a.m.", "at noon"; "a las 9 a. m.", "a la 1 p.
    m.", "a mediodía"."""
    spoken = clock(minutes, language)
    if language == "en":
        return f"at {spoken}"
    if minutes % _NOON == 0:
        return f"a {spoken}"
    return f"a la {spoken}" if (minutes // 60) % 12 == 1 else f"a las {spoken}"


def span(opens: int, closes: int, language: Language) -> str:
    """Format the time from one wall time to another, the second past 1440 when it is on the next
    day."""
    if opens == 0 and closes == _DAY:
        return "24 hours" if language == "en" else "las 24 horas"
    is_next_day = closes > _DAY
    if language == "en":
        end = " the next day" if is_next_day else ""
        return f"{clock(opens, 'en')} to {clock(closes, 'en')}{end}"
    end = " del día siguiente" if is_next_day else ""
    return f"de {clock(opens, 'es')} a {clock(closes, 'es')}{end}"


def joined(parts: Sequence[str], language: Language) -> str:
    """Join as "a", "a and b", "a, b and c"; in Spanish "y", or "e" before the sound of i."""
    if len(parts) < 2:
        return "".join(parts)
    last = parts[-1]
    is_i = last.lower().startswith(("i", "hi")) and not last.lower().startswith("hie")
    word = "and" if language == "en" else "e" if is_i else "y"
    return f"{', '.join(parts[:-1])} {word} {last}"


def weekdays(days: Sequence[int], language: Language) -> str:
    """Format weekdays (Monday is 0); runs of three or more become "Monday to Friday and Sunday"."""
    if len(set(days)) == 7:
        return "every day" if language == "en" else "todos los días"
    names = DAYS["en"] if language == "en" else _PLURALS_ES
    parts: list[str] = []
    for run in _runs(sorted(set(days))):
        if len(run) >= 3:
            first, last = DAYS[language][run[0]], DAYS[language][run[-1]]
            parts.append(f"{first} to {last}" if language == "en" else f"de {first} a {last}")
        else:
            parts += [names[day] for day in run]
    return joined(parts, language)


def _runs(days: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for day in days:
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return runs


def month_day(month: int, day: int, language: Language) -> str:
    """Format "November 1"; "1 de noviembre"."""
    name = MONTHS[language][month - 1]
    if language == "en":
        return f"{name} {day}"
    return f"{'1.º' if day == 1 else day} de {name}"


def full_date(day: date, language: Language, *, year: bool = False) -> str:
    """Format "Tuesday, November 24"; "martes 24 de noviembre"; with the year where it matters."""
    text = month_day(day.month, day.day, language)
    if language == "en":
        return f"{DAYS['en'][day.weekday()]}, {text}{f', {day.year}' if year else ''}"
    return f"{DAYS['es'][day.weekday()]} {text}{f' de {day.year}' if year else ''}"


def day_from(today: date, day: date, language: Language) -> str:
    """Return a coming day as one says it today: "today", "tomorrow", "Tuesday, November 24"."""
    if day == today:
        return "today" if language == "en" else "hoy"
    if (day - today).days == 1:
        return "tomorrow" if language == "en" else "mañana"
    return full_date(day, language, year=day.year != today.year)


def opening_words(start: datetime, end: datetime, now: datetime) -> Words:
    """Return a coming opening, from local start to local end, as one says it at `now` (any zone).

    "Tomorrow, 10 a.m. to noon"; "Mañana, de 10 a. m. a mediodía".
    """
    today = now.astimezone(start.tzinfo).date()
    days = (end.date() - start.date()).days
    opens = start.hour * 60 + start.minute
    closes = end.hour * 60 + end.minute + days * _DAY
    return Words(
        _opening(today, start, end, opens, closes, "en"),
        _opening(today, start, end, opens, closes, "es"),
    )


def _opening(
    today: date, start: datetime, end: datetime, opens: int, closes: int, language: Language
) -> str:
    first = day_from(today, start.date(), language)
    if closes <= 2 * _DAY - 1 or closes - opens < _DAY:
        return capital(f"{first}, {span(opens, closes, language)}")
    last = day_from(today, end.date(), language)
    until = "until" if language == "en" else "hasta"
    return capital(
        f"{first}, {at_clock(opens, language)}, {until} {last}, {at_clock(closes, language)}"
    )


def capital(text: str) -> str:
    """Return the text with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return the text with one full stop at its end, also after "p.m."."""
    return text.rstrip(".") + "."
