"""Status of one place: its telephone, its hours, trust in the listing."""

from datetime import datetime
from typing import Any

import msgspec

from schemas.api.reports import HoursCheck, PhoneCheck, ResourceStatus, VerificationCheck
from schemas.hours.hours_words import hours_in_words
from schemas.values.advice import with_advice
from schemas.values.instants import instant_text
from schemas.vocab.statuses import VERIFICATION_REASONS
from schemas.words import Words
from serving.places.detail import freshness_of, hours_age
from warehouse.index.reader import OpenRelease

_NO_HOURS = Words(
    "No opening hours that can be read with certainty are known",
    "No se conoce un horario que se pueda leer con certeza",
)
_DOUBTFUL = Words(
    "The published hours do not say whether it is open now",
    "El horario publicado no dice si está abierto ahora",
)
_REPORTED = Words("The operator reported it today.", "Lo avisó hoy el propio lugar.")
_TOLL_FREE = ("800", "888", "877", "866", "855", "844", "833")


def resource_status(release: OpenRelease, row: int, now: datetime) -> ResourceStatus:
    """Return status of the resource in a row at an aware instant."""
    moment = release.moment(row, now)
    record: dict[str, Any] = msgspec.json.decode(release.detail(row, moment))
    return ResourceStatus(
        success=True,
        id=record["id"],
        name=record["name"],
        phone=_phone(record),
        hours=_hours(release, row, record, now),
        verification=_verification(record),
        freshness=freshness_of(release, row, moment, now),
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
    reason = _REPORTED if is_reported else _reason(release, row, now)
    timetable = release.timetable(row)
    today = release.local_day(row, now)
    return HoursCheck(
        status=record["hours_status"],
        reason=reason.en,
        timezone=record["timezone"],
        days_since_confirmed=record["days_since_confirmed"],
        changes_at=instant_text(changes) if changes and (state or record["live_status"]) else None,
        reason_es=reason.es,
        opens_at=state.opens_at.isoformat() if state and state.opens_at else None,
        closes_at=state.closes_at.isoformat() if state and state.closes_at else None,
        in_words=hours_in_words(timetable[0], today) if timetable else None,
    )


def _reason(release: OpenRelease, row: int, now: datetime) -> Words:
    advice = release.advice(row)
    if release.hours_codes[row] < 0:
        return with_advice(_NO_HOURS, advice)
    age = hours_age(release, row, now)
    if not release.shows_hours(row, now):
        return with_advice(
            Words(
                f"The hours are too old to rely on ({age.en})",
                f"El horario es demasiado viejo para confiar en él ({age.es})",
            ),
            advice,
        )
    if release.hours_status(row, now) == "unknown":
        return with_advice(_DOUBTFUL, advice)
    return Words(f"By the published hours ({age.en}).", f"Según el horario publicado ({age.es}).")


def _verification(record: dict[str, Any]) -> VerificationCheck:
    reasons = [VERIFICATION_REASONS[code].label for code in record["verification_reasons"]]
    return VerificationCheck(
        record["verification_status"],
        record["verification_confidence"],
        reasons,
        record["last_verified_date"],
    )
