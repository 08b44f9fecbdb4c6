"""The SNAP estimate over HTTP and as a page."""

from datetime import UTC, datetime
from typing import Any

import pytest

from schemas.api.snap import SnapRequest
from serving.benefits.household import utility_regions
from serving.render.words import words
from tests.support.cases import cases
from tests.support.clients import Client

PATH = "/api/snap/calculate"
GOOD = {"state": "TX", "household_size": 3, "month": "2026-11"}


def faults_of(answer: Any) -> dict[str, str]:
    return {fault["field"]: fault["rule"] for fault in answer.json()["errors"]}


def test_the_answer_has_the_names_that_clients_read(client: Client) -> None:
    answer = client.post(PATH, json=GOOD | {"monthly_earned_income": 1500})
    document = answer.json()
    assert answer.status_code == 200
    assert document["eligible"] is True
    assert (document["fiscal_year"], document["month"], document["state"]) == (
        2027,
        "2026-11",
        "TX",
    )
    assert set(document["income"]) == {"gross", "net"}
    assert {"standard", "earned_income", "excess_shelter"} <= set(document["deductions"])
    assert {test["name"] for test in document["tests"]} == {"gross", "net", "assets", "categorical"}
    assert document["apply"]["portal_url"].startswith("https://")
    assert document["apply"]["hotline"]
    assert document["sources"]
    assert document["disclaimer"]
    assert any("7 CFR 273.9(d)(2)" in line for line in document["explanation"])


@cases(
    "payload",
    {
        "short forms": {"state": "NY", "household_size": 3, "gross_monthly_income": 1200},
        "by ZIP code": {"zip": "10002", "household_size": 3},
        "small letters, 3.0, null": {"state": "ny", "household_size": 3.0, "assets": None},
        "an allowance by name": {
            "state": "NY",
            "household_size": 3,
            "utility_allowance": "HEATING_AND_COOLING",
        },
    },
)
def test_other_names_are_accepted(client: Client, payload: dict[str, Any]) -> None:
    document = client.post(PATH, json=payload)
    assert document.status_code == 200
    assert (document.json()["state"], document.json()["household_size"]) == ("NY", 3)


def test_short_names_mean_the_same(client: Client) -> None:
    long = GOOD | {
        "monthly_earned_income": 900,
        "dependent_care": 50,
        "medical_expenses": 80,
        "has_elderly_or_disabled": True,
        "child_support_paid": 10,
        "property_tax_and_insurance": 70,
        "assets": 5,
    }
    short = {
        "state_or_territory": "TX",
        "household_size": 3,
        "month": "2026-11",
        "monthly_job_income": 900,
        "dependent_care_costs": 50,
        "medical_expenses_for_elderly_or_disabled": 80,
        "household_includes_elderly_or_disabled": True,
        "court_ordered_child_support_payments": 10,
        "homeowners_insurance_and_taxes": 70,
        "resources": 5,
    }
    assert client.post(PATH, json=long).json() == client.post(PATH, json=short).json()


def test_the_month_is_the_current_one(client: Client) -> None:
    document = client.post(PATH, json={"state": "TX", "household_size": 1}).json()
    assert document["month"] == f"{datetime.now(UTC):%Y-%m}"


@cases(
    "payload, field, says",
    {
        "nothing": ({}, "household_size", "1 to 30"),
        "no state": ({"household_size": 1}, "state", "required"),
        "nobody": (GOOD | {"household_size": 0}, "household_size", "1 to 30"),
        "too many": (GOOD | {"household_size": 31}, "household_size", "1 to 30"),
        "half a person": (GOOD | {"household_size": 2.5}, "household_size", "1 to 30"),
        "a truth": (GOOD | {"household_size": True}, "household_size", "1 to 30"),
        "beyond all numbers": (GOOD | {"household_size": 10**400}, "household_size", "1 to 30"),
        "no such state": (GOOD | {"state": "ZZ"}, "state", "two letters"),
        "negative rent": (GOOD | {"rent_or_mortgage": -1}, "rent_or_mortgage", "0 to 1,000,000"),
        "a palace": (GOOD | {"rent_or_mortgage": 1e7}, "rent_or_mortgage", "0 to 1,000,000"),
        "internet is no utility": (GOOD | {"utilities": ["internet"]}, "utilities", "phone"),
        "not born": (GOOD | {"members": [{"age": -1}]}, "members", "0 to 120"),
        "more people than there are": (GOOD | {"members": [{"age": 3}] * 4}, "members", "household_size"),
        "a month without figures": (GOOD | {"month": "2019-01"}, "month", "2025-10"),
        "a thirteenth month": (GOOD | {"month": "2026-13"}, "month", "YYYY-MM"),
        "a region of another state": (GOOD | {"region": "NY_NYC"}, "region", "TX"),
        "no such area": ({"state": "AK", "household_size": 1, "region": "MOON"}, "region", "AK_RURAL_1"),
        "French": (GOOD | {"lang": "fr"}, "lang", "en or es"),
        "short ZIP code": ({"zip": "1234", "household_size": 1}, "zip", "five digits"),
        "two states": (GOOD | {"state_or_territory": "NY"}, "state_or_territory", "other name"),
        "no such allowance": (GOOD | {"utility_allowance": "STEAM"}, "utility_allowance", "PHONE"),
    },
)  # fmt: skip
def test_nonsense_names_field_and_range(
    client: Client, payload: dict[str, Any], field: str, says: str
) -> None:
    answer = client.post(PATH, json=payload)
    assert answer.status_code == 400
    assert says in faults_of(answer)[field]


def test_every_wrong_field_is_named_at_once(client: Client) -> None:
    answer = client.post(PATH, json={"household_size": -1, "assets": -1, "homeless": 3})
    assert set(faults_of(answer)) == {"household_size", "assets", "homeless", "state"}


@pytest.mark.parametrize("body", [b"[1]", b" " * 40_000])
def test_other_json_is_refused(client: Client, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    assert client.post(PATH, content=body, headers=headers).status_code == 400


def test_an_unknown_zip_code(client: Client) -> None:
    assert client.post(PATH, json={"zip": "00000", "household_size": 1}).status_code == 404


@pytest.mark.parametrize(
    ("state", "program"), [("PR", "PAN (NAP)"), ("AS", "ASNAP"), ("MP", "NAP")]
)
def test_block_grants_get_no_number(client: Client, state: str, program: str) -> None:
    document = client.post(PATH, json={"state": state, "household_size": 2}).json()
    assert document["eligible"] is None
    assert document["estimated_monthly_benefit"] is None
    assert (document["programme"], document["warnings"]) == (program, ["territory_block_grant"])
    assert program in document["explanation"][0]


@cases(
    "payload, code",
    {
        "assets": (GOOD, "assets_unknown"),
        "income in one sum": (GOOD | {"monthly_gross_income": 10}, "gross_income_not_split"),
        "old allowances": (GOOD | {"utilities": ["heating_cooling"]}, "utility_values_previous_year"),
        "always": (GOOD, "student_or_noncitizen_rules_not_checked"),
        "Alaska without an area": ({"state": "AK", "household_size": 1}, "region_assumed"),
        "Maryland without ages": ({"state": "MD", "household_size": 1, "has_elderly_or_disabled": True}, "state_minimum_needs_age"),
        "New Hampshire without a child": ({"state": "NH", "household_size": 1}, "categorical_needs_child"),
        "New Hampshire without ages": ({"state": "NH", "household_size": 2}, "dependent_child_assumed"),
        "heating in Hawaii": ({"state": "HI", "household_size": 1, "utilities": ["heating_cooling"]}, "no_heating_allowance"),
        "before the state's change": ({"state": "WI", "household_size": 1, "month": "2026-01"}, "state_values_other_period"),
        "a guideline that is not out": ({"state": "WA", "household_size": 1, "month": "2027-05"}, "poverty_guideline_previous_year"),
        "unknown field": (GOOD | {"<b>": 1}, "unknown_fields_ignored"),
    },
)  # fmt: skip
def test_warnings(client: Client, payload: dict[str, Any], code: str) -> None:
    document = client.post(PATH, json=payload).json()
    assert code in document["warnings"]
    assert len(document["warning_texts"]) == len(document["warnings"])


@cases(
    "more, expected",
    {
        "a small child and a pupil; Texas had no SUN Bucks in 2025": (
            {"members": [{"age": 30}, {"age": 3}, {"age": 8}]},
            [True, True, None],
        ),
        "grown-ups": ({"members": [{"age": 30}, {"age": 31}, {"age": 40}]}, [False, False, False]),
        "pregnant; the others are not described": (
            {"members": [{"age": 30, "pregnant": True}]},
            [True, None, None],
        ),
        "high income": ({"monthly_earned_income": 9000}, [False, False, False]),
        "no ages": ({}, [None, None, None]),
    },
)
def test_other_programs(client: Client, more: dict[str, Any], expected: list[bool | None]) -> None:
    programs = client.post(PATH, json=GOOD | more).json()["other_programs"]
    likely = {p["id"]: p["likely"] for p in programs}
    assert list(likely) == ["expedited_snap", "wic", "school_meals", "sun_bucks", "csfp"]
    assert [likely[name] for name in ("wic", "school_meals", "sun_bucks")] == expected


def test_spanish(client: Client) -> None:
    answer = client.post(PATH, json=GOOD | {"language": "es", "monthly_earned_income": 500})
    assert answer.headers["content-language"] == "es"
    assert answer.json()["explanation"][0].startswith("El ingreso que cuenta es $500 al mes")


def test_the_form_asks_what_an_estimate_needs(client: Client) -> None:
    page = client.get("/es/snap-calculator").text
    fields = {name for name in SnapRequest.__struct_fields__ if f'name="{name}"' in page}
    assert {"state", "household_size", "monthly_earned_income", "utilities", "assets"} <= fields


def test_the_form_answers(client: Client) -> None:
    form = {
        "state": "TX",
        "household_size": "3",
        "monthly_earned_income": "$1,500",
        "utilities": ["phone", "heating_cooling"],
        "assets": "",
        "homeless": "true",
    }
    page = client.post("/es/snap-calculator", data=form)
    same = client.post(
        PATH,
        json={
            "state": "TX",
            "household_size": 3,
            "monthly_earned_income": 1500,
            "utilities": ["phone", "heating_cooling"],
            "homeless": True,
        },
    ).json()
    assert page.status_code == 200
    assert f"${same['estimated_monthly_benefit']:,} al mes" in page.text
    assert same["apply"]["hotline"] in page.text
    assert "no-store" in page.headers["cache-control"]
    assert 'value="TX" selected' in page.text
    assert "noindex" in page.text


def test_the_form_accepts_a_query(client: Client) -> None:
    assert (
        "$306 a month"
        in client.get("/snap-calculator?state=TX&household_size=1&month=2026-11").text
    )


def test_every_region_that_can_be_chosen_has_a_name() -> None:
    named = {name for name, _ in words("benefits", "es").regions.items()}
    assert {region for region in utility_regions() if "_" in region} <= named


def test_errors_of_the_form_are_in_its_language(client: Client) -> None:
    page = client.post(
        "/es/snap-calculator", data={"state": "TX", "household_size": "<b>", "assets": "-3"}
    )
    assert page.status_code == 400
    assert "un número entero de 1 a 30" in page.text
    assert "dólares de 0 a 1,000,000" in page.text
    assert "<b>" not in page.text
