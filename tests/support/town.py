"""A small invented directory with the difficult cases of the service."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support.releases import resource, write_release

TODAY = datetime.now(UTC).date()
ALWAYS = '[{"freq":"WEEKLY","byday":"MO,TU,WE,TH,FR,SA,SU","opens_at":"00:00","closes_at":"24:00","description":"open on holidays"}]'
NEW_YORK, ADAK, GUAM, EMPTY_PLAINS = (
    (40.7157, -73.9863),
    (51.88, -176.6581),
    (13.4443, 144.7937),
    (44.0, -107.5),
)
# A submission: a place that the town does not have.
NEW_PLACE = {
    "name": "Zebra Finch Pantry",
    "address": "12 Example Street",
    "city": "New York",
    "state": "NY",
    "zip": "10002",
    "resource_type": "food_pantry",
}


def _at(point: tuple[float, float], north: float = 0.0, east: float = 0.0) -> dict[str, float]:
    return {"lat": point[0] + north, "lng": point[1] + east}


def resources() -> list[dict[str, Any]]:
    """Return rows of `core_directory__resources`, ids ascending."""
    fresh = {"source_updated_date": TODAY - timedelta(days=20)}
    rows = [
        resource(
            101,
            name="Example Pantry East",
            **_at(NEW_YORK, 0.01),
            schedules_json=ALWAYS,
            hours_json='{"monday":"00:00-24:00"}',
            hours_text="Always",
            phone="(212) 555-0101",
            phone_e164="+12125550101",
            address="1 Example Street",
            **fresh,
        ),
        resource(
            102,
            name='Kitchen "Señor" <b>',
            resource_type="soup_kitchen",
            **_at(NEW_YORK, 0.02),
            schedules_json=ALWAYS,
            source_updated_date=date(2020, 1, 1),
            services_offered=["hot meals", "a, b"],
            notes="Two\nlines",
        ),
        resource(
            201,
            name="Adak Pantry",
            city="Adak",
            state="AK",
            zip="99546",
            timezone="America/Adak",
            **_at(ADAK),
        ),
        resource(
            202,
            name="Guam Pantry",
            city="Hagåtña",
            state="GU",
            zip="96910",
            timezone="Pacific/Guam",
            **_at(GUAM),
        ),
        resource(
            203,
            name="Far Pantry",
            city="Casper",
            state="WY",
            zip="82601",
            timezone="America/Denver",
            **_at(EMPTY_PLAINS, -1.3),
        ),
    ]
    around = [
        ("Market", "snap_retailer", {"verification_status": "verified"}),
        (
            "WIC",
            "wic_office",
            {
                "verification_status": "verified",
                "phone": "(800) 555-0104",
                "phone_e164": "+18005550104",
            },
        ),
        ("School", "school_meal", {}),
        ("Summer", "summer_meal", {}),
        ("Clinic", "health_center", {}),
        (
            "Bank",
            "food_bank",
            {"verification_status": "partner_verified", "last_verified_date": TODAY},
        ),
        ("Diapers", "diaper_bank", {}),
    ]
    rows[2:2] = [
        resource(
            100 + n,
            name=f"Example {name}",
            resource_type=kind,
            **_at(NEW_YORK, n / 100),
            **fresh,
            **more,
        )
        for n, (name, kind, more) in enumerate(around, start=3)
    ]
    heap = [
        resource(
            300 + n,
            name=f"Heap {n}",
            zip="10003",
            **_at(NEW_YORK, 0.2),
            location_precision="zip",
            location_method="zip_centroid",
        )
        for n in range(120)
    ]
    return rows + heap


def zips() -> list[dict[str, Any]]:
    """Return rows of `core_geography__zips`."""

    def row(
        code: str,
        name: str,
        state: str,
        point: tuple[float, float] | None,
        kind: str = "standard",
        **more: Any,
    ) -> dict[str, Any]:
        place = _at(point) if point else {}
        return {
            "zip": code,
            "zip_kind": kind,
            "place_name": name,
            "state": state,
            "is_quality_low": False,
            "population": 1000,
            **place,
            **more,
        }

    return [
        row("10002", "New York", "NY", NEW_YORK, population=80000, county_fips="36061"),
        row("10003", "New York", "NY", (40.9157, -73.9863), population=50000),
        row("10008", "New York", "NY", NEW_YORK, "po_box", population=0),
        row("12345", "Schenectady", "NY", (42.81, -73.95), "unique", population=0),
        row("12346", "Peekskill", "NY", (41.25, -73.92), county_fips="36119"),
        row("09012", "APO", "AE", None, "military", population=None),
        row("99546", "Adak", "AK", ADAK, population=171),
        row("96910", "Hagåtña", "GU", GUAM),
        row("82401", "Worland", "WY", EMPTY_PLAINS, is_quality_low=True),
    ]


def cities() -> list[dict[str, Any]]:
    """Return rows of `core_geography__cities`."""
    rows = [
        ("New York", "NY", "new york", NEW_YORK, "10002", 8804190),
        ("Adak", "AK", "adak", ADAK, "99546", 171),
        ("Hagåtña", "GU", "hagatna", GUAM, "96910", 1051),
        ("Worland", "WY", "worland", EMPTY_PLAINS, "82401", 4773),
        ("Salem", "OR", "salem", (44.94, -123.03), None, 175535),
        ("Salem", "MA", "salem", (42.52, -70.9), None, 44480),
        ("St. Paul", "MN", "st paul", (44.95, -93.1), None, 311527),
    ]
    return [
        {
            "place_name": name,
            "state": state,
            "search_name": search_name,
            "zip": code,
            "population": people,
            **_at(point),
        }
        for name, state, search_name, point, code, people in rows
    ]


def food_banks() -> list[dict[str, Any]]:
    """Return rows of `core_directory__food_banks`."""
    return [
        {
            "source_key": "90001",
            "name": "Example Food Bank",
            "state": "WY",
            "website": "https://bank.example.org/find",
            "phone": "(307) 555-0100",
            "source_updated_date": date(2026, 5, 12),
            "served_zips": ["82401"],
            "served_county_zips": [],
        },
        {
            "source_key": "90002",
            "name": "Second Food Bank",
            "state": "NY",
            "website": "https://second.example.org/",
            "source_updated_date": date(2026, 5, 12),
            "served_zips": ["10002"],
            "served_county_zips": ["10008"],
        },
    ]


def write_town(data_dir: Path, **options: Any) -> str:
    """Write and promote the town; return the release id. `options` go to `write_release`.

    With other `resources` the default omits the access measure, a third of the time.
    """
    options.setdefault("access", "resources" not in options)
    rows = options.pop("resources", None) or resources()
    options.setdefault("food_banks", food_banks())
    options.setdefault("zips", zips())
    options.setdefault("cities", cities())
    return write_release(data_dir, rows, **options)
