"""A town with declared disasters, and a call of each of the seven tools."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support.town import write_town
from warehouse.disaster_file import Declaration, Edition, cutoff_day, write_side_file

# Tool, arguments, and expected members of the result.
CALLS: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    (
        "find_food_resources",
        {"location": "10002", "limit": 3},
        {"total_available": 3, "radius_miles": 10.0},
    ),
    (
        "get_resource_details",
        {"resource_id": 101},
        {"moved_from": None, "timezone": "America/New_York"},
    ),
    ("find_open_now", {"location": "New York, NY"}, {"total_open_now": 1, "radius_miles": 10.0}),
    (
        "estimate_snap_benefit",
        {"household_size": 3, "state": "OR", "monthly_earned_income": 1500},
        {},
    ),
    ("get_state_portal", {"state": "oregon"}, {"state": "OR", "program": "SNAP", "is_snap": True}),
    ("get_active_disasters", {"state": "FL"}, {"state": "FL", "total_active": 1}),
    ("get_organization_info", {}, {"is_fictional": True, "total_places": 132}),
)


def write_mcp_town(data_dir: Path) -> None:
    """Write the town as a release, and one active disaster in Florida."""
    write_town(data_dir)
    today = datetime.now(UTC).date()
    write_side_file(data_dir, _edition(today), [_storm(today)])


def _edition(today: date) -> Edition:
    now = datetime.now(UTC)
    return Edition(today, today, cutoff_day(today), now, now, ["example.csv"], is_synthetic=True)


def _storm(today: date) -> Declaration:
    return Declaration(
        disaster_number=4999,
        declaration_type="DR",
        title="Hurricane Example",
        state="FL",
        declaration_date=today - timedelta(days=5),
        incident_type="Hurricane",
        has_individual_assistance=True,
        incident_begin_date=today - timedelta(days=9),
    )
