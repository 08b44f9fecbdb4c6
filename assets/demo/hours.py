"""Generates opening hours in pantries' many styles, and dated slots of a food bank's scheduler."""

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import numpy.typing as npt

Random = np.random.Generator
_SHORT = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_LONG = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SPANISH = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
_NTH = ("first", "second", "third", "fourth", "last")
_NTH_SHORT = ("1st", "2nd", "3rd", "4th", "last")
_NTH_SPANISH = ("primer", "segundo", "tercer", "cuarto", "último")
_POOL = 1500


def english_hours(random: Random) -> tuple[str, ...]:
    """Return texts: weekly, nth weekday, seasons, two spans a day, several lines, messy am/pm."""
    return tuple(_english(random) for _ in range(_POOL))


def spanish_hours(random: Random) -> tuple[str, ...]:
    """Return a pool of Spanish texts: ranges of days, nth weekday, several days."""
    return tuple(_spanish(random) for _ in range(_POOL // 3))


def scheduler_slots(random: Random, as_of: date) -> list[list[dict[str, object]]]:
    """Return distributions' dated slots: four to eight weeks on one weekday from `as_of` on."""
    return [_slots(random, as_of) for _ in range(300)]


def _clock(hour: float, style: int) -> str:
    """Format 9.5 as 09:30AM, 9:30 am, 9:30am, 9:30 A.M. or 9:30."""
    whole, minute = int(hour), round(60 * (hour % 1))
    half = "am" if whole < 12 else "pm"
    twelve = (whole - 1) % 12 + 1
    return (
        f"{twelve:02d}:{minute:02d}{half.upper()}",
        f"{twelve}:{minute:02d} {half}",
        f"{twelve}{f':{minute:02d}' if minute else ''}{half}",
        f"{twelve}:{minute:02d} {half[0].upper()}.M.",
        f"{whole}:{minute:02d}",
    )[style]


def _span(random: Random) -> tuple[float, float]:
    start = float(random.integers(16, 34)) / 2
    return start, start + float(random.integers(2, 9)) / 2


def _two_days(random: Random) -> npt.NDArray[np.int64]:
    return np.sort(random.choice(6, size=2, replace=False))


def _english(random: Random) -> str:
    start, end = _span(random)
    first, second = (int(day) for day in _two_days(random))
    nth = int(random.integers(5))
    app = f"{_clock(start, 0)}-{_clock(end, 0)}"
    plain = f"{_clock(start, 1)} - {_clock(end, 1)}"
    styles: tuple[Callable[[], str], ...] = (
        lambda: f"{_SHORT[first]},{_SHORT[second]} {app}",
        lambda: f"{_SHORT[first]} {app}",
        lambda: f'{_SHORT[second]} {app} "every {_NTH[nth]} {_LONG[second]} of the month"',
        lambda: f"{_LONG[first]} and {_LONG[second]} {plain}",
        lambda: (
            f"{_NTH_SHORT[nth]} {_LONG[second]} of the month, {_clock(start, 2)}-{_clock(end, 2)}"
        ),
        lambda: f"{_LONG[first]} {plain} (June through August only)",
        lambda: (
            f"{_LONG[first][:3]}: {_clock(start, 3)} to {_clock(end, 3)}\n{_LONG[second]}: {plain}"
        ),
        lambda: f"Mo-Fr {_clock(9, 2)}-{_clock(12, 2)}, {_clock(13, 2)}- {_clock(16.5, 2)}",
        lambda: f"{_SHORT[first].lower()} {app}\n{_SHORT[second].lower()} {app}",
        lambda: f"{_LONG[first]}s {_clock(start, 2)} til {_clock(end, 2)}",
    )
    return styles[int(random.integers(len(styles)))]()


def _spanish(random: Random) -> str:
    start, end = _span(random)
    first, second = (int(day) for day in _two_days(random))
    nth = int(random.integers(5))
    styles: tuple[Callable[[], str], ...] = (
        lambda: f"{_SPANISH[first]} a {_SPANISH[second]} de {_clock(start, 1)} a {_clock(end, 1)}",
        lambda: f"{_SPANISH[first]} y {_SPANISH[second]}, {_clock(start, 4)} a {_clock(end, 4)}",
        lambda: (
            f"{_NTH_SPANISH[nth]} {_SPANISH[second]} del mes, {_clock(start, 2)}-{_clock(end, 2)}"
        ),
        lambda: f"{_SPANISH[first].capitalize()} de {_clock(start, 3)} a {_clock(end, 3)}",
    )
    return styles[int(random.integers(len(styles)))]()


def _slots(random: Random, as_of: date) -> list[dict[str, object]]:
    start = int(random.integers(8, 17))
    end = start + int(random.integers(1, 4))
    first = as_of + timedelta(days=int(random.integers(1, 15)))
    walkin = int(random.random() < 0.8)
    return [
        {
            "capacity": 100,
            "accept_walkin": walkin,
            "accept_reservations": 1 - walkin,
            "accept_interest": 0,
            "start_time": _on_the_hour(start),
            "end_time": _on_the_hour(end),
            "date": str(first + timedelta(weeks=week)),
        }
        for week in range(int(random.integers(4, 9)))
    ]


def _on_the_hour(hour: int) -> str:
    return f"{(hour - 1) % 12 + 1} {'AM' if hour < 12 else 'PM'}"
