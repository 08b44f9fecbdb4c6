"""The next dates of programs and of giving, in order, for the calendar."""

import calendar
from dataclasses import dataclass
from datetime import date
from importlib import resources
from typing import Any, Literal

import msgspec
from babel.dates import format_date

from serving.documents.render_context import RenderContext
from serving.reference.policy import upcoming
from serving.render.formats import day as in_words

Topic = Literal["snap", "wic", "school", "summer", "giving", "limits"]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Date in content/program_dates.yaml."""

    id: str
    fact: str
    topic: Topic
    en: str
    es: str
    act_en: str
    act_es: str


_ROWS = msgspec.yaml.decode(
    (resources.files("content") / "program_dates.yaml").read_bytes(), type=list[_Row]
)


@dataclass(frozen=True)
class _Span:
    """The days from `start` to `end`, both included. `precision` tells whether the days are known,
    or only the months."""

    start: date
    end: date
    precision: Literal["day", "month"]
    repeats: bool


def program_dates(context: RenderContext) -> list[dict[str, Any]]:
    """Return the next occurrence of each date, the nearest first. `in_short` has markup."""
    dates = []
    for row in _ROWS:
        if row.fact not in context.facts:
            continue
        fact = context.facts.find(row.fact).fact
        span = _next(fact.value, context.day)
        if span is None:
            continue
        when, what_to_do = _when(context, span), context.say(row.act_en, row.act_es)
        dates.append(
            {
                "id": row.id,
                "topic": row.topic,
                "title": context.say(row.en, row.es),
                "what_to_do": what_to_do,
                "starts_on": span.start.isoformat(),
                "ends_on": span.end.isoformat(),
                "precision": span.precision,
                "when": when,
                # In Spanish, months begin with a small letter, but sentences do not.
                "in_short": f"**{when[0].upper()}{when[1:]}.** {what_to_do}",
                "is_now": span.start <= context.day <= span.end,
                "is_yearly": span.repeats,
                "source": fact.source_title,
                "source_url": fact.source_url,
                "as_of": fact.as_of.isoformat(),
            }
        )
    return sorted(dates, key=lambda entry: (entry["starts_on"], entry["id"]))


def _next(value: Any, on: date) -> _Span | None:
    """Return the next occurrence, `on` included; None if there is no more."""
    if isinstance(value, date):
        return _Span(value, value, "day", False) if value >= on else None
    if isinstance(value, dict):
        start, end = (value["from"], value["to"]) if "from" in value else (value["date"],) * 2
        repeats = value.get("repeats")
        last = upcoming({"date": end, "repeats": repeats}, on)
        if last is None:
            return None
        first = start.replace(year=last.year - (end.year - start.year))
        return _Span(first, last, "day", repeats == "yearly")
    # One month or several; beyond December they start over.
    months = [value] if isinstance(value, int) else list(value)
    from_month, to_month = (1 + (month - 1) % 12 for month in (months[0], months[-1]))
    year = on.year if on.month <= to_month else on.year + 1
    end = date(year, to_month, calendar.monthrange(year, to_month)[1])
    return _Span(date(year - (from_month > to_month), from_month, 1), end, "month", True)


def _when(context: RenderContext, span: _Span) -> str:
    if span.precision == "month":
        locale, pattern = (
            ("en_US", "MMMM y") if context.language == "en" else ("es_US", "MMMM 'de' y")
        )
        ends = [str(format_date(d, format=pattern, locale=locale)) for d in (span.start, span.end)]
    else:
        ends = [in_words(d, context.language) for d in (span.start, span.end)]
    return ends[0] if ends[0] == ends[1] else context.say("{} to {}", "{} a {}").format(*ends)
