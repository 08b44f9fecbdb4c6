# %% [markdown]
# # Places by state, without a download
#
# DuckDB reads from `resources.parquet` the columns that a question needs, by HTTP ranges. `LARDER` is the address of an
# instance. Where DuckDB may fetch its extensions, `INSTALL httpfs; LOAD httpfs; FROM 'https://...'` does without Arrow.

# %%
import os

import duckdb
import httpx
import matplotlib.pyplot as plt
import pyarrow.dataset as ds
from obstore.fsspec import FsspecStore

LARDER = os.environ.get("LARDER", "http://127.0.0.1:8000")
release = httpx.get(f"{LARDER}/exports/index.json").raise_for_status().json()["latest"]
web = FsspecStore(LARDER.split(":")[0], client_options={"allow_http": True})
places = ds.dataset(f"{LARDER}/exports/{release}/resources.parquet", filesystem=web)
print(f"Release {release}: {places.count_rows():,} places, {len(places.schema)} columns")

# %% [markdown]
# Not every place gives food away: a store that takes SNAP sells it. Count the types that give, and of how many the hours
# are known. `hours` is empty where they are not: unknown, not closed.

# %%
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
by_state = duckdb.execute(
    """
    SELECT state, count(*) AS places, count(hours) AS with_hours,
        round(100 * count(hours) / count(*)) AS percent
    FROM places WHERE list_contains($free, resource_type)
    GROUP BY state ORDER BY places DESC, state
    """,
    {"free": FREE},
).df()
print(by_state.head(10).to_string(index=False))

# %%
first = by_state.head(20)[::-1]
figure, axes = plt.subplots(figsize=(7, 6))
axes.barh(first["state"], first["places"], color="#c9d6e3", label="listed")
axes.barh(first["state"], first["with_hours"], color="#1f5c99", label="with hours")
axes.set_title(f"Places that give food, release {release}")
axes.legend(loc="lower right")
plt.show()
