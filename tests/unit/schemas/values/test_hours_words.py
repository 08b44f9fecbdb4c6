"""Hours in words, as spoken on the telephone."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.hours.clock_words import at_clock, clock, join_words, opening_words, span, weekdays
from schemas.hours.hours_words import hours_in_words
from schemas.hours.schedule import Schedule

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


CLOCKS = {
    0: ("midnight", "medianoche", "a medianoche"),
    1: ("12:01 a.m.", "12:01 a. m.", "a las 12:01 a. m."),
    60: ("1 a.m.", "1 a. m.", "a la 1 a. m."),
    545: ("9:05 a.m.", "9:05 a. m.", "a las 9:05 a. m."),
    720: ("noon", "mediodía", "a mediodía"),
    750: ("12:30 p.m.", "12:30 p. m.", "a las 12:30 p. m."),
    780: ("1 p.m.", "1 p. m.", "a la 1 p. m."),
    815: ("1:35 p.m.", "1:35 p. m.", "a la 1:35 p. m."),
    1439: ("11:59 p.m.", "11:59 p. m.", "a las 11:59 p. m."),
    1440: ("midnight", "medianoche", "a medianoche"),
    1560: ("2 a.m.", "2 a. m.", "a las 2 a. m."),
}


@pytest.mark.parametrize(("minutes", "words"), CLOCKS.items())
def test_clocks(minutes, words):
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


WEEKDAYS = {
    (0,): ("Monday", "lunes"),
    (5,): ("Saturday", "sábados"),
    (0, 2): ("Monday and Wednesday", "lunes y miércoles"),
    (0, 1): ("Monday and Tuesday", "lunes y martes"),
    (0, 1, 2, 3, 4): ("Monday to Friday", "de lunes a viernes"),
    (0, 1, 2, 6): ("Monday to Wednesday and Sunday", "de lunes a miércoles y domingos"),
    (0, 1, 2, 3, 4, 5, 6): ("every day", "todos los días"),
}


@pytest.mark.parametrize(("days", "words"), WEEKDAYS.items())
def test_weekdays(days, words):
    assert (weekdays(days, "en"), weekdays(days, "es")) == words


def test_and_before_a_sound_of_i():
    assert join_words(["padres", "hijos"], "es") == "padres e hijos"
    assert join_words(["nieve", "hielo"], "es") == "nieve y hielo"


# What the schedules are: schedules, English, Spanish.
HOURS = {
    "weekly": (
        [weekly("TU,TH", "10:00", "12:00")],
        "Tuesday and Thursday, 10 a.m. to noon.",
        "Martes y jueves, de 10 a. m. a mediodía.",
    ),
    "working days": (
        [weekly("MO,TU,WE,TH,FR", "09:00", "17:00")],
        "Monday to Friday, 9 a.m. to 5 p.m.",
        "De lunes a viernes, de 9 a. m. a 5 p. m.",
    ),
    "several spans a day": (
        [weekly("MO", "09:00", "12:00"), weekly("MO", "13:00", "16:30")],
        "Monday, 9 a.m. to noon and 1 p.m. to 4:30 p.m.",
        "Lunes, de 9 a. m. a mediodía y de 1 a 4:30 p. m.",
    ),
    "days with the same hours stand together": (
        [
            weekly("MO", "09:00", "12:00"),
            weekly("WE", "10:00", "11:00"),
            weekly("FR", "09:00", "12:00"),
        ],
        "Monday and Friday, 9 a.m. to noon. Wednesday, 10 a.m. to 11 a.m.",
        "Lunes y viernes, de 9 a. m. a mediodía. Miércoles, de 10 a 11 a. m.",
    ),
    "until the food is gone": (
        [monthly("1SA", "09:00", None, description="while supplies last")],  # type: ignore[arg-type]
        "1st Saturday of the month, from 9 a.m. until the food runs out.",
        "Primer sábado del mes, desde 9 a. m. hasta que se acabe la comida.",
    ),
    "in some weeks": (
        [weekly("SA", "09:00", "12:00", description="some weeks only")],
        "Saturday, 9 a.m. to noon, some weeks only.",
        "Sábados, de 9 a. m. a mediodía, solo algunas semanas.",
    ),
    "times without days": (
        [Schedule("09:00", "12:00")],
        "9 a.m. to noon (days not known: call first).",
        "De 9 a. m. a mediodía (días desconocidos: llame primero).",
    ),
    "times of a season without days": (
        [
            Schedule(
                "09:00",
                "12:00",
                valid_from="06-01",
                valid_to="08-31",
                description="lunch; days not known",
            )
        ],
        "9 a.m. to noon (days not known: call first), from June 1 to August 31, lunch.",
        "De 9 a. m. a mediodía (días desconocidos: llame primero), del 1.º de junio al 31 de agosto, "
        "almuerzo.",
    ),
    "read in part": (
        [
            weekly("TU", "09:00", "12:00"),
            Schedule(description="part of the text could not be read"),
        ],
        "Tuesday, 9 a.m. to noon. Part of the text could not be read.",
        "Martes, de 9 a. m. a mediodía. No se pudo leer una parte del horario.",
    ),
    "holidays with other hours": (
        [
            weekly("SA", "09:00", "12:00"),
            Schedule(description="holidays with other hours", is_closed=True),
        ],
        "Saturday, 9 a.m. to noon. Hours on holidays may differ.",
        "Sábados, de 9 a. m. a mediodía. El horario de los días festivos puede ser distinto.",
    ),
    "the week of a holiday": (
        [
            weekly("SA", "09:00", "12:00"),
            Schedule(description="the week of Thanksgiving Day", is_closed=True),
        ],
        "Saturday, 9 a.m. to noon. Closed on the week of Thanksgiving Day.",
        "Sábados, de 9 a. m. a mediodía. Cerrado la semana en que cae el Día de Acción de Gracias.",
    ),
    "past midnight": (
        [weekly("FR", "20:00", "02:00")],
        "Friday, 8 p.m. to 2 a.m. the next day.",
        "Viernes, de 8 p. m. a 2 a. m. del día siguiente.",
    ),
    "until midnight": (
        [weekly("FR", "20:00", "24:00")],
        "Friday, 8 p.m. to midnight.",
        "Viernes, de 8 p. m. a medianoche.",
    ),
    "round the clock": (
        [weekly("MO,TU,WE,TH,FR,SA,SU", "00:00", "24:00")],
        "Every day, 24 hours.",
        "Todos los días, las 24 horas.",
    ),
    "nth weekday": (
        [monthly("2TU,4TU")],
        "2nd and 4th Tuesday of the month, 10 a.m. to noon.",
        "Segundo y cuarto martes del mes, de 10 a. m. a mediodía.",
    ),
    "last weekday": (
        [monthly("-1FR")],
        "Last Friday of the month, 10 a.m. to noon.",
        "Último viernes del mes, de 10 a. m. a mediodía.",
    ),
    "different weeks": (
        [monthly("1MO,3WE")],
        "1st Monday and 3rd Wednesday of the month, 10 a.m. to noon.",
        "Primer lunes y tercer miércoles del mes, de 10 a. m. a mediodía.",
    ),
    "days of the month": (
        [monthly(None, bymonthday="1,15")],
        "The 1st and 15th of the month, 10 a.m. to noon.",
        "Los días 1 y 15 de cada mes, de 10 a. m. a mediodía.",
    ),
    "last day of the month": (
        [monthly(None, bymonthday="-1")],
        "The last day of the month, 10 a.m. to noon.",
        "El último día de cada mes, de 10 a. m. a mediodía.",
    ),
    "every other month": (
        [monthly("1SA", interval=2, dtstart="2026-10-03")],
        "1st Saturday of the month, every other month, 10 a.m. to noon, next on Saturday, December 5.",
        "Primer sábado del mes, cada dos meses, de 10 a. m. a mediodía, la próxima vez el sábado 5 de diciembre.",
    ),
    "every other week": (
        [weekly("TU", "10:00", "12:00", interval=2, dtstart="2026-11-10")],
        "Tuesday, every other week, 10 a.m. to noon, next on Tuesday, November 24.",
        "Martes, cada dos semanas, de 10 a. m. a mediodía, la próxima vez el martes 24 de noviembre.",
    ),
    "every other week, nobody knows which": (
        [weekly("TU", "10:00", "12:00", interval=2)],
        "Tuesday, every other week (call to ask which), 10 a.m. to noon.",
        "Martes, cada dos semanas (llame para preguntar cuáles), de 10 a. m. a mediodía.",
    ),
    "season of every year": (
        [weekly("SA", "09:00", "13:00", valid_from="11-01", valid_to="03-31")],
        "Saturday, 9 a.m. to 1 p.m., from November 1 to March 31.",
        "Sábados, de 9 a. m. a 1 p. m., del 1.º de noviembre al 31 de marzo.",
    ),
    "season of one year": (
        [weekly("SA", "09:00", "13:00", valid_from="2026-10-10", valid_to="2026-12-27")],
        "Saturday, 9 a.m. to 1 p.m., from October 10, 2026 to December 27, 2026.",
        "Sábados, de 9 a. m. a 1 p. m., del 10 de octubre de 2026 al 27 de diciembre de 2026.",
    ),
    "from a day on": (
        [weekly("SA", "09:00", "13:00", valid_from="2027-01-02")],
        "Saturday, 9 a.m. to 1 p.m., from January 2, 2027.",
        "Sábados, de 9 a. m. a 1 p. m., desde el 2 de enero de 2027.",
    ),
    "single dates, the past ones left out": (
        [dated("2026-11-03"), dated("2026-11-24"), dated("2027-01-05")],
        "Tuesday, November 24; Tuesday, January 5, 2027, 10 a.m. to noon.",
        "Martes 24 de noviembre y martes 5 de enero de 2027, de 10 a. m. a mediodía.",
    ),
    "today still counts": (
        [dated("2026-11-21")],
        "Saturday, November 21, 10 a.m. to noon.",
        "Sábado 21 de noviembre, de 10 a. m. a mediodía.",
    ),
    "many dates": (
        [dated(f"2026-12-0{n}") for n in range(1, 8)],
        "Tuesday, December 1; Wednesday, December 2; Thursday, December 3; Friday, December 4 and 3 more dates, the last Monday, December 7, 10 a.m. to noon.",
        "Martes 1.º de diciembre, miércoles 2 de diciembre, jueves 3 de diciembre, viernes 4 de diciembre y 3 fechas más, la última el lunes 7 de diciembre, de 10 a. m. a mediodía.",
    ),
    "every day of some weeks": (
        [Schedule("10:00", "12:00", valid_from="2026-11-20", valid_to="2026-12-20")],
        "Every day, 10 a.m. to noon, from November 20, 2026 to December 20, 2026.",
        "Todos los días, de 10 a. m. a mediodía, del 20 de noviembre de 2026 al 20 de diciembre de 2026.",
    ),
    "all past": (
        [dated("2026-11-03")],
        "All known dates have passed.",
        "Todas las fechas conocidas ya pasaron.",
    ),
    "by appointment alone": (
        [Schedule(description="by appointment")],
        "By appointment.",
        "Con cita.",
    ),
    "by appointment on days": (
        [weekly("FR", description="by appointment")],
        "Friday, by appointment.",
        "Viernes, con cita.",
    ),
    "by appointment at times": (
        [weekly("FR", "09:00", "12:00", description="by appointment")],
        "Friday, 9 a.m. to noon, by appointment.",
        "Viernes, de 9 a. m. a mediodía, con cita.",
    ),
    "days without times": (
        [weekly("FR")],
        "Friday, times not known: call first.",
        "Viernes, horario desconocido: llame primero.",
    ),
    "opening time only": (
        [weekly("FR", "09:00")],
        "Friday, from 9 a.m. (closing time not known).",
        "Viernes, desde 9 a. m. (no se sabe la hora de cierre).",
    ),
    "closed on holidays": (
        [weekly("MO", "09:00", "12:00"), Schedule(description="federal holidays", is_closed=True)],
        "Monday, 9 a.m. to noon. Closed on federal holidays.",
        "Lunes, de 9 a. m. a mediodía. Cerrado los días festivos federales.",
    ),
    "closed on named holidays": (
        [
            weekly("MO", "09:00", "12:00"),
            Schedule(description="Thanksgiving Day, Christmas Day", is_closed=True),
        ],
        "Monday, 9 a.m. to noon. Closed on Thanksgiving Day and Christmas Day.",
        "Lunes, de 9 a. m. a mediodía. Cerrado el Día de Acción de Gracias y Navidad.",
    ),
    "closed in one week of the month": (
        [weekly("TU", "09:00", "11:00"), Schedule(freq="MONTHLY", byday="4TU", is_closed=True)],
        "Tuesday, 9 a.m. to 11 a.m. Closed on the 4th Tuesday of the month.",
        "Martes, de 9 a 11 a. m. Cerrado el cuarto martes del mes.",
    ),
    "closed for some days": (
        [
            weekly("TU", "09:00", "11:00"),
            Schedule(valid_from="2026-12-20", valid_to="2027-01-03", is_closed=True),
        ],
        "Tuesday, 9 a.m. to 11 a.m. Closed from December 20, 2026 to January 3, 2027.",
        "Martes, de 9 a 11 a. m. Cerrado del 20 de diciembre de 2026 al 3 de enero de 2027.",
    ),
    "a closure that is past": (
        [weekly("TU", "09:00", "11:00"), dated("2026-11-03", is_closed=True)],
        "Tuesday, 9 a.m. to 11 a.m.",
        "Martes, de 9 a 11 a. m.",
    ),
    "closed at noon": (
        [weekly("TU", "09:00", "17:00"), weekly("TU", "12:00", "13:00", is_closed=True)],
        "Tuesday, 9 a.m. to 5 p.m. Closed on Tuesday, noon to 1 p.m.",
        "Martes, de 9 a. m. a 5 p. m. Cerrado los martes, de mediodía a 1 p. m.",
    ),
    "the office": (
        [weekly("MO", "09:00", "12:00", description="office")],
        "Office: Monday, 9 a.m. to noon.",
        "Oficina: lunes, de 9 a. m. a mediodía.",
    ),
    "another service": (
        [weekly("MO", "09:00", "12:00", description="other service: legal clinic")],
        "Other service: legal clinic: Monday, 9 a.m. to noon.",
        "Otro servicio («legal clinic»): lunes, de 9 a. m. a mediodía.",
    ),
    "words of the source": (
        [weekly("MO", "09:00", "12:00", description="teens only")],
        "Monday, 9 a.m. to noon, teens only.",
        "Lunes, de 9 a. m. a mediodía, «teens only».",
    ),
    "in summer, nobody knows when": (
        [weekly("MO", "09:00", "12:00", description="in summer")],
        "Monday, 9 a.m. to noon, in summer.",
        "Lunes, de 9 a. m. a mediodía, en verano.",
    ),
    "parts that make no sense": (
        [weekly("2MO", "09:00", "12:00")],
        "At times that could not be read.",
        "En horario que no se pudo leer.",
    ),
}


@pytest.mark.parametrize(("schedules", "en", "es"), HOURS.values(), ids=HOURS)
def test_hours(schedules, en, es):
    words = hours_in_words(schedules, TODAY)
    assert words is not None
    assert (words.en, words.es.replace(NB, " ")) == (en, es)


def test_no_hours_give_no_words():
    assert hours_in_words([], TODAY) is None


NOW = datetime(2026, 11, 21, 22, 30, tzinfo=ZoneInfo("UTC"))  # 17:30 in New York
OPENINGS = {
    "today": ((21, 18, 0), (21, 20, 0), "Today, 6 p.m. to 8 p.m.", "Hoy, de 6 a 8 p. m."),
    "tomorrow": (
        (22, 10, 0),
        (22, 12, 0),
        "Tomorrow, 10 a.m. to noon",
        "Mañana, de 10 a. m. a mediodía",
    ),
    "another day": (
        (24, 9, 30),
        (24, 13, 0),
        "Tuesday, November 24, 9:30 a.m. to 1 p.m.",
        "Martes 24 de noviembre, de 9:30 a. m. a 1 p. m.",
    ),
    "past midnight": (
        (27, 22, 0),
        (28, 2, 0),
        "Friday, November 27, 10 p.m. to 2 a.m. the next day",
        "Viernes 27 de noviembre, de 10 p. m. a 2 a. m. del día siguiente",
    ),
    "several days on end": (
        (23, 8, 0),
        (26, 8, 0),
        "Monday, November 23, at 8 a.m., until Thursday, November 26, at 8 a.m.",
        "Lunes 23 de noviembre, a las 8 a. m., hasta jueves 26 de noviembre, a las 8 a. m.",
    ),
}


@pytest.mark.parametrize(("start", "end", "en", "es"), OPENINGS.values(), ids=OPENINGS)
def test_coming_openings(start, end, en, es):
    zone = ZoneInfo("America/New_York")
    first, last = (datetime(2026, 11, *parts, tzinfo=zone) for parts in (start, end))
    words = opening_words(first, last, NOW)
    assert (words.en, words.es.replace(NB, " ")) == (en, es)
