"""The dates of programs and of giving, in order, each the next one from today: for the calendar and
its iCalendar file.
"""

from __future__ import annotations

import calendar
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal

from babel.dates import format_date
from icalendar import Calendar, Event

from serving.documents.render_context import Scene
from serving.reference.policy import upcoming
from serving.render.formats import day as in_words

Topic = Literal["snap", "wic", "school", "summer", "giving", "limits"]
_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "open-larder/program-dates")


@dataclass(frozen=True)
class _Row:
    """`fact` holds a day, a span of days, a month (1 to 12) or months that follow each other."""

    id: str
    fact: str
    topic: Topic
    en: str
    es: str
    act_en: str
    act_es: str


_ROWS = (
    _Row(
        "snap_year_start",
        "dates.snap_year_start",
        "snap",
        "New SNAP amounts and income limits begin",
        "Empiezan los nuevos montos y límites de ingresos de SNAP",
        "If you were just over the limit, check again. If you get SNAP, the change comes by itself.",
        "Si pasaba del límite por poco, vuelva a revisar. Si ya recibe SNAP, el cambio llega solo.",
    ),
    _Row(
        "snap_year_end",
        "dates.snap_year_end",
        "snap",
        "Last day of this year's SNAP amounts",
        "Último día de los montos de SNAP de este año",
        "Nothing to do. The amounts on this site change the next day.",
        "No tiene que hacer nada. Los montos de este sitio cambian al día siguiente.",
    ),
    _Row(
        "snap_announcement",
        "dates.snap_announcement_month",
        "snap",
        "USDA announces the next SNAP amounts",
        "USDA anuncia los próximos montos de SNAP",
        "Nothing to do. The new amounts start some weeks later.",
        "No tiene que hacer nada. Los nuevos montos empiezan unas semanas después.",
    ),
    _Row(
        "poverty_guidelines",
        "dates.poverty_guidelines_month",
        "limits",
        "New federal poverty guidelines",
        "Nuevas guías federales de pobreza",
        "The limits of many programs follow from them in the months after.",
        "De ellas salen los límites de muchos programas en los meses siguientes.",
    ),
    _Row(
        "wic_limits",
        "dates.wic_limits",
        "wic",
        "New WIC income limits are in use everywhere by this day",
        "Para este día los nuevos límites de WIC rigen en todas partes",
        "If WIC said no because of income, ask again.",
        "Si WIC le dijo que no por sus ingresos, pregunte otra vez.",
    ),
    _Row(
        "school_meals_year",
        "dates.school_meals_year",
        "school",
        "New income limits for school meals begin",
        "Empiezan los nuevos límites para las comidas escolares",
        "Ask the school for the meal form and send it in.",
        "Pida en la escuela el formulario de comidas y entréguelo.",
    ),
    _Row(
        "summer_meals",
        "dates.summer_meals",
        "summer",
        "Summer meal sites are open",
        "Abren los sitios de comidas de verano",
        "Each site has days of its own. Search near you before you go.",
        "Cada sitio tiene sus propios días. Busque cerca de usted antes de ir.",
    ),
    _Row(
        "summer_money",
        "dates.summer_ebt_months",
        "summer",
        "SUN Bucks is paid where the state takes part",
        "Se paga SUN Bucks donde el estado participa",
        "Ask your state or your school whether your child has to be signed up.",
        "Pregunte a su estado o a la escuela si hay que inscribir a su hijo.",
    ),
    _Row(
        "state_share",
        "snap.state_share_of_benefits_start",
        "snap",
        "States with many payment errors begin to pay part of SNAP",
        "Los estados con muchos errores de pago empiezan a pagar parte de SNAP",
        "Nothing to do. Rules in your state may change around this time.",
        "No tiene que hacer nada. Las reglas de su estado pueden cambiar por esa fecha.",
    ),
    _Row(
        "giving_year_end",
        "dates.giving_year_end",
        "giving",
        "Last day for gifts to count for this tax year",
        "Último día para que una donación cuente en este año fiscal",
        "Ask the organization by when your gift must be there.",
        "Pregunte a la organización para cuándo debe llegar su donación.",
    ),
    _Row(
        "nebraska_form",
        "dates.nebraska_form",
        "giving",
        "Nebraska: Form FDC is due for food given the year before",
        "Nebraska: vence el Formulario FDC por alimentos donados el año anterior",
        "For growers and stores that gave food.",
        "Para agricultores y tiendas que donaron alimentos.",
    ),
    _Row(
        "arizona_credit",
        "dates.arizona_credit",
        "giving",
        "Arizona: last day for gifts that may count for the year before",
        "Arizona: último día de las donaciones que pueden contar para el año anterior",
        "For the credit for gifts to charities that qualify.",
        "Para el crédito por donaciones a organizaciones que cumplen los requisitos.",
    ),
)


@dataclass(frozen=True)
class _Span:
    """The days from `start` to `end`, both included. `precision`: whether days or only months are
    known.
    """

    start: date
    end: date
    precision: Literal["day", "month"]
    repeats: bool


def program_dates(scene: Scene) -> list[dict[str, Any]]:
    """Return the next time of each date, the nearest first. `in_short` holds a mark."""
    rows = [(span, row, scene.facts.stated(row.fact).stated) for row, span in _coming(scene)]
    return [
        {
            "id": row.id,
            "topic": row.topic,
            "title": scene.say(row.en, row.es),
            "what_to_do": scene.say(row.act_en, row.act_es),
            "starts_on": span.start.isoformat(),
            "ends_on": span.end.isoformat(),
            "precision": span.precision,
            "when": _when(scene, span),
            "in_short": _in_short(_when(scene, span), scene.say(row.act_en, row.act_es)),
            "is_now": span.start <= scene.day <= span.end,
            "is_yearly": span.repeats,
            "source": stated.source_title,
            "source_url": stated.source_url,
            "as_of": stated.as_of.isoformat(),
        }
        for span, row, stated in sorted(rows, key=lambda found: (found[0].start, found[1].id))
    ]


def dates_calendar(scene: Scene) -> bytes:
    """Return the same as an iCalendar file (RFC 5545), whole days. Who subscribes gets next
    year's dates in time."""
    name = scene.say("Food programs: dates", "Programas de alimentos: fechas")
    made = Calendar()
    made.add(
        "prodid", f"-//{scene.organization.common_name}//Open Larder//{scene.language.upper()}"
    )
    made.add("version", "2.0")
    made.add("calscale", "GREGORIAN")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", name)
    made.add("refresh-interval", timedelta(days=1), parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "P1D")
    for entry in program_dates(scene):
        made.add_component(_event(scene, entry))
    body: bytes = made.to_ical()
    return body


def _event(scene: Scene, entry: dict[str, Any]) -> Event:
    event, about = (
        Event(),
        [entry["what_to_do"], f"{scene.say('Source', 'Fuente')}: {entry['source']}"],
    )
    if entry["precision"] == "month":
        about.insert(
            0,
            scene.say("The day is not known, only the month.", "No se conoce el día, solo el mes."),
        )
    event.add("uid", str(uuid.uuid5(_NAMES, f"{entry['id']}|{entry['starts_on']}")))
    event.add("dtstamp", datetime.combine(date.fromisoformat(entry["as_of"]), time(0), UTC))
    event.add("dtstart", date.fromisoformat(entry["starts_on"]))
    event.add("dtend", date.fromisoformat(entry["ends_on"]) + timedelta(days=1))
    event.add("summary", entry["title"])
    event.add("description", "\n".join(about))
    event.add("url", scene.url("/calendar"))
    event.add("transp", "TRANSPARENT")
    return event


def _coming(scene: Scene) -> Iterator[tuple[_Row, _Span]]:
    for row in _ROWS:
        if row.fact not in scene.facts:
            continue
        span = _next(scene.facts.fact(row.fact), scene.day)
        if span is not None:
            yield row, span


def _next(value: Any, on: date) -> _Span | None:
    """Return the next time, `on` included; None when it is over for good."""
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
    return _months([value] if isinstance(value, int) else list(value), on)


def _months(months: list[int], on: date) -> _Span:
    """Return the months of this year, or of the next when the last of them is over. Beyond 12
    they start over."""
    first, last = (1 + (month - 1) % 12 for month in (months[0], months[-1]))
    year = on.year if on.month <= last else on.year + 1
    end = date(year, last, calendar.monthrange(year, last)[1])
    return _Span(date(year - (first > last), first, 1), end, "month", True)


def _when(scene: Scene, span: _Span) -> str:
    if span.precision == "month":
        locale, pattern = (
            ("en_US", "MMMM y") if scene.language == "en" else ("es_US", "MMMM 'de' y")
        )
        ends = [str(format_date(d, format=pattern, locale=locale)) for d in (span.start, span.end)]
    else:
        ends = [in_words(d, scene.language) for d in (span.start, span.end)]
    return ends[0] if ends[0] == ends[1] else scene.say("{} to {}", "{} a {}").format(*ends)


def _in_short(when: str, what_to_do: str) -> str:
    """Format a date; in Spanish, months begin with a small letter and sentences do not."""
    return f"**{when[0].upper()}{when[1:]}.** {what_to_do}"


FIELDS: dict[str, Callable[[Scene], Any]] = {"program_dates": program_dates}
