"""Locates the demo's invented places over the real ZIP codes, in proportion to population."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from assets.demo.words import WORDS
from schemas.values.names import fold_name
from schemas.vocab.states import STATES

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
