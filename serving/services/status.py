"""What is known about one place: its telephone, its hours, how far to trust the listing."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from schemas.api.reports import HoursCheck, PhoneCheck, ResourceStatus, VerificationCheck
from schemas.values.clock_words import Words
from schemas.values.hours_words import hours_in_words
from schemas.values.opening import STALE_AFTER_DAYS
from schemas.vocab.verification_reasons import VERIFICATION_REASONS
from serving.services.single import freshness
from warehouse.reader import OpenRelease

_NO_HOURS = Words(
    "No opening hours that can be read with certainty are known: call first.",
    "No se conoce un horario que se pueda leer con certeza: llame primero.",
)
_UNCONFIRMED = Words(
    "Nobody has confirmed the hours: call first.", "Nadie ha confirmado el horario: llame primero."
)
_DOUBTFUL = Words(
    "The published hours do not say whether it is open now: call first.",
    "El horario publicado no dice si está abierto ahora: llame primero.",
)
_REPORTED = Words("The operator reported it today.", "Lo avisó hoy el propio lugar.")
_TOLL_FREE = ("800", "888", "877", "866", "855", "844", "833")


def resource_status(release: OpenRelease, row: int, now: datetime) -> ResourceStatus:
    """Status of the resource in a row at an aware instant."""
    record: dict[str, Any] = msgspec.json.decode(release.detail(row, release.moment(row, now)))
    return ResourceStatus(
        success=True,
        id=record["id"],
        name=record["name"],
        phone=_phone(record),
        hours=_hours(release, row, record, now),
        verification=_verification(record),
        freshness=freshness(record["days_since_confirmed"]),
        live_status=record["live_status"],
        doubt=release.doubt(row),
        is_synthetic=record["is_synthetic"],
        release_id=release.release_id,
    )


def _phone(record: dict[str, Any]) -> PhoneCheck:
    phone, e164 = record["phone"], record["phone_e164"]
    return PhoneCheck(
        phone=phone,
        phone_e164=e164,
        is_valid=bool(e164) if phone or e164 else None,
        is_toll_free=e164[2:5] in _TOLL_FREE if e164 else None,
    )


def _hours(release: OpenRelease, row: int, record: dict[str, Any], now: datetime) -> HoursCheck:
    changes, state = release.hours_change_at(row, now), release.open_state(row, now)
    is_reported = release.reported_state(row, now) is not None
    reason, timetable = _REPORTED if is_reported else _reason(record), release.timetable(row)
    today = now.astimezone(ZoneInfo(record["timezone"])).date()
    return HoursCheck(
        status=record["hours_status"],
        reason=reason.en,
        timezone=record["timezone"],
        days_since_confirmed=record["days_since_confirmed"],
        changes_at=changes.strftime("%Y-%m-%dT%H:%M:%SZ") if changes else None,
        reason_es=reason.es,
        opens_at=state.opens_at.isoformat() if state and state.opens_at else None,
        closes_at=state.closes_at.isoformat() if state and state.closes_at else None,
        in_words=hours_in_words(timetable[0], today) if timetable else None,
    )


def _reason(record: dict[str, Any]) -> Words:
    days = record["days_since_confirmed"]
    if not record["hours"]:
        return _NO_HOURS
    if days is None:
        return _UNCONFIRMED
    if days > STALE_AFTER_DAYS:
        return Words(
            f"The hours were last confirmed {days} days ago, more than {STALE_AFTER_DAYS}: call first.",
            f"El horario se confirmó por última vez hace {days} días, más de {STALE_AFTER_DAYS}: llame primero.",
        )
    if record["hours_status"] == "unknown":
        return _DOUBTFUL
    return Words(
        f"By the published hours, last confirmed {days} days ago.",
        f"Según el horario publicado, confirmado hace {days} días.",
    )


def _verification(record: dict[str, Any]) -> VerificationCheck:
    reasons = [VERIFICATION_REASONS[code].label for code in record["verification_reasons"]]
    confidence = record["verification_confidence"] / 100
    return VerificationCheck(
        record["verification_status"], confidence, reasons, record["last_verified_date"]
    )
