"""One answer for a household: each program with yes, maybe or no, and food near the ZIP code."""

from datetime import date
from typing import Any

import msgspec
import pytest

from schemas.api.snap import HouseholdAnswer
from schemas.words import Words
from serving.benefits.household import household_of
from serving.benefits.screeners import disaster_snap
from serving.benefits.wording import EstimateWords
from serving.forms import household as composed
from serving.reference.policy import FactsOn
from tests.support.cases import cases
from tests.support.clients import Client

PATH = "/api/benefits/screen"
HOME = {"zip": "10002", "household_size": 2, "month": "2026-11"}


def _programs(client: Client, household: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(PATH, json=household)
    assert answer.status_code == 200, answer.text
    document = msgspec.json.decode(answer.content, type=HouseholdAnswer)
    return {one.id: one for one in document.programs}


def home(state: str, ages: list[int], income: float, **more: Any) -> dict[str, Any]:
    members = [{"age": age} for age in ages]
    known = {"state": state, "household_size": len(ages), "members": members}
    return {"month": "2026-11", **known, "monthly_earned_income": income, **more}


HEAT = {"utilities": ["heating_cooling"]}
HEATED = {"rent_or_mortgage": 1500, "region": "NY_NYC", **HEAT}
RENT = {"monthly_earned_income": 900, "rent_or_mortgage": 1000}
TWO_EXPECTING = [{"age": 22, "pregnant": True}, {"age": 40, "pregnant": True}]
BY_SNAP = "gets SNAP needs no other income check"


@cases(
    "household, program, likely, words",
    {
        "WIC by SNAP, although above the limit of WIC": (
            home("NY", [30, 1], 3400, dependent_care=1200, **HEATED), "wic", True, BY_SNAP,
        ),
        "WIC by SNAP, ages not known": (home("NY", [0, 0], 500, members=None), "wic", None, BY_SNAP),
        "WIC, not by SNAP of $0": (home("FL", [35, 3, 12], 4400), "wic", False, "above the WIC limit"),
        "the unborn child counts": (
            home("TX", [22], 2900, has_pregnant_member=True), "wic", True, "within the limit of $3,337",
        ),
        "two are expecting": (
            home("TX", [22, 40], 5000, members=TWO_EXPECTING), "wic", True, "within the limit of $5,088",
        ),
        "school meals by income, not by SNAP of $0": (
            home("FL", [35, 9, 12], 4100, rent_or_mortgage=100),
            "school_meals", True, "reduced-price school meals",
        ),
        "SNAP is refused by its net test": (
            home("HI", [40], 2350, members=None), "snap", False, "net income is above the limit of $1,530",
        ),
    },
)  # fmt: skip
def test_what_a_household_gets_for_other_reasons(
    client: Client, household: dict[str, Any], program: str, likely: bool | None, words: str
) -> None:
    found = _programs(client, household)[program]
    assert (found.likely, words in found.text) == (likely, True), found.text


@cases(
    "household, region",
    {
        "Manhattan": ({"zip": "10002"}, "NY_NYC"),
        "with its state": ({"zip": "10002", "state": "NY"}, "NY_NYC"),
        "Westchester": ({"zip": "12346"}, "NY_ONY"),
        "a region that was sent wins": ({"zip": "10002", "region": "NY_NAS"}, "NY_NAS"),
        "no ZIP code": ({"state": "NY"}, "NY_ONY"),
    },
)
def test_the_zip_code_has_a_region(client: Client, household: dict[str, Any], region: str) -> None:
    costs = {"monthly_earned_income": 2600, "rent_or_mortgage": 250, **HEAT}
    sent = {"household_size": 3, "month": "2026-11", **costs, **household}
    found = client.post("/api/snap/calculate", json=sent).json()
    assert found["utility_region"] == region
    assert ("region_assumed" in found["warnings"]) is ("zip" not in household)
    if household == {"zip": "10002"}:
        assert found["estimated_monthly_benefit"] == 363
        assert "about $363 a month" in client.post("/snap-calculator", data=sent).text


@cases(
    "household, likely",
    {
        # 7 CFR 273.2(i)(1)(i): less than $150 of income, at most $100 at hand.
        "no income, no money": ({"assets": 0}, True),
        "$149 and $100": ({"monthly_earned_income": 149, "assets": 100}, True),
        "$150 is not less than $150": ({"monthly_earned_income": 150, "assets": 0}, False),
        "$101 at hand": ({"monthly_earned_income": 149, "assets": 101}, False),
        # 273.2(i)(1)(iii): income and money are less than rent and utilities.
        "rent of more than income and money": (RENT | {"assets": 99}, True),
        "rent of just income and money": (RENT | {"assets": 100}, False),
        "utilities count with their allowance": (RENT | HEAT | {"assets": 100}, True),
        "money not given": ({}, None),
        "money not given, income above rent": ({"monthly_earned_income": 900}, False),
        "not eligible for SNAP": (RENT | {"monthly_earned_income": 9000, "assets": 0}, False),
    },
)
def test_expedited_snap(client: Client, household: dict[str, Any], likely: bool | None) -> None:
    program = _programs(client, HOME | household)["expedited_snap"]
    assert program.likely is likely
    assert "273.2" in program.source.title
    assert program.next_step


@cases(
    "household, likely",
    {
        "someone of 60": ({"members": [{"age": 60}, {"age": 30}]}, True),
        "nobody of 60": ({"members": [{"age": 59}, {"age": 30}]}, False),
        "an age not given": ({"members": [{"age": 59}]}, None),
        "no ages": ({}, None),
        # 150% of the guideline for two: $32,460 a year.
        "just the limit": (
            {"members": [{"age": 70}, {"age": 70}], "monthly_unearned_income": 2705},
            True,
        ),
        "above the limit": (
            {"members": [{"age": 70}, {"age": 70}], "monthly_unearned_income": 4000},
            False,
        ),
        "above the limit and perhaps with SNAP": (
            {"members": [{"age": 70}, {"age": 70}], "monthly_unearned_income": 3300},
            None,
        ),
        "no limit for so many": (
            {"household_size": 12, "members": [{"age": 70}], "monthly_unearned_income": 19000},
            None,
        ),
    },
)
def test_senior_box(client: Client, household: dict[str, Any], likely: bool | None) -> None:
    program = _programs(client, HOME | household)["csfp"]
    assert program.likely is likely
    assert "247.9" in program.source.title


def test_a_pregnancy_alone_is_enough_for_wic(client: Client) -> None:
    assert _programs(client, HOME)["wic"].likely is None
    assert _programs(client, HOME | {"has_pregnant_member": True})["wic"].likely is True


def test_every_program_has_a_reason_a_next_step_and_a_source(client: Client) -> None:
    for language in ("en", "es"):
        programs = _programs(client, HOME | {"lang": language})
        assert list(programs) == [
            "snap",
            "expedited_snap",
            "wic",
            "school_meals",
            "sun_bucks",
            "csfp",
        ]
        for one in programs.values():
            assert one.text
            assert one.next_step
            assert one.source.url


def test_the_answer_has_the_estimate_and_the_places_of_urgent(client: Client) -> None:
    document = msgspec.json.decode(client.post(PATH, json=HOME).content, type=HouseholdAnswer)
    assert (
        msgspec.to_builtins(document.estimate)
        == client.post("/api/snap/calculate", json=HOME).json()
    )
    urgent = client.get("/api/resources/urgent?zip=10002&limit=50").json()["resources"]
    certain = [one["id"] for one in urgent if one["hours_status"] != "unknown"]
    open_ids = [one.resource_id for one in document.today or () if one.group == "open"]
    assert open_ids
    assert open_ids == certain[: len(open_ids)]
    assert document.contacts
    without = {"state": "NY", "household_size": 2}
    assert client.post(PATH, json=without).json()["today"] is None


def test_a_territory_without_snap_has_its_own_program(client: Client) -> None:
    programs = _programs(client, {"state": "PR", "household_size": 2})
    assert programs["snap"].likely is None
    assert "expedited_snap" not in programs


# ---------------------------------------------------------------- after a disaster


@cases(
    "flag, likely",
    {"likely": (True, None), "elsewhere": (False, False), "old data": (None, None)},
)
def test_disaster_snap_is_never_promised(flag: bool | None, likely: bool | None) -> None:
    home = household_of({"state": "FL", "household_size": 3}, date(2026, 11, 22), None)
    program = disaster_snap(home, flag, "The message.", EstimateWords(home))
    limit = FactsOn(home.month).value("dsnap.income_limit", "contiguous", 3)
    assert (program.likely, program.income_limit) == (likely, limit)
    assert program.text.startswith("The message.")
    assert ("$3,263" in program.text) is (flag is True)


@cases("declared, has_program", {"none": (0, False), "one that is active": (1, True)})
def test_only_declared_disasters_are_named(
    client: Client, monkeypatch: pytest.MonkeyPatch, declared: int, has_program: bool
) -> None:
    """The town has no declarations: `/api/disasters` answers for it here."""

    class Found:
        total_active, dsnap_reason, has_dsnap_likely = declared, "likely", True
        dsnap_message = Words("It is likely here.", "Es probable aquí.")

    monkeypatch.setattr(composed.disasters, "active", lambda *_, **__: Found)
    assert ("dsnap" in _programs(client, HOME)) is has_program


def test_the_answer_without_declarations(client: Client) -> None:
    assert client.post(PATH, json=HOME).json()["are_disasters_known"] is False
    page = client.post("/snap-calculator", data={"zip": "10002", "household_size": "2"})
    assert "cannot check for disaster declarations" in page.text


# ---------------------------------------------------------------- the page


@cases(
    "ages, status",
    {
        "commas": ("34, 6, 1", 200),
        "a word between": ("34, 6 and 1", 200),
        "Spanish": ("34, 6 y 1", 200),
        "fewer than people": ("34", 200),
        "more than people": ("1 2 3 4", 400),
        "letters": ("old", 400),
        "a long number": ("1234", 400),
        "nobody is that old": ("150", 400),
    },
)
def test_ages_in_one_box(client: Client, ages: str, status: int) -> None:
    form = {"zip": "10002", "household_size": "3", "ages": ages}
    page = client.post("/snap-calculator", data=form)
    assert page.status_code == status
    assert ('id="ages-fault"' in page.text) is (status == 400)
    assert f'value="{ages}"' in page.text


@pytest.mark.parametrize("prefix", ["", "/es"])
def test_the_page_shows_every_program_and_the_places(client: Client, prefix: str) -> None:
    form = {"zip": "10002", "household_size": "2", "monthly_earned_income": "500"}
    page = client.post(f"{prefix}/snap-calculator", data=form).text
    language = "es" if prefix else "en"
    answer = client.post(
        PATH, json={**HOME, "monthly_earned_income": 500, "month": None, "lang": language}
    ).json()
    for one in answer["programs"]:
        assert f"<h3>{one['name'].replace('&', '&amp;')}</h3>" in page
    for place in answer["today"]:
        assert f"{prefix}/place/{place['resource_id']}" in page
