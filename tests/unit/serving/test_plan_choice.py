"""The choice of a plan equals brute force over every assignment of places to days."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from serving.site.plan import Visit, best_of_day, best_plan, fall_backs
from tests.support.cases import cases

NONE = (1, 0)


def _as_stated(plan, days):
    """Order plans as the docstring of the module states, in a second implementation."""
    ids = {visit.day: visit.place for visit in plan}
    return (
        -sum(visit.is_certain for visit in plan),
        -len(plan),
        sum(not visit.has_certain_hours for visit in plan),
        sum(visit.hundredths for visit in plan),
        sum(visit.age_days for visit in plan),
        [(0, ids[day]) if day in ids else NONE for day in range(days)],
    )


def _by_brute_force(chances, days, count):
    choices = [[None, *(v for v in chances if v.day == day)] for day in range(days)]
    plans = ([v for v in one if v] for one in itertools.product(*choices))
    allowed = (p for p in plans if len(p) <= count and len({v.place for v in p}) == len(p))
    return min(allowed, key=lambda plan: _as_stated(plan, days))


@st.composite
def _weeks(draw, days=3, places=5):
    """Draw chances of few places, many equal except for their id."""
    chances = []
    for place in draw(st.permutations(range(1, places + 1))):
        hundredths, age = draw(st.integers(0, 2)), draw(st.integers(0, 2))
        for day in draw(st.sets(st.integers(0, days - 1))):
            hours = draw(st.booleans())
            chances.append(Visit(day, place, hours and draw(st.booleans()), hours, hundredths, age))
    return chances


@given(_weeks(), st.integers(1, 3))
def test_a_plan_is_optimal(chances, count) -> None:
    assert best_plan(chances, 3, count) == _by_brute_force(chances, 3, count)


@given(_weeks(days=2, places=7))
def test_the_best_of_each_day_are_enough(chances) -> None:
    shortened = []
    for day in range(2):
        of_day = [v for v in chances if v.day == day]
        columns = [np.array(column) for column in zip(*of_day, strict=True)] or [np.array([])] * 6
        certain, hours = columns[2].astype(bool), columns[3].astype(bool)
        order = best_of_day(certain, hours, columns[4], columns[5], columns[1], 2)
        shortened += [of_day[n] for n in order]
        assert [of_day[n] for n in order] == sorted(of_day, key=lambda v: v.rank)[:2]
    assert best_plan(shortened, 2, 2) == _by_brute_force(chances, 2, 2)


def test_a_fall_back_is_the_best_place_of_the_day_that_is_free() -> None:
    stop = Visit(0, 1, False, True, 10, 5)
    others = [
        Visit(0, 2, True, True, 5, 5),
        Visit(0, 3, False, True, 1, 1),
        Visit(0, 4, True, True, 90, 1),
        Visit(1, 5, True, True, 1, 1),
    ]
    planned = [stop, Visit(1, 2, True, True, 5, 5)]
    assert fall_backs(planned, 2, [stop, *others]) == {0: others[2]}
    assert fall_backs(planned, 2, [stop]) == {}


def _doubtful(day: int, place: int, hundredths: int = 10) -> Visit:
    return Visit(day, place, False, True, hundredths, 0)


_DOUBTED = [_doubtful(0, 1), _doubtful(1, 2)]


@cases(
    "pools, expected",
    {
        "the nearest is on both days": (
            [[_doubtful(0, 3), _doubtful(1, 3), _doubtful(1, 4, 20)]],
            {0: 3, 1: 4},
        ),
        "the nearest is the only one of one day": (
            [[_doubtful(0, 3), _doubtful(0, 4, 20), _doubtful(1, 3)]],
            {0: 4, 1: 3},
        ),
        "one place for both days": ([[_doubtful(0, 3), _doubtful(1, 3)]], {0: 3, 1: 3}),
        "farther without an appointment": (
            [[_doubtful(0, 4, 90)], [_doubtful(0, 3), _doubtful(0, 4, 90), _doubtful(1, 3)]],
            {0: 4, 1: 3},
        ),
        "no place of the plan": ([[_doubtful(0, 2), _doubtful(1, 1)]], {}),
    },
)
def test_fall_backs_differ_where_they_can(pools, expected) -> None:
    alternatives = fall_backs(_DOUBTED, 2, *pools)
    assert {day: visit.place for day, visit in alternatives.items()} == expected
    assert all(visit.day == day for day, visit in alternatives.items())
