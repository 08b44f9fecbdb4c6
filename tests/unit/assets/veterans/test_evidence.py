"""Which places are for veterans, and which only have the word in their name."""

import random
from typing import Any

import pandas as pd
import pytest

from assets.veterans import evidence
from assets.veterans.evidence import of_veterans
from tests.support.cases import labelled, table_of

TEXTS = "eligibility_text", "requirements_text", "services_text", "hours_text", "notes"
COLUMNS = ["name", "organization", "website", "resource_type", *TEXTS]


def judged(**place: Any) -> pd.DataFrame:
    row = {"resource_type": "food_pantry", **place}
    return of_veterans(pd.DataFrame([row]).reindex(columns=COLUMNS).astype("str"))


MENTAL, OTP = "mental_health_facility", "opioid_treatment"


@labelled("place, kind, because")
def test_for_veterans(place: dict[str, str], kind: str, because: str) -> None:
    evidence_of_place = judged(**place)
    assert evidence_of_place["resource_type"].tolist() == [kind]
    assert evidence_of_place["serves_veterans_because"].tolist() == [because]
    assert evidence_of_place["resource_subtype"].tolist() == [
        place.get("resource_type", "food_pantry")
    ]


@labelled("place")
def test_not_for_veterans(place: dict[str, str]) -> None:
    assert judged(**place).empty


# Python, case ignored, takes the dotless i for an i and the long s for an s.
WORDS = table_of(__file__, "words")


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
