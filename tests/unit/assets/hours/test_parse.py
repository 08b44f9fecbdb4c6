"""The reader of opening hours against tables of texts labelled by hand (texts re-worded, places
invented).
"""

import csv
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.hours.columns import hours_lines
from assets.hours.parse import parse_hours
from schemas.hours.opening import open_state
from schemas.hours.recurrence import rule_of
from schemas.hours.schedule import (
    READ_IN_PART,
    Schedule,
    is_doubtful_throughout,
    schedules_as_json,
    schedules_from_json,
)
from tests.support.cases import labelled, table_of
from tests.support.examples import examples

HERE = Path(__file__).parent
SHARED_TEXTS = HERE.parents[3] / "../shared/corpora/hours_text.tsv"


def read_labels(name: str) -> list[tuple[str, list[Schedule] | None]]:
    """Texts and their schedules; None where no careful reader could tell."""
    with (HERE / name).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [(text, None if label == "null" else schedules_from_json(label)) for text, label in rows]


TEXTS = read_labels("labelled_en.tsv") + read_labels("labelled_es.tsv")


def test_every_labelled_text_is_read_as_its_label_says() -> None:
    readings = [(text, parse_hours(text), expected) for text, expected in TEXTS]
    wrong = {
        text: (reading.reason, reading.schedules, expected)
        for text, reading, expected in readings
        if _in_order(reading.schedules) != _in_order(expected)
    }
    assert wrong == {}


def _in_order(schedules: list[Schedule] | None) -> list[str] | None:
    return None if schedules is None else sorted(map(repr, schedules))


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("Mon 9-12. Bring a photo ID", ("bring a photo id",)),
        ("Tue 10-12 Serves residents of Polk County only.", ("serves residents polk county",)),
        ("Tue 10-12", ()),
    ],
)
def test_what_was_not_used_is_kept(text: str, ignored: tuple[str, ...]) -> None:
    assert parse_hours(text).ignored == ignored


@labelled("text, read, unread")
def test_which_words_were_read(text: str, read: list[str], unread: list[str]) -> None:
    reading = parse_hours(text)
    assert [reading.plain[start:end] for start, end in reading.read][: len(read)] == read
    assert [reading.plain[start:end] for start, end in reading.unread] == unread
    assert (Schedule(description=READ_IN_PART) in (reading.schedules or [])) == bool(unread)


@labelled("text, reason")
def test_the_reason_of_not_telling(text: str | None, reason: str) -> None:
    reading = parse_hours(text)
    assert (reading.schedules, reading.reason) == (None, reason)


def test_lines_give_json_or_null_one_for_one() -> None:
    lines = list(hours_lines(["Tue 10-12\n", "ask", "", "Sat 9am-noon\r\n"]))
    assert lines == [
        '[{"opens_at":"10:00","closes_at":"12:00","freq":"WEEKLY","byday":"TU"}]',
        "null",
        "null",
        '[{"opens_at":"09:00","closes_at":"12:00","freq":"WEEKLY","byday":"SA"}]',
    ]


_DAYS = ["Mon", "Tuesday", "weds", "Th", "FRI", "Saturdays", "sun."]
_CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


@labelled("text, when, status")
def test_the_evaluator_understands_what_was_read(text: str, when: str, status: str) -> None:
    at = datetime.fromisoformat(when).replace(tzinfo=ZoneInfo("America/Denver"))
    assert open_state(parse_hours(text).schedules or [], "America/Denver", at).status == status


@given(
    st.integers(0, 6),
    st.integers(1, 5),
    st.sampled_from("qxzk"),
    st.sampled_from(
        [
            "{}-Sun 9am-2pm",
            "{}: 9am-2pm; Sun: 10am-1pm",
            "Sun 10am-1pm. {} - 9am-2pm",
            "Sun: 10:00 AM - 01:00 PM {}: 09:00 AM - 02:00 PM",
            "Pantry {} - Sun 9am-2pm",
        ]
    ),
)
def test_a_misspelled_day_is_no_name_of_a_service(
    day: int, place: int, letter: str, shape: str
) -> None:
    name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][day]
    slip = name[:place] + letter + name[place + 1 :]
    for text in (shape.format(slip), shape.format(slip[:3] if place < 3 else slip)):
        read = parse_hours(text).schedules or []
        assert not any(schedule.closes_at == "14:00" for schedule in read), text
        assert not read or is_doubtful_throughout(read), text


_ORDINALS = {"1st": "1", "2nd": "2", "third": "3", "4th": "4", "last": "-1"}
_SPANISH = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábados", "domingos"]


def _time(quarter: int) -> str:
    return f"{quarter // 4:02d}:{quarter % 4 * 15:02d}"


def _written(quarter: int) -> str:
    hour, minute = quarter // 4, quarter % 4 * 15
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {'a.m.' if hour < 12 else 'p.m.'}"


@st.composite
def _weekly_parts(draw: st.DrawFn) -> list[tuple[list[int], int, int]]:
    """Groups of days, no day in two groups, each with opening and closing quarter of an hour."""
    owners = draw(st.lists(st.integers(0, 3), min_size=7, max_size=7))
    spans = [(s := draw(st.integers(24, 70)), s + draw(st.integers(1, 20))) for _ in range(3)]
    groups = [[day for day in range(7) if owners[day] == group] for group in range(3)]
    return [(days, *span) for days, span in zip(groups, spans, strict=True) if days]


@given(
    _weekly_parts().filter(bool),
    st.sampled_from(
        [(_DAYS, " and ", " to "), (_DAYS, ", ", " - "), (_SPANISH, " y ", " a ")],
    ),
    st.sampled_from(
        [
            "{days} {times}",
            "{times} {days}",
            "{days}: {times}",
            "{times}, {days}",
            "Open {days} from {times}",
        ]
    ),
    st.sampled_from(["; ", "\n", ";  "]),
)
def test_groups_of_days_survive_the_round_trip(
    parts: list[tuple[list[int], int, int]],
    words: tuple[list[str], str, str],
    shape: str,
    between: str,
) -> None:
    names, join, to = words
    text = between.join(
        shape.format(
            days=join.join(names[d] for d in days), times=_written(opens) + to + _written(closes)
        )
        for days, opens, closes in parts
    )
    found = parse_hours(text)
    assert found.schedules is not None, (text, found.reason)
    got = {(s.byday, s.opens_at, s.closes_at) for s in found.schedules}
    hours = {(_CODES[d], _time(o), _time(c)) for days, o, c in parts for d in days}
    assert {(day, o, c) for byday, o, c in got for day in str(byday).split(",")} == hours


@given(
    st.sets(st.sampled_from(list(_ORDINALS)), min_size=1, max_size=3),
    st.integers(0, 6),
    st.integers(24, 70),
    st.integers(1, 20),
    st.sampled_from(
        ["{nths} {day} of the month {times}", "{times} on the {nths} {day} of each month"]
    ),
)
def test_weeks_of_the_month_survive_the_round_trip(
    nths: set[str], day: int, opens: int, length: int, shape: str
) -> None:
    ordered = sorted(nths, key=lambda word: int(_ORDINALS[word]) % 7)
    times = f"{_written(opens)} - {_written(opens + length)}"
    text = shape.format(nths=" & ".join(ordered), day=_DAYS[day], times=times)
    byday = ",".join(_ORDINALS[word] + _CODES[day] for word in ordered)
    expected = Schedule(_time(opens), _time(opens + length), "MONTHLY", byday)
    assert parse_hours(text).schedules == [expected], text


@pytest.mark.parametrize(
    "text",
    [
        "mon " * 370,
        "(" * 1490,
        "call aaaa " * 148,
        "9-5 " * 370,
        "1" * 1490,
        "m/" * 700,
        "<" * 1490,
        "office: " * 180,
        "mon 9pmM" * 180,
        '2023-07-18 11:00AM-01:00PM "' * 4000,
        "\u0967\u0968 " * 400,
        "[" * 1490,
        '{"a":' * 290,
        "MON/(9AM)" * 2,
        "MON/TUE (9AM/10AM)",
    ],
)
def test_long_and_odd_texts_are_refused_or_read_at_once(text: str) -> None:
    reading = parse_hours(text)
    assert (reading.schedules is None) == (reading.reason is not None)


_WORDS = table_of(__file__, "words")


@examples(300)
@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join))
)
def test_any_text_is_read_or_refused_and_the_schedules_make_sense(text: str) -> None:
    reading = parse_hours(text)
    assert (reading.schedules is None) == (reading.reason is not None)
    assert reading.schedules is None or len(reading.schedules) > 0
    for schedule in reading.schedules or []:
        assert rule_of(schedule).is_readable
    assert schedules_from_json(schedules_as_json(reading.schedules or [])) == (
        reading.schedules or []
    )


@pytest.mark.shared
@pytest.mark.skipif(not SHARED_TEXTS.exists(), reason="the publishers' texts are not here")
def test_most_of_the_publishers_texts_are_read() -> None:
    with SHARED_TEXTS.open(encoding="utf-8", newline="") as stream:
        texts = [row[0] for row in csv.reader(stream, delimiter="\t")][1:]
    readings = [parse_hours(text) for text in texts]
    given_schedules = sum(reading.schedules is not None for reading in readings)
    assert given_schedules / len(texts) > 0.89
