"""Columns of the places of a release in memory: identity, point, type, dates, attributes."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from schemas.attributes import CODE_LISTS, TRUTHS
from schemas.tables.serving import PLACE_COLUMNS, PLACES
from schemas.values.coordinates import chord_to_miles, round_in_order
from schemas.values.usual_hours import Advice, advice_for
from schemas.vocab.resource_types import MODES, RESOURCE_TYPES, TYPE_IDS, TYPES_BY_MODE
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import DATE_KINDS, LOCATION_PRECISIONS, VERIFICATION_STATUSES, DateKind
from warehouse.duckdb import Connection
from warehouse.index.spatial import Hit

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]

TYPE_CODES = {type_id: code for code, type_id in enumerate(TYPE_IDS)}
MODE_TYPES: dict[str, frozenset[int]] = {
    mode: frozenset(TYPE_CODES[t] for t in TYPES_BY_MODE[mode]) for mode in MODES
}
# Mode number of each type; the number after the last is for types without a mode.
MODE_NUMBERS = np.array(
    [MODES.index(t.mode) if t.mode else len(MODES) for t in RESOURCE_TYPES.values()], np.uint8
)
MODE_JSON = [f'"{t.mode}"' if t.mode else "null" for t in RESOURCE_TYPES.values()]
_TRUTH_PLACES = {truth.name: 2 * truth.bit for truth in TRUTHS}
_CODES = {one.name: one.codes for one in CODE_LISTS}


# The last day of a closure that nobody knows, and the type in searches of places that none finds.
FOR_GOOD, _NOWHERE = 2**31 - 1, 255


def find_types(type_codes: np.ndarray, closed_until: np.ndarray) -> np.ndarray:
    """Return the type under which a search finds each place: none for free food closed for now."""
    is_left_out = (closed_until >= 0) & np.isin(type_codes, list(MODE_TYPES["free"]))
    return np.where(is_left_out, np.uint8(_NOWHERE), type_codes)


class Attributes:
    """The columns of `schemas.tables.serving.ATTRIBUTE_COLUMNS`."""

    def __init__(self, columns: Mapping[str, np.ndarray]) -> None:
        self._columns = columns

    def truths(self, rows: Rows) -> NDArray[np.uint32]:
        """Return all truths as bits, two for each."""
        bits: NDArray[np.uint32] = self._columns["truths"].take(rows)
        return bits

    def truth(self, name: str, rows: Rows) -> tuple[Bools, Bools]:
        """Return for each row whether the attribute is true, and whether it is known."""
        bits = self.truths(rows)
        place = _TRUTH_PLACES[name]
        return (bits & (2 << place)) != 0, (bits & (1 << place)) != 0

    def bits(self, name: str, rows: Rows) -> NDArray[np.uint64]:
        """Return the set of an attribute as bits; 0 is unknown."""
        bits: NDArray[np.uint64] = self._columns[name].take(rows)
        return bits

    def ages(self, rows: Rows) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """Return the least and greatest age; -1 if unknown."""
        return self._columns["minimum_age"].take(rows), self._columns["maximum_age"].take(rows)


def bits_of(name: str, codes: Iterable[str]) -> np.uint64:
    """Return the bits of some codes of a set. Raises ValueError for a code outside its
    vocabulary."""
    return np.uint64(sum(1 << _CODES[name].index(code) for code in codes))


def _counts(codes: np.ndarray, names: tuple[str, ...]) -> dict[str, int]:
    """Count each code, a position in `names`; every name gets a count."""
    by_code = Counter(dict(enumerate(np.bincount(codes, minlength=len(names)).tolist())))
    return {name: by_code[code] for code, name in enumerate(names)}


class PointColumns:
    """Columns by row: the position of an active resource ordered by id."""

    def __init__(self, db: Connection) -> None:
        """Read the columns of the places from the database of a release."""
        names = ", ".join(name for name, _, _ in PLACE_COLUMNS)
        query = f"SELECT {names} FROM {PLACES} ORDER BY resource_id"
        columns = self._columns = db.execute(query).fetchnumpy()
        self.attributes = Attributes(columns)
        self.ids = columns["resource_id"]
        self.type_codes = columns["type_code"]
        self.closed_until_days = columns["closed_until_day"]
        self.state_codes = columns["state_code"]
        self.verification_codes = columns["verification_code"]
        # Days since 1970-01-01, -1 for none.
        self.confirmed_days, self.dated_days = columns["confirmed_day"], columns["dated_day"]
        self.hours_until_days = columns["hours_until_day"]
        self._dated_kinds, self._origin_at = (
            columns["dated_code"].data,
            columns["hours_origin_code"].data,
        )
        self.completeness_scores = columns["completeness_score"]
        # Reading plain Python numbers from a memoryview costs a third of NumPy.
        self._id_at = self.ids.data
        self.lats, self.lngs = columns["lat"], columns["lng"]
        self._lat_at, self._lng_at = columns["lat"].data, columns["lng"].data
        self._type_at, self._verification_at = self.type_codes.data, self.verification_codes.data
        self._hours_at, self._until_at = columns["hours_code"].data, self.hours_until_days.data
        # Rows with equal inputs of their live members share the first such row.
        self._live_row_at = columns["live_row"].data
        self._precision_at = columns["precision_code"].data
        self.hours_codes = columns["hours_code"]
        self.has_phone, self.has_website = columns["has_phone"], columns["has_website"]
        self.is_confidential = columns["is_confidential"]
        self.count_by_type = _counts(self.type_codes, TYPE_IDS)
        self.count_by_state = _counts(self.state_codes, STATE_CODES)
        self.count_by_verification = _counts(self.verification_codes, VERIFICATION_STATUSES)

    def __len__(self) -> int:
        return len(self.ids)

    def find_listed_row(self, resource_id: int) -> int | None:
        row = bisect_left(self._id_at, resource_id)
        return row if row < len(self._id_at) and self._id_at[row] == resource_id else None

    def id_of(self, row: int) -> int:
        return int(self._id_at[row])

    def point_of(self, row: int) -> tuple[float, float]:
        """Return the latitude and longitude."""
        return self._lat_at[row], self._lng_at[row]

    def type_of(self, row: int) -> int:
        """Return the type code."""
        return self._type_at[row]

    def precision_of(self, row: int) -> str:
        return LOCATION_PRECISIONS[self._precision_at[row]]

    def verification_of(self, row: int) -> str:
        return VERIFICATION_STATUSES[self._verification_at[row]]

    def find_date_kind(self, row: int) -> DateKind:
        """Return the kind of a row's newest date."""
        return DATE_KINDS[self._dated_kinds[row]]

    def advice(self, row: int) -> Advice:
        """Return the advice before a trip to a place that may be closed."""
        return advice_for(
            has_phone=bool(self.has_phone[row]), has_website=bool(self.has_website[row])
        )

    def display_miles(
        self, hits: Sequence[Hit], miles: Sequence[float] | None = None
    ) -> list[float]:
        """Return the displayed distances of a list: rounded by precision, never showing a farther
        place as nearer.

        `miles` are the exact ones, if already known.
        """
        miles = miles_of(hits) if miles is None else miles
        precisions = self._precision_at
        return round_in_order(miles, [LOCATION_PRECISIONS[precisions[row]] for _, row in hits])


def miles_of(hits: Sequence[Hit]) -> list[float]:
    """Return the exact distances of hits."""
    return [chord_to_miles(math.sqrt(square)) for square, _ in hits]
