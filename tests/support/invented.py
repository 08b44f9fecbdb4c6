"""Invented places with all mixtures of known and unknown facts, from a fixed seed."""

import random
from collections.abc import Sequence
from datetime import date
from typing import Any

from schemas.vocab.attributes import AUDIENCE_CODES, DOCUMENT_CODES, FOOD_CODES
from tests.support.releases import resource

CENTRE = (40.7157, -73.9863)
ZONES = ("America/New_York", "America/Los_Angeles", "Pacific/Guam")
TIMETABLES = (
    None,
    '[{"freq":"WEEKLY","byday":"TU,TH","opens_at":"10:00","closes_at":"13:00"}]',
    '[{"freq":"WEEKLY","byday":"MO,TU,WE","opens_at":"22:00","closes_at":"26:00"}]',
    '[{"freq":"MONTHLY","byday":"2TU","opens_at":"16:00","closes_at":"18:00"}]',
    '[{"freq":"WEEKLY","byday":"SA"}]',
    '[{"freq":"WEEKLY","byday":"FR","opens_at":"09:00","closes_at":"17:00","valid_to":"2026-10-01"}]',
)
DATES = (None, date(2026, 11, 20), date(2026, 6, 1), date(2020, 1, 1))


def some(random_: random.Random, codes: Sequence[str]) -> list[str] | None:
    """Return None, an empty list, or up to three of the codes."""
    return random_.choice([None, [], random_.sample(list(codes), random_.randint(1, 3))])


def truth(random_: random.Random) -> bool | None:
    return random_.choice([None, True, False])


def invent_places() -> list[dict[str, Any]]:
    """Return 600 places, many of them at one point."""
    dice = random.Random(20261124)
    rows = []
    for number in range(600):
        far = dice.choice([0.0, 0.05, 0.4, 3.0])
        documents = some(dice, DOCUMENT_CODES)
        rows.append(
            resource(
                1000 + number,
                name=f"Invented {number}",
                lat=CENTRE[0] + dice.uniform(-far, far),
                lng=CENTRE[1] + dice.uniform(-far, far),
                resource_type=dice.choice(["food_pantry", "soup_kitchen", "wic_office"]),
                timezone=dice.choice(ZONES),
                schedules_json=dice.choice(TIMETABLES),
                source_updated_date=dice.choice(DATES),
                verification_status=dice.choice(["unverified", "verified", "partner_verified"]),
                completeness_score=dice.randint(0, 100),
                accepts_walkins=truth(dice),
                requires_appointment=truth(dice),
                offers_delivery=truth(dice),
                is_wheelchair_accessible=truth(dice),
                requires_id=truth(dice),
                required_documents=documents,
                requires_documents=True if documents else dice.choice([None, False]),
                food_types=some(dice, FOOD_CODES),
                audiences=some(dice, AUDIENCE_CODES),
                languages=some(dice, ("en", "es", "zh", "cmn", "yi")),
                minimum_age=dice.choice([None, None, 60]),
                maximum_age=dice.choice([None, None, 18, 70]),
            )
        )
    return rows


ROWS = invent_places()
