"""SNAP retailers of the demo: the current service's CSV, and its JSON pages."""

from pathlib import Path

import numpy as np
import pandas as pd

from assets.demo.files import Writing, write_csv, write_pages
from assets.demo.sample import WORDS, Sampler

_RESTAURANT_SHARE = 0.03
# Pages are for showing the form; a national register in one JSON file would only cost time.
_MAX_PAGED = 10_000


def write_stores(writing: Writing, count: int) -> list[Path]:
    """Write about nine tenths as CSV, the rest (10,000 at most) as ArcGIS pages."""
    paged = min(count // 10, _MAX_PAGED)
    folder = writing.folder / "snap_retailers"
    plain = folder / f"snap_retailer_location_data.{writing.month}.csv"
    write_csv(
        plain,
        writing.chunks(count - paged),
        lambda start, rows: _stores(writing.sampler, start, rows),
    )
    pages = folder / f"snap_retailer_location_data.pages.{writing.month}.json"
    write_pages(pages, _stores(writing.sampler, count, paged))
    return [plain, pages]


def _stores(sampler: Sampler, start: int, count: int) -> pd.DataFrame:
    places = sampler.places(count)
    kind = sampler.pick(WORDS.store_kinds, count)
    name = pd.Series(sampler.pick(WORDS.first, count) + " " + kind)
    number = pd.Series(sampler.digits(count, 1, 9999))
    name = name.where(~sampler.where(0.3, count), name + " " + number)
    name = name.where(~sampler.where(0.25, count), name.str.upper())
    name = name.where(~sampler.where(0.01, count), name + " N/A")
    street, rest = places["address"], pd.Series("", index=places.index)
    split = sampler.where(0.01, count)
    parts = street.str.rsplit(" ", n=1, expand=True)
    lat, lng = _faults(sampler, places)
    store_type = pd.Series(sampler.pick(WORDS.store_types, count))
    store_type = store_type.mask(
        sampler.where(_RESTAURANT_SHARE, count, at_least=1), "Restaurant Meals Program"
    )
    rows = pd.DataFrame(
        {
            "Record_ID": np.arange(start, start + count) + 9_000_000,
            "Store_Name": name,
            "Store_Street_Address": street.where(~split, parts[0]),
            # The publisher's spelling.
            "Additonal_Address": rest.where(~split, parts[1]),
            "City": places["city"],
            "State": places["state"],
            "Zip_Code": places["zip"],
            "Zip4": np.where(sampler.where(0.1, count), "    ", sampler.digits(count, 1000, 9999)),
            "County": places["county_name"].str.upper(),
            "Store_Type": store_type,
            "Latitude": lat,
            "Longitude": lng,
            "Incentive_Program": "",
            "Grantee_Name": "",
            "ObjectId": np.arange(start, start + count) + 22,
        }
    )
    return _with_repeats(sampler, rows)


def _faults(sampler: Sampler, places: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return points with the register's faults: 0,0, swapped, minus sign lost, off continent."""
    count = len(places)
    lat, lng = places["lat"].copy(), places["lng"].copy()
    zero = sampler.where(0.002, count)
    lat, lng = lat.mask(zero, 0.0), lng.mask(zero, 0.0)
    swapped = sampler.where(0.001, count)
    lat, lng = lat.where(~swapped, places["lng"]), lng.where(~swapped, places["lat"])
    lng = lng.mask(sampler.where(0.0005, count), lng.abs())
    abroad = sampler.where(0.0005, count)
    return lat.mask(abroad, 10.4766), lng.mask(abroad, -66.8455)


def _with_repeats(sampler: Sampler, rows: pd.DataFrame) -> pd.DataFrame:
    """Repeat one row in a hundred under another id, as stores do that changed hands."""
    again = rows[sampler.where(0.01, len(rows))].copy()
    again["Record_ID"] += 500_000_000
    first = rows.iloc[: len(rows) - len(again)]
    return pd.concat(
        [first, again.assign(Store_Name=again["Store_Name"].str.upper())], ignore_index=True
    )
