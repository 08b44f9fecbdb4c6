"""Which places are for veterans: what says so, and what merely bears the word."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from assets.veterans.evidence import BY_ADDRESS, BY_NAME, BY_TEXT, BY_WEBSITE, of_veterans

COLUMNS = ["name", "organization", "website", "resource_type", "eligibility_text", "requirements_text", "services_text", "hours_text", "notes"]  # fmt: skip


def judged(**place: Any) -> pd.DataFrame:
    row = {"resource_type": "food_pantry", **place}
    return of_veterans(pd.DataFrame([row]).reindex(columns=COLUMNS).astype("str"))


MENTAL, OTP = "mental_health_facility", "opioid_treatment"
FOUND = {
    "department by host": ({"name": "Larkspur Clinic", "website": "https://www.maine.va.gov/x", "resource_type": MENTAL}, "mental_health", BY_WEBSITE),
    "department by name": ({"name": "Larkspur VAMC - Mental Hygiene", "resource_type": MENTAL}, "mental_health", BY_NAME),
    "VA and a word of medicine": ({"name": "Saint Quince VA Opioid Treatment Program", "resource_type": OTP}, "mental_health", BY_NAME),
    "words between": ({"name": "VA Western Larkspur Healthcare System", "resource_type": MENTAL}, "mental_health", BY_NAME),
    "vet center": ({"name": "Larkspur Vet Center", "website": "https://www.va.gov/", "resource_type": MENTAL}, "vet_center", BY_WEBSITE),
    "post": ({"name": "VFW Post 12 Pantry"}, "vso", BY_NAME),
    "organization": ({"name": "Thursday Pantry", "organization": "American Legion Post 9"}, "vso", BY_NAME),
    "pantry": ({"name": "Veterans Food Pantry"}, "other", BY_NAME),
    "singular, possessive": ({"name": "Larkspur Veteran's Clinic", "resource_type": "health_center"}, "other", BY_NAME),
    "eligibility": ({"name": "Larkspur Pantry", "eligibility_text": "Veterans and their families"}, "other", BY_TEXT),
    "notes": ({"name": "Larkspur Pantry", "notes": "Military members and veterans can get help"}, "other", BY_TEXT),
    "hours for veterans only": ({"name": "Larkspur Pantry", "hours_text": "Sa 9-12 Veterans Only"}, "other", BY_TEXT),
    "words of the address": ({"name": "Mission Larkspur", "website": "https://aid.example/for-veterans-now"}, "other", BY_ADDRESS),
    "military families": ({"name": "Larkspur Military Family Clinic", "resource_type": MENTAL}, "mental_health", BY_NAME),
}  # fmt: skip
LEFT = {
    "memorial school": {"name": "Veterans Memorial High School SBHC", "resource_type": "health_center"},
    "elementary": {"name": "Veterans Elementary School Pantry"},
    "memorial hall": {"name": "Pantry at Veterans Memorial Hall"},
    "academy": {"name": "Leadership Military Family Academy"},
    "street": {"name": "Pantry", "notes": "Enter from Veterans Blvd"},
    "holiday": {"name": "Pantry", "hours_text": "Tu 9-12, closed Veterans Day"},
    "Virginia": {"name": "Larkspur - VA Baptist Hospital", "resource_type": MENTAL},
    "Virginia behind a comma": {"name": "Larkspur Health, Norfolk, VA Clinic", "resource_type": MENTAL},
    "state in a list": {"name": "Social Services - GA/VA"},
    "a clinic's text": {"name": "Larkspur", "notes": "Serves veterans", "resource_type": "health_center"},
    "another host": {"name": "Larkspur", "website": "https://va.gov.example/", "resource_type": MENTAL},
    "another word": {"name": "Veterinary Pantry for Pets"},
    "nothing": {"name": "Larkspur Pantry"},
}  # fmt: skip


@pytest.mark.parametrize(("place", "kind", "because"), FOUND.values(), ids=FOUND)
def test_for_veterans(place: dict[str, str], kind: str, because: str) -> None:
    found = judged(**place)
    assert found["resource_type"].tolist() == [kind]
    assert found["serves_veterans_because"].tolist() == [because]
    assert found["resource_subtype"].tolist() == [place.get("resource_type", "food_pantry")]


@pytest.mark.parametrize("place", LEFT.values(), ids=LEFT)
def test_not_for_veterans(place: dict[str, str]) -> None:
    assert judged(**place).empty
