# %% [markdown]
# # What changed between two releases
#
# `/api/releases` lists the releases, `/api/changes?since=` leads from one of them to the current one: places
# added, changed, merged, retired and listed again, in order of id. `until` keeps all pages to one pair of releases.

# %%
import os

import httpx
import pandas as pd

LARDER = os.environ.get("LARDER", "http://127.0.0.1:8000")
releases = httpx.get(f"{LARDER}/api/releases").raise_for_status().json()["releases"]
stored = [one["id"] for one in releases if one["is_kept"]]
print(pd.DataFrame(releases)[["id", "as_of_date", "listed", "is_kept"]].to_string(index=False))

# %%
changes, address = [], f"{LARDER}/api/changes?since={stored[-1]}&limit=1000"
while address:
    page = httpx.get(address, timeout=60).raise_for_status().json()
    changes += page["changes"]
    address = page["next"]
print(f"{len(changes):,} changes from {page['since']} to {page['until']}")

# %%
kinds = pd.Series([one["change"] for one in changes], dtype="string").value_counts()
fields = pd.Series([name for one in changes for name in one.get("fields") or ()], dtype="string")
print(kinds.to_string())
print(fields.value_counts().head(10).to_string())

# %% [markdown]
# How a place was listed then: the files of the older release say it, while they are stored.

# %%
then = pd.read_parquet(f"{LARDER}/exports/{stored[-1]}/resources.parquet").set_index("id")
for one in [one for one in changes if one["change"] == "changed"][:3]:
    print(one["resource_id"], then.loc[one["resource_id"], sorted(one["fields"])].to_dict())
