# %% [markdown]
# # Where would one more pantry help most?
#
# Residents of a county go to the nearest listed free food. Of its ZIP codes as sites, which one, two or three shorten residents
# times miles most? That is the p-median problem: solved greedily, then by interchange (Teitz and Bart, 1968), and checked
# against every combination. It shows where the list is thin; it does not know food that is not listed.

# %%
import io
import math
import os
from itertools import combinations

import httpx
import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist

LARDER = os.environ.get("LARDER", "http://127.0.0.1:8000")
COUNTY = os.environ.get("COUNTY", "42003")  # Allegheny County, Pennsylvania
# The types of `mode=free`.
FREE = [
    "food_pantry",
    "food_bank",
    "soup_kitchen",
    "mobile_pantry",
    "community_fridge",
    "emergency",
    "tribal_food",
    "senior_commodity",
]


def table(name: str) -> pd.DataFrame:
    answer = httpx.get(f"{LARDER}/exports/latest/{name}.parquet", follow_redirects=True)
    return pd.read_parquet(io.BytesIO(answer.raise_for_status().content))


def on_sphere(places: pd.DataFrame) -> np.ndarray:
    lat, lng = np.radians(places["lat"]), np.radians(places["lng"])
    return np.column_stack([np.cos(lat) * np.cos(lng), np.cos(lat) * np.sin(lng), np.sin(lat)])


def miles(a: pd.DataFrame, b: pd.DataFrame) -> np.ndarray:
    return 2 * 3958.7613 * np.arcsin(cdist(on_sphere(a), on_sphere(b)) / 2)


# %%
free, zips = table("resources").query("resource_type in @FREE"), table("zips")
homes = zips.query("county_fips == @COUNTY and zip_kind == 'standard' and lat.notna()")
known = homes["population"].notna().any()
people = homes["population"].fillna(0).to_numpy() if known else np.ones(len(homes))
now, between = miles(homes, free).min(axis=1), miles(homes, homes)
unit = "residents" if known else "ZIP codes, residents unknown"
print(f"{COUNTY}: {people.sum():,.0f} {unit}, {(people * now).sum() / people.sum():.3f} miles each")


# %%
def cost(sites: tuple[int, ...]) -> float:
    return float((people * np.minimum(now, between[:, list(sites)].min(axis=1))).sum())


def chosen(count: int, sites: tuple[int, ...] = ()) -> tuple[int, ...]:
    for _ in range(count):
        sites = min(((*sites, one) for one in range(len(homes))), key=cost)
    while True:
        swaps = ((*sites[:i], s, *sites[i + 1 :]) for i in range(count) for s in range(len(homes)))
        better = min(swaps, key=cost)
        if cost(better) >= cost(sites) - 1e-9:
            return sites
        sites = better


# %%
for count in (1, 2, 3):
    sites = chosen(count)
    codes = ", ".join(homes.iloc[s]["zip"] for s in sites)
    print(f"{count} more: {codes}, {cost(sites) / people.sum():.3f} miles")
    if math.comb(len(homes), count) <= 200_000:
        best = min(combinations(range(len(homes)), count), key=cost)
        print(f"   the best of all combinations: {cost(best) / people.sum():.3f} miles")
