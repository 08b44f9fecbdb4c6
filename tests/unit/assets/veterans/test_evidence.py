"""Which places are for veterans, and which only have the word in their name."""

import random
from typing import Any

import pandas as pd
import pytest

from assets.veterans import evidence
from assets.veterans.evidence import BY_ADDRESS, BY_NAME, BY_TEXT, BY_WEBSITE, of_veterans

COLUMNS = [
    "name",
    "organization",
    "website",
    "resource_type",
    "eligibility_text",
    "requirements_text",
    "services_text",
    "hours_text",
    "notes",
]


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
    "chapter": ({"name": "DAV Chapter 12 Pantry"}, "vso", BY_NAME),
    "office that helps with claims": ({"name": "Larkspur Veterans Service Office"}, "vso", BY_NAME),
    "county's office": ({"name": "Larkspur County Department of Veterans Affairs"}, "vso", BY_NAME),
    "says that it is one": ({"name": "Larkspur Helpers", "notes": "We are open to all. It is a veteran service organization."}, "vso", BY_TEXT),
    "program of housing by letters": ({"name": "SSVF Intake"}, "housing", BY_NAME),
    "program of housing by words": ({"name": "Supportive Services for Veteran Families"}, "housing", BY_NAME),
    "vouchers": ({"name": "Larkspur HUD-VASH Office"}, "housing", BY_NAME),
    "beds": ({"name": "Larkspur Grant and Per Diem Program"}, "housing", BY_NAME),
    "transitional housing": ({"name": "Transitional Housing for Homeless Veterans"}, "housing", BY_NAME),
    "gives housing": ({"name": "Larkspur House", "services_text": "Provides transitional housing to homeless veterans."}, "housing", BY_TEXT),
    "sends to housing": ({"name": "Larkspur House", "services_text": "Veterans are referred to transitional housing."}, "other", BY_TEXT),
    "treatment stays treatment": ({"name": "Veterans Housing Clinic", "resource_type": MENTAL}, "mental_health", BY_NAME),
    "pantry": ({"name": "Veterans Food Pantry"}, "other", BY_NAME),
    "singular, possessive": ({"name": "Larkspur Veteran's Clinic", "resource_type": "health_center"}, "other", BY_NAME),
    "eligibility": ({"name": "Larkspur Pantry", "eligibility_text": "Veterans and their families"}, "other", BY_TEXT),
    "notes": ({"name": "Larkspur Pantry", "notes": "Military members and veterans can get help"}, "other", BY_TEXT),
    "hours for veterans only": ({"name": "Larkspur Pantry", "hours_text": "Sa 9-12 Veterans Only"}, "other", BY_TEXT),
    "words of the address": ({"name": "Mission Larkspur", "website": "https://aid.example/for-veterans-now"}, "other", BY_ADDRESS),
    "military families": ({"name": "Larkspur Military Family Clinic", "resource_type": MENTAL}, "mental_health", BY_NAME),
}  # fmt: skip
LEFT = {
    "memorial school": {
        "name": "Veterans Memorial High School SBHC",
        "resource_type": "health_center",
    },
    "elementary": {"name": "Veterans Elementary School Pantry"},
    "memorial hall": {"name": "Pantry at Veterans Memorial Hall"},
    "academy": {"name": "Leadership Military Family Academy"},
    "meets in a post's hall": {"name": "Tax Aide, Larkspur American Legion Hall"},
    "meets at a post": {"name": "Thursday Pantry @ VFW Post 12"},
    "street named after a post": {"name": "American Legion Drive Pantry"},
    "shop": {"name": "Military Order of the Purple Heart Thrift Store"},
    "home for children": {"name": "VFW National Home for Children"},
    "first name": {"name": "Dav Larkspur Pantry"},
    "voucher of another kind": {"name": "Larkspur Clinic; VASH"},
    "street": {"name": "Pantry", "notes": "Enter from Veterans Blvd"},
    "holiday": {"name": "Pantry", "hours_text": "Tu 9-12, closed Veterans Day"},
    "Virginia": {"name": "Larkspur - VA Baptist Hospital", "resource_type": MENTAL},
    "Virginia behind a comma": {
        "name": "Larkspur Health, Norfolk, VA Clinic",
        "resource_type": MENTAL,
    },
    "state in a list": {"name": "Social Services - GA/VA"},
    "a clinic's text": {
        "name": "Larkspur",
        "notes": "Serves veterans",
        "resource_type": "health_center",
    },
    "another host": {
        "name": "Larkspur",
        "website": "https://va.gov.example/",
        "resource_type": MENTAL,
    },
    "another word": {"name": "Veterinary Pantry for Pets"},
    "nothing": {"name": "Larkspur Pantry"},
}


@pytest.mark.parametrize(("place", "kind", "because"), FOUND.values(), ids=FOUND)
def test_for_veterans(place: dict[str, str], kind: str, because: str) -> None:
    evidence_of_place = judged(**place)
    assert evidence_of_place["resource_type"].tolist() == [kind]
    assert evidence_of_place["serves_veterans_because"].tolist() == [because]
    assert evidence_of_place["resource_subtype"].tolist() == [
        place.get("resource_type", "food_pantry")
    ]


@pytest.mark.parametrize("place", LEFT.values(), ids=LEFT)
def test_not_for_veterans(place: dict[str, str]) -> None:
    assert judged(**place).empty


# Python, case ignored, takes the dotless i for an i and the long s for an s.
WORDS = [
    "Veteran",
    "VETERANS",
    "veteranſ",
    "Vet",
    "Centers",
    "vet center",
    "Military",
    "mılıtary",
    "fam",
    "famıly",
    "VA",
    "VAMC",
    "VAHCS",
    "HCS",
    "Medical",
    "Clinic",
    "Affairs",
    "VFW",
    "vfw",
    "American",
    "Legion",
    "Legıon",
    "AMVETS",
    "Memorial",
    "Day",
    "DAV",
    "dav",
    "SSVF",
    "ſſvf",
    "HUD-VASH",
    "hud vaſh",
    "Grant and Per Diem",
    "Purple Heart",
    "Order of the",
    "Marıne Corps League",
    "County",
    "Services",
    "housing for",
    "School",
    "Norfolk",
    "Tech",
    "VA-I",
    "https://x.va.gov/",
    "https://VA.GOV:443",
    "Pantry",
    "é",
]


@pytest.mark.parametrize("seed", range(3))
def test_the_quick_filter_drops_no_match(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    draw = random.Random(seed)

    def text() -> str | None:
        few = draw.choices(WORDS, k=draw.randint(0, 4))
        return "".join(word + draw.choice(["", " ", " ", ", ", "-", "\n"]) for word in few) or None

    kinds = ["food_pantry", MENTAL, "health_center"]
    rows = [{c: text() for c in COLUMNS} | {"resource_type": kinds[n % 3]} for n in range(3000)]
    # One text to a row: else hardly any row would be left out.
    rows += [
        {
            draw.choice(["name", "organization", "website", "notes"]): text(),
            "resource_type": kinds[n % 3],
        }
        for n in range(9000)
    ]
    places = pd.DataFrame(rows).reindex(columns=COLUMNS).astype("str")
    matches = of_veterans(places)
    remaining = (~evidence._mentions(places)).sum()
    monkeypatch.setattr(evidence, "_mentions", lambda rows: pd.Series(True, index=rows.index))
    pd.testing.assert_frame_equal(matches, of_veterans(places))
    assert remaining > 1000
    assert len(matches) > 1000
