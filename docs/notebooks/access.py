# %% [markdown]
# # The access measure, worked out again
#
# `/api/v1/access.json` says how far ZIP codes are from listed free food ([method](../coverage.md)). Here the same from
# the bulk files: straight chords between points of the ellipsoid, turned into great-circle miles, rounded to hundredths.

# %%
import io
import os

import httpx
import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

LARDER = os.environ.get("LARDER", "http://127.0.0.1:8000")
published = httpx.get(f"{LARDER}/api/v1/access.json").raise_for_status().json()
types = httpx.get(f"{LARDER}/api/v1/types.json").raise_for_status().json()["types"]


def table(name: str) -> pd.DataFrame:
    address = f"{LARDER}/exports/{published['release_id']}/{name}.parquet"
    return pd.read_parquet(io.BytesIO(httpx.get(address).raise_for_status().content))


def on_ellipsoid(places: pd.DataFrame) -> np.ndarray:
    """Return metres from the centre of the earth (WGS84)."""
    lat, lng = np.radians(places["lat"].to_numpy()), np.radians(places["lng"].to_numpy())
    flattened = 0.00669437999014  # eccentricity squared
    radius = 6378137.0 / np.sqrt(1 - flattened * np.sin(lat) ** 2)
    x, y = radius * np.cos(lat) * np.cos(lng), radius * np.cos(lat) * np.sin(lng)
    return np.column_stack([x, y, radius * (1 - flattened) * np.sin(lat)])


# %%
places, zips = table("resources"), table("zips")
free = places[places["resource_type"].isin([t["id"] for t in types if t["mode"] == "free"])]
zips = zips[zips["lat"].notna() & zips["state"].notna()]
chord, _ = cKDTree(on_ellipsoid(free)).query(on_ellipsoid(zips))
EARTH = 6371008.8  # metres, mean radius
miles = np.round(2 * EARTH * np.arcsin(chord / 2 / EARTH) / 1609.344, 2)

# %% [markdown]
# By standard ZIP codes, each once, and by their residents, where the release knows them.

# %%
near = pd.Series(miles <= 5, index=zips.index)
residents = zips["population"].fillna(0)
here = {"zip_share_within_5_miles": near[zips["zip_kind"] == "standard"].mean()}
if published["is_population_known"]:
    here["people_share_within_5_miles"] = (near * residents).sum() / residents.sum()
    here["mean_free_miles"] = (miles * residents).sum() / residents.sum()
print(f"{len(free):,} places with free food, {len(zips):,} ZIP codes")
for name, value in here.items():
    print(f"{name}: {value:.4f} here, {published['national'][name]} published")
    assert abs(value - published["national"][name]) < 0.006, name
