"""`alert` of HSDS services: what operators and visitors reported, and listings retired since the
release.

The files of a release hold none, and downloads are those files. Pages and single rows have them
spliced in.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec
import numpy as np

from schemas.hours.clock_words import capital
from serving.http.per_release import per_release
from warehouse.hsds.reader import HsdsFolder, OpenCollection
from warehouse.index.live_overlay import LiveEntry
from warehouse.index.reader import OpenRelease

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
        """Return those of some rows that have an alert, ascending."""
        if isinstance(rows, range) and len(rows) > len(self._texts):
            return sorted(row for row in self._texts if row in rows)
        plain = rows.tolist() if isinstance(rows, np.ndarray) else rows
        return sorted(row for row in plain if row in self._texts)

    def digest(self, rows: Rows | None = None) -> str:
        """Return changes with the alerts of some rows, or of all; empty where there are none."""
        chosen = sorted(self._texts) if rows is None else self.among(rows)
        if not chosen:
            return ""
        texts = "".join(f"{row}:{self._texts[row]}\n" for row in chosen)
        return hashlib.blake2b(texts.encode(), digest_size=12).hexdigest()

    def member(self, row: int) -> bytes:
        """Return `,"alert":"..."`, or nothing."""
        text = self._texts.get(row)
        return b"" if text is None else b',"alert":' + msgspec.json.encode(text)

    def json_object(self, rows: OpenCollection, row: int) -> bytes:
        """Return a service with its alert. The stored object has none."""
        stored = rows.json_object(row)
        added = self.member(row)
        return stored[:-1] + added + b"}" if added else stored


NO_ALERTS = Alerts({})


def has_alerts(release: OpenRelease) -> bool:
    """Return whether anything was reported, so that `alerts_of` is worth its thread."""
    return bool(release.live.entries or release.live.doubts or release.live.closed)


def alerts_of(release: OpenRelease, folder: HsdsFolder) -> Alerts:
    """Return the alerts of now. Reads the database the first time: call it in a thread."""
    return _newest(release, folder).alerts(release)


class ServiceRows:
    """Rows of the services by the id of their place."""

    def __init__(self, folder: HsdsFolder) -> None:
        self._ids, self._rows = folder.service_rows()

    def row(self, resource_id: int) -> int | None:
        at = int(np.searchsorted(self._ids, resource_id))
        return int(self._rows[at]) if at < len(self._ids) and self._ids[at] == resource_id else None


@per_release
def service_rows_of(_: OpenRelease, folder: HsdsFolder) -> ServiceRows:
    """Return the rows of services by place. Reads the database the first time."""
    return ServiceRows(folder)


class _NewestAlerts:
    """Makes the alerts of the present reports; another report makes others."""

    def __init__(self, rows: ServiceRows) -> None:
        self._rows = rows
        self._made: tuple[int, Alerts] = (-1, NO_ALERTS)

    def alerts(self, release: OpenRelease) -> Alerts:
        version, made = self._made
        if version != release.live.version:
            version, made = release.live.version, Alerts(self._texts(release))
            self._made = version, made
        return made

    def _texts(self, release: OpenRelease) -> dict[int, str]:
        now = datetime.now(UTC)
        # Copies: the event loop puts reports in meanwhile.
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
        rows = {i: self._rows.row(i) for i in texts}
        return {row: texts[i] for i, row in rows.items() if row is not None}


@per_release
def _newest(release: OpenRelease, folder: HsdsFolder) -> _NewestAlerts:
    return _NewestAlerts(service_rows_of(release, folder))


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
        f"{_BY[entry.is_confirmed]} at {at:%Y-%m-%d %H:%M %Z}, good until {until:%Y-%m-%d %H:%M %Z}."
    )
    if report["notes"]:
        sentences.append(f"Note: {report['notes']}")
    return " ".join(sentences)
