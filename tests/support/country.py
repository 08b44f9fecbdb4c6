"""An invented country as a release: all states and types, many cities, gaps.

A fixed seed gives the same places in every run.
"""

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import FIFTY_ONE
from tests.support.releases import resource, write_release

_TODAY_SAFE = date(2026, 11, 1)
_SOURCES = ("nyc_pantries_2023", "usda_snap", "wic_clinics", "hrsa_health_centers", "nces_schools")
_HOURS = '[{"freq":"WEEKLY","byday":"TU","opens_at":"10:00","closes_at":"12:00"}]'
LARGE_CITIES, PLACES_IN_A_LARGE_CITY = 210, 24


def places() -> list[dict[str, Any]]:
    """Return rows of `core_directory__resources`: 210 cities of 24 places and 900 other places."""
    rng = random.Random(20261101)
    towns = [
        (f"Town {n:03d}", FIFTY_ONE[n % 40], PLACES_IN_A_LARGE_CITY) for n in range(LARGE_CITIES)
    ]
    homes: list[tuple[str | None, str]] = [(t, s) for t, s, count in towns for _ in range(count)]
    # No city, two spellings of one city, a territory; the last ten states are nearly empty.
    odd: list[tuple[str | None, str]] = [
        (None, "OR"),
        ("Mc Farland", "CA"),
        ("MC FARLAND", "CA"),
        ("MC FARLAND", "CA"),
        ("Hagåtña", "GU"),
    ]
    homes += [
        rng.choice(odd)
        if rng.random() < 0.2
        else (f"Hamlet {rng.randrange(300)}", rng.choice(FIFTY_ONE[:45]))
        for _ in range(900)
    ]
    return [_place(rng, 1000 + n, city, state) for n, (city, state) in enumerate(homes)]


def _place(rng: random.Random, resource_id: int, city: str | None, state: str) -> dict[str, Any]:
    def sometimes(share: float, value: Any) -> Any:
        return value if rng.random() < share else None

    kind = rng.choice([*TYPE_IDS, "food_pantry", "food_pantry", "snap_retailer", "snap_retailer"])
    days = rng.choice([0, 5, 20, 60, 150, 300, 500, 4000])
    hours = sometimes(0.3, _HOURS)
    return resource(
        resource_id,
        name=f"Place {resource_id}",
        resource_type=kind,
        city=city,
        state=state,
        zip=sometimes(0.95, f"{rng.randrange(500):05d}"),
        county_fips=sometimes(0.9, f"{rng.randrange(1, 57):02d}{rng.randrange(1, 9):03d}"),
        lat=round(rng.uniform(30, 45), 5),
        lng=round(rng.uniform(-120, -75), 5),
        location_precision=rng.choice(["rooftop", "street", "zip"]),
        verification_status=rng.choice(["unverified", "unverified", "verified", "partner_verified"])
        if state != "VT"
        else "unverified",
        last_verified_date=sometimes(0.4, _TODAY_SAFE - timedelta(days=days)),
        source_updated_date=sometimes(0.7, _TODAY_SAFE - timedelta(days=rng.randrange(900))),
        phone=sometimes(0.5, "(202) 555-0100"),
        website=sometimes(0.4, "https://example.org/place"),
        address=sometimes(0.8, "1 Example Street"),
        schedules_json=hours,
        hours_text="Tue 10-12" if hours else sometimes(0.2, "call"),
        services_offered=sometimes(0.3, ["groceries"]),
        requirements_text=sometimes(0.2, "none"),
        languages=sometimes(0.2, ["en", "es"]),
        data_source=rng.choice(_SOURCES),
        is_active=rng.random() > 0.03,
    )


def write_country(data_dir: Path) -> str:
    """Write and promote the country; returns the release id."""
    return write_release(data_dir, places())
