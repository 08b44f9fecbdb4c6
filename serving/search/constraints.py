"""Ranks places by wishes, and counts the places that meet each.

The conditions are those of `serving.search.filter`; facts that no publisher states, such as bus
lines, are unknown for every place.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.api.plain_language import Constraint, ConstraintCount
from schemas.attributes import WISHES
from schemas.values.coordinates import chord_to_miles
from schemas.vocab.attributes import DOCUMENT_CODES
from schemas.vocab.constraints import (
    DAYS,
    FOOD_OF_DIET,
    FOOD_OF_ITEM,
    GROUP_OF_AUDIENCE,
    OPEN_NOW,
    PARTS_OF_DAY,
    TYPES_WITH,
)
from schemas.vocab.food_access import ServesArea
from schemas.vocab.languages import LANGUAGE_NAMES, with_also_spoken
from schemas.vocab.statuses import EXACT_PRECISIONS
from serving.search.asked_time import windows_of
from serving.search.filter import Answers, Filters, Rows, judge
from serving.search.language.reply import Tally
from serving.search.language.times import AskedTime
from serving.search.language.wishes import Wish
from serving.search.openings import (
    BY_OLD_HOURS,
    CLOSED,
    OPEN,
    UNKNOWN,
    Levels,
    Window,
    is_open_by_old_hours,
    levels_within_any,
    window_of,
)
from warehouse.index.points import TYPE_CODES
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Within

# A place's states for a wish, in ranking order.
_MET, _BY_OLD_HOURS, _UNKNOWN, _NOT_MET = OPEN, BY_OLD_HOURS, UNKNOWN, CLOSED
_OF_AREA: dict[ServesArea, int] = {"yes": _MET, "no": _NOT_MET, "not_known": _UNKNOWN}
WALKING_MILES = 1.0
# Meeting any value of these kinds is enough: "Saturday or Sunday", "Spanish or Portuguese", "on
# foot or by bus".
_ALTERNATIVES = frozenset({"audience", "language", "transport"})
_PAPERS = {
    "no_id": Filters(truths=frozenset({"no_id"})),
    "no_proof_of_address": Filters(
        codes=(("documents", frozenset(DOCUMENT_CODES) - {"proof_of_address"}),)
    ),
    "no_papers": Filters(truths=frozenset({"no_documents"})),
}
WHEN = "when"


def time_of_wishes(wishes: Sequence[Wish]) -> AskedTime | None:
    """Return the days and hours among wishes; None if there are none.

    If "today", "tomorrow" and weekdays are mixed, the kind named first counts.
    """
    days = [str(wish.value) for wish in wishes if wish.kind == "day"]
    hours = [str(w.value) for w in wishes if w.kind == "time" and w.value != OPEN_NOW]
    if not days and not hours:
        return None
    ahead = {"today": None, "tomorrow": 1}
    weekdays = tuple(sorted(DAYS.index(day) for day in days if day in DAYS))
    if not days:
        weekdays = tuple(range(7))
    first = next((day for day in days if day in ahead), None)
    at = AskedTime(() if first else weekdays, ahead[first] if first else None)
    if not hours:
        return at
    hour = hours[0]
    if hour in PARTS_OF_DAY:
        after, before = PARTS_OF_DAY[hour]
        return at._replace(after=after, before=before, parts=(hour,))
    clocks = [int(clock[:2]) * 60 + int(clock[3:]) for clock in hour.split(" ")[-1].split("-")]
    if len(clocks) == 2:
        return at._replace(after=clocks[0], before=clocks[1])
    return (
        at._replace(after=clocks[0]) if hour.startswith("after") else at._replace(before=clocks[0])
    )


class Ranking(NamedTuple):
    """Places in the order of the wishes, then of distance, each with its rank of three numbers;
    counts per wish, and the wishes to put into words."""

    places: Within
    ranks: NDArray[np.int64]
    counts: list[ConstraintCount]
    tallies: list[Tally]


def constraints_of(
    release: OpenRelease, wishes: Sequence[Wish], row: int | None, now: datetime
) -> list[Constraint]:
    """Return wishes as the API shows them: the day after tomorrow as its weekday."""
    here = now if row is None else now.astimezone(release.zone_of(row))
    return [
        Constraint(wish.kind, DAYS[(here + timedelta(days=int(wish.value))).weekday()])
        if isinstance(wish.value, str) and wish.value.startswith("+")
        else Constraint(wish.kind, wish.value)
        for wish in wishes
    ]


def weigh(
    release: OpenRelease,
    places: Within,
    wishes: Sequence[Wish],
    time: AskedTime | None,
    now: datetime,
) -> Ranking:
    """Order places (nearest first) by the known state of each wish. Safe for threads."""
    rows = places.rows
    nearest = int(rows[0]) if len(rows) else None
    miles = np.asarray(chord_to_miles(np.sqrt(places.squares)))
    constraints = constraints_of(release, wishes, nearest, now)
    states = [_levels(release, rows, miles, one, time, now) for one in constraints]
    tallies = [
        _tally(c.kind, c.value, levels) for c, levels in zip(constraints, states, strict=True)
    ]
    # Meeting one wish of a group is enough.
    groups = dict[object, Levels]()
    for at, (one, levels) in enumerate(zip(constraints, states, strict=True)):
        is_when = one.kind == "day" or (one.kind == "time" and one.value != OPEN_NOW)
        key = WHEN if is_when else one.kind if one.kind in _ALTERNATIVES else at
        groups[key] = np.minimum(groups[key], levels) if key in groups else levels
    if WHEN in groups and time is not None and nearest is not None:
        # A day and an hour are one wish: open then.
        groups[WHEN] = levels_within_any(
            release, rows, windows_of(release, time, nearest, now), now
        )
        tallies.append(_tally(WHEN, WHEN, groups[WHEN]))
    # Per row: wishes it fails, unknown wishes, wishes met only by hours too old to be asserted.
    stacked = np.array(list(groups.values()), dtype=np.int8).reshape(len(groups), len(rows))
    ranks = [(stacked == level).sum(axis=0) for level in (_NOT_MET, _UNKNOWN, _BY_OLD_HOURS)]
    order = np.lexsort((np.arange(len(rows)), *reversed(ranks)))
    counts = [
        ConstraintCount(t.kind, t.value, t.met, t.not_met, t.unknown + t.by_old_hours)
        for t in tallies
        if t.kind != WHEN
    ]
    return Ranking(places.take(order), np.stack(ranks, axis=1)[order], counts, tallies)


def _tally(kind: str, value: str | bool | float, levels: Levels) -> Tally:
    return Tally(kind, value, *np.bincount(levels, minlength=4).tolist())


# ---------------------------------------------------------------- one wish


def _levels(
    release: OpenRelease,
    rows: Rows,
    miles: NDArray[np.float64],
    one: Constraint,
    time: AskedTime | None,
    now: datetime,
) -> Levels:
    """Return the state of a wish for each row."""
    if one.kind == "distance":
        return np.where(miles <= float(one.value), _MET, _NOT_MET).astype(np.int8)
    if one.kind == "serves_zip":
        answers = release.service_areas.answers(rows, str(one.value))
        return np.array([_OF_AREA[answer] for answer in answers], dtype=np.int8)
    if one.value == "walk":
        is_exact = np.array(
            [release.precision_of(row) in EXACT_PRECISIONS for row in rows.tolist()], dtype=bool
        )
        return _as_levels((miles <= WALKING_MILES, is_exact | (miles > 2 * WALKING_MILES)))
    if not len(rows):
        return np.zeros(0, dtype=np.int8)
    if one.kind == "day" or (one.kind == "time" and one.value != OPEN_NOW and time is not None):
        assert time is not None
        return levels_within_any(
            release, rows, _windows(release, one, time, int(rows[0]), now), now
        )
    filters = filters_of_wish(one)
    if filters is None:
        levels = np.full(len(rows), _UNKNOWN, dtype=np.int8)
    else:
        levels = _as_levels(judge(release, rows, filters, now))
    if one.value == OPEN_NOW:
        unknown = np.flatnonzero((levels == _UNKNOWN) & (release.hours_codes[rows] >= 0))
        old = [is_open_by_old_hours(release, row, now) for row in rows[unknown].tolist()]
        levels[unknown[np.array(old, dtype=bool)]] = _BY_OLD_HOURS
    types = TYPES_WITH.get((one.kind, str(one.value)))
    if types:
        codes = [TYPE_CODES[name] for name in types]
        levels[np.isin(release.type_codes[rows], codes)] = _MET
    return levels


def _as_levels(answers: Answers) -> Levels:
    is_met, is_known = answers
    return np.where(~is_known, _UNKNOWN, np.where(is_met, _MET, _NOT_MET)).astype(np.int8)


def filters_of_wish(one: Constraint) -> Filters | None:
    """Return the filter for a wish; None if no publisher provides the value."""
    value = str(one.value)
    if one.kind in ("diet", "item"):
        food = (FOOD_OF_DIET if one.kind == "diet" else FOOD_OF_ITEM).get(value)
        return Filters(codes=(("food", frozenset({food})),)) if food else None
    if one.kind == "language":
        languages = with_also_spoken(frozenset({value})) & LANGUAGE_NAMES.keys()
        return Filters(codes=(("language", frozenset(languages)),)) if languages else None
    if one.kind == "serves_zip":
        return Filters(serves_zip=value)
    if one.kind in WISHES:
        return Filters(truths=frozenset({one.kind}))
    return {
        "papers": lambda: _PAPERS[value],
        "audience": lambda: Filters(codes=(("audience", frozenset({GROUP_OF_AUDIENCE[value]})),)),
        "appointment": lambda: Filters(truths=frozenset({"walk_in"})),
        "time": lambda: Filters(open_now=True),
    }.get(one.kind, lambda: None)()


def is_published(kind: str, value: str | bool | float) -> bool:
    """Return whether any publisher states whether places meet a wish."""
    if kind in ("day", "time", "distance", WHEN) or value == "walk":
        return True
    return (kind, str(value)) in TYPES_WITH or filters_of_wish(Constraint(kind, value)) is not None


def find_unpublished_wishes(ranking: Ranking) -> frozenset[tuple[str, str]]:
    """Return kinds and values of the wishes that no publisher provides."""
    return frozenset(
        (t.kind, str(t.value)) for t in ranking.tallies if not is_published(t.kind, t.value)
    )


# ---------------------------------------------------------------- days and hours


def _windows(
    release: OpenRelease, one: Constraint, time: AskedTime, row: int, now: datetime
) -> tuple[Window, ...]:
    """Return the windows of one constraint: the whole day for a day, the question's windows for an
    hour."""
    if one.kind == "time":
        return windows_of(release, time, row, now)
    if one.value in ("today", "tomorrow"):
        return windows_of(release, AskedTime((), 1 if one.value == "tomorrow" else None), row, now)
    return (window_of(DAYS.index(str(one.value)), None, None),)
