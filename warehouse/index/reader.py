"""Opens a release for reading, with everything the service needs.

Searches touch memory only: columns and indexes, loaded from `directory.duckdb` at the start, and
the mapped records. Everything else is a query, with a separate cursor for each thread.
"""

from collections.abc import Hashable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from duckdb import OperationalError

from schemas.api.record import Doubt
from schemas.tables.core import AUTOMATIC_CHANGES, IDENTITIES, RESOURCES
from warehouse.duckdb import Connection
from warehouse.index.areas import HomeDeliveries, ServiceAreas, read_food_banks
from warehouse.index.gazetteer import read_gazetteer
from warehouse.index.live_overlay import Closure
from warehouse.index.points import MODE_TYPES, find_types
from warehouse.index.records import RECORDS_NAME, RecordFile
from warehouse.index.row_hours import NO_REPORT, Moment, RowHours
from warehouse.index.spatial import SpatialIndex
from warehouse.release.manifest import check_format, read_manifest
from warehouse.release.tables import SERVING_FOLDER, open_tables

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
        self._db = open_tables(folder)
        with self.cursor() as db:
            super().__init__(db, RecordFile(folder / SERVING_FOLDER / RECORDS_NAME))
            if len(self._records) != len(self):
                raise ValueError(f"{folder.name}: {len(self)} places, {len(self._records)} records")
            types = find_types(self.type_codes, self.closed_until_days)
            self._spatial = SpatialIndex(self.lats, self.lngs, types, MODE_TYPES)
            self.gazetteer = read_gazetteer(db)
            self.food_banks = read_food_banks(db)
            self.service_areas = ServiceAreas(db, self.ids, self.gazetteer)
            self.home_deliveries = HomeDeliveries(db)
        # The stored part of a row's record: JSON text without its last brace.
        self.read_record = self._records.record
        # Values that other modules compute from the release, dropped together with it.
        self.derived: dict[Hashable, Any] = {}
        self._closed: dict[int, Closure] = self.live.closed
        self._hidden: dict[int, int] = {}

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
        """Return whether an id was once published, and the listed place at the end of its
        successions, if any."""
        if self.live.closed and self.is_hidden(resource_id):
            return True, None
        # A listing removed by a rule keeps its id and may return; until then it is gone.
        query = f"""
            WITH inactive AS (
                SELECT NULL AS successor_id FROM {RESOURCES.name}
                WHERE resource_id = $id AND NOT is_active
            )
            SELECT count(*) > 0, max(successor_id) FROM (
                FROM inactive UNION ALL
                SELECT successor_id FROM {IDENTITIES.name}
                WHERE resource_id = $id AND id_status <> 'active' AND NOT EXISTS (FROM inactive)
            )"""
        # A damaged chain must not become an endless redirect.
        visited: set[int] = set()
        successor: int | None = resource_id
        was_published = False
        with self.cursor() as db:
            while successor is not None and successor not in visited:
                if visited and self.row_of(successor) is not None:
                    return True, successor
                visited.add(successor)
                is_gone, successor = db.execute(query, {"id": successor}).fetchall()[0]
                was_published |= is_gone
        return was_published, None

    def find_gone_reason(self, resource_id: int) -> str | None:
        """Return the reason for a retirement, or the newest evidence of an automatic change of an
        inactive listing; None for other ends."""
        if self.live.closed and self.is_hidden(resource_id):
            return self._closed[resource_id].reason
        query = f"""
            SELECT arg_max(evidence, (observed_on, release_id)) FROM {AUTOMATIC_CHANGES.name}
            WHERE resource_id = $id AND changed_field = 'is_active' AND new_value = 'false'
                AND EXISTS (
                    FROM {RESOURCES.name} WHERE resource_id = $id AND NOT is_active
                )"""
        with self.cursor() as db:
            ((reason,),) = db.execute(query, {"id": resource_id}).fetchall()
        return None if reason is None else str(reason)

    def record(self, row: int, now: datetime, distance: float | None = None) -> bytes:
        """Return a record as JSON: stored text and live members. `distance` in rounded miles."""
        live = self.live_members(row, self.moment(row, now), distance)
        return self._records.record(row) + live

    def detail(self, row: int, moment: Moment, doubt: bytes = b"") -> bytes:
        """Return the single record as JSON, with its sources. `doubt`: additional members, each
        after a comma."""
        live = self.live_members(row, moment)
        texts = (self._records.record(row), self._records.detail(row))
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
        """Return a read-only cursor; each thread needs its own, and closes it. Raises duckdb.Error
        for a closed release."""
        return self._db.cursor()

    def close(self) -> None:
        """Close the database. Not needed before the last reference goes: a reading thread closes it
        with its cursor."""
        with suppress(OperationalError):  # a cursor is in use
            self._db.close()
