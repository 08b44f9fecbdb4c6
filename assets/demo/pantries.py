"""Writes the demo's pantries, kitchens, fridges and food banks, in five community formats."""

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from assets.demo.files import Writing, mercator, write_csv
from assets.demo.sample import WORDS, Sampler, Texts, scheduler_slots
from assets.directory.identity import issue_id
from schemas.hours.recurrence import WEEKDAYS
from schemas.values.names import fold_name
from schemas.vocab.states import STATES

# Some states have no list, as in the real world: a search there finds no pantry nearby.
_WITHOUT_LISTS = ("DE", "MT", "ND", "WY")
LISTED_STATES = tuple(code for code in STATES if code not in _WITHOUT_LISTS)
# This many places are passed on, for another list to repeat some of them.
_HANDED_ON = 5_000


def write_study_list(writing: Writing, count: int) -> tuple[list[Path], pd.DataFrame]:
    """Write the layout of nyc_pantries_2023 for all states; return the first rows as well."""
    path = writing.folder / "nyc_pantries_2023" / f"food_pantries_{writing.month}.csv"
    first: list[pd.DataFrame] = []

    def make(start: int, rows: int) -> pd.DataFrame:
        frame = _study_rows(writing, start, rows)
        if not first:
            first.append(frame.dropna(subset=["lat"]).head(_HANDED_ON))
        return frame

    write_csv(path, writing.chunks(count), make)
    return [path], first[0] if first else _study_rows(writing, 0, 0)


def _study_rows(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    places = sampler.places(count, LISTED_STATES)
    spanish = places["is_spanish"].to_numpy(bool)
    hours = np.where(
        spanish,
        sampler.pick(writing.spanish_hours, count),
        sampler.pick(writing.english_hours, count),
    )
    hours = np.where(sampler.where(0.12, count), "", hours)
    slots = sampler.where(0.05, count)
    hours = np.where(slots, _make_dated_slots(writing, count), hours)
    notes = np.where(spanish, sampler.pick(WORDS.notes_es, count), sampler.pick(WORDS.notes, count))
    # One row in five was checked long ago: its hours must not be trusted.
    age = np.where(
        sampler.where(0.2, count),
        sampler.rng.integers(181, 900, count),
        sampler.rng.integers(0, 170, count),
    )
    updated = pd.to_datetime(writing.as_of) - pd.to_timedelta(age, unit="D")
    has_point = ~sampler.where(0.01, count)
    status = np.where(
        sampler.where(0.02, count),
        "closed",
        np.where(sampler.where(0.05, count), "unknown", "open"),
    )
    name = pantry_names(sampler, spanish)
    # Some rows are home delivery services in the town of their name.
    numbers = np.arange(start, start + count)
    name = np.where(numbers % 50 == 49, "Meals on Wheels of " + places["city"], name)
    return pd.DataFrame(
        {
            "": numbers,
            "Name": name,
            "Address": places["address"],
            "Additional Notes": notes,
            "Source FINAL": "DEMO",
            "Status FINAL": status,
            "Status FPC": status,
            "Status Plentiful": "",
            "Last Updated FINAL": updated.strftime("%m/%d/%Y 7:00 PM"),
            "Last Updated FPC": updated.strftime("%m/%d/%Y"),
            "Last Updated Plentiful": "",
            "Hours FINAL": hours,
            "Hours FPC": hours,
            "Hours Plentiful": "",
            "Website": websites(sampler, count),
            "ID Required": sampler.pick(("yes", "no", ""), count),
            "Zipcode": places["zip"],
            "lat": places["lat"].where(has_point),
            "lng": places["lng"].where(has_point),
            "City": places["city"],
            "State": places["state"],
            "id": [
                str(uuid.UUID(int=int(n), version=4)) for n in sampler.rng.integers(1, 2**62, count)
            ],
        }
    )


def _make_dated_slots(writing: Writing, count: int) -> Texts:
    """Return multi-line lists of dated slots, as an app exports them."""
    days = [writing.as_of + timedelta(days=7 * n) for n in range(-2, 6)]
    lists = [
        "\n".join(f"{day:%Y-%m-%d} 11:00AM-01:00PM" for day in days[i : i + 3]) for i in range(5)
    ]
    return writing.sampler.pick(tuple(lists), count)


def pantry_names(sampler: Sampler, spanish: np.ndarray) -> Texts:
    """Invent names, Spanish where the mask says so."""
    count = len(spanish)
    english = sampler.pick(WORDS.first, count) + " " + sampler.pick(WORDS.pantry_kinds, count)
    other = sampler.pick(WORDS.pantry_kinds_es, count) + " " + sampler.pick(WORDS.first_es, count)
    return np.asarray(np.where(spanish, other, english), dtype=object)


def websites(sampler: Sampler, count: int) -> Texts:
    """Return addresses below example.org, and the junk that such columns hold."""
    site = "https://demo" + sampler.digits(count, 1, 9999) + ".example.org/"
    junk = sampler.pick(("", "n/a", "http://", "HTTP://DEMO.EXAMPLE.ORG/Pantry"), count)
    return np.where(sampler.where(0.4, count), junk, site)


def write_locator(writing: Writing, count: int) -> list[Path]:
    """Write a food bank's locator: JSON lines, Web Mercator metres, each slot three times."""
    path = writing.folder / "haarrrvest_2025" / f"capital_area_food_bank_dc.{writing.month}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii") as stream:
        for _, rows in writing.chunks(count):
            for record in _locator_rows(writing.sampler, rows).to_dict("records"):
                stream.write(json.dumps(record) + "\n")
    return [path]


_SPANS = ("9:00:00-12:00:00", "10:00:00-13:00:00", "13:00:00-15:30:00", "17:00:00-19:00:00")


def _locator_rows(sampler: Sampler, count: int) -> pd.DataFrame:
    places = sampler.places(count, LISTED_STATES)
    span = sampler.pick(_SPANS, count)
    hours = sampler.pick(WEEKDAYS, count) + ": " + span + ", " + span + ", " + span
    metres = mercator(places["lat"], places["lng"])
    tefap = sampler.pick(("TEFAP Available", "Non-TEFAP"), count)
    return pd.DataFrame(
        {
            "id": None,
            "name": pantry_names(sampler, places["is_spanish"].to_numpy(bool)),
            "address": places["address"],
            "address2": "",
            "city": places["city"],
            "state": places["state"],
            "zip": places["zip"],
            "county": places["state"] + " " + places["county_name"],
            "phone": sampler.phones(count),
            "latitude": metres["y"],
            "longitude": metres["x"],
            "website": websites(sampler, count),
            "email": "",
            "tefap": tefap,
            "hours": np.where(sampler.where(0.1, count), "", hours),
            "services": [[value] for value in tefap],
            "notes": sampler.pick(WORDS.notes, count),
            "source": "capital_area_food_bank_dc",
            "food_bank": "Demo Food Bank",
            "full_address": places["address"],
        }
    )


EDITS_FOLDER, EDITED_SOURCE = "operations_edits", "nyc_pantries_2023"
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
            "resource_id": issue_id(EDITED_SOURCE, key),
            "authority": "operator",
            "changes": {},
            "base": {},
            "is_confirmed": True,
            "told_on": (writing.as_of - timedelta(days=int(age))).isoformat(),
        }
        for key, age in zip(confirmed["id"], ages, strict=True)
    ]
    path = writing.folder / EDITS_FOLDER / "edits.demo.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(entries)))
    return [path]


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
