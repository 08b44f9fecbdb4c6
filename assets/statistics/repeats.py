"""Places that a directory shows twice, found without the rules of matching.

The rules decide by many relations of names and addresses; here only the plainest are looked at, so
that a fault of the rules shows: one address or points of one house, one type, and names or
telephones alike.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from rapidfuzz import fuzz

from assets.cleaning.keys import address_key, name_key
from assets.geography.points import PointIndex

NEAR_MILES = 60 / 1609.344
_ALIKE_FROM = 85.0


def find_repeats(places: pd.DataFrame) -> pd.DataFrame:
    """Return pairs (resource_id, other_id) of places that look like one.

    `places` needs resource_id, name, resource_type, address, state, zip, lat, lng,
    location_precision and phone_e164.
    """
    rows = places.reset_index(drop=True)
    names = rows["name"].map(name_key)
    kinds, phones = rows["resource_type"], rows["phone_e164"]
    number_pairs = [
        (one, other)
        for one, other in sorted(_at_one_address(rows) | _at_one_point(rows))
        if kinds[one] == kinds[other]
        and (
            phones[one] == phones[other]
            or fuzz.token_sort_ratio(names[one], names[other]) >= _ALIKE_FROM
        )
    ]
    ids = rows["resource_id"].to_numpy()
    pairs = np.array(number_pairs, dtype=np.int64).reshape(-1, 2)
    return pd.DataFrame({"resource_id": ids[pairs[:, 0]], "other_id": ids[pairs[:, 1]]})


def _at_one_address(rows: pd.DataFrame) -> set[tuple[int, int]]:
    with_address = rows[rows["address"].notna()]
    keys = with_address["address"].map(address_key)
    # Text without a house number names many spots: "Main Street".
    with_address = with_address[keys.str.match(r"\d")]
    groups = with_address.groupby([keys, "state", "zip"]).groups.values()
    return {pair for group in groups for pair in combinations(sorted(group), 2)}


def _at_one_point(rows: pd.DataFrame) -> set[tuple[int, int]]:
    exact = rows[rows["location_precision"].isin(["rooftop", "street"]) & rows["lat"].notna()]
    index = PointIndex(exact["lat"].to_numpy(float), exact["lng"].to_numpy(float))
    row = exact.index.to_numpy()
    return {(int(row[a]), int(row[b])) for a, b in index.pairs_within(NEAR_MILES)}
