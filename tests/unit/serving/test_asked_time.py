"""Questions with a day or an hour: places open at that time come first, unknown hours are stated."""

from datetime import UTC, datetime, timedelta

import pytest

from schemas.api.plain_language import PlainAnswer
from serving.search.asked_time import when_words
from serving.search.language.reading import read_question
from serving.search.language.times import AskedTime
from tests.support.street import OLD, ask, open_street, weekly
from tests.support.street import place as place_at

# A Tuesday, 22:30 in New York: Wednesday in UTC.
NOW = datetime(2026, 11, 18, 3, 30, tzinfo=UTC)
ALWAYS = '[{"freq":"WEEKLY","byday":"MO,TU,WE,TH,FR,SA,SU","opens_at":"00:00","closes_at":"24:00","description":"open on holidays"}]'


def place(resource_id: int, miles: float, name: str, schedules: str | None = None, **values):
    return place_at(resource_id, miles, name=name, schedules_json=schedules, **values)


STREET = [
    place(1, 0.5, "Weekdays", weekly("09:00", "17:00", "MO,TU,WE,TH,FR")),
    place(2, 1, "No hours", phone="(212) 555-0102", phone_e164="+12125550102"),
    place(3, 2, "Old hours", weekly("09:00", "12:00", "SA"), source_updated_date=OLD),
    place(
        4,
        3,
        "Saturday morning",
        weekly("09:00", "12:00", "SA"),
        phone="(212) 555-0104",
        phone_e164="+12125550104",
    ),
    place(5, 4, "Sunday evening", weekly("18:00", "20:00", "SU")),
    place(6, 5, "Always", ALWAYS),
    place(7, 6, "Wednesday night", weekly("18:00", "21:00", "WE")),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    return open_street(tmp_path_factory.mktemp("days"), STREET)


def answer(service, text: str, now: datetime = NOW) -> PlainAnswer:
    return ask(service, text, now, explains=True)


def shown(reply: PlainAnswer) -> list[int]:
    return [one.id for one in reply.resources]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("free groceries 10002 saturday", [4, 6, 3, 2, 1, 5, 7]),
        ("comida gratis 10002 el sábado por la tarde", [6, 2, 3, 1, 4, 5, 7]),
        # It is still Tuesday in New York.
        ("pantry open tomorrow after 5 near 10002", [6, 7, 2, 3, 1, 4, 5]),
        ("despensa mañana 10002", [1, 6, 7, 2, 3, 4, 5]),
        ("food 10002 on the weekend", [4, 5, 6, 3, 2, 1, 7]),
        ("food 10002", [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_open_then_comes_first_and_unknown_before_closed(service, text, order):
    assert shown(answer(service, text)) == order


def test_answers_have_hours_and_their_certainty(service):
    english = answer(service, "free groceries 10002 saturday").answer
    assert (
        "First those that are open on Saturday, according to their listed hours: Saturday morning"
        in english
    )
    assert "open on Saturday (9 a.m. to noon) (hours confirmed 2 weeks ago)" in english
    spanish = answer(service, "comida gratis 10002 el sábado").answer
    assert "Primero los que abren el sábado según su horario: Saturday morning" in spanish
    assert (
        "abre el sábado (de 9 a. m. a mediodía) (horario confirmado hace 2 semanas)"
        in spanish.replace("\u00a0", " ")
    )


def test_of_a_weekend_the_day_is_named(service):
    text = answer(service, "food 10002 on the weekend").answer
    assert "open on the weekend, according to their listed hours" in text
    assert "Sunday evening, 1 Example Street" not in text  # no address was given
    assert "open on Sunday (6 p.m. to 8 p.m.)" in text


@pytest.fixture(scope="module")
def uncertain(tmp_path_factory):
    """Three places, none certain to be open on a weekend."""
    return open_street(tmp_path_factory.mktemp("uncertain"), STREET[:3])


def test_no_place_certain_to_be_open(uncertain):
    reply = answer(uncertain, "food 10002 sunday")
    assert shown(reply) == [2, 3, 1]
    assert (
        "We are not sure that any of the nearest places is open on Sunday: No hours" in reply.answer
    )
    assert "Phone (212) 555-0102." in reply.answer
    assert reply.answer.count("not know if") == 1, "once for both places"
    assert "call 211 where no phone is listed" in reply.answer
    assert (
        "not open on Sunday, according to its listed hours (hours confirmed 2 weeks ago)"
        in reply.answer
    )
    assert "211" in reply.answer


def test_old_hours_are_shown_with_their_age(uncertain):
    english, spanish = (
        answer(uncertain, text).answer for text in ("food 10002 saturday", "comida 10002 sábado")
    )
    assert (
        "usually open on Saturday (9 a.m. to noon), according to a check of November 2025: no phone is listed, so call 211 first."
        in english
    )
    assert (
        "We are not sure that any of the nearest places is open on Saturday: Old hours" in english
    )
    assert "we do not know if it is open on Saturday: call first. Phone (212) 555-0102." in english
    assert "no sabemos si abre el sábado: llame antes de ir. Teléfono (212) 555-0102." in spanish
    assert (
        "normalmente abre el sábado (de 9 a. m. a mediodía), según una consulta de noviembre de 2025: no hay teléfono en la lista; llame antes al 211."
        in spanish.replace("\u00a0", " ")
    )


def test_links_to_the_same_search(service):
    link = answer(service, "pantry tomorrow between 9am and 1pm 10002").related_links["search"]
    assert link.endswith("?zip=10002&mode=free&day=wednesday&after=09%3A00&before=13%3A00")
    weekend = answer(service, "food 10002 on the weekend").related_links["search"]
    assert weekend.endswith("&days=saturday%2Csunday")


def test_an_answer_about_tomorrow_changes_with_the_day(service):
    midnight = NOW.replace(hour=5, minute=0)
    assert shown(answer(service, "comida mañana 10002", midnight))[:2] == [1, 6]


def test_urgent_questions_show_old_hours_of_now(uncertain):
    """Saturday, 10:00 in New York: one place would be open, by hours of last year."""
    morning = datetime(2026, 11, 21, 15, 0, tzinfo=UTC)
    reply = answer(uncertain, "food now 10002", morning)
    assert shown(reply) == [3, 2, 1]
    assert (
        "usually open now, according to a check of November 2025: no phone is listed, so call 211 first."
        in reply.answer
    )
    assert "None of them is known to be open right now." in reply.answer
    evening = answer(uncertain, "food now 10002", morning + timedelta(hours=8))
    assert shown(evening) == [2, 3, 1]
    assert "usually open" not in evening.answer
    assert (
        "usually Saturday, 9 a.m. to noon, according to a check of November 2025." in evening.answer
    )


def test_today_is_the_rest_of_the_day(service):
    """22:30 on Tuesday: of the weekdays' hours nothing is left, by noon they are open."""
    late, noon = (
        answer(service, "food today 10002"),
        answer(service, "food today 10002", NOW - timedelta(hours=10)),
    )
    assert late.intent.urgent
    assert shown(late)[0] == 6
    assert shown(noon)[:2] == [1, 6]
    assert "open today" in noon.answer
    assert not answer(service, "food saturday 10002").intent.urgent


def test_a_time_without_a_day_means_any_day(service):
    reply = answer(service, "pantry open in the evening 10002")
    assert shown(reply)[:3] == [5, 6, 7]
    assert (
        "First those that are open in the evening, according to their listed hours" in reply.answer
    )
    assert "open on Sunday (6 p.m. to 8 p.m.)" in reply.answer


EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
# plain_language/times.txt has more: times that the wishes of a question tell completely.
READ = {
    "the day after tomorrow": AskedTime((), 2),
    "pasado manana": AskedTime((), 2),
    "el martes por la tarde": AskedTime((1,), None, 720, 1200, ("afternoon",)),
    "sabado a las 6 de la tarde": AskedTime((5,), None, 1080, 1081),
    "saturday 9am": AskedTime((5,), None, 540, 541),
    "friday at 17:30": AskedTime((4,), None, 1050, 1051),
    "comida esta tarde": AskedTime((), None, 720, 1200, ("afternoon",)),
    "morning or evening pantry": AskedTime(EVERY_DAY, None, 300, 1440, ("morning", "evening")),
    "de lunes a viernes por la tarde": AskedTime((0, 1, 2, 3, 4), None, 720, 1200, ("afternoon",)),
    # Days with hours of their own.
    "monday before 10, thursday after 3": AskedTime(
        (0,), None, None, 600, (), (AskedTime((3,), None, 900),)
    ),
    "pantry thursday after 3 or saturday": AskedTime((3,), None, 900, None, (), (AskedTime((5,)),)),
    "lunes antes de las 10 o jueves despues de las 3": AskedTime(
        (0,), None, None, 600, (), (AskedTime((3,), None, 900),)
    ),
    "sabado por la manana y domingo por la tarde": AskedTime(
        (5,), None, 300, 720, ("morning",), (AskedTime((6,), None, 720, 1200, ("afternoon",)),)
    ),
    "monday, tuesday before 10, and on thursday after 3": AskedTime(
        (0,), None, None, 600, (), (AskedTime((1,), None, None, 600), AskedTime((3,), None, 900))
    ),
    "monday to friday after 5 or saturday morning": AskedTime(
        (0, 1, 2, 3, 4), None, 1020, None, (), (AskedTime((5,), None, 300, 720, ("morning",)),)
    ),
    "today after 3 or saturday": AskedTime((), None, 900, None, (), (AskedTime((5,)),)),
    "tomorrow before noon, friday after 5pm": AskedTime(
        (), 1, None, 720, (), (AskedTime((4,), None, 1020),)
    ),
    # An hour without "a.m." or "p.m.", where nothing but an hour can be meant.
    "food at 3": AskedTime(EVERY_DAY, None, 900, 901),
    "abren a la una": AskedTime(EVERY_DAY, None, 780, 781),
    "pantry at 9 on monday": AskedTime((0,), None, 540, 541),
    # Minutes in words.
    "open at half past five tuesday": AskedTime((1,), None, 1050, 1051),
    "a quarter to six": AskedTime(EVERY_DAY, None, 1065, 1066),
    "pantry at five thirty on monday": AskedTime((0,), None, 1050, 1051),
    "a las cinco y media de la tarde": AskedTime(EVERY_DAY, None, 1050, 1051),
    "a las cinco menos cuarto de la tarde": AskedTime(EVERY_DAY, None, 1005, 1006),
    "cuarto para las cuatro": AskedTime(EVERY_DAY, None, 945, 946),
    "food at seven in the morning": AskedTime(EVERY_DAY, None, 420, 421),
    "comida a las cinco de la tarde en 97301": AskedTime(EVERY_DAY, None, 1020, 1021),
    "today or tomorrow": AskedTime(others=(AskedTime((), 1),)),
    "hoy o el sabado": AskedTime(others=(AskedTime((5,)),)),
    "before 10 or after 5pm": AskedTime(
        (0, 1, 2, 3, 4, 5, 6), None, None, 600, (), (AskedTime((0, 1, 2, 3, 4, 5, 6), None, 1020),)
    ),
}


@pytest.mark.parametrize(("text", "time"), READ.items(), ids=READ)
def test_reads_days_and_hours(service, text, time):
    assert read_question(text, service[2]).time == time


SOON = {
    "food in two hours": (120, 121),
    "comida en media hora": (30, 31),
    "algo abierto en dos horas y media": (150, 151),
    "an hour from now": (60, 61),
    "within the hour": (0, 60),
    "en las proximas 2 horas": (0, 120),
}


@pytest.mark.parametrize(("text", "minutes"), SOON.items(), ids=SOON)
def test_reads_a_time_counted_from_now(service, text, minutes):
    soon = read_question(text, service[2]).soon
    assert soon is not None
    assert (soon.after, soon.before) == minutes


@pytest.mark.parametrize(
    ("text", "phrase"),
    [("food next tuesday 10002", "next tuesday"), ("comida el martes que viene 10002", "martes")],
)
def test_the_next_tuesday_is_not_today(service, text, phrase):
    # A Tuesday there; on Monday it is tomorrow.
    reply = answer(service, text)
    assert reply.intent.constraints == []
    assert phrase in reply.answer.rpartition(": ")[2]
    before = answer(service, text, NOW - timedelta(days=1))
    assert [one.value for one in before.intent.constraints] == ["TU"]


@pytest.mark.parametrize(
    "text", ["havent eaten in 5 hours", "open 24 hours", "closes in an hour", "30 minutes away"]
)
def test_mentioned_hours_are_no_time_from_now(service, text):
    assert read_question(text, service[2]).soon is None


def test_counts_from_the_clock_of_the_place(service):
    # 22:30 there: tomorrow, when the place of weekdays is closed.
    reply = answer(service, "food in two hours 10002")
    assert [(one.kind, one.value) for one in reply.intent.constraints] == [
        ("day", "tomorrow"),
        ("time", "00:30-01:30"),
    ]
    assert "open tomorrow at 12:30 a.m." in reply.answer
    assert "could not use" not in reply.answer


def test_a_time_from_now_is_not_used_without_a_place(service):
    assert "We could not use this: “in two hours”." in answer(service, "food in two hours").answer


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("pantry at 7 on monday 10002", "at 7"),
        ("open until 11 10002", "until 11"),
        ("tomorrow, in two hours 10002", "in two hours"),
    ],
)
def test_an_unread_hour_is_named(service, text, unread):
    assert f"We could not use this: “{unread}”." in answer(service, text).answer


@pytest.mark.parametrize(
    ("time", "english", "spanish"),
    [
        (AskedTime((0,), None, 1020), "on Monday after 5 p.m.", "el lunes después de las 5 p. m."),
        (AskedTime((), 1, None, 720), "tomorrow before noon", "mañana antes de mediodía"),
        (AskedTime((), None, 780, 781), "today at 1 p.m.", "hoy a la 1 p. m."),
        (AskedTime((), None, 1079, 1080), "today until 6 p.m.", "hoy hasta las 6 p. m."),
        (AskedTime((1, 3)), "on Tuesday or on Thursday", "el martes o el jueves"),
        (
            AskedTime((0, 1, 2, 3, 4), None, 1020),
            "on a weekday after 5 p.m.",
            "entre semana después de las 5 p. m.",
        ),
        (
            AskedTime((5, 6), None, 540, 780),
            "on the weekend between 9 a.m. and 1 p.m.",
            "el fin de semana entre las 9 a. m. y la 1 p. m.",
        ),
        (
            AskedTime((0,), None, None, 600, (), (AskedTime((3,), None, 900),)),
            "on Monday before 10 a.m. or on Thursday after 3 p.m.",
            "el lunes antes de las 10 a. m. o el jueves después de las 3 p. m.",
        ),
    ],
)
def test_the_time_in_words(time, english, spanish):
    assert when_words(time, "en") == english
    assert when_words(time, "es").replace("\u00a0", " ") == spanish
