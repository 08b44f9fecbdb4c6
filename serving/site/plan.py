"""Chooses where to go on which day of a week.

A visit is a place on a day. A plan has at most one visit a day and at most one to each place, since
many places serve a household once a week. Of all plans with at most as many visits as wanted, the
best has, each line deciding only where those before it are equal:

1. the most certain visits;
2. the most visits;
3. the fewest visits by hours that are old or not sure of the day;
4. the least sum of distances (hundredths of a mile);
5. the least sum of ages (days) of the places' records;
6. the lower id on the first day on which two plans differ; a visit goes before none.

The sums of six such numbers are exact integers here; one floating-point weight, which assignment
solvers take, does not hold them.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import add, attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Six numbers.
Cost = tuple[int, ...]
_NOTHING: Cost = (0, 0, 0, 0, 0, 0)


class Visit(NamedTuple):
    """A place on a day, counted from the first of the week."""

    day: int
    place: int
    """Id of the place."""
    is_certain: bool
    """Whether nothing that the plan relies on is unknown; its hours are certain then, too."""
    has_certain_hours: bool
    hundredths: int
    age_days: int

    @property
    def rank(self) -> Cost:
        """Order of visits on one day, the best first."""
        return (
            -int(self.is_certain),
            -1,
            int(not self.has_certain_hours),
            self.hundredths,
            self.age_days,
            self.place,
        )


def best_plan(chances: Iterable[Visit], days: int, max_visits: int) -> list[Visit]:
    """Return the best plan of a week of `days` in the order of the days.

    Place after place, the cheapest plan for every set of days stays (at most 2 ** days sets).
    """
    by_place = sorted(chances, key=attrgetter("place", "day"))
    numbers = {place: n for n, place in enumerate(dict.fromkeys(v.place for v in by_place))}
    best: dict[int, tuple[Cost, tuple[Visit, ...]]] = {0: (_NOTHING, ())}
    for place, visits in groupby(by_place, key=attrgetter("place")):
        # The last factor makes the id on an early day outweigh those on all later ones.
        ties = [
            (numbers[place] - len(numbers)) * (len(numbers) + 1) ** (days - 1 - day)
            for day in range(days)
        ]
        mine = [(v, (*v.rank[:5], ties[v.day])) for v in visits]
        for day_set, (cost, plan) in list(best.items()):
            if day_set.bit_count() == max_visits:
                continue
            for visit, more in mine:
                if day_set >> visit.day & 1:
                    continue
                total = tuple(map(add, cost, more))
                key = day_set | 1 << visit.day
                if key not in best or total < best[key][0]:
                    best[key] = (total, (*plan, visit))
    return sorted(min(best.values())[1])


def best_of_day(
    is_certain: NDArray[np.bool_],
    has_certain_hours: NDArray[np.bool_],
    hundredths: NDArray[np.int64],
    age_days: NDArray[np.int64],
    ids: NDArray[np.int64],
    count: int,
) -> NDArray[np.int64]:
    """Return the positions of the best chances of one day, the best first, as `Visit.rank` orders.

    A best plan of n days needs no more than the n best of each: of n places one is free, and taking
    it instead of a worse one improves the plan.
    """
    order = np.lexsort((ids, age_days, hundredths, ~has_certain_hours, ~is_certain))
    return order[:count].astype(np.int64)


def fall_backs(plan: Sequence[Visit], days: int, *pools: Sequence[Visit]) -> dict[int, Visit]:
    """Return by day an alternative place for each uncertain visit.

    Places of an earlier pool come before those of a later one. Each place gets one day if possible;
    a day whose alternatives are all taken reuses the best of them.
    """
    planned_ids = {visit.place for visit in plan}
    uncertain_days = {visit.day for visit in plan if not visit.is_certain}
    free = [
        [v for v in pool if v.day in uncertain_days and v.place not in planned_ids]
        for pool in pools
    ]
    alternatives = dict[int, Visit]()
    for pool in free:
        used_ids = {visit.place for visit in alternatives.values()}
        remaining = (v for v in pool if v.day not in alternatives and v.place not in used_ids)
        alternatives |= {visit.day: visit for visit in best_plan(remaining, days, days)}
    for day in uncertain_days - alternatives.keys():
        again = next(filter(None, ([v for v in pool if v.day == day] for pool in free)), None)
        if again:
            alternatives[day] = min(again, key=attrgetter("rank"))
    return alternatives
