"""Rows of FEMA's declarations, and a second reader of FEMA's files."""

import csv
import gzip
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

RETRIEVED = datetime(2026, 11, 1, 6, tzinfo=UTC)


def declaration(kind: str, number: int, state: str, day: date, **values: Any) -> dict[str, Any]:
    """Return a row of `core_fema_declarations__areas`: of `designated_area` or of all areas."""
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
        "declaration_date": day,
        "incident_begin_date": day,
        "retrieved_at": RETRIEVED,
        "source_updated_date": day,
        "is_synthetic": True,
        **values,
    }


_KINDS = {
    "Major Disaster": "DR",
    "Emergency": "EM",
    "Fire Management": "FM",
    "Fire Suppression": "FS",
}
_NO_SNAP = {"PR", "AS", "MP"}


def active_by_hand(sources: Path, on: date) -> dict[str, tuple[set[str], bool]]:
    """Return names of active declarations and whether D-SNAP is likely, by state.

    Reads the two newest files. It follows docs/disasters.md and shares no code with the service.
    """
    by_state: dict[str, tuple[set[str], bool]] = {}
    filing = _last_filing_days(sources)
    for row in _rows(
        sources / "fema_web_declarations" / "FemaWebDisasterDeclarations.2024-11.csv.gz"
    ):
        kind, state = _KINDS[row["declarationType"]], row["stateCode"].strip()
        name = f"{kind}-{row['disasterNumber']}-{state}"
        day, begin = _day(row["declarationDate"]), _day(row["incidentBeginDate"])
        end, close = _day(row["incidentEndDate"]), _day(row["closeoutDate"])
        assert day is not None
        days = timedelta(days=30 if kind in ("FM", "FS") else 60)
        last = [d + days for d in (day, begin, end) if d] + [d for d in [filing.get(name)] if d]
        if not day <= on <= max(last) or (close and close <= on):
            continue
        near = any(d and 0 <= (on - d).days <= 60 for d in (day, begin))
        helps = "1" in (row["ihProgramDeclared"], row["iaProgramDeclared"])
        names, likely = by_state.get(state, (set(), False))
        is_likely = kind == "DR" and helps and near and state not in _NO_SNAP
        by_state[state] = (names | {name}, likely or is_likely)
    return by_state


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
