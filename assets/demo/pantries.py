"""Pantries, kitchens, fridges and food banks of the demo, in two community formats."""

import json
import uuid
from datetime import timedelta
from pathlib import Path

import numpy as np
import pandas as pd

from assets.demo.files import Writing, mercator, write_csv
from assets.demo.sample import Sampler, Texts
from assets.demo.words import WORDS
from schemas.hours.recurrence import WEEKDAYS
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
