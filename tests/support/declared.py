"""Rows of FEMA's declarations for tests, and FEMA's files read in the plainest way."""

import csv
import gzip
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

RETRIEVED = datetime(2026, 11, 1, 6, tzinfo=UTC)


def declaration(
    kind: str, number: int, state: str, declared: date, **values: Any
) -> dict[str, Any]:
    """Return a row of `core_fema_declarations__areas`; with `designated_area` for that area, else
    for the whole declaration.
    """
    area = values.get("designated_area")
    key = f"{kind}-{number}" + (f":{values.get('county_fips') or area}" if area else "")
    return {
        "source_id": "fema_declarations",
        "source_key": key,
        "source_row": number,
        "file_name": "example.csv",
        "disaster_number": number,
        "declaration_string": f"{kind}-{number}-{state}",
        "declaration_type": kind,
        "title": "EXAMPLE STORM",
        "incident_type": "Severe Storm",
        "state": state,
        "is_tribal_area": False,
        "has_individual_assistance": False,
        "declaration_date": declared,
        "incident_begin_date": declared,
        "retrieved_at": RETRIEVED,
        "source_updated_date": declared,
        "is_synthetic": True,
        **values,
    }


# ---------------------------------------------------------------- the real files, without any of
# our code

_KINDS = {
    "Major Disaster": "DR",
    "Emergency": "EM",
    "Fire Management": "FM",
    "Fire Suppression": "FS",
}
_NO_SNAP = {"PR", "AS", "MP"}


def active_by_hand(sources: Path, on: date) -> dict[str, tuple[set[str], bool]]:
    """Return the names of active declarations and whether D-SNAP is likely, by state, from the two
    newest files.

    It follows docs/disasters.md and shares no code with the service.
    """
    declared_states: dict[str, tuple[set[str], bool]] = {}
    filing = _last_filing_days(sources)
    for row in _rows(
        sources / "fema_web_declarations" / "FemaWebDisasterDeclarations.2024-11.csv.gz"
    ):
        kind, state = _KINDS[row["declarationType"]], row["stateCode"].strip()
        name = f"{kind}-{row['disasterNumber']}-{state}"
        declared, begin = _day(row["declarationDate"]), _day(row["incidentBeginDate"])
        end, close = _day(row["incidentEndDate"]), _day(row["closeoutDate"])
        assert declared is not None
        days = timedelta(days=30 if kind in ("FM", "FS") else 60)
        last = [d + days for d in (declared, begin, end) if d] + [
            d for d in [filing.get(name)] if d
        ]
        if not declared <= on <= max(last) or (close and close <= on):
            continue
        near = any(d and 0 <= (on - d).days <= 60 for d in (declared, begin))
        helps = "1" in (row["ihProgramDeclared"], row["iaProgramDeclared"])
        names, likely = declared_states.get(state, (set(), False))
        is_likely = kind == "DR" and helps and near and state not in _NO_SNAP
        declared_states[state] = (names | {name}, likely or is_likely)
    return declared_states


def _last_filing_days(sources: Path) -> dict[str, date]:
    path = (
        sources
        / "fema_declarations_summaries"
        / "DisasterDeclarationsSummaries.tornado1000.2024-08.csv.gz"
    )
    days: dict[str, date] = {}
    for row in _rows(path):
        day = _day(row["lastIAFilingDate"])
        if day:
            name = row["femaDeclarationString"]
            days[name] = max(day, days.get(name, day))
    return days


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8-sig", newline="") as stream:
        yield from csv.DictReader(stream)


def _day(text: str) -> date | None:
    return date.fromisoformat(text[:10]) if text.strip() else None
