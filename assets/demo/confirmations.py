"""Invented confirmations: operators of the demo's pantries who said that their listing is right."""

from datetime import timedelta
from pathlib import Path

import msgspec
import pandas as pd

from assets.demo.files import Writing
from assets.directory.identity import issue_id

FOLDER, SOURCE = "operations_edits", "nyc_pantries_2023"
# One listed pantry in five has an active operator; some confirmed it more than half a year ago.
_SHARE = 0.2
_OLDEST_DAYS = 240


def write_confirmations(writing: Writing, pantries: pd.DataFrame) -> list[Path]:
    """Write confirmations of some `pantries` in the operations store's format.

    `pantries` are rows of the study list. Equal arguments give equal bytes.
    """
    sampler = writing.sampler
    is_open = pantries["Status FINAL"].eq("open").to_numpy(dtype=bool)
    confirmed = pantries[
        is_open & sampler.where(_SHARE, len(pantries), at_least=min(12, len(pantries)))
    ]
    ages = sampler.rng.integers(1, _OLDEST_DAYS, len(confirmed))
    entries = [
        {
            "key": f"demo-{key}",
            "resource_id": issue_id(SOURCE, key),
            "authority": "operator",
            "changes": {},
            "base": {},
            "is_confirmed": True,
            "told_on": (writing.as_of - timedelta(days=int(age))).isoformat(),
        }
        for key, age in zip(confirmed["id"], ages, strict=True)
    ]
    path = writing.folder / FOLDER / "edits.demo.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(entries)))
    return [path]
