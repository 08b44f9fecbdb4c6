"""The rules of automatic changes: deactivation, restoration, and one audit entry for each."""

from datetime import date, timedelta
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.directory.automatic_changes import (
    apply_rules,
    dead_ends,
    no_changes,
    no_observations,
    observe,
)
from assets.probes.assets import no_probes
from schemas.vocab.resource_types import TYPE_IDS
from tests.support.cases import cases, labelled
from tests.support.examples import examples

DAY = date(2026, 11, 1)
ZIPS = pd.DataFrame(
    {
        "zip": ["10002", "99999", "96799"],
        "lat": [40.7157, 40.0, None],
        "lng": [-73.9863, -75.0, None],
        "zip_kind": "standard",
        "is_quality_low": [False, True, False],
    }
)
_BARE: dict[str, Any] = {
    "resource_id": 1,
    "resource_type": "food_pantry",
    "verification_status": "unverified",
    "phone": None,
    "phone_e164": None,
    "website": None,
    "hours_text": None,
    "schedules_json": None,
    "address": None,
    "location_precision": "zip",
    "zip": "10002",
    "lat": 40.7,
    "lng": -74.0,
    "is_active": True,
    "services_offered": None,
    "requirements_text": None,
    "eligibility_text": None,
    "completeness_score": 50,
    "completeness_missing": None,
    "state": "NY",
    "retrieved_at": pd.Timestamp("2026-10-31T06:00:00Z"),
}


def listings(*rows: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame([{**_BARE, "resource_id": i, **row} for i, row in enumerate(rows, 1)])
    texts = ["phone", "website", "hours_text", "schedules_json", "address", "zip"]
    return frame.astype({"resource_id": "Int64", **dict.fromkeys(texts, "str")})


def failing(url: str, failures: int) -> pd.DataFrame:
    at = pd.Timestamp("2026-11-01T02:00:00Z")
    row = {
        "website": url,
        "probe_result": "gone",
        "http_status": 404,
        "probe_detail": "status 404",
        "probed_at": at,
        "failures_in_row": failures,
    }
    return pd.DataFrame([row]).reindex(columns=no_probes().columns)


class Builds:
    """A series of builds, each after the release of the one before."""

    def __init__(self) -> None:
        self.observations, self.audit, self.number = no_observations(), no_changes(), 0

    def build(
        self,
        rows: pd.DataFrame,
        day: date,
        probes: pd.DataFrame | None = None,
        arrived: date | None = None,
    ) -> pd.DataFrame:
        """Build on a day, with an edition that arrived on that day by default."""
        self.number += 1
        rows = rows.assign(retrieved_at=pd.Timestamp(arrived or day, tz="UTC"))
        probes = no_probes() if probes is None else probes
        self.observations = observe(rows, ZIPS, probes, self.observations, day)
        judgments, changes = apply_rules(
            rows, self.observations, self.audit, day, f"release-{self.number:03}"
        )
        self.audit = pd.concat([self.audit, changes], ignore_index=True)
        return judgments


@labelled("facts, is_dead")
def test_dead_ends(facts: dict[str, Any], is_dead: bool) -> None:
    rows = listings(facts)
    assert list(dead_ends(rows)["resource_id"]) == ([1] if is_dead else [])
    builds = Builds()
    assert list(builds.build(rows, DAY)["is_active"]) == [not is_dead]
    assert len(builds.audit) == int(is_dead)


FAR = {"lat": 41.7, "address": "12 Main St", "location_precision": "street"}


@cases(
    "facts, is_seen",
    {
        "one degree north": (FAR, True),
        "0.78 degrees": ({**FAR, "lat": 41.5}, False),
        "0.96 degrees of longitude are 0.73 of arc": (
            {**FAR, "lat": 40.7157, "lng": -74.95},
            False,
        ),
        "the point is no claim": ({**FAR, "location_precision": "zip"}, False),
        "no ZIP code": ({**FAR, "zip": None}, False),
        "ZIP code without a point": ({**FAR, "zip": "96799"}, False),
        "doubtful ZIP code": ({**FAR, "zip": "99999"}, False),
    },
)
def test_points_far_from_their_zip(facts: dict[str, Any], is_seen: bool) -> None:
    observations = observe(listings(facts), ZIPS, no_probes(), no_observations(), DAY)
    assert len(observations) == int(is_seen)


def test_a_far_point_is_flagged_removed_later_and_restored() -> None:
    builds, rows = Builds(), listings(FAR)
    assert builds.build(rows, DAY)["is_active"].all()
    assert builds.build(rows, DAY)["is_active"].all(), "the same day is no second observation"
    assert not builds.build(rows, DAY + timedelta(1))["is_active"].any()
    assert not builds.build(rows, DAY + timedelta(2))["is_active"].any()
    assert len(builds.audit) == 1, "a change that stands is logged once"
    assert builds.build(listings({**FAR, "lat": 40.72}), DAY + timedelta(3))["is_active"].all()
    assert builds.audit[["old_value", "new_value"]].to_numpy().tolist() == [
        ["true", "false"],
        ["false", "true"],
    ]
    assert builds.build(rows, DAY + timedelta(4))["is_active"].all(), "the count starts anew"


@pytest.mark.parametrize(("failures", "is_cleared"), [(2, False), (3, True), (7, True)])
def test_websites_that_fail_in_a_row(failures: int, is_cleared: bool) -> None:
    url = "http://example.org/x"
    builds, rows = Builds(), listings({"website": url, "address": "1 Main St"})
    directory = builds.build(rows, DAY, failing(url, failures))
    assert directory["website"].isna().all() == is_cleared
    assert directory["is_active"].all()
    if is_cleared:
        row = builds.audit.iloc[0]
        assert (row["changed_field"], row["old_value"], row["rule_id"]) == (
            "website",
            url,
            "website_failing",
        )
        assert "website" in directory["completeness_missing"].iloc[0]
        assert rows["website"].notna().all(), "the caller's frame is left alone"


def test_a_website_returns_when_it_answers() -> None:
    url = "http://example.org"
    builds, rows = Builds(), listings({"website": url, "address": "1 Main St"})
    builds.build(rows, DAY, failing(url, 3))
    assert builds.build(rows, DAY + timedelta(1))["website"].tolist() == [url]
    last = builds.audit.iloc[-1]
    assert pd.isna(last["old_value"])
    assert last["new_value"] == url


def test_a_second_website_that_fails_is_a_second_change() -> None:
    builds = Builds()
    for day, url in enumerate(["http://one.example.org", "http://two.example.org"]):
        builds.build(
            listings({"website": url, "address": "1 M"}), DAY + timedelta(day), failing(url, 3)
        )
    assert list(builds.audit["old_value"]) == ["http://one.example.org", "http://two.example.org"]


def test_a_listing_that_loses_its_last_way_becomes_a_dead_end() -> None:
    url = "http://example.org"
    builds = Builds()
    assert not builds.build(listings({"website": url}), DAY, failing(url, 3))["is_active"].any()
    assert sorted(builds.audit["rule_id"]) == ["dead_end", "website_failing"]


_maybe = st.sampled_from([None, "x 1"])
_listing = st.fixed_dictionaries(
    {
        "resource_type": st.sampled_from(TYPE_IDS),
        "phone": _maybe,
        "website": _maybe,
        "hours_text": _maybe,
        "address": _maybe,
        "lat": st.sampled_from([40.7, 41.9]),
        "location_precision": st.sampled_from(["street", "zip"]),
        "verification_status": st.sampled_from(["unverified", "verified"]),
    }
)


@pytest.mark.slow
@examples(40)
@given(st.lists(st.lists(_listing, min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_audit_accounts_for_every_inactive_listing(history: list[list[dict[str, Any]]]) -> None:
    builds = Builds()
    for day, rows in enumerate(history):
        directory = builds.build(listings(*rows), DAY + timedelta(day))
        actual = builds.audit.groupby(["resource_id", "rule_id"])["new_value"].last()
        inactive = {number for (number, _), value in actual.items() if value == "false"}
        assert inactive == set(directory.loc[~directory["is_active"].astype(bool), "resource_id"])
        keys = ["resource_id", "rule_id", "changed_field", "release_id"]
        assert not builds.audit.duplicated(keys).any()
        before = len(builds.audit)
        builds.build(listings(*rows), DAY + timedelta(day))
        assert len(builds.audit) == before, "the same build again changes nothing"


def test_reading_the_same_bytes_again_adds_no_failure() -> None:
    builds = Builds()
    far = listings(
        {"location_precision": "street", "address": "1 Main St", "lat": 45.0, "lng": -80.0}
    )
    for days in range(5):
        later = builds.build(far, DAY + timedelta(days=days), arrived=DAY)
        assert later["is_active"].all()
    assert list(builds.observations["observation_count"]) == [1]
    inactive = builds.build(far, DAY + timedelta(days=9), arrived=DAY + timedelta(days=8))
    assert not inactive["is_active"].any()
