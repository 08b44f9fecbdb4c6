"""The food banks of a release by the ZIP codes they serve."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np

from schemas.tables.core import FOOD_BANKS
from schemas.values.names import fold_name
from warehouse.duckdb import Connection, table_names
from warehouse.index.fuzzy_names import errors_by_word


class FoodBank(NamedTuple):
    """A food bank and its own page for finding food. `as_of` is the date of the network's list."""

    id: str
    name: str
    url: str | None
    phone: str | None
    as_of: date | None


class FoodBanks:
    """Lookup by ZIP code."""

    def __init__(self, banks: Sequence[tuple[FoodBank, Iterable[str]]] = ()) -> None:
        """`banks`: each with the ZIP codes that it serves."""
        self._banks = [bank for bank, _ in banks]
        # (ZIP code, food bank) as one sorted table: a dictionary would cost each worker 5 MB.
        pairs = [(int(code), number) for number, (_, codes) in enumerate(banks) for code in codes]
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


def read_food_banks(db: Connection) -> FoodBanks:
    """Return the food banks of a release; none if it was built without them."""
    if FOOD_BANKS.name not in table_names(db):
        return FoodBanks()
    query = f"""
        SELECT source_key, name, website, phone, source_updated_date,
            list_distinct(list_concat(served_zips, served_county_zips))
        FROM {FOOD_BANKS.name} ORDER BY rowid"""
    rows = db.execute(query).fetchall()
    return FoodBanks([(FoodBank(*bank), codes) for *bank, codes in rows])
