"""Adds reports since the release to the HSDS feed: `alert` of services, with listings retired
since, and `service_capacity` of HSDS 3.1.

The files of a release, including downloads, have none. Pages and single rows have them spliced in.
"""

import hashlib
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

import msgspec
import numpy as np

from schemas.hours.clock_words import capital
from schemas.hsds.ids import hsds_id
from serving.http.per_release import per_release
from warehouse.hsds.reader import HsdsFolder, OpenCollection
from warehouse.index.live_overlay import LiveEntry
from warehouse.index.reader import OpenRelease

T = TypeVar("T")
SERVICES = "services"
_SAID = {
    "open_today": "Open on {day}.",
    "closed_today": "Closed on {day}.",
    "running_late": "Running late on {day}.",
    "low_stock": "Low on food on {day}.",
    "out_of_stock": "Out of food on {day}.",
    "other": "Notice of {day}.",
}
_BY = {
    True: "Reported by its operator",
    False: "Reported by somebody who is not confirmed as its operator",
}
_GONE = "{reason} ({day:%Y-%m-%d}). It leaves this feed with the next release."
Rows = Sequence[int] | np.ndarray


class Alerts:
    """Texts by row of the services. Never changed once made, so any thread may read them."""

    def __init__(self, texts: dict[int, str]) -> None:
        self._texts = texts

    def __bool__(self) -> bool:
        return bool(self._texts)

    def among(self, rows: Rows) -> list[int]:
        """Return the rows with an alert, ascending."""
        if isinstance(rows, range) and len(rows) > len(self._texts):
            return sorted(row for row in self._texts if row in rows)
        plain = rows.tolist() if isinstance(rows, np.ndarray) else rows
        return sorted(row for row in plain if row in self._texts)

    def digest(self, rows: Rows | None = None) -> str:
        """Digest the changes with the alerts of some rows, or of all; empty without alerts."""
        numbers = sorted(self._texts) if rows is None else self.among(rows)
        if not numbers:
            return ""
        texts = "".join(f"{row}:{self._texts[row]}\n" for row in numbers)
        return hashlib.blake2b(texts.encode(), digest_size=12).hexdigest()

    def member(self, row: int) -> bytes:
        """Return `,"alert":"..."`, or nothing."""
        text = self._texts.get(row)
        return b"" if text is None else b',"alert":' + msgspec.json.encode(text)

    def json_object(self, rows: OpenCollection, row: int) -> bytes:
        """Return a service with its alert. The stored object has none."""
        service = rows.json_object(row)
        member = self.member(row)
        return service[:-1] + member + b"}" if member else service


NO_ALERTS = Alerts({})


def has_alerts(release: OpenRelease) -> bool:
    """Return whether anything was reported, so that `alerts_of` is worth its thread."""
    return bool(release.live.entries or release.live.doubts or release.live.closed)


def alerts_of(release: OpenRelease, folder: HsdsFolder) -> Alerts:
    """Return the alerts of now. Reads the database the first time: call it in a thread."""
    return _of_reports(release, folder, _make_alerts)


@per_release
def _service_rows(_: OpenRelease, folder: HsdsFolder) -> tuple[np.ndarray, np.ndarray]:
    """Return the ids of places, ascending, and the rows of their services. Reads the database."""
    return folder.service_rows()


def _service_row(release: OpenRelease, folder: HsdsFolder, resource_id: int) -> int | None:
    ids, rows = _service_rows(release, folder)
    at = int(np.searchsorted(ids, resource_id))
    return int(rows[at]) if at < len(ids) and ids[at] == resource_id else None


@per_release
def _cell_of(
    _: OpenRelease, __: Callable[[OpenRelease, HsdsFolder], T]
) -> list[tuple[int, T | None]]:
    return [(-1, None)]


def _of_reports(
    release: OpenRelease, folder: HsdsFolder, make: Callable[[OpenRelease, HsdsFolder], T]
) -> T:
    """Return the value that `make` gives for the present reports; another report gives another."""
    cell = _cell_of(release, make)
    version, value = cell[0]
    if value is None or version != release.live.version:
        version = release.live.version
        value = make(release, folder)
        cell[0] = version, value
    return value


def _make_alerts(release: OpenRelease, folder: HsdsFolder) -> Alerts:
    now = datetime.now(UTC)
    # Copies: the event loop adds reports concurrently.
    texts = {
        i: alert_text(entry, release.zone_of(row))
        for i, entry in release.live.entries.copy().items()
        if entry.expires_at > now and (row := release.row_of(i)) is not None
    }
    for i in release.live.doubts.copy():
        if (row := release.row_of(i)) is not None and (doubt := release.doubt(row)) is not None:
            sentence = f"{doubt.en} Newest report: {doubt.reported_on}."
            texts[i] = f"{texts[i]} {sentence}" if i in texts else sentence
    for i, closure in release.live.closed.items():
        if release.is_hidden(i):
            texts[i] = _GONE.format(reason=capital(closure.reason), day=closure.closed_at)
    rows = {i: _service_row(release, folder, i) for i in texts}
    return Alerts({row: texts[i] for i, row in rows.items() if row is not None})


def alert_text(entry: LiveEntry, zone: ZoneInfo) -> str:
    """Return a report in words, with its day and hours on the place's own clock: it may be read
    much later."""
    report = msgspec.json.decode(entry.text)
    at, until = entry.reported_at.astimezone(zone), entry.expires_at.astimezone(zone)
    sentences = [_SAID[entry.status].format(day=at.date())]
    levels = report["inventory"].items()
    for words, level in (("Out of", "out"), ("Low on", "low")):
        items = [item for item, its in levels if its == level]
        if items:
            sentences.append(f"{words}: {', '.join(items)}.")
    sentences.append(
        f"{_BY[entry.is_confirmed]} at {at:%Y-%m-%d %H:%M %Z}, good until "
        f"{until:%Y-%m-%d %H:%M %Z}."
    )
    if report["notes"]:
        sentences.append(f"Note: {report['notes']}")
    return " ".join(sentences)


# ---------------------------------------------------------------- capacity

# A report says plenty, low or out; HSDS requires a number. Only "out" has one.
CAPACITY = "service_capacity"


class Capacities:
    """Rows of the collection ordered by id, with the interface of `OpenCollection`."""

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


@per_release
def _units(_: OpenRelease, folder: HsdsFolder) -> dict[str, dict[str, object]]:
    units = folder.collection("units")
    objects = (msgspec.json.decode(units.json_object(row)) for row in range(len(units)))
    return {unit["identifier"]: unit for unit in objects}


def capacities_of(release: OpenRelease, folder: HsdsFolder) -> Capacities:
    """Return the rows of now. Reads the release the first time: call it in a thread."""
    return _of_reports(release, folder, _make_capacities)


def _make_capacities(release: OpenRelease, folder: HsdsFolder) -> Capacities:
    now, services = datetime.now(UTC), folder.collection(SERVICES)
    rows: list[dict[str, object]] = []
    of_service: dict[int, list[bytes]] = {}
    # A copy: the event loop adds reports concurrently.
    for resource_id, entry in release.live.entries.copy().items():
        service = _service_row(release, folder, resource_id)
        row = release.row_of(resource_id)
        if service is None or row is None or entry.expires_at <= now or not entry.is_confirmed:
            continue
        text = alert_text(entry, release.zone_of(row))
        capacities = _rows_of(entry, text, services.id_of(service), _units(release, folder))
        if capacities:
            rows += capacities
            of_service[service] = [msgspec.json.encode(row) for row in capacities]
    return Capacities(sorted(rows, key=lambda row: str(row["id"])), of_service)


def _rows_of(
    entry: LiveEntry, text: str, service_id: str, units: dict[str, dict[str, object]]
) -> list[dict[str, object]]:
    levels = msgspec.json.decode(entry.text)["inventory"]
    updated = entry.reported_at.astimezone(UTC).isoformat(timespec="milliseconds")
    return [
        {
            "id": hsds_id(CAPACITY, service_id, item),
            "service_id": service_id,
            "unit_id": units[item]["id"],
            "unit": units[item],
            "available": 0,
            "description": text,
            "updated": updated.replace("+00:00", "Z"),
        }
        for item, level in levels.items()
        if level == "out"
    ]
