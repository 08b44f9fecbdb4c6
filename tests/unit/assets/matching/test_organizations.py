"""Organizations need an EIN, or the very same name and something of their own."""

from typing import Any

import pandas as pd

from assets.matching.organizations import resolve_organizations
from tests.support.cases import labelled

COLUMNS = ["source_id", "source_key", "organization", "state", "website", "phone_e164", "ein"]


def organizations(*records: dict[str, Any]) -> list[Any]:
    rows = [
        {"source_id": f"list_{n}", "source_key": str(n), "state": "OR", **record}
        for n, record in enumerate(records, start=1)
    ]
    frame = pd.DataFrame(rows).reindex(columns=COLUMNS).astype("str")
    return resolve_organizations(frame)["organization_key"].tolist()


def count(*records: dict[str, Any]) -> int:
    return len(set(organizations(*records)))


ALDA = {"organization": "Alda Relief Society"}


@labelled("one, other")
def test_one_organization(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert count(one, other) == 1


@labelled("one, other")
def test_two_organizations(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = organizations(one, other)
    assert pd.isna(first) or first != second


def test_three_food_banks_of_one_list_website_and_telephone_never_share_one() -> None:
    shared = {"source_id": "a", "website": "https://banks.example/", "phone_e164": "+18005550142"}
    names = ["Food Bank of Alder County", "Food Bank of Birch County", "Alder Birch Food Bank"]
    assert count(*({**shared, "organization": name} for name in names)) == 3


def test_a_name_with_two_eins_leaves_the_others_alone() -> None:
    records = [
        {**ALDA, "source_id": "a", "ein": ein} for ein in ("001234567", "007654321", None, None)
    ]
    assert count(*records) == 4


def test_the_key_is_the_smallest_and_evidence_is_given() -> None:
    frame = pd.DataFrame(
        {
            "source_id": ["b", "a", "a", "a"],
            "source_key": ["1", "2", "1", "3"],
            "organization": ["Alda Relief", "Alda Relief", "Alda Relief", None],
            "state": ["OR"] * 4,
            "website": ["https://alda.example"] * 4,
            "phone_e164": pd.Series([None] * 4, dtype="str"),
        }
    )
    found = resolve_organizations(frame)
    assert found["organization_key"].tolist()[:3] == ["a:1"] * 3
    assert found["organization_key"].isna().tolist() == [False, False, False, True]
    assert found["evidence"].tolist()[:1] == [
        "same name, with the same list and state, website or telephone"
    ]
