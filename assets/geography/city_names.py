"""Repairs names of cities: the rest of a street before a town, towns cut off, quarters, none.

A name is known if a town of the state has it. An unknown one becomes the name that the post gives
the ZIP code; without a ZIP code, a name with a number or a street word is dropped.
"""

import re
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd

from assets.geography.contradictions import zip_areas
from assets.geography.evidence import city_points, point_of
from assets.geography.model import Geography
from assets.geography.points import fold_names, miles_between
from schemas.values.names import fold_name
from schemas.vocab.statuses import EXACT_PRECISIONS

# A town this far beyond the area of the ZIP code is another one.
_OTHER_TOWN_MILES = 25.0


class _Words(msgspec.Struct):
    street_words: str


_STREET_WORDS = frozenset(
    msgspec.yaml.decode(
        Path(__file__).with_suffix(".yaml").read_bytes(), type=_Words
    ).street_words.split()
)


def with_towns(places: pd.DataFrame, geography: Geography) -> pd.DataFrame:
    """Return places with the town of the ZIP code where none is stated."""
    zips = geography.zips.set_index("zip")[["place_name", "state"]]
    of_zip = zips.reindex(places["zip"]).set_axis(places.index)
    is_missing = places["city"].isna() & of_zip["state"].eq(places["state"])
    return places.assign(city=places["city"].mask(is_missing, of_zip["place_name"]))


def split_street_rests(places: pd.DataFrame, geography: Geography) -> pd.DataFrame:
    """Return places whose city begins with the rest of a street, or lost its first word to the
    street, with both put right: "34 Portland", "Rd. Kennebunk" and "255 Goffe Street New", "Haven".
    """
    if places.empty:
        return places
    zips = geography.zips.set_index("zip")["place_name"]
    of_zip = places["zip"].map(zips).astype(object)
    known = _known(places["state"], fold_names(places["city"]), geography)
    has_rest = places["city"].str.contains(r"^\W*\w+\W+\w", regex=True).fillna(False) & ~known
    folded = fold_names(of_zip)
    is_cut = [
        bool(city) and whole.endswith(f" {city}")
        for city, whole in zip(fold_names(places["city"]), folded, strict=True)
    ]
    suspect = np.flatnonzero(
        (has_rest.to_numpy() | np.array(is_cut, dtype=bool)) & places["city"].notna()
    )
    if len(suspect) == 0:
        return places
    city, address = (places[name].astype(object).to_numpy().copy() for name in ("city", "address"))
    names = set(geography.towns["state"] + "|" + geography.towns["city"])
    states, postal = places["state"].to_numpy(dtype=object), of_zip.to_numpy(dtype=object)
    for row in suspect:
        town, street = str(city[row]), address[row] if isinstance(address[row], str) else None
        if is_cut[row] and street and isinstance(postal[row], str):
            lost = postal[row][: -len(town)].strip()
            if lost and street.casefold().endswith(f" {lost.casefold()}"):
                city[row], address[row] = postal[row], street[: -len(lost)].rstrip(" ,")
                continue
        words = town.split()
        for count in range(1, len(words)):
            rest, tail = words[:count], " ".join(words[count:])
            if not all(_is_of_street(word) for word in rest):
                break
            if f"{states[row]}|{fold_name(tail)}" in names:
                city[row] = tail
                address[row] = f"{street} {' '.join(rest)}" if street else None
                break
    return places.assign(city=pd.array(city, dtype="str"), address=pd.array(address, dtype="str"))


def _is_of_street(word: str) -> bool:
    plain = re.sub(r"\W", "", word).casefold()
    return len(plain) < 2 or any(map(str.isdigit, plain)) or plain in _STREET_WORDS


def settle_cities(places: pd.DataFrame, work: pd.DataFrame, geography: Geography) -> pd.Series:
    """Return the cities of located places: those of the rows, or of their ZIP codes, where no town
    of the state has the name or the town is far away; without either the town around the point."""
    city = work["city"].to_numpy(dtype=object)
    known = _known(work["state"], work["city"], geography).to_numpy()
    sure = work["zip_state"].eq(work["state"]) & work["zip_city"].ne("")
    lat, lng = city_points(work["state"].to_numpy(), work["city"].to_numpy(), geography)
    miles = miles_between(lat, lng, *point_of(work, "zip_"))
    away = miles > work["zip_extent"].to_numpy(dtype=float) + _OTHER_TOWN_MILES
    away &= ~work["zip_is_doubtful"].to_numpy(dtype=bool)
    of_zip = sure.to_numpy() & (~known | away) & (city != work["zip_city"].to_numpy(dtype=object))
    names = geography.zips.set_index("zip")["place_name"]
    settled = places["city"].astype(object).mask(of_zip, work["zip"].map(names).to_numpy())
    has_street_word = places["city"].map(
        lambda name: any(_is_of_street(word) for word in name.split() if len(word) > 1),
        na_action="ignore",
    )
    bare = ~known & ~of_zip & has_street_word.eq(True)
    settled = settled.mask(bare.to_numpy(), None)
    exact = work["location_precision"].isin(EXACT_PRECISIONS)
    rows = np.flatnonzero(settled.isna().to_numpy() & exact.to_numpy())
    if len(rows):
        some = work.iloc[rows]
        states = some["state"].to_numpy(dtype=object)
        settled.iloc[rows] = zip_areas(geography).sole_name(*point_of(some, ""), states)
    return pd.Series(pd.array(settled, dtype="str"), index=places.index)


def _known(state: pd.Series, city: pd.Series, geography: Geography) -> pd.Series:
    """Return whether a town of the state has the (folded) name."""
    towns = pd.MultiIndex.from_frame(geography.towns[["state", "city"]])
    mine = pd.MultiIndex.from_arrays([state.astype(object), city.astype(object)])
    return pd.Series(mine.isin(towns), index=city.index)
