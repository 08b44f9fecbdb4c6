"""`service_capacity` of HSDS 3.1: food that confirmed operators reported as out.

A report says plenty, low or out; HSDS asks for a number. Only "out" has one.
"""

import uuid
from datetime import UTC, datetime

import msgspec
import numpy as np

from schemas.hsds.ids import hsds_id
from serving.hsds.alerts import SERVICES, alert_text, service_rows_of
from serving.http.per_release import per_release
from warehouse.hsds.reader import HsdsFolder
from warehouse.index.live_overlay import LiveEntry
from warehouse.index.reader import OpenRelease

CAPACITY = "service_capacity"


class Capacities:
    """Rows of the collection in the order of their ids, read as those of `OpenCollection`."""

    name = CAPACITY

    def __init__(self, rows: list[dict[str, object]], of_service: dict[int, list[bytes]]) -> None:
        self._ids = [str(row["id"]) for row in rows]
        self._instants = [datetime.fromisoformat(str(row["updated"])) for row in rows]
        self._json = [msgspec.json.encode(row) for row in rows]
        self._of_service = of_service

    def __len__(self) -> int:
        return len(self._ids)

    def row_of(self, row_id: uuid.UUID) -> int | None:
        """Return the row with an id."""
        text = str(row_id)
        return self._ids.index(text) if text in self._ids else None

    def id_of(self, row: int) -> str:
        return self._ids[row]

    def modified_ms(self) -> np.ndarray:
        """Return when each row was reported, milliseconds since 1970."""
        return np.array([round(at.timestamp() * 1000) for at in self._instants], np.int64)

    def json_object(self, row: int) -> bytes:
        return self._json[row]

    def member(self, service: int) -> bytes:
        """Return `,"capacities":[...]` of a row of the services, or nothing."""
        rows = self._of_service.get(service)
        return b',"capacities":[' + b",".join(rows) + b"]" if rows else b""


NO_CAPACITIES = Capacities([], {})


class _Newest:
    """Makes the rows of the present reports; another report makes others."""

    def __init__(self, folder: HsdsFolder) -> None:
        self._folder = folder
        units = folder.collection("units")
        objects = (msgspec.json.decode(units.json_object(row)) for row in range(len(units)))
        self._units = {unit["identifier"]: unit for unit in objects}
        self._made: tuple[int, Capacities] = (-1, NO_CAPACITIES)

    def capacities(self, release: OpenRelease) -> Capacities:
        version, made = self._made
        if version != release.live.version:
            version, made = release.live.version, self._read(release)
            self._made = version, made
        return made

    def _read(self, release: OpenRelease) -> Capacities:
        now, services = datetime.now(UTC), self._folder.collection(SERVICES)
        rows: list[dict[str, object]] = []
        of_service: dict[int, list[bytes]] = {}
        rows_of_services = service_rows_of(release, self._folder)
        # A copy: the event loop puts reports in meanwhile.
        for resource_id, entry in release.live.entries.copy().items():
            service = rows_of_services.row(resource_id)
            if service is None or entry.expires_at <= now or not entry.is_confirmed:
                continue
            found = self._rows_of(release, resource_id, entry, services.id_of(service))
            if found:
                rows += found
                of_service[service] = [msgspec.json.encode(row) for row in found]
        return Capacities(sorted(rows, key=lambda row: str(row["id"])), of_service)

    def _rows_of(
        self, release: OpenRelease, resource_id: int, entry: LiveEntry, service_id: str
    ) -> list[dict[str, object]]:
        row = release.row_of(resource_id)
        if row is None:
            return []
        levels = msgspec.json.decode(entry.text)["inventory"]
        updated = entry.reported_at.astimezone(UTC).isoformat(timespec="milliseconds")
        return [
            {
                "id": hsds_id(CAPACITY, service_id, item),
                "service_id": service_id,
                "unit_id": self._units[item]["id"],
                "unit": self._units[item],
                "available": 0,
                "description": alert_text(entry, release.zone_of(row)),
                "updated": updated.replace("+00:00", "Z"),
            }
            for item, level in levels.items()
            if level == "out"
        ]


def capacities_of(release: OpenRelease, folder: HsdsFolder) -> Capacities:
    """Return the rows of now. Reads the release the first time: call it in a thread."""
    return _newest(release, folder).capacities(release)


@per_release
def _newest(_: OpenRelease, folder: HsdsFolder) -> _Newest:
    return _Newest(folder)
