"""Hours count as food hours only if they name no service, or food."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from assets.hours.parse import parse_hours
from schemas.hours.opening import open_state
from tests.support.cases import labelled

_OTHER = """
Energy help, Rent assistance, LIHEAP, Toy drive, Diaper pantry, Pet food pantry, Food handler class, Food donations accepted,
Head Start, Volunteers, Manna House, Clínica legal, Ropero comunitario
"""
_FOOD = """
Food pantry, Free groceries, Soup kitchen, Despensa, Comedor, Hours, Open, Banco de alimentos, Hot meals, Walk-in,
Emergency food boxes, New clients
"""


def _status(text: str) -> str:
    at = datetime(2026, 11, 17, 11, tzinfo=ZoneInfo("America/Denver"))  # a Tuesday
    return open_state(parse_hours(text).schedules or [], "America/Denver", at).status


def _names(words: str) -> list[str]:
    return [name.strip() for name in words.split(",")]


@pytest.mark.parametrize("name", _names(_OTHER))
def test_another_service_opens_nothing(name: str) -> None:
    assert _status(f"{name}: Tue 9-1") == "unknown"


@pytest.mark.parametrize("name", _names(_FOOD))
def test_food_opens_the_place(name: str) -> None:
    assert _status(f"{name}: Tue 9-1") == "open"


@labelled("text")
def test_a_service_without_a_leading_label_opens_nothing(text: str) -> None:
    assert _status(text) not in ("open", "closes_soon")


def test_food_beside_another_service_stays_certain() -> None:
    assert _status("Pantry: Tue 9-1; LIHEAP: Thu 9-1") == "open"
    assert _status("Case management: Thu 9-1. Food pantry: Tue 9-1") == "open"
