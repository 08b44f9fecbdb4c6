# %% [markdown]
# # A map of one state
#
# GeoParquet keeps neighbours side by side in the file: GeoPandas fetches, by HTTP ranges, the rows near a box and no others. Points that are
# known by ZIP code, city or county only lie on one spot; they are drawn apart and should not be measured from.

# %%
import os

import geopandas as gpd
import httpx
import matplotlib.pyplot as plt
from obstore.fsspec import FsspecStore

LARDER = os.environ.get("LARDER", "http://127.0.0.1:8000")
BOX = (-80.6, 39.6, -74.6, 42.4)  # Pennsylvania: west, south, east, north
release = httpx.get(f"{LARDER}/exports/index.json").raise_for_status().json()["latest"]
web = FsspecStore(LARDER.split(":")[0], client_options={"allow_http": True})
file = f"{LARDER}/exports/{release}/resources.geoparquet"
around = gpd.read_parquet(file, bbox=BOX, filesystem=web)
around = around[around["state"] == "PA"]
print(f"{len(around):,} places in release {release}")
print(around["resource_type"].value_counts().head(8).to_string())

# %%
is_exact = around["location_precision"].isin(["rooftop", "street"])
figure, axes = plt.subplots(figsize=(9, 5))
for places, color, label in (
    (around[~is_exact], "#b0b0b0", "known by area only"),
    (around[is_exact], "#1f5c99", "known by street"),
):
    axes.scatter(places.geometry.x, places.geometry.y, s=4, color=color, label=label)
axes.set_aspect(1.3)
axes.set_title("Listed places in Pennsylvania")
axes.legend(loc="upper left", bbox_to_anchor=(0, -0.08), ncols=2)
plt.show()

# %% [markdown]
# The counties with most places. Join them with other data on `county_fips`, a text.

# %%
counties = around.groupby(["county_fips", "county_name"]).size().sort_values(ascending=False)
print(counties.head(10).to_string())
