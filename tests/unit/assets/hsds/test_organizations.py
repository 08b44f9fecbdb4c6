"""Organizations behind resources: apart where they must be, and under a number that stays."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.directory.identity import issue_id
from assets.hsds.assets import OWN, organization_registry


def place(key: str, organization: str | None = None, **values: Any) -> dict[str, Any]:
    return {
        "resource_id": issue_id("some_list", key),
        "source_id": "some_list",
        "source_key": key,
        "data_source": "some_list",
        "organization": organization,
        "state": "NY",
        "website": None,
        "phone_e164": None,
        "is_active": True,
        "ein": None,
        **values,
    }


def registry(rows: list[dict[str, Any]], previous: pd.DataFrame | None = None) -> pd.DataFrame:
    texts = [name for name in rows[0] if name not in ("resource_id", "is_active")]
    frame = pd.DataFrame(rows).astype(dict.fromkeys(texts, "str")).astype({"resource_id": "Int64"})
    identities = frame[["resource_id", "source_id", "source_key"]]
    return organization_registry(
        frame.drop(columns=["source_id", "source_key"]),
        identities,
        previous,
        "20261101T060000Z" if previous is None else "20261102T060000Z",
    )


def published(table: pd.DataFrame) -> dict[str, int]:
    """Return the number of the organization by record key, for listed records."""
    number = table["successor_number"].fillna(table["organization_number"])
    is_listed = table["id_status"] != "retired"
    return dict(zip(table["source_key"][is_listed], number[is_listed].astype("int64"), strict=True))


def test_sites_of_one_organization_share_it_and_unnamed_places_are_their_own() -> None:
    table = registry(
        [place("a", "Riverside Unified"), place("b", "Riverside Unified"), place("c"), place("d")]
    )
    organization_ids = published(table)
    assert organization_ids["a"] == organization_ids["b"] == issue_id("some_list", "a")
    assert len({organization_ids["a"], organization_ids["c"], organization_ids["d"]}) == 3
    assert table.set_index("source_key")["organization_evidence"]["c"] == OWN


def test_an_ein_is_written_as_digits() -> None:
    assert registry([place("a", "Riverside Unified", ein="12-3456789")])["ein"].tolist() == [
        "123456789"
    ]


def test_an_inactive_place_has_no_organization_and_a_vanished_one_is_retired() -> None:
    first = registry([place("a", "Riverside Unified"), place("b")])
    second = registry([place("a", "Riverside Unified"), place("b", is_active=False)], first)
    assert second.set_index("source_key")["id_status"].to_dict() == {"a": "active", "b": "retired"}


NAMES = st.sampled_from(["Riverside Unified", "Alpha Pantry Network", "Beta Shelter Group", None])


@pytest.mark.slow
@given(st.dictionaries(st.text("abcdefghij", min_size=1, max_size=4), NAMES, min_size=1), NAMES)
def test_adding_a_record_changes_no_other_organization(
    places: dict[str, str | None], name: str | None
) -> None:
    rows = [place(key, organization) for key, organization in places.items()]
    before = registry(rows)
    # "A" sorts before every other key.
    after = registry([place("A", name), *rows], before)
    ids_after = published(after)
    assert {key: ids_after[key] for key in places} == published(before)
