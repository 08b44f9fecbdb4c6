"""Reads lists of one area from different times, through the sources' own readers."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pandas as pd

from assets.cleaning.steps import clean
from assets.geography.model import Geography
from assets.geography.official import geography_from_files
from assets.geography.place_points import locate
from assets.hours.columns import with_hours
from assets.sources.assemble import assemble
from assets.sources.contract import RawFile, rows_of_files
from schemas.sources.registry import sources

HISTORY = "usda_snap_historical"
_HISTORY_FILE = "Statewide_SNAP_Retailers_Historical-FNS.HI.2022-05.csv"
FREE_FOOD = ("food_pantry", "soup_kitchen", "mobile_pantry", "community_fridge")


@dataclass(frozen=True, eq=False)
class PlaceList:
    """A list of places and its day. `rows` has the columns of `LOCATED`."""

    name: str
    day: date
    rows: pd.DataFrame

    @property
    def label(self) -> str:
        return f"{self.name} {self.day}"


class Shelf:
    """The lists below a folder, each read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read = cache(self._read_once)

    def places(self, source_id: str, file: str = "", **where: str) -> PlaceList:
        """Return a source's places with these values, of one file if named.

        An edition read alone is complete: no later edition has replaced its rows.
        """
        edition = self._read(source_id, file)
        rows = edition.rows
        for column, value in where.items():
            rows = rows[rows[column].fillna("").str.startswith(value)]
        return PlaceList(edition.name, edition.day, rows)

    @property
    @cache  # noqa: B019 - a run has one shelf
    def _geography(self) -> Geography:
        zips, cities, notes = geography_from_files(self._folder)
        return Geography(zips, cities, notes=tuple(notes))

    def _read_once(self, source_id: str, file: str) -> PlaceList:
        source = sources()[source_id]
        files = [one for one in self._files(source_id) if not file or one.name == file]
        places, _ = locate(assemble(source, files).accepted, self._geography)
        days = [one.vintage for one in files if one.vintage is not None]
        dates = pd.to_datetime(places["source_updated_date"]).dropna()
        day = max(days, default=None) or dates.max().date()
        return PlaceList(source_id, day, with_hours(places))

    def stores(self) -> pd.DataFrame:
        """Return every SNAP authorization of the state with a complete history, in the columns of
        a place plus `from_day` and `end_day`."""
        source = sources()[HISTORY]
        (file,) = (one for one in self._files(HISTORY) if one.name == _HISTORY_FILE)
        rows = clean(rows_of_files(source, [file]), source)
        rows = rows[rows["reject_reason"].fillna("") != "no_fixed_place"]
        return rows.assign(
            source_key=rows["source_row"].astype(str),
            location_precision="rooftop",
            # The source's mapping writes both days into texts.
            from_day=_day_in(rows["notes"], "since"),
            end_day=_day_in(rows["reject_detail"], "until"),
        ).reset_index(drop=True)

    def _files(self, source_id: str) -> list[RawFile]:
        source = sources()[source_id]
        files = []
        for folder in source.folders:
            for path in sorted((self._folder / "sources" / folder).glob("*")):
                layout = source.layout_of(path.name)
                if layout is not None:
                    name = path.name.removesuffix(".gz")
                    now, vintage = datetime.now(UTC), source.vintage_of(name)
                    files.append(RawFile(source_id, name, path, "", layout.layout, now, vintage))
        return files


def _day_in(texts: pd.Series, word: str) -> pd.Series:
    """Return the day (MM/DD/YYYY) after a word, or missing."""
    return pd.to_datetime(texts.str.extract(rf"\b{word} (\S+)")[0], format="%m/%d/%Y")
