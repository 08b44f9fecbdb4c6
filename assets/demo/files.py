"""Writes the demo's files in pieces, so that millions of rows need little memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv

from assets.demo.sample import WORDS, Sampler, english_hours, spanish_hours

CHUNK = 50_000
_PAGE = 1_000
_MERCATOR_RADIUS = 6378137.0


@dataclass(frozen=True)
class Writing:
    """Context of every writer. `as_of` is the reference date of the demo."""

    folder: Path
    sampler: Sampler
    as_of: date

    @property
    def month(self) -> str:
        """The vintage in file names: YYYY-MM."""
        return f"{self.as_of:%Y-%m}"

    @cached_property
    def english_hours(self) -> tuple[str, ...]:
        """Opening hours to draw from: the short list of known strings and many made ones."""
        return WORDS.hours * 20 + english_hours(self.sampler.rng)

    @cached_property
    def spanish_hours(self) -> tuple[str, ...]:
        return WORDS.hours_es * 20 + spanish_hours(self.sampler.rng)

    def chunks(self, count: int) -> Iterator[tuple[int, int]]:
        """Return (start, rows) of pieces that add up to `count`."""
        return ((start, min(CHUNK, count - start)) for start in range(0, count, CHUNK))


def write_csv(
    path: Path,
    chunks: Iterator[tuple[int, int]],
    make: Callable[[int, int], pd.DataFrame],
) -> None:
    """Write a CSV file of the frames that `make(start, rows)` gives for each piece."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        for number, (start, rows) in enumerate(chunks):
            table = pa.Table.from_pandas(make(start, rows), preserve_index=False)
            options = pyarrow.csv.WriteOptions(include_header=number == 0, quoting_style="needed")
            pyarrow.csv.write_csv(table, stream, options)


def write_table(
    writing: Writing,
    source: str,
    name: str,
    count: int,
    make: Callable[[Writing, int, int], pd.DataFrame],
) -> list[Path]:
    """Write one CSV file of a source with the rows that `make(writing, start, rows)` gives."""
    path = writing.folder / source / name
    write_csv(path, writing.chunks(count), lambda start, rows: make(writing, start, rows))
    return [path]


def write_ansi_table(path: Path, rows: pd.DataFrame) -> list[Path]:
    """Write a CSV file in Windows-1252, as the publisher writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows.to_csv(path, index=False, encoding="cp1252", errors="replace", lineterminator="\n")
    return [path]


def mercator(lat: pd.Series, lng: pd.Series) -> pd.DataFrame:
    """Return points in Web Mercator metres, columns x and y, as map layers keep them."""
    radians = np.radians(lat.to_numpy(dtype="float64"))
    y = _MERCATOR_RADIUS * np.log(np.tan(np.pi / 4 + radians / 2))
    x = _MERCATOR_RADIUS * np.radians(lng.to_numpy(dtype="float64"))
    return pd.DataFrame({"x": x, "y": y})


def write_pages(path: Path, rows: pd.DataFrame, points: pd.DataFrame | None = None) -> None:
    """Write an ArcGIS layer as answers of 1,000 features; `points` are the geometry, x and y."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encode = msgspec.json.Encoder().encode
    fields = [{"name": name, "alias": name} for name in rows.columns]
    records = [{"attributes": row} for row in rows.to_dict("records")]
    if points is not None:
        for record, point in zip(records, points.to_dict("records"), strict=True):
            record["geometry"] = point
    with path.open("wb") as stream:
        for start in range(0, max(len(records), 1), _PAGE):
            page = {
                "spatialReference": {"wkid": 102100, "latestWkid": 3857},
                "fields": fields,
                "exceededTransferLimit": start + _PAGE < len(records),
                "features": records[start : start + _PAGE],
            }
            stream.write((b",\n" if start else b"[") + encode(page))
        stream.write(b"]\n")
