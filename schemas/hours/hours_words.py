"""Formats opening hours in words, as a person would say them.

Unknowns stay unknown in the words: for days without times, the words say that the times are not
known; for every other week without a first date, they say to ask which week. Past dates are
omitted. Remarks known to the hours parser are translated; others are quoted from the source. The
words are in `content/messages/hours.yaml`.
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache

from schemas.hours.clock_words import (
    capital,
    clock,
    day_name,
    full_date,
    join_words,
    month_day,
    sentence,
    span,
    weekdays,
)
from schemas.hours.grouping import Part, is_single, is_weekly, parts_of
from schemas.hours.recurrence import Bound, Rule, rule_of
from schemas.hours.schedule import (
    EMERGENCIES,
    HOLIDAY_HOURS,
    OFFICE_HOURS,
    OTHER_SERVICE,
    SOME_DAYS,
    UNTIL_DUSK,
    UNTIL_GONE,
    WEEK_OF,
    Doubt,
    Schedule,
    doubt_of,
)
from schemas.languages import SOURCE, Language, languages
from schemas.words import Messages, Words, messages, say

# Maximum number of single dates to list; the others are counted.
MAX_DATES = 4
# Remarks on the end of an opening without a closing time, and their messages.
_ENDS = {UNTIL_GONE: "from_until_gone", UNTIL_DUSK: "from_until_dusk"}
# Remarks that replace times or say how to find them out.
_IN_PLACE_OF_TIMES = frozenset(
    {
        "by appointment",
        "or by appointment",
        "by referral",
        "call first",
        "call for details",
        EMERGENCIES,
    }
)


def hours_in_words(schedules: Sequence[Schedule], today: date) -> Words | None:
    """Return the schedules as a sentence or two per language; None without schedules.

    `today` is the date at the place: schedules that ended before it are omitted.
    """
    if not schedules:
        return None
    rules = [rule_of(schedule) for schedule in schedules]
    coming = [rule for rule in rules if not (isinstance(rule.last, date) and rule.last < today)]
    if all(rule.schedule.is_closed for rule in coming) and not all(
        rule.schedule.is_closed for rule in rules
    ):
        return say(lambda language: str(_words(language).past))
    parts = parts_of([r for r in coming if not r.schedule.is_closed])
    closures = [r for r in coming if r.schedule.is_closed]
    return say(lambda language: _render(parts, closures, today, language))


def _words(language: Language) -> Messages:
    return messages("hours", language)


def _render(parts: list[Part], closures: list[Rule], today: date, language: Language) -> str:
    sentences = [capital(_of_part(part, today, language)) for part in parts]
    holidays = [rule for rule in closures if rule.schedule.description == HOLIDAY_HOURS]
    closed_days = [_of_closure(rule, today, language) for rule in closures if rule not in holidays]
    if closed_days:
        sentences.append(_words(language).closed.format(when=join_words(closed_days, language)))
    if holidays:
        sentences.append(_words(language).holidays_differ)
    return " ".join(sentence(text, language) for text in sentences)


def _list_pieces(pieces: Iterable[str], language: Language) -> str:
    comma: str = _words(language).comma
    return comma.join(piece for piece in pieces if piece)


def _of_part(part: Part, today: date, language: Language) -> str:
    rule = part.rule
    when = _dates(part.dates, today, language) if part.dates else _days(rule, part.days, language)
    pieces = [when, _hours(part, language), _season(rule, language), _first(rule, today, language)]
    words, omitted = _words_of(rule.schedule), (_end(rule.schedule), SOME_DAYS)
    remarks = [_remark_part(word, language) for word in words if word not in omitted]
    text, remark = _list_pieces(pieces, language), _list_pieces(remarks, language)
    if text and remark and (words[0] == OFFICE_HOURS or words[0].startswith(OTHER_SERVICE)):
        return str(_words(language).label.format(label=remark, text=text))
    return _list_pieces((text, remark), language)


def _hours(part: Part, language: Language) -> str:
    w = _words(language)
    if not part.rule.is_readable:
        return str(w.unreadable)
    schedule = part.rule.schedule
    end = _end(schedule)
    spans = [_span(opens, closes, language, end) for opens, closes in part.times]
    spans = [text for text in spans if text]
    if spans:
        hours = join_words(spans, language)
        has_days = part.dates or doubt_of(schedule) is not Doubt.DAYS
        return hours if has_days else str(w.unknown_days.format(hours=hours))
    if schedule.freq is None and not part.dates:
        return ""
    is_said = not _IN_PLACE_OF_TIMES.isdisjoint(_words_of(schedule))
    return "" if is_said else str(w.unknown_times)


def _end(schedule: Schedule) -> str | None:
    """Return the remark about the end of an opening without a closing time."""
    if doubt_of(schedule) is not Doubt.END:
        return None
    return next((word for word in _words_of(schedule) if word in _ENDS), None)


def _words_of(schedule: Schedule) -> list[str]:
    return [part for part in (schedule.description or "").split("; ") if part]


def _span(opens: int | None, closes: int | None, language: Language, end: str | None = None) -> str:
    w = _words(language)
    if opens is not None and closes is not None:
        return span(opens, closes + (1440 if closes <= opens else 0), language)
    if opens is not None:
        text = w[_ENDS[end]] if end else w.from_time
        return str(text.format(time=clock(opens, language)))
    if closes is not None:
        return str(w.until_time.format(time=clock(closes, language)))
    return ""


def _days(rule: Rule, days: Sequence[int], language: Language) -> str:
    schedule = rule.schedule
    if not rule.is_readable:
        return ""
    if days:
        return weekdays(days, language)
    if schedule.freq is None:
        is_every_day = rule.first and rule.last and doubt_of(schedule) is not Doubt.DAYS
        return str(_words(language).every_day) if is_every_day else ""
    every = _every(rule, language)
    if schedule.freq == "WEEKLY":
        numbers = sorted(rule.weekdays) or ([rule.start.weekday()] if rule.start else [])
        return _list_pieces((weekdays(numbers, language), every), language)
    return _list_pieces((_monthly(rule, language), every), language)


def _every(rule: Rule, language: Language) -> str:
    w, interval = _words(language), rule.schedule.interval
    if interval == 1:
        return ""
    if rule.schedule.freq == "WEEKLY":
        text = w.every_other_week if interval == 2 else w.every_weeks(interval)
    else:
        text = w.every_other_month if interval == 2 else w.every_months(interval)
    return str(text if rule.start else w.ask_which.format(every=text))


def _monthly(rule: Rule, language: Language) -> str:
    if not rule.month_days:
        return _nth_weekdays(rule, language)
    w = _words(language)
    numbers = _month_days(sorted(rule.month_days, key=lambda d: (d < 0, d)), language)
    text = str(w.month_days.format(days=numbers))
    if not rule.weekdays and not rule.nth_weekdays:
        return text
    return str(w.only_on.format(days=_nth_weekdays(rule, language), numbers=text))


def _nth_weekdays(rule: Rule, language: Language) -> str:
    by_day: dict[int, list[int]] = {}
    for nth, day in sorted(rule.nth_weekdays, key=lambda p: (p[0] < 0, p)):
        by_day.setdefault(day, []).append(nth)
    by_weeks: dict[tuple[int, ...], list[int]] = {}
    for day, weeks in sorted(by_day.items()):
        by_weeks.setdefault(tuple(weeks), []).append(day)
    w = _words(language)
    texts: list[str] = []
    for nths, days in by_weeks.items():
        names = join_words([day_name(day, language) for day in days], language)
        ordinals = join_words([_ordinal(nth, language) for nth in nths], language)
        texts.append(w.nth.format(ordinals=ordinals, days=names))
    of_month = [w.of_month.format(days=join_words(texts, language))] if texts else []
    plain = [weekdays(sorted(rule.weekdays), language)] if rule.weekdays else []
    return join_words([*plain, *of_month], language)


def _ordinal(number: int, language: Language) -> str:
    w = _words(language)
    if number in (-1, -2):
        return str(w.last if number == -1 else w.second_to_last)
    has_word = 0 < number <= len(w.ordinals)
    return str(w.ordinals[number - 1] if has_word else w.ordinal.format(n=number))


def _month_days(days: Sequence[int], language: Language) -> str:
    w = _words(language)
    day_texts = [_day_number(day, language) for day in days if day > 0]
    ends = [w.last_day if day == -1 else w.from_end.format(n=-day) for day in days if day < 0]
    numbers = w.day_numbers(len(day_texts), days="{days}")
    if numbers == "{days}":  # no words around the numbers: a single list
        return join_words([*day_texts, *ends], language)
    first = [numbers.format(days=join_words(day_texts, language))] if day_texts else []
    return join_words([*first, *ends], language)


@lru_cache(maxsize=1024)
def _day_number(number: int, language: Language) -> str:
    """Return "1st" in English, else the number in the language's form."""
    ending = ""
    if language == SOURCE:
        endings = messages("clock", language).ordinal_endings
        form = languages()[language].locale.ordinal_form(number)
        ending = endings[form if form in endings else "rest"]
    return str(_words(language).day_number.format(n=number, ending=ending))


def _dates(dates: Sequence[date], today: date, language: Language) -> str:
    w = _words(language)
    date_texts = [
        full_date(day, language, year=day.year != today.year) for day in dates[:MAX_DATES]
    ]
    more = len(dates) - len(date_texts)
    text = w.date_comma.join(date_texts)
    if more:
        last = full_date(dates[-1], language, year=dates[-1].year != today.year)
        return str(w.more_dates(more, dates=text, last=last))
    # English dates contain a comma.
    return join_words(date_texts, language) if w.date_comma == w.comma else text


def _season(rule: Rule, language: Language) -> str:
    if is_single(rule):
        return ""
    w = _words(language)
    first, last = (_describe_bound(b, language) if b else "" for b in (rule.first, rule.last))
    if first and first == last:
        return str(w.on_date.format(date=first))
    if first and last:
        return str(w.season.format(first=first, last=last))
    if first:
        return str(w.season_from.format(first=first))
    return str(w.season_until.format(last=last)) if last else ""


def _describe_bound(bound: Bound, language: Language) -> str:
    if isinstance(bound, tuple):
        return month_day(*bound, language)
    return month_day(bound.month, bound.day, language, bound.year)


def _first(rule: Rule, today: date, language: Language) -> str:
    """Return the next date of a rule with an interval above 1; empty if unknown."""
    if rule.schedule.interval == 1 or rule.start is None:
        return ""
    coming = (today + timedelta(days=n) for n in range(7 * 5 * rule.schedule.interval))
    following = next((day for day in coming if rule.covers(day)), None)
    if following is None:
        return ""
    text = full_date(following, language, year=following.year != today.year)
    return str(_words(language).next.format(date=text))


def _remark_part(part: str, language: Language) -> str:
    if language == SOURCE or not part.startswith(OTHER_SERVICE):
        return _describe_remark(part, language)
    w, name = _words(language), part.removeprefix(OTHER_SERVICE).strip(": ")
    if not name:
        return str(w.other_service)
    return str(w.other_service_named.format(name=_describe_remark(name, language)))


def _describe_remark(remark: str, language: Language) -> str:
    """Return a remark of the hours parser (assets/hours/lexicon.yaml) in a language; any other is
    quoted from its source."""
    if language == SOURCE:
        return remark
    key = _remark_keys().get(remark)
    w = _words(language)
    if remark.startswith(WEEK_OF):
        return str(
            w.week_of.format(holiday=_describe_remark(remark.removeprefix(WEEK_OF), language))
        )
    return str(w.remarks[key] if key else w.quote.format(text=remark))


@cache
def _remark_keys() -> dict[str, str]:
    return {text: key for key, text in _words(SOURCE).remarks.items()}


def _of_closure(rule: Rule, today: date, language: Language) -> str:
    schedule, w = rule.schedule, _words(language)
    if schedule.freq is None and not rule.first and not rule.last:
        terms = [t.strip() for t in (schedule.description or "").split(",") if t.strip()]
        words = join_words([_describe_remark(term, language) for term in terms], language)
        return str(w.on_terms.format(terms=words))
    if is_single(rule):
        assert isinstance(rule.first, date)  # as `is_single` checks
        day = full_date(rule.first, language, year=rule.first.year != today.year)
        text = w.on_date.format(date=day)
    else:
        days = _days(rule, sorted(rule.weekdays) if is_weekly(rule) else (), language)
        if schedule.freq is None:
            days = ""
        elif days.startswith(tuple(f"{article} " for article in w.articles.split())):
            days = w.on_days_with_article.format(days=days)
        else:  # "on Monday"; "los lunes", "el cuarto martes"
            days = (w.on_nth if schedule.freq == "MONTHLY" else w.on_days).format(days=days)
        text = _list_pieces((days, _season(rule, language)), language)
    return _list_pieces((text, _span(rule.opens, rule.closes, language)), language)
