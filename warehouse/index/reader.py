"""Opens a release for reading, with everything the service needs.

The hot path touches memory only: columns, arenas, spatial indexes. DuckDB serves the cold paths,
each with a separate cursor.
"""

import threading
from collections.abc import Hashable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from schemas.api.record import Doubt
from warehouse.duckdb import Connection
from warehouse.index.arena import Arena, Tails
from warehouse.index.attribute_bits import Facts
from warehouse.index.columns import numbers, read_arrow
from warehouse.index.food_banks import read_food_banks
from warehouse.index.gazetteer_file import read_gazetteer
from warehouse.index.home_deliveries import HomeDeliveries
from warehouse.index.live_overlay import Closure
from warehouse.index.lookups import read_lookups
from warehouse.index.points import MODE_TYPES, find_types
from warehouse.index.profiles import NO_REPORT, Moment
from warehouse.index.retired_ids import GoneIds
from warehouse.index.row_hours import RowHours
from warehouse.index.service_areas import ServiceAreas
from warehouse.index.spatial import SpatialIndex
from warehouse.release.manifest import check_format, read_manifest
from warehouse.release.tables import open_tables

_NOTHING = b"null"
_NO_DOUBT = b',"doubt":' + _NOTHING


class OpenRelease(RowHours):
    """One release, read whole at construction. Raises if any part is missing or damaged.

    Rows are positions of active resources in id order. It closes with its last reference.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.release_id = self.manifest.release_id
        # During a pull the folder has another name.
        check_format(self.manifest, self.release_id)
        self.is_synthetic = self.manifest.is_synthetic
        serving = folder / "serving"
        super().__init__(serving)
        self._details = Arena(serving / "details.arrow")
        self._tails = Tails(serving / "detail_tails.arrow")
        self.facts = self._read_facts(serving / "facts.arrow")
        if not len(self._records) == len(self._details) == len(self._tails) == len(self):
            raise ValueError(
                f"{folder.name}: {len(self)} points, {len(self._records)} records,"
                f" {len(self._details)} details"
            )
        self._spatial = SpatialIndex(
            self.lats, self.lngs, find_types(self.type_codes, self.closed_until_days), MODE_TYPES
        )
        self.gazetteer = read_gazetteer(serving)
        self.food_banks = read_food_banks(folder)
        lookups = read_lookups(folder)
        self.service_areas = ServiceAreas(lookups["service_areas"], self.ids, self.gazetteer)
        self.home_deliveries = HomeDeliveries(lookups["home_deliveries"])
        self._gone = GoneIds(lookups["gone_ids"])
        self._db: Connection | None = None
        self._opening = threading.Lock()
        # The stored part of a row's record: JSON text without its last brace.
        self.read_record = self._records.__getitem__
        # Values that other modules compute from the release, dropped together with it.
        self.derived: dict[Hashable, Any] = {}
        self._closed: dict[int, Closure] = self.live.closed
        self._hidden: dict[int, int] = {}

    def _read_facts(self, path: Path) -> Facts:
        table = read_arrow(path)
        facts = Facts({name: numbers(table[name]) for name in table.column_names})
        if len(facts) != len(self):
            raise ValueError(f"{self.folder.name}: {len(self)} points, {len(facts)} facts")
        return facts

    @property
    def spatial(self) -> SpatialIndex:
        """Return the spatial index without places that closed permanently since the build."""
        if self._closed is not self.live.closed:
            self._hide_closed()
        return self._spatial

    def _hide_closed(self) -> None:
        self._closed = self.live.closed
        # A closing reported during the build may be missing in the release: hide it anyway.
        build_day = datetime.fromisoformat(self.manifest.created_at) - timedelta(days=1)
        later = (i for i, closure in self._closed.items() if closure.closed_at > build_day)
        self._hidden = {i: row for i in later if (row := self.find_listed_row(i)) is not None}
        self._spatial.hide(self._hidden.values())

    def is_hidden(self, resource_id: int) -> bool:
        """Return whether the place is in the release but has since closed permanently."""
        if self._closed is not self.live.closed:
            self._hide_closed()
        return resource_id in self._hidden

    def row_of(self, resource_id: int) -> int | None:
        """Return the row of an active resource that has not closed since."""
        if self.live.closed and self.is_hidden(resource_id):
            return None
        return self.find_listed_row(resource_id)

    def find_gone(self, resource_id: int) -> tuple[bool, int | None]:
        """Return whether an id was once published, and its active successor, if any."""
        if self.live.closed and self.is_hidden(resource_id):
            return True, None
        if resource_id not in self._gone:
            return False, None
        return True, self._gone.successor(resource_id, lambda i: self.row_of(i) is not None)

    def find_gone_reason(self, resource_id: int) -> str | None:
        """Return the reason for a retirement, or the evidence of a behaviour rule; None for other
        ends."""
        if self.live.closed and self.is_hidden(resource_id):
            return self._closed[resource_id].reason
        return self._gone.reason(resource_id)

    def record(self, row: int, now: datetime, distance: float | None = None) -> bytes:
        """Return a record as JSON: stored text and live members. `distance` in rounded miles."""
        live = self.live_members(row, self.moment(row, now), distance)
        return self._records[row] + live

    def detail(self, row: int, moment: Moment, doubt: bytes = b"") -> bytes:
        """Return the single record as JSON, with its sources. `doubt`: additional members, each
        after a comma."""
        live = self.live_members(row, moment)
        texts = (self._records[row], self._details[row], self._tails.view(row))
        return b"".join((*texts, doubt, live))

    def live_members(self, row: int, moment: Moment, distance: float | None = None) -> bytes:
        """Return `schemas.api.record.LIVE_MEMBERS` in order, with the last brace, to append to a
        stored text."""
        miles = b"null" if distance is None else repr(distance).encode()
        return b'%b,"distance":%b,"distance_miles":%b,"relevance_score":null}' % (
            self.live_head(row, moment),
            miles,
            miles,
        )

    def live_head(self, row: int, moment: Moment) -> bytes:
        """Return the live members up to the distance, each after a comma, with the current
        report."""
        live, head = self.live, moment.head
        if live.entries and (report := live.text_of(self._id_at[row])) is not None:
            head = b"%b%b%b" % (head[: -len(NO_REPORT)], report.encode(), _NO_DOUBT)
        if live.doubts and (doubt := self.doubt(row)) is not None:
            head = head[: -len(_NOTHING)] + msgspec.json.encode(doubt)
        return head

    def doubt(self, row: int) -> Doubt | None:
        """Return the visitors' reports against a row's listing, as shown on every surface."""
        doubt = self.live.doubts.get(self._id_at[row]) if self.live.doubts else None
        return doubt and doubt.say(self.zone_of(row), has_phone=bool(self.has_phone[row]))

    def is_doubted(self, row: int) -> bool:
        """Return whether visitors reported a problem with a row's listing."""
        return bool(self.live.doubts) and self._id_at[row] in self.live.doubts

    def cursor(self) -> Connection:
        """Return a read-only cursor; each thread needs its own, and closes it. The first one opens
        the database. Raises duckdb.Error, and OSError if the release is gone."""
        with self._opening:
            if self._db is None:
                self._db = open_tables(self.folder)
            return self._db.cursor()

    def close(self) -> None:
        """Close the database. Not needed before the last reference goes: a reading thread closes it
        with its cursor."""
        with self._opening:
            if self._db is not None:
                from duckdb import OperationalError  # noqa: PLC0415 - searches do without

                with suppress(OperationalError):  # a cursor is in use
                    self._db.close()
                self._db = None

    def arena_rows(self) -> tuple[int, int]:
        """Return the rows in the two arenas, for the health check."""
        return len(self._records), len(self._details)
