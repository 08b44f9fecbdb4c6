"""Parsers of foreign text take linear time.

A text of twice the length may take three times as long, which allows for noise but not for
quadratic time (four times). Times are processor time, the minimum of several runs.
"""

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from assets.cleaning.addresses import display_address, display_place, street_only
from assets.cleaning.keys import address_key, name_key
from assets.cleaning.names import display_name
from assets.cleaning.text import repair_text
from assets.hours.parse import parse_hours
from schemas.api.mcp import FindFoodArguments
from schemas.values.contacts import MAX_CHARACTERS, parse_phones, parse_website
from schemas.values.formulas import without_formula
from schemas.values.names import fold_name
from schemas.values.place_fields import place_key, plain_text
from schemas.values.zip_code import parse_zip
from serving.http.request_limits import is_nested_too_deep
from serving.mcp.arguments import ToolFault, read_arguments
from serving.search.language.reading import read_question
from serving.search.plain_language import names_of
from serving.sms.message import keyword_of, read_message
from tests.support.town import write_town
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow
TEXTS = {
    "blanks": " ",
    "lines": "\n",
    "digits": "1",
    "number": "2125550101",
    "spaced number": "1 2 ",
    "plus": "+1 ",
    "dots": ".",
    "commas": ",",
    "letters": "a",
    "capitals": "A",
    "brackets": "(",
    "dashes": "-",
    "slashes": "/",
    "equals": "=",
    "ampersands": "&",
    "entities": "&amp;",
    "tags": "<b ",
    "quotes": '"',
    "backslashes": '"\\\\',
    "accents": "\u0301",
    "days": "Mon ",
    "times": "9-5 ",
    "timetable": "Mon 9am-5pm, ",
    "ordinals": "1st and ",
    "foreign": "011 1 ",
    "addresses": "www.a.",
    "box": "P.O. ",
    "not given": ", N/A x",
    "mixed": "a1 (.,-",
    "lists": '[{"a":',
}
PARSERS: dict[str, Callable[[str], Any]] = {
    "phone": parse_phones,
    "zip": parse_zip,
    "website": parse_website,
    "name": fold_name,
    "key": lambda text: place_key(text, "10002"),
    "plain text": plain_text,
    "formula": without_formula,
    "hours": parse_hours,
    "address": display_address,
    "city": display_place,
    "street": lambda text: street_only(text, "Salem", "OR", "97301"),
    "street at the end": lambda text: street_only(f"1 Oak St{text}x", "Salem", "OR", "97301"),
    "display name": display_name,
    "address key": address_key,
    "name key": name_key,
    "repaired": repair_text,
    "text message": keyword_of,
    "nesting": lambda text: is_nested_too_deep(text.encode()),
    "MCP": lambda text: _arguments({"location": text}),
    "MCP names": lambda text: _arguments({"location": "10002", text: text}),
}
# 16 times this is the length at which the first quadratic reader took seconds.
SHORT, DOUBLINGS = 1500, 3
MAX_GROWTH = 3.0
LEAST_SECONDS = 0.02
Clock = Callable[[], float]


def _arguments(arguments: dict[str, Any]) -> object:
    try:
        return read_arguments(arguments, FindFoodArguments, "find_food_resources")
    except ToolFault as fault:
        return fault


def seconds(
    parser: Callable[[str], Any], text: str, runs: int = 3, clock: Clock = time.process_time
) -> float:
    durations = []
    for _ in range(runs):
        start = clock()
        parser(text)
        durations.append(clock() - start)
        if durations[-1] < LEAST_SECONDS:
            break
    return min(durations)


def grows_too_fast(
    parser: Callable[[str], Any], unit: str, clock: Clock = time.process_time
) -> str:
    """Return measurements of which each of the last two doublings took more than three times as
    long.
    """
    lengths = [SHORT * 2**n for n in range(DOUBLINGS + 1)]
    texts = [(unit * (length // len(unit) + 1))[:length] for length in lengths]
    if seconds(parser, texts[-1], 1, clock) < LEAST_SECONDS:
        return ""
    for _ in range(3):  # a busy machine is not slow three times in the same way
        durations = [seconds(parser, text, clock=clock) for text in texts[-3:]]
        growth = [later / max(before, 1e-4) for before, later in pairwise(durations)]
        if min(growth) <= MAX_GROWTH:
            return ""
    return f"{lengths[-3:]}: {durations}"


@pytest.mark.parametrize("name", PARSERS)
def test_parsing_takes_linear_time(name):
    slow_kinds = {kind: grows_too_fast(PARSERS[name], unit) for kind, unit in TEXTS.items()}
    assert {kind: measured for kind, measured in slow_kinds.items() if measured} == {}


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    folder = tmp_path_factory.mktemp("linear")
    return names_of(OpenRelease(ReleaseStore(folder).folder(write_town(folder))))


def test_questions_and_messages_of_any_length(names):
    """Finding a place compares words with each other: only so many characters are read."""
    for unit in [*TEXTS.values(), "in ", "near new york ", "10002 ", "9-5 "]:
        assert not grows_too_fast(lambda text: read_question(text, names), unit), unit
        assert not grows_too_fast(lambda text: read_message(text, names), unit), unit


@pytest.mark.parametrize(("power", "is_seen"), [(1, False), (1.5, False), (2, True), (3, True)])
def test_quadratic_time_is_detected(power, is_seen):
    """The measure itself, by a clock that only the reader advances: no noise hides a square."""
    passed = 0.0

    def read(text: str) -> None:
        nonlocal passed
        passed += (len(text) / SHORT) ** power

    assert bool(grows_too_fast(read, "a", lambda: passed)) is is_seen


def test_a_number_behind_too_much_else_is_not_looked_for():
    number = "(212) 555-0101"
    assert parse_phones(" " * 40_000) == []
    assert parse_phones(f"{' ' * 1000}{number}")[0].display == number
    assert parse_phones(f"{'x ' * MAX_CHARACTERS}{number}") == []
