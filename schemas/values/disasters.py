"""Decides when a federal disaster declaration is active, and when D-SNAP is likely. No I/O.

FEMA's files have no field "active". They have the day of the declaration, the days of the incident
(the last one often empty, for years), the last day to file for individual assistance (in one of the
two files) and the closeout, which comes years later when the last dollar is accounted for. So:

    active on a day  =  declared by then, not closed out by then, and the day is no later than the
      latest of
      - the declaration, the first day and, where FEMA gives one, the last day of the incident,
        each plus `WINDOW_DAYS` of its type,
      - the last day to file for individual assistance.

60 days is the time in which a household registers with FEMA after a major disaster (44 CFR
206.112(a)); we use the same time for emergencies. Fire declarations pay fire departments and have
nothing for households (44 CFR 204.1 and 204.42): they are news for 30 days. An empty last day adds
nothing: it was not recorded, which does not mean that the fire still burns.
"""

from datetime import date, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from schemas.words import Words

Because = Literal["incident_going_on", "no_end_yet", "filing_open", "recent"]

WINDOW_DAYS: dict[str, int] = {"DR": 60, "EM": 60, "FM": 30, "FS": 30}
# Declarations are stored for the service longer than any window, so that "active on that day" can
# be asked backwards.
RETENTION_DAYS = 3 * 365 + 1
RULE = (
    "Active: declared, not closed out, and no more than 60 days (fires: 30) past the "
    "declaration, the first day of the incident or its known last day, or not past the last day "
    "to file for individual assistance. A missing last day of the incident alone makes nothing "
    "active."
)
RULE_ES = (
    "Activa: declarada, sin cierre, y con no más de 60 días (incendios: 30) desde la declaración, "
    "el primer día del incidente o su último día conocido, o antes de que venza el plazo para "
    "pedir asistencia individual. Que falte el último día del incidente no basta para que siga "
    "activa."
)
RULE_SOURCE = "https://www.ecfr.gov/current/title-44/section-206.112"


def active_until(
    kind: str,
    declared: date,
    begun: date | None,
    ended: date | None,
    last_filing: date | None,
) -> date:
    """Return the last active day of a declaration of type `kind` (DR, EM, FM, FS)."""
    latest = max(day for day in (declared, begun, ended) if day is not None)
    until = latest + timedelta(days=WINDOW_DAYS[kind])
    return max(until, last_filing) if last_filing else until


def why_active(
    on: date,
    until: date,
    declared: date,
    begun: date | None,
    ended: date | None,
    closed: date | None,
    last_filing: date | None,
) -> Because | None:
    """Return why a declaration is active on a day, or None; `until` is `active_until`."""
    if not declared <= on <= until or (closed is not None and closed <= on):
        return None
    if ended is not None and (begun or declared) <= on <= ended:
        return "incident_going_on"
    if last_filing is not None and on <= last_filing:
        return "filing_open"
    return "recent" if ended is not None else "no_end_yet"


def is_within_dsnap_window(on: date, declared: date, begun: date | None, days: int) -> bool:
    """Return whether the incident began or was declared within `days` before `on`."""
    return any(0 <= (on - day).days <= days for day in (declared, begun) if day is not None)


# Words of FEMA's files, in English as people say them and in Spanish.


class _Entries(msgspec.Struct, forbid_unknown_fields=True):
    declaration_types: dict[str, Words]
    incidents_es: dict[str, str]
    because: dict[str, Words]
    matches: dict[str, Words]


_ENTRIES = msgspec.yaml.decode(
    Path(__file__).with_name("disasters.yaml").read_bytes(), type=_Entries
)
DECLARATION_TYPES, INCIDENTS_ES = _ENTRIES.declaration_types, _ENTRIES.incidents_es
BECAUSE, MATCHES = _ENTRIES.because, _ENTRIES.matches
