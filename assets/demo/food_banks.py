"""Food banks of the demo and the ZIP codes they serve, in the format of the network's web
services."""

from datetime import UTC, datetime, time
from pathlib import Path

import msgspec
import pandas as pd

from assets.demo.files import Writing, write_csv
from assets.demo.words import WORDS
from schemas.values.names import fold_name

# Above all ids of the real network, so that no fact about a real food bank can apply to an invented
# one.
_FIRST_ID = 90_001


def write_food_banks(writing: Writing, zips: pd.DataFrame) -> list[Path]:
    """Return one food bank for each state and territory; `zips` is the reference geography.

    Draws no random numbers, so that the other files do not change. Post office boxes are omitted,
    as in the network's list.
    """
    folder = writing.folder / "feeding_america_2026"
    folder.mkdir(parents=True, exist_ok=True)
    standard_zips = zips[zips["zip_kind"].eq("standard") & zips["state"].notna()]
    states = sorted(standard_zips["state"].unique())
    names = {
        s: f"{WORDS.first[n % len(WORDS.first)]} Food Bank of {s}" for n, s in enumerate(states)
    }
    ids = {state: str(_FIRST_ID + n) for n, state in enumerate(states)}
    generated_at = datetime.combine(writing.as_of, time(), UTC).isoformat()
    catalogue = {
        "_metadata": {"generated_at": generated_at, "source": "demo", "entry_count": len(states)},
        **{ids[state]: _entry(int(ids[state]), names[state], state) for state in states},
    }
    members = folder / "feeding_america_catalogue.json"
    members.write_bytes(msgspec.json.encode(catalogue))
    rows = pd.DataFrame(
        {
            "zip": standard_zips["zip"],
            "fa_org_id": standard_zips["state"].map(ids),
            "fa_org_name": standard_zips["state"].map(names),
        }
    ).sort_values("zip", ignore_index=True)
    coverage = folder / "feeding_america_zip_coverage.csv"
    write_csv(coverage, iter([(0, len(rows))]), lambda start, count: rows)
    return [members, coverage]


def _entry(number: int, name: str, state: str) -> dict[str, object]:
    slug = fold_name(name).replace(" ", "-")
    return {
        "id": number,
        "name": name,
        "state": state,
        "find_food_url": f"https://{slug}.example.org/find-food/",
        "url_slug": slug,
        "is_affiliate": False,
    }
