"""Reads a release's food banks by the ZIP codes they serve: one file, in memory."""

from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from schemas.tables.core import FOOD_BANKS
from schemas.values.names import fold_name
from warehouse.index.columns import read_arrow, write_arrow
from warehouse.index.fuzzy_names import errors_by_word
from warehouse.index.writer import SERVING_FOLDER

_NAME = "food_banks.arrow"


class FoodBank(NamedTuple):
    """A food bank and its own page for finding food. `as_of` is the date of the network's list."""

    id: str
    name: str
    url: str | None
    phone: str | None
    as_of: date | None


class FoodBanks:
    """Lookup by ZIP code. Empty for releases without the file."""

    def __init__(self, table: pa.Table | None = None) -> None:
        rows = table.to_pylist() if table is not None else []
        self._banks = [
            FoodBank(r["source_key"], r["name"], r["website"], r["phone"], r["source_updated_date"])
            for r in rows
        ]
        # (ZIP code, food bank) as one sorted table: a dictionary would cost each worker 5 MB.
        pairs = [
            (int(code), number)
            for number, row in enumerate(rows)
            for code in {*row["served_zips"], *row["served_county_zips"]}
        ]
        self._served = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self._banks)

    def find_named(self, name: str) -> list[FoodBank]:
        """Return food banks whose name contains every word of a text, the shortest names first."""
        words = set(fold_name(name).split())
        matches = [bank for bank in self._banks if words <= set(fold_name(bank.name).split())]
        return sorted(matches, key=lambda bank: (len(bank.name), bank.id))

    def find_spelt_alike(self, name: str) -> list[tuple[int, FoodBank]]:
        """Return food banks whose name contains every word of a misspelt text, and the number of
        typing errors, fewest first. None for a single word, which matches too many."""
        query_words = fold_name(name).split()
        if len(query_words) < 2:
            return []
        matches = [
            (errors, len(bank.name), bank.id, bank)
            for bank in self._banks
            if (errors := errors_by_word(query_words, fold_name(bank.name).split())) is not None
        ]
        return [(errors, bank) for errors, *_, bank in sorted(matches)]

    def of_zip(self, code: str) -> list[FoodBank]:
        """Return the food banks that serve a ZIP code, ordered by id; most ZIP codes have one."""
        zips = self._served[:, 0]
        first, last = (int(np.searchsorted(zips, int(code), side)) for side in ("left", "right"))
        return [self._banks[number] for number in self._served[first:last, 1].tolist()]


def write_food_banks(source: Path, folder: Path) -> None:
    """Write the food banks of a `FOOD_BANKS` Parquet file into the folder of the service files."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - see `warehouse.release.store.check_faults`

    table = pq.read_table(source, columns=FOOD_BANKS.field_names)
    write_arrow(table, folder / _NAME)


def read_food_banks(folder: Path) -> FoodBanks:
    """Return the food banks of a release. Raises OSError, or pyarrow.ArrowInvalid when damaged."""
    path = folder / SERVING_FOLDER / _NAME
    return FoodBanks(read_arrow(path) if path.exists() else None)
