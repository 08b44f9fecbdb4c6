"""What is known about one place: its telephone, its hours, how far to trust the listing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from schemas.api.reports import HoursCheck, PhoneCheck, ResourceStatus, VerificationCheck
from schemas.values.opening import STALE_AFTER_DAYS
from schemas.vocab.verification_reasons import VERIFICATION_REASONS
from warehouse.reader import OpenRelease

_TOLL_FREE = ("800", "888", "877", "866", "855", "844", "833")


def resource_status(release: OpenRelease, row: int, now: datetime) -> ResourceStatus:
    """Status of the resource in a row at an aware instant."""
    record: dict[str, Any] = msgspec.json.decode(release.detail(row, now))
    return ResourceStatus(
        success=True,
        id=record["id"],
        name=record["name"],
        phone=_phone(record),
        hours=_hours(release, row, record, now),
        verification=_verification(record),
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
    changes = release.hours_change_at(row, now)
    return HoursCheck(
        status=record["hours_status"],
        reason=_reason(record),
        timezone=record["timezone"],
        days_since_confirmed=record["days_since_confirmed"],
        changes_at=changes.strftime("%Y-%m-%dT%H:%M:%SZ") if changes else None,
    )


def _reason(record: dict[str, Any]) -> str:
    days = record["days_since_confirmed"]
    if not record["hours"]:
        return "No opening hours that can be read with certainty are known: call first."
    if days is None:
        return "Nobody has confirmed the hours: call first."
    if days > STALE_AFTER_DAYS:
        return f"The hours were last confirmed {days} days ago, more than {STALE_AFTER_DAYS}: call first."
    if record["hours_status"] == "unknown":
        return "The published hours do not say whether it is open now: call first."
    return f"By the published hours, last confirmed {days} days ago."


def _verification(record: dict[str, Any]) -> VerificationCheck:
    reasons = [VERIFICATION_REASONS[code].label for code in record["verification_reasons"]]
    confidence = record["verification_confidence"] / 100
    return VerificationCheck(record["verification_status"], confidence, reasons)
