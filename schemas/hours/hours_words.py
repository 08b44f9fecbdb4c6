"""Opening hours in words, in English and Spanish, as a person would say them.

Unknown parts stay unknown in the words: days without times say that the times are not known, every
other week without a first date says to ask which week. Dates in the past are left out. Remarks that
the parser of hours knows are translated; others are quoted as the source writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from schemas.hours.clock_words import (
    DAYS,
    Language,
    Words,
    capital,
    clock,
    full_date,
    joined,
    month_day,
    span,
    weekdays,
)
from schemas.hours.recurrence import Bound, Rule, rule_of
from schemas.hours.schedule import OFFICE_HOURS, OTHER_SERVICE, Schedule

# Of many single dates so many are named; the others are counted.
MAX_DATES = 4
_ORDINALS: dict[Language, dict[int, str]] = {
    "en": {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", -1: "last", -2: "second to last"},
    "es": {
        1: "primer",
        2: "segundo",
        3: "tercer",
        4: "cuarto",
        5: "quinto",
        -1: "último",
        -2: "penúltimo",
    },
}
# Remarks that the reader of hours writes, and the names of meals it keeps; see
# assets/hours/lexicon.yaml.
_REMARKS_ES = {
    "by appointment": "con cita",
    "or by appointment": "o con cita",
    "call first": "llame primero",
    "call for details": "llame para más información",
    "walk-ins welcome": "sin cita",
    "while supplies last": "hasta agotar existencias",
    "visits are limited": "el número de visitas es limitado",
    "leave a message": "deje un mensaje",
    "be in line in time": "llegue a tiempo a la fila",
    "eastern time": "hora del este",
    "central time": "hora del centro",
    "mountain time": "hora de la montaña",
    "pacific time": "hora del Pacífico",
    "open on holidays": "también los días festivos",
    "in the school year": "durante el año escolar",
    "in summer": "en verano",
    "breakfast": "desayuno",
    "lunch": "almuerzo",
    "lunches": "almuerzos",
    "bagged lunches": "almuerzos para llevar",
    "dinner": "cena",
    "supper": "cena",
    "snack": "merienda",
    "hot meal": "comida caliente",
    "hot meals": "comidas calientes",
    "pantry": "despensa",
    "food pantry": "despensa de alimentos",
    "soup kitchen": "comedor comunitario",
    OFFICE_HOURS: "oficina",
    "federal holidays": "los días festivos federales",
    "major holidays": "los principales días festivos",
    "New Year's Day": "Año Nuevo",
    "Martin Luther King Jr. Day": "el Día de Martin Luther King Jr.",
    "Washington's Birthday": "el Día de los Presidentes",
    "Memorial Day": "el Día de los Caídos",
    "Juneteenth National Independence Day": "el Día de la Emancipación (19 de junio)",
    "Independence Day": "el Día de la Independencia (4 de julio)",
    "Labor Day": "el Día del Trabajo",
    "Columbus Day": "el Día de la Raza",
    "Veterans Day": "el Día de los Veteranos",
    "Thanksgiving Day": "el Día de Acción de Gracias",
    "Christmas Day": "Navidad",
}
_PAST = Words("The known dates are past.", "Las fechas conocidas ya pasaron.")
_UNREADABLE = {"en": "at times that could not be read", "es": "en horario que no se pudo leer"}


# Opening and closing in minutes since midnight, as far as they are known.
Times = tuple[tuple[int | None, int | None], ...]


class _Part(NamedTuple):
    """Schedules that differ in their time of day only, or, weekly ones, in days and time."""

    rule: Rule
    days: tuple[int, ...]
    dates: tuple[date, ...]
    times: Times


def hours_in_words(schedules: Sequence[Schedule], today: date) -> Words | None:
    """Return the schedules as a sentence or two per language; None without schedules.

    `today` is the date at the place: what ended before it is left out.
    """
    if not schedules:
        return None
    rules = [rule_of(schedule) for schedule in schedules]
    coming = [rule for rule in rules if not _is_past(rule, today)]
    if all(rule.schedule.is_closed for rule in coming) and not all(
        rule.schedule.is_closed for rule in rules
    ):
        return _PAST
    parts = _parts([r for r in coming if not r.schedule.is_closed], today)
    closures = [r for r in coming if r.schedule.is_closed]
    return Words(_told(parts, closures, today, "en"), _told(parts, closures, today, "es"))


def _told(parts: list[_Part], closures: list[Rule], today: date, language: Language) -> str:
    sentences = [capital(_of_part(part, today, language)) for part in parts]
    shut = [_of_closure(rule, today, language) for rule in closures]
    if shut:
        word = "Closed" if language == "en" else "Cerrado"
        sentences.append(f"{word} {joined(shut, language)}")
    return ". ".join(sentences).replace("m..", "m.").rstrip(".") + "."


def _is_past(rule: Rule, today: date) -> bool:
    return isinstance(rule.last, date) and rule.last < today


# ---------------------------------------------------------------- grouping


def _parts(rules: list[Rule], today: date) -> list[_Part]:
    weekly = [r for r in rules if _is_weekly(r)]
    dated = [r for r in rules if _is_single(r)]
    others = [r for r in rules if not _is_weekly(r) and not _is_single(r)]
    return [*_weekly_parts(weekly), *_other_parts(others), *_dated_parts(dated)]


def _is_weekly(rule: Rule) -> bool:
    s = rule.schedule
    return rule.is_readable and s.freq == "WEEKLY" and s.interval == 1 and bool(rule.weekdays)


def _is_single(rule: Rule) -> bool:
    is_dated = isinstance(rule.first, date) and rule.first == rule.last
    return rule.is_readable and rule.schedule.freq is None and is_dated


def _weekly_parts(rules: list[Rule]) -> Iterable[_Part]:
    """Return days with the same times, season and remark together, in week order."""
    by_day: dict[tuple[object, int], list[Rule]] = {}
    for rule in rules:
        for day in rule.weekdays:
            by_day.setdefault((_surroundings(rule), day), []).append(rule)
    by_times: dict[tuple[object, Times], tuple[Rule, list[int]]] = {}
    for (around, day), found in sorted(by_day.items(), key=lambda item: item[0][1]):
        key = (around, _times(found))
        by_times.setdefault(key, (found[0], []))[1].append(day)
    return [_Part(rule, tuple(days), (), times) for (_, times), (rule, days) in by_times.items()]


def _other_parts(rules: list[Rule]) -> Iterable[_Part]:
    grouped: dict[object, list[Rule]] = {}
    for rule in rules:
        s = rule.schedule
        key = (_surroundings(rule), s.freq, s.byday, s.bymonthday, s.interval, rule.is_readable)
        grouped.setdefault(key, []).append(rule)
    return [_Part(found[0], (), (), _times(found)) for found in grouped.values()]


def _dated_parts(rules: list[Rule]) -> Iterable[_Part]:
    """Return single dates with the same times and remark together, in order."""
    by_day: dict[tuple[str | None, date], list[Rule]] = {}
    for rule in rules:
        assert isinstance(rule.first, date)  # what `_is_single` says
        by_day.setdefault((rule.schedule.description, rule.first), []).append(rule)
    by_times: dict[tuple[str | None, Times], tuple[Rule, list[date]]] = {}
    for (remark, day), found in sorted(by_day.items(), key=lambda item: item[0][1]):
        by_times.setdefault((remark, _times(found)), (found[0], []))[1].append(day)
    return [_Part(rule, (), tuple(days), times) for (_, times), (rule, days) in by_times.items()]


def _surroundings(rule: Rule) -> tuple[str | None, ...]:
    s = rule.schedule
    return s.valid_from, s.valid_to, s.dtstart, s.description


def _times(rules: list[Rule]) -> Times:
    found = {(rule.opens, rule.closes) for rule in rules}
    return tuple(sorted(found, key=lambda t: (t[0] is None, t[0] or 0, t[1] or 0)))


# ---------------------------------------------------------------- words


def _of_part(part: _Part, today: date, language: Language) -> str:
    rule = part.rule
    when = _dates(part.dates, today, language) if part.dates else _days(rule, part.days, language)
    pieces = [when, _hours(part, language), _season(rule, language), _first(rule, today, language)]
    remark = _remark(rule.schedule.description, language)
    label, remark = (remark, "") if _is_named(rule) else ("", remark)
    text = ", ".join(piece for piece in (*pieces, remark) if piece)
    return f"{label}: {text}" if label and text else text or label


def _is_named(rule: Rule) -> bool:
    first = (rule.schedule.description or "").split("; ")[0]
    return first == OFFICE_HOURS or first.startswith(OTHER_SERVICE)


def _hours(part: _Part, language: Language) -> str:
    if not part.rule.is_readable:
        return _UNREADABLE[language]
    known = [_span(opens, closes, language) for opens, closes in part.times]
    known = [text for text in known if text]
    if known:
        return joined(known, language)
    if part.rule.schedule.freq is None and not part.dates:
        return ""
    if part.rule.schedule.description:
        return ""
    return (
        "times not known: call first" if language == "en" else "horario desconocido: llame primero"
    )


def _span(opens: int | None, closes: int | None, language: Language) -> str:
    if opens is not None and closes is not None:
        return span(opens, closes + (1440 if closes <= opens else 0), language)
    if opens is not None:
        word = "from" if language == "en" else "desde"
        rest = "closing time not known" if language == "en" else "no se sabe la hora de cierre"
        return f"{word} {clock(opens, language)} ({rest})"
    if closes is not None:
        word = "until" if language == "en" else "hasta"
        return f"{word} {clock(closes, language)}"
    return ""


def _days(rule: Rule, days: Sequence[int], language: Language) -> str:
    schedule = rule.schedule
    if not rule.is_readable:
        return ""
    if days:
        return weekdays(days, language)
    if schedule.freq is None:
        return (
            ""
            if not (rule.first and rule.last)
            else "every day"
            if language == "en"
            else "todos los días"
        )
    every = _every(rule, language)
    if schedule.freq == "WEEKLY":
        known = sorted(rule.weekdays) or ([rule.start.weekday()] if rule.start else [])
        plain = weekdays(known, language)
        return f"{plain}, {every}" if plain and every else plain or every
    return ", ".join(text for text in (_monthly(rule, language), every) if text)


def _every(rule: Rule, language: Language) -> str:
    interval = rule.schedule.interval
    if interval == 1:
        return ""
    is_weekly = rule.schedule.freq == "WEEKLY"
    if language == "en":
        unit = "week" if is_weekly else "month"
        text = f"every other {unit}" if interval == 2 else f"every {interval} {unit}s"
        return text if rule.start else f"{text} (call to ask which)"
    unit = "semanas" if is_weekly else "meses"
    return f"cada {'dos' if interval == 2 else interval} {unit}" + (
        "" if rule.start else " (llame para preguntar cuáles)"
    )


def _monthly(rule: Rule, language: Language) -> str:
    if rule.month_days:
        text = _month_days(sorted(rule.month_days, key=lambda d: (d < 0, d)), language)
        if not rule.weekdays and not rule.nth_weekdays:
            return text
        days = _nth_weekdays(rule, language)
        return (
            f"{days}, {'only on the' if language == 'en' else 'solo'} {text.removeprefix('the ')}"
        )
    return _nth_weekdays(rule, language)


def _nth_weekdays(rule: Rule, language: Language) -> str:
    by_day: dict[int, list[int]] = {}
    for nth, day in sorted(rule.nth_weekdays, key=lambda p: (p[0] < 0, p)):
        by_day.setdefault(day, []).append(nth)
    by_weeks: dict[tuple[int, ...], list[int]] = {}
    for day, weeks in sorted(by_day.items()):
        by_weeks.setdefault(tuple(weeks), []).append(day)
    texts = [_nth(weeks, days, language) for weeks, days in by_weeks.items()]
    of_month = (
        [f"{joined(texts, language)} {'of the month' if language == 'en' else 'del mes'}"]
        if texts
        else []
    )
    plain = [weekdays(sorted(rule.weekdays), language)] if rule.weekdays else []
    return joined([*plain, *of_month], language)


def _nth(weeks: Sequence[int], days: Sequence[int], language: Language) -> str:
    names = [DAYS[language][day] for day in days]
    ordinals = joined([_ordinal(week, language) for week in weeks], language)
    return f"{ordinals} {joined(names, language)}"


def _ordinal(number: int, language: Language) -> str:
    return _ORDINALS[language].get(number, f"{number}." if language == "es" else f"no. {number}")


def _month_days(days: Sequence[int], language: Language) -> str:
    named = [str(day) if language == "es" else _english_ordinal(day) for day in days if day > 0]
    ends = {"en": "last day", "es": "último día"}
    counted = [
        ends[language]
        if day == -1
        else f"{-day} {'days before the end' if language == 'en' else 'días antes del fin'}"
        for day in days
        if day < 0
    ]
    if language == "en":
        return f"the {joined([*named, *counted], 'en')} of the month"
    numbers = f"{'los días' if len(named) > 1 else 'el día'} {joined(named, 'es')}" if named else ""
    return f"{joined([p for p in (numbers, *(f'el {c}' for c in counted)) if p], 'es')} de cada mes"


def _english_ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _dates(dates: Sequence[date], today: date, language: Language) -> str:
    named = [full_date(day, language, year=day.year != today.year) for day in dates[:MAX_DATES]]
    more = len(dates) - len(named)
    if not more:
        # English dates hold a comma of their own.
        return "; ".join(named) if language == "en" and len(named) > 1 else joined(named, language)
    last = full_date(dates[-1], language, year=dates[-1].year != today.year)
    if language == "en":
        return f"{'; '.join(named)} and {more} more date{'s' * (more > 1)}, the last {last}"
    return f"{', '.join(named)} y {more} fecha{'s' * (more > 1)} más, la última el {last}"


def _season(rule: Rule, language: Language) -> str:
    if _is_single(rule):
        return ""
    first, last = (_bound(b, language) if b else "" for b in (rule.first, rule.last))
    words = (
        ("from", "to", "from", "until")
        if language == "en"
        else ("del", "al", "desde el", "hasta el")
    )
    if first and last:
        return f"{words[0]} {first} {words[1]} {last}"
    return f"{words[2]} {first}" if first else f"{words[3]} {last}" if last else ""


def _bound(bound: Bound, language: Language) -> str:
    if isinstance(bound, tuple):
        return month_day(*bound, language)
    text = month_day(bound.month, bound.day, language)
    return f"{text}, {bound.year}" if language == "en" else f"{text} de {bound.year}"


def _first(rule: Rule, today: date, language: Language) -> str:
    """Return the next date of a rule whose weeks or months are not all the same."""
    if rule.schedule.interval == 1 or rule.start is None:
        return ""
    coming = (today + timedelta(days=n) for n in range(7 * 5 * rule.schedule.interval))
    following = next((day for day in coming if rule.covers(day)), None)
    if following is None:
        return ""
    text = full_date(following, language, year=following.year != today.year)
    return f"next on {text}" if language == "en" else f"la próxima vez el {text}"


def _remark(description: str | None, language: Language) -> str:
    parts = [part for part in (description or "").split("; ") if part]
    if language == "en":
        return ", ".join(parts)
    return ", ".join(_remark_es(part) for part in parts)


def _remark_es(part: str) -> str:
    if part.startswith(OTHER_SERVICE):
        name = part.removeprefix(OTHER_SERVICE).strip(": ")
        return f"otro servicio ({_REMARKS_ES.get(name, f'«{name}»')})" if name else "otro servicio"
    return _REMARKS_ES.get(part, f"«{part}»")


def _of_closure(rule: Rule, today: date, language: Language) -> str:
    schedule = rule.schedule
    if schedule.freq is None and not rule.first and not rule.last:
        terms = [t.strip() for t in (schedule.description or "").split(",") if t.strip()]
        named = terms if language == "en" else [_REMARKS_ES.get(t, f"«{t}»") for t in terms]
        return f"on {joined(named, 'en')}" if language == "en" else joined(named, "es")
    if _is_single(rule):
        assert isinstance(rule.first, date)  # what `_is_single` says
        day = full_date(rule.first, language, year=rule.first.year != today.year)
        text = f"on {day}" if language == "en" else f"el {day}"
    else:
        days = _days(rule, sorted(rule.weekdays) if _is_weekly(rule) else (), language)
        days = "" if schedule.freq is None else _with_article(days, rule, language)
        text = ", ".join(piece for piece in (days, _season(rule, language)) if piece)
    hours = _span(rule.opens, rule.closes, language)
    return f"{text}, {hours}" if hours else text


def _with_article(days: str, rule: Rule, language: Language) -> str:
    """Return days as they follow "closed": "on Monday", "on the 4th Tuesday ..."; "los lunes",
    "el cuarto martes ..."."""
    is_nth = rule.schedule.freq == "MONTHLY"
    if language == "en":
        return f"on the {days}" if is_nth and not days.startswith("the ") else f"on {days}"
    if days.startswith(("de ", "todos ", "el ", "los ")):
        return days
    return f"{'el' if is_nth else 'los'} {days}"
