# %% [markdown]
# # Near is not open
#
# The share of residents with listed free food within 5 miles, by state: any, with readable weekly hours, in the evening,
# at the weekend, and with hours that are recent enough to rely on. Unknown hours count as none: all but the first are lower
# bounds, and the first counts only what is listed ([coverage](../coverage.md)).

# %%
import io
import json
import os

import httpx
import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

LARDER = os.environ.get("LARDER", "http://127.0.0.1:8000")
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


# %%
# Only hours of every week: no "some weeks", no season, no remark.
free = table("resources").query("resource_type in @FREE")
weekly = free["hours"].dropna().map(json.loads).explode().dropna()
rules = pd.DataFrame(weekly.tolist(), index=weekly.index).reindex(
    columns=["freq", "byday", "opens_at", "closes_at", "interval", "description", "valid_from"]
)
plain = rules[["interval", "description", "valid_from"]].isna().all(axis=1)
rules = rules[plain & (rules["freq"] == "WEEKLY")].dropna(subset=["byday", "closes_at"]).astype(str)
groups = {
    "listed": free.index,
    "hours": rules.index.unique(),
    "evening": rules.index[rules["closes_at"] >= "19:00"].unique(),
    "weekend": rules.index[rules["byday"].str.contains("SA|SU")].unique(),
    "recent": rules.index[free.loc[rules.index, "is_hours_current"]].unique(),
}

# %%
zips = table("zips").dropna(subset=["lat", "population", "state"]).query("population > 0")
reach = 2 * np.sin(5 / 3958.7613 / 2)
if zips.empty:
    raise SystemExit("This release knows no residents by ZIP code: build one with --geography.")
near = pd.DataFrame({"state": zips["state"], "residents": zips["population"]})
for name, index in groups.items():
    found = cKDTree(on_sphere(free.loc[index])).query(on_sphere(zips))[0] if len(index) else np.inf
    near[name] = np.where(found <= reach, zips["population"], 0)
by_state = near.groupby("state").sum()
shares = by_state[[*groups]].div(by_state["residents"], axis=0).mul(100).round(1)
print(f"Per cent of {by_state['residents'].sum():,.0f} residents within 5 miles")
print(shares.assign(residents=by_state["residents"]).nlargest(10, "residents").to_string())
