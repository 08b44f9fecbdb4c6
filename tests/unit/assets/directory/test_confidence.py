"""The confidence of listings: the sum of the reasons that are given with it."""

from typing import Any

import pandas as pd

from assets.directory.automatic_changes import no_observations
from assets.directory.scores import with_confidence
from assets.probes.assets import no_probes
from schemas.sources.registry import sources
from schemas.vocab.statuses import AUTHORITIES, VERIFICATION_REASONS
from tests.support.cases import labelled

AS_OF = pd.Timestamp("2026-11-01")
PHONES = pd.DataFrame(
    {
        "phone_e164": ["+12125550100", "+12125550100", "+12120000000"],
        "state": ["NY", "MA", "NY"],
        "is_valid": [True, True, False],
        "is_state_match": pd.array([True, False, True], dtype="boolean"),
    }
)


def judge(row: dict[str, Any], by: list[str], **tables: pd.DataFrame) -> tuple[int, list[str]]:
    base = {
        "resource_id": 7,
        "last_verified_date": None,
        "confirmed_date": None,
        "source_updated_date": None,
        "state": "NY",
        "location_precision": "city",
        "website": None,
        "phone_e164": None,
    }
    resources = pd.DataFrame([{**base, **row}]).astype({"website": "str", "phone_e164": "str"})
    behind = pd.DataFrame({"resource_id": 7, "source_id": by})
    judged = with_confidence(
        resources,
        behind,
        sources(),
        tables.get("probes", no_probes()),
        PHONES,
        tables.get("observations", no_observations()),
        AS_OF,
    )
    return int(judged["verification_confidence"].iloc[0]), judged["verification_reasons"].iloc[0]


def of(authority: str) -> str:
    return next(s.id for s in sources().values() if s.authority == authority)


@labelled("row, score, reasons")
def test_reasons(row: dict[str, Any], score: int, reasons: list[str]) -> None:
    judged = judge(row, [of("registry")])
    assert (judged[0], sorted(judged[1])) == (score, sorted(reasons))
    assert judged[0] == sum(VERIFICATION_REASONS[code].points for code in judged[1])


def test_the_strongest_record_counts_and_files_of_one_publisher_do_not_agree() -> None:
    compiled = of("compiled")
    alone, reasons = judge({}, [compiled, compiled])
    assert "sources_two" not in reasons
    both, reasons = judge({}, [compiled, of("registry")])
    assert {"authority_registry", "sources_two"} <= set(reasons)
    assert both > alone


def test_website_and_far_point() -> None:
    probes = pd.DataFrame([{"website": "http://a.org", "probe_result": "timeout"}])
    far = pd.DataFrame([{"resource_id": 7, "rule_id": "point_far_from_zip"}])
    score, reasons = judge(
        {"website": "http://a.org"}, [of("community")], probes=probes, observations=far
    )
    assert {"website_fails", "point_far_from_zip"} <= set(reasons)
    assert score == 0, "never below zero"


def test_every_authority_has_points_and_the_best_listing_has_a_hundred() -> None:
    assert all(f"authority_{name}" in VERIFICATION_REASONS for name in AUTHORITIES)
    best = [
        "authority_operator",
        "sources_three_or_more",
        "verified_within_90_days",
        "point_exact",
        "website_answers",
        "phone_plausible",
    ]
    assert sum(VERIFICATION_REASONS[code].points for code in best) == 100
