"""Samples the invented places of the demo: where they are, their words and their opening hours.

Places lie over the real ZIP codes, in proportion to population. Telephone numbers are 555-0100 to
555-0199, which are never assigned.
"""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pandas as pd

from schemas.values.names import fold_name
from schemas.vocab.states import STATES


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file, a list each to draw from; `_es` are Spanish."""

    streets: tuple[str, ...]
    streets_es: tuple[str, ...]
    first: tuple[str, ...]
    pantry_kinds: tuple[str, ...]
    pantry_kinds_es: tuple[str, ...]
    first_es: tuple[str, ...]
    store_kinds: tuple[str, ...]
    store_types: tuple[str, ...]
    school_kinds: tuple[str, ...]
    health_kinds: tuple[str, ...]
    head_start_kinds: tuple[str, ...]
    hiv_care_kinds: tuple[str, ...]
    hiv_services: tuple[str, ...]
    mental_health_kinds: tuple[str, ...]
    summer_kinds: tuple[str, ...]
    office_hours: tuple[str, ...]
    hours: tuple[str, ...]
    hours_es: tuple[str, ...]
    notes: tuple[str, ...]
    notes_es: tuple[str, ...]
    scheduled: tuple[tuple[str, str, int], ...]
    incidents: tuple[tuple[str, str], ...]
    fdpir_states: tuple[str, ...]
    headers: dict[str, tuple[str, ...]]


WORDS = msgspec.yaml.decode(Path(__file__).with_name("words.yaml").read_bytes(), type=Words)


# Areas where most invented names and hours are Spanish, and their share there and elsewhere.
_SPANISH_STATES = ("PR",)
_SPANISH_SHARE = 0.08
_SCATTER_DEGREES = 0.012
# Assumed residents of a ZIP whose town has no known population.
_SMALL_TOWN = 300

Texts = npt.NDArray[np.object_]


class Sampler:
    """Draws places with one seeded generator; equal seeds and calls give equal places."""

    def __init__(self, zips: pd.DataFrame, cities: pd.DataFrame, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        usable = zips[zips["lat"].notna() & zips["state"].isin(STATES)]
        # American Samoa and the Northern Marianas have PO-box ZIPs only.
        standard = usable["zip_kind"].eq("standard")
        has_standard = usable["state"].isin(usable.loc[standard, "state"].unique())
        usable = usable[standard | ~has_standard]
        self._zips = usable.sort_values("zip", ignore_index=True)
        self._share = _shares(self._zips, cities)
        # Every state and territory occurs once at the start, so that small demos have them all.
        self._first_of_state = self._zips.drop_duplicates("state").index.to_numpy()

    def places(self, count: int, states: tuple[str, ...] = ()) -> pd.DataFrame:
        """Draw `count` places: address, city, state, zip, county_name, lat, lng, is_spanish; in
        random order.

        From 200 places on, every state occurs of those that `states` limits them to.
        """
        share, first = self._share, self._first_of_state
        if states:
            is_in = self._zips["state"].isin(states).to_numpy()
            share = np.where(is_in, share, 0)
            share, first = share / share.sum(), first[is_in[first]]
        positions = self.rng.choice(len(self._zips), size=count, p=share)
        if count >= 200:
            positions[: len(first)] = first
        rows = self._zips.iloc[positions].reset_index(drop=True)
        scatter = self.rng.normal(0, _SCATTER_DEGREES, (count, 2)).clip(-0.03, 0.03)
        spanish = rows["state"].isin(_SPANISH_STATES) | (self.rng.random(count) < _SPANISH_SHARE)
        numbers = self.rng.integers(1, 9900, count).astype(str).astype(object)
        streets = np.where(
            rows["state"].isin(_SPANISH_STATES),
            self.pick(WORDS.streets_es, count),
            self.pick(WORDS.streets, count),
        )
        return pd.DataFrame(
            {
                "address": numbers + " " + streets,
                "city": rows["place_name"],
                "state": rows["state"],
                "zip": rows["zip"],
                "county_name": rows["county_name"].fillna(""),
                "lat": (rows["lat"] + scatter[:, 0]).round(6),
                "lng": (rows["lng"] + scatter[:, 1]).round(6),
                "is_spanish": spanish,
            }
        )

    def pick(self, values: tuple[str, ...], count: int) -> Texts:
        """Draw `count` random values."""
        return np.asarray(values, dtype=object)[self.rng.integers(0, len(values), count)]

    def names(self, kinds: tuple[str, ...], count: int) -> pd.Series:
        """Invent names that end with one of the kinds."""
        return pd.Series(self.pick(WORDS.first, count) + " " + self.pick(kinds, count))

    def where(self, share: float, count: int, at_least: int = 0) -> npt.NDArray[np.bool_]:
        """Return a mask true for `share` of `count` rows, to within one, and for `at_least`."""
        mask = np.zeros(count, dtype=bool)
        number = max(int(share * count + self.rng.random()), at_least)
        mask[self.rng.choice(count, size=min(number, count), replace=False)] = True
        return mask

    def phones(self, count: int) -> Texts:
        """Return numbers of the range reserved for fiction, in real area codes."""
        area = self.pick(
            ("202", "213", "312", "404", "412", "503", "602", "617", "713", "787", "907"), count
        )
        line = self.rng.integers(100, 200, count)
        suffix = np.array([f"-555-0{n}" for n in range(200)], dtype=object)
        return np.asarray(area + suffix[line], dtype=object)

    def digits(self, count: int, low: int, high: int) -> Texts:
        """Draw random whole numbers as text."""
        return self.rng.integers(low, high, count).astype(str).astype(object)


def _shares(zips: pd.DataFrame, cities: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return each ZIP's share of residents: by state, by city, then evenly over the city."""
    folded = zips["place_name"].map({name: fold_name(name) for name in zips["place_name"].unique()})
    population = cities.set_index(["state", "search_name"])["population"].astype("float64")
    keys = pd.MultiIndex.from_arrays([zips["state"], folded])
    city = pd.Series(population.reindex(keys).to_numpy(), index=zips.index).fillna(_SMALL_TOWN)
    per_zip = city / zips.groupby([zips["state"], folded])["zip"].transform("size")
    in_state = per_zip / per_zip.groupby(zips["state"]).transform("sum")
    people = zips["state"].map({code: state.population for code, state in STATES.items()})
    share = (in_state * people).to_numpy(dtype="float64")
    return np.asarray(share / share.sum())


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
