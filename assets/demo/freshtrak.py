"""The demo's food bank scheduler: agencies with dated distributions, one JSON object per line.

Some agencies are also in the study list under another spelling, for matching to find.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from assets.demo.files import Writing
from assets.demo.hours import scheduler_slots
from assets.demo.pantries import LISTED_STATES
from assets.demo.words import WORDS

# How many agencies repeat a place of the study's list.
_REPEATED_SHARE = 0.1
_WITHOUT_POINT = 0.05


def write_scheduler(writing: Writing, count: int, pantries: pd.DataFrame) -> list[Path]:
    """Write the scheduler's file; `pantries` are places of the study's list (Name, Address, City,
    State, Zipcode, lat, lng) to repeat from."""
    path = writing.folder / "haarrrvest_2025" / f"freshtrak.{writing.month}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    pool = scheduler_slots(writing.sampler.rng, writing.as_of)
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as stream:
        for start, rows in writing.chunks(count):
            agencies = _agencies(writing, start, rows, pantries)
            pantries = pantries.iloc[:0]
            for record in _records(agencies, pool):
                stream.write(encode(record) + b"\n")
    return [path]


def _agencies(writing: Writing, start: int, count: int, pantries: pd.DataFrame) -> pd.DataFrame:
    sampler = writing.sampler
    frame = sampler.places(count, LISTED_STATES)
    kinds = pd.DataFrame(WORDS.scheduled, columns=["label", "name", "weight"])
    share = kinds["weight"] / kinds["weight"].sum()
    kind_numbers = sampler.rng.choice(len(kinds), size=count, p=share.to_numpy())
    # Each kind comes first once, so that small demos have them all.
    kind_numbers[: len(kinds)] = range(min(len(kinds), count))
    frame["label"] = kinds["label"].to_numpy()[kind_numbers]
    frame["name"] = sampler.pick(WORDS.first, count) + " " + kinds["name"].to_numpy()[kind_numbers]
    frame["phone"] = sampler.phones(count)
    frame["id"] = range(start + 1, start + count + 1)
    frame["slots"] = sampler.rng.integers(0, 300, count)
    frame["detail"] = sampler.pick(WORDS.notes, count)
    frame.loc[sampler.where(_WITHOUT_POINT, count), ["lat", "lng"]] = None
    _repeat(frame, pantries.head(int(count * _REPEATED_SHARE)))
    return frame


def _repeat(frame: pd.DataFrame, pantries: pd.DataFrame) -> None:
    """Repeat the last rows as the other list has them: in capitals, the point a little off."""
    rows = frame.index[len(frame) - len(pantries) :]
    for name, column in (("name", "Name"), ("address", "Address"), ("city", "City")):
        frame.loc[rows, name] = pantries[column].str.upper().to_numpy()
    for name, column in (("state", "State"), ("zip", "Zipcode")):
        frame.loc[rows, name] = pantries[column].to_numpy()
    for axis in ("lat", "lng"):
        frame.loc[rows, axis] = (pantries[axis] + 0.0001).round(6).to_numpy()
    frame.loc[rows, "label"] = "Food Pantry"


def _records(
    agencies: pd.DataFrame, pool: list[list[dict[str, object]]]
) -> Iterator[dict[str, Any]]:
    plain = agencies.astype(object).where(agencies.notna(), None)
    for row in plain.to_dict("records"):
        place = {name: row[name] for name in ("address", "city", "state", "zip")}
        point = {"latitude": row["lat"], "longitude": row["lng"], "estimated_distance": 0.0}
        event = {
            "id": row["id"] * 10,
            "name": row["name"],
            **place,
            **point,
            "event_details": row["detail"],
            "exception_note": "",
            "event_dates": [
                {"id": row["id"] * 100 + n, "event_id": row["id"] * 10, **slot}
                for n, slot in enumerate(pool[row["slots"]])
            ],
            "service_category": {"id": 10, "service_category_name": row["label"]},
        }
        yield {
            "id": row["id"],
            "name": row["name"],
            "nickname": row["name"],
            **place,
            "phone": row["phone"],
            **point,
            "source": "freshtrak_api",
            "events": [event],
        }
