"""Tells whether a whole list can be true before any of it is published.

A single odd row is cleaned or set aside; a list whose ZIP codes, points and telephones do not fit
each other is invented, shifted by a column or read by the wrong mapping.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from assets.matching.streets import records_by_zip, town_names
from assets.sources.free_text import five_digits
from schemas.values.names import fold_name

# Shares of fewer rows say nothing.
FEWEST_ROWS = 30
_NEAR_MILES = 40.0
_MILES_PER_DEGREE = 69.0
# Numbers that are kept for fiction, in every area code (47 CFR 52.15(f)(1)(ii); ATIS-0300115).
_FICTITIOUS = r"^\+1\d{3}55501\d\d$"


@dataclass(frozen=True)
class Measure:
    """A share of rows, of how many, and the least or most that a real list has."""

    name: str
    share: float
    rows: int
    least: float = 0.0
    most: float = 1.0

    @property
    def is_plausible(self) -> bool:
        return self.rows < FEWEST_ROWS or self.least <= self.share <= self.most

    def __str__(self) -> str:
        bound = f"at least {self.least:.0%}" if self.least else f"at most {self.most:.0%}"
        fault = "" if self.is_plausible else f" (a real list has {bound})"
        return f"{self.name}: {self.share:.0%} of {self.rows}{fault}"


def measure(places: pd.DataFrame) -> list[Measure]:
    """Return the measures of cleaned rows in the contract's columns."""
    codes = five_digits(places["zip"].dropna()).str[:5]
    known = codes[codes.isin(records_by_zip().keys())]
    measures = [_share("ZIP codes that exist", codes.isin(known), least=0.9)]
    states = places.loc[known.index, "state"]
    of_zip = known.map(lambda code: records_by_zip()[code]["state"])
    has_state = states.notna()
    measures.append(_share("ZIP codes in their state", (states == of_zip)[has_state], least=0.9))
    cities = places.loc[known.index, "city"].dropna()
    fits = [fold_name(city) in town_names(known[at], None) for at, city in cities.items()]
    # Neighbourhoods and villages have names that the Postal Service does not list.
    measures.append(_share("cities of their ZIP code", pd.Series(fits, dtype=bool), least=0.4))
    points = places.loc[known.index, ["lat", "lng"]].dropna().astype(float)
    measures.append(_share("points near their ZIP code", _near(points, known), least=0.8))
    phones = places["phone_e164"].dropna()
    is_fictitious = phones.str.match(_FICTITIOUS)
    measures.append(_share("telephones reserved for fiction (555-01xx)", is_fictitious, most=0.2))
    given = places["phone"].dropna()
    dialable = places.loc[given.index, "phone_e164"].notna()
    measures.append(_share("telephones that can be dialed", dialable, least=0.7))
    streets = places["address"].dropna().str.casefold()
    copies = streets.duplicated(keep=False) & places["name"].reindex(streets.index).duplicated(
        keep=False
    )
    measures.append(_share("rows with the name and street of another", copies, most=0.8))
    same = places["name"].value_counts(normalize=True)
    top = places["name"].eq(same.index[0]) if len(same) else pd.Series(dtype=bool)
    measures.append(_share("rows with the most frequent name", top, most=0.8))
    return [each for each in measures if each.rows]


def implausible(places: pd.DataFrame) -> list[str]:
    """Return what is not plausible in rows that were not made for a demo or a test."""
    real = places[~places["is_synthetic"].fillna(False).astype(bool)]
    if len(real) < FEWEST_ROWS:
        return []
    return [str(each) for each in measure(real) if not each.is_plausible]


def _share(name: str, holds: pd.Series, least: float = 0.0, most: float = 1.0) -> Measure:
    return Measure(name, float(holds.mean()) if len(holds) else 0.0, len(holds), least, most)


def _near(points: pd.DataFrame, codes: pd.Series) -> pd.Series:
    """Tell which points in degrees lie near the middle of their ZIP code; others are left out."""
    points = points[points["lat"].between(13, 72) & points["lng"].between(-180, -60)]
    records = [records_by_zip()[code] for code in codes[points.index]]
    lat = np.array([float(record["lat"] or "nan") for record in records])
    lng = np.array([float(record["long"] or "nan") for record in records])
    north = (points["lat"].to_numpy() - lat) * _MILES_PER_DEGREE
    east = (points["lng"].to_numpy() - lng) * _MILES_PER_DEGREE * np.cos(np.radians(lat))
    miles = np.hypot(north, east)
    return pd.Series(miles[~np.isnan(miles)] < _NEAR_MILES, dtype=bool)
