"""Members of documents that code computes: benefits, dates of programs, states."""

from datetime import date
from typing import Any

import pytest

from schemas.vocab.states import FIFTY_ONE, STATE_CODES, STATES
from serving.documents.benefit_fields import _WHERE, wic_four_tests
from serving.documents.date_fields import _ROWS, _next, program_dates
from serving.documents.render_context import RenderContext, today
from serving.documents.renderer import FUNCTIONS, library
from serving.reference.policy import FactsOn, fact_lines
from serving.render.words import Language
from serving.settings import Settings
from tests.support.cases import cases
from tests.support.clients import Client

TODAY = date(2026, 11, 22)


def _context(language: Language = "en", on: date = TODAY) -> RenderContext:
    return RenderContext(
        library(), library().rows["snap-eligibility"], language, Settings(), None, on
    )


def _value_of(name: str, language: Language = "en", on: date = TODAY) -> Any:
    return FUNCTIONS[name](_context(language, on))


@cases(
    "member, on, size, area, expected",
    {
        "year in force": ("snap_allotments", TODAY, 4, "contiguous", 1023),
        "last day of the year before": ("snap_allotments", date(2026, 9, 30), 4, "contiguous", 994),
        "Alaska": ("snap_allotments", TODAY, 1, "AK_RURAL_2", 608),
        "each person beyond eight": ("snap_allotments", TODAY, None, "VI", 289),
        "gross limit": ("snap_gross_limits", TODAY, 1, "HI", 1989),
        "reservations": ("fdpir_income_limits", TODAY, 8, "AK", 6190),
    },
)
def test_amounts_by_size(member: str, on: date, size: int | None, area: str, expected: int) -> None:
    table = _value_of(member, on=on)
    rows = {row["household_size"]: row for row in table["rows"]}
    assert rows[size][area] == expected
    assert table["source_url"].startswith("https://")
    assert table["as_of"] >= "2026"


def test_a_table_without_an_increment_has_no_last_row() -> None:
    """The facts of the senior box end at eight people."""
    assert [row["household_size"] for row in _value_of("csfp_income_limits")["rows"]] == list(
        range(1, 9)
    )


def test_pay_periods_of_a_limit() -> None:
    first = _value_of("wic_income_limits")["areas"]["AK"][0]
    assert (first["weekly"], first["monthly"], first["annual"]) == (710, 3076, 36908)


def test_a_change_is_the_difference_of_two_years() -> None:
    rows = _value_of("snap_year_change")
    assert rows[3] == {"household_size": 4, "label": "4", "before": 994, "now": 1023, "change": 29}
    assert _value_of("snap_year_change", on=date(2026, 1, 1)) == [], "the year before is not known"


def test_examples_come_from_the_calculator_and_end_with_its_figures() -> None:
    nothing, *others = _value_of("snap_examples")
    assert nothing["benefit"] == FactsOn(TODAY).value("snap.max_allotment", "contiguous", 1)
    assert all(0 < row["benefit"] < 1023 for row in others)
    assert _value_of("snap_examples", on=date(2031, 1, 1)) == []


def test_every_state_with_a_rule_is_listed_once() -> None:
    rows = {row["state"]: row for row in _value_of("snap_state_limits")}
    assert set(rows) == set(STATES) - {"PR", "AS", "MP"}
    assert rows["CA"]["gross_income_pct_fpl"] == 200
    assert rows["TX"]["asset_limit"] == 5000
    assert (rows["KS"]["uses_higher_limits"], rows["KS"]["gross_shown"]) == (False, "federal limit")


def test_starts_are_days_months_or_unknown() -> None:
    rows = {
        row["state"]: row["starts_shown"] for row in _value_of("food_restrictions", "es")["rows"]
    }
    assert rows["AR"] == "1 de julio de 2026"
    assert rows["FL"] == "abril de 2026"
    assert "no hallamos" in rows["TX"]


def test_places_of_restaurants_are_known_in_spanish() -> None:
    assert set(FactsOn(TODAY).value("snap.restaurant_meals").values()) <= set(_WHERE)


def test_states_are_in_the_order_of_their_names_without_accents() -> None:
    names = [row["name"] for row in _value_of("free_school_meals", "es")]
    assert names.index("Massachusetts") < names.index("Míchigan") < names.index("Minnesota")


def test_dates_of_giving_and_their_sources_are_left_out() -> None:
    context = _context()
    rows = FUNCTIONS["benefit_dates"](context)
    assert {row["topic"] for row in rows} == {"snap", "wic", "school", "summer", "limits"}
    assert {use.fact.source_title for use in context.facts.used.values()} == {
        row["source"] for row in rows
    }


@pytest.mark.parametrize(("language", "name"), [("en", "Your income"), ("es", "Su ingreso")])
def test_the_four_tests_of_wic_are_in_both_languages(language: Language, name: str) -> None:
    tests = wic_four_tests(_context(language))
    assert [test["test_number"] for test in tests] == [1, 2, 3, 4]
    assert tests[2]["name"] == name
    assert (tests[2]["test_name_en"], tests[2]["test_name_es"]) == ("Your income", "Su ingreso")
    assert "185%" in tests[2]["description_en"]
    assert {c["id"] for c in tests[0]["eligible_categories"]} == {
        "pregnant",
        "postpartum",
        "breastfeeding",
        "infant",
        "child",
    }


# ---------------------------------------------------------------- dates of programs

YEARLY = {"date": date(2026, 10, 1), "repeats": "yearly"}
SUMMER = {"from": date(2027, 6, 1), "to": date(2027, 8, 31), "repeats": "yearly"}
NEXT: dict[str, tuple[Any, str, tuple[str, str] | None]] = {
    "a yearly day, before it": (YEARLY, "2026-09-30", ("2026-10-01", "2026-10-01")),
    "a yearly day, on it": (YEARLY, "2026-10-01", ("2026-10-01", "2026-10-01")),
    "a yearly day, after it": (YEARLY, "2026-10-02", ("2027-10-01", "2027-10-01")),
    "a day that comes once": (date(2027, 10, 1), "2026-11-22", ("2027-10-01", "2027-10-01")),
    "a day that came once": (date(2027, 10, 1), "2027-10-02", None),
    "a span that is going on": (SUMMER, "2028-07-04", ("2028-06-01", "2028-08-31")),
    "a span, the day after": (SUMMER, "2028-09-01", ("2029-06-01", "2029-08-31")),
    "a month to come": (8, "2026-02-01", ("2026-08-01", "2026-08-31")),
    "a month, its last day": (2, "2028-02-29", ("2028-02-01", "2028-02-29")),
    "a month that is over": (8, "2026-09-01", ("2027-08-01", "2027-08-31")),
    "months in a row": ([6, 7, 8], "2026-11-22", ("2027-06-01", "2027-08-31")),
    "months over the turn of the year": ([12, 1], "2026-11-22", ("2026-12-01", "2027-01-31")),
    "months over the turn of the year, in January": (
        [12, 1],
        "2027-01-05",
        ("2026-12-01", "2027-01-31"),
    ),
}


@pytest.mark.parametrize(("value", "on", "expected"), NEXT.values(), ids=NEXT)
def test_the_next_time_of_a_date(value: Any, on: str, expected: tuple[str, str] | None) -> None:
    span = _next(value, date.fromisoformat(on))
    assert (span and (span.start.isoformat(), span.end.isoformat())) == expected


def _calendar(on: date, language: Language = "en") -> RenderContext:
    return RenderContext(library(), library().rows["calendar"], language, Settings(), None, on)


@pytest.mark.parametrize("on", [date(2026, 11, 22), date(2027, 7, 3), date(2027, 12, 31)], ids=str)
def test_every_date_is_ahead_or_going_on_and_the_nearest_is_first(on: date) -> None:
    dates = program_dates(_calendar(on))
    assert all(entry["ends_on"] >= on.isoformat() for entry in dates)
    assert [e["starts_on"] for e in dates] == sorted(e["starts_on"] for e in dates)
    assert {e["id"] for e in dates if e["is_now"]} == {
        e["id"] for e in dates if e["starts_on"] <= on.isoformat()
    }


def test_every_row_names_a_fact() -> None:
    facts = FactsOn(TODAY)
    assert [row.fact for row in _ROWS if row.fact not in facts] == []


# ---------------------------------------------------------------- states, words, answers


@pytest.mark.parametrize("path", ["/api/v1/states.json", "/api/v1/states-es.json"])
def test_every_state_and_territory_is_found_by_its_code(client: Client, path: str) -> None:
    facts = FactsOn(today())
    rows = {row["state"]: row for row in client.get(path).json()["states"]}
    assert set(rows) == set(STATE_CODES)
    for code in FIFTY_ONE:
        assert rows[code]["phone"] == facts.value(f"state.phone.{code}")
        assert rows[code]["portal_url"] == facts.value(f"state.portal.{code}", "url")
        assert rows[code]["checked_on"] <= today().isoformat()
    assert {code for code, row in rows.items() if not row["is_snap"]} == {"PR", "AS", "MP"}
    assert rows["MP"]["portal_url"] is rows["MP"]["phone"] is None, "nothing is made up"


def test_names_are_those_of_the_language(client: Client) -> None:
    names = [
        {
            row["state"]: row["name"]
            for row in client.get(f"/api/v1/states{end}.json").json()["states"]
        }
        for end in ("", "-es")
    ]
    assert (names[0]["NY"], names[1]["NY"]) == ("New York", "Nueva York")


def test_lines_that_no_source_confirms_are_not_published(client: Client) -> None:
    body = {line["number"] for line in client.get("/api/v1/help-near-me.json").json()["hotlines"]}
    assert body <= {stated.value for stated in FactsOn(today()).under("hotline").values()}
    hidden = {
        period.value
        for fact_id, fact in fact_lines()
        for period in fact.periods
        if fact_id.startswith("hotline.") and period.unverified
    }
    assert hidden
    assert not body & hidden


@pytest.mark.parametrize(("name", "least"), [("glossary", 60), ("qa", 40)])
@pytest.mark.parametrize("end", ["", "-es"])
def test_entries_have_ids_of_their_own(client: Client, name: str, least: int, end: str) -> None:
    body = client.get(f"/api/v1/{name}{end}.json").json()
    entries = body["terms" if name == "glossary" else "questions"]
    assert len({entry["id"] for entry in entries}) == len(entries) >= least


def test_answers_link_pages_in_their_language(client: Client) -> None:
    for end, start in (("", "/"), ("-es", "/es/")):
        body = client.get(f"/api/v1/qa{end}.json").json()
        base = body["links"]["self"].removesuffix(f"/api/v1/qa{end}.json")
        for entry in body["questions"]:
            path = entry["link"].removeprefix(base)
            assert path.startswith(start), entry
            assert client.head(path).status_code < 400 or client.head(path).status_code == 503, path


@pytest.mark.parametrize(
    ("path", "spanish"),
    [
        ("/search?mode=wic", "/es/search?mode=wic"),
        ("/states#list", "/es/states#list"),
        ("https://example.org/?a=b", "https://example.org/?a=b"),
    ],
)
def test_a_link_has_its_query_and_anchor(path: str, spanish: str) -> None:
    assert library().link(path, "es") == spanish
