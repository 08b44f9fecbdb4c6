"""Hours that are too long for a place that gives food."""

import pandas as pd
import pytest

from assets.hours.columns import confirm_long_hours, with_hours
from assets.hours.parse import parse_hours
from schemas.hours.schedule import LONG_HOURS


@pytest.mark.parametrize(
    ("text", "kind", "is_doubtful"),
    [
        ("THU 09:00 AM-11:00 PM", "food_pantry", True),
        ("Mon-Fri 9am-8pm", "food_pantry", True),
        ("Mo-Fr 09:00-20:00", "soup_kitchen", True),
        ("Mo-Su 06:00-02:00", "mobile_pantry", True),
        ("Mon-Fri 9am-7pm", "food_pantry", False),
        ("Open 24/7", "food_pantry", False),
        ("Mon-Fri 7am-9pm", "community_fridge", False),
        ("Mon-Fri 7am-9pm", "health_center", False),
    ],
)
def test_long_hours_are_doubtful_where_somebody_gives_food(
    text: str, kind: str, is_doubtful: bool
) -> None:
    places = with_hours(pd.DataFrame({"hours_text": [text], "resource_type": [kind]}))
    assert (LONG_HOURS in places["schedules_json"][0]) == is_doubtful
    assert places["hours_json"].isna()[0] == is_doubtful


def test_a_wrong_half_of_the_day_is_doubted_without_the_type_of_place() -> None:
    (only,) = parse_hours("WED(2),SAT(4) 09:30 AM-11:30 PM").schedules or []
    assert only.description == LONG_HOURS
    (only,) = parse_hours("Mon-Fri 8am-7pm").schedules or []
    assert only.description is None


def test_another_publisher_confirms_long_hours() -> None:
    records = pd.DataFrame(
        {
            "resource_id": [9007199254740993, 9007199254740993, 9007199254740995],
            "source_id": ["a", "b", "a"],
            "hours_text": ["Tue 8am-8pm", "8 am to 8 pm Tuesday", "Tue 8am-8pm"],
            "resource_type": "food_pantry",
        }
    )
    records = with_hours(records)
    confirmed = confirm_long_hours(records, {"a": "City", "b": "Food bank"})
    assert confirmed["schedules_json"].str.contains(LONG_HOURS).to_list() == [False, False, True]
    assert confirmed["hours_json"].notna().to_list() == [True, True, False]
    same = confirm_long_hours(records, {"a": "City", "b": "City"})
    assert same["schedules_json"].str.contains(LONG_HOURS).all()
