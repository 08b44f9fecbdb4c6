"""SNAP by hand: every row is a household and its arithmetic. D standard deduction, E earned-income
deduction,
S excess shelter, N net income, C 30% of N rounded up."""

from datetime import date
from typing import Any

import pytest

from schemas.api.snap import SnapEstimate
from serving.benefits.estimate import estimate

TODAY = date(2026, 11, 22)
SEPTEMBER = "2026-09"


def of(state: str, size: int = 1, income: float = 0, **more: Any) -> SnapEstimate:
    return estimate(
        {"state": state, "household_size": size, "monthly_unearned_income": income, **more},
        TODAY,
        None,
    )


HEAT = {"utilities": ["heating_cooling"]}
OLD = {"has_elderly_or_disabled": True}

ROWS = [
    # state, size, unearned income, more, eligible, benefit, arithmetic
    ("TX", 1, 0, {}, True, 306, "no income: the maximum"),
    ("TX", 4, 0, {"monthly_earned_income": 2000, "rent_or_mortgage": 1200, **HEAT}, True, 842, "2000-229D-400E=1371; 1200+445-685.50=959.50, cap 769S; N602; C180.6=181; 1023-181"),
    ("TX", 4, 0, {"monthly_earned_income": 2000, "rent_or_mortgage": 1200, **HEAT, "month": SEPTEMBER}, True, 804, "FY2026: 2000-223D-400E=1377; cap 744S; N633; C189.9=190; 994-190"),
    ("TX", 1, 1000, {"rent_or_mortgage": 900, **HEAT, **OLD}, True, 306, "no cap: 1000-217D=783; 900+445-391.50=953.50S; N0"),
    ("TX", 1, 1000, {"rent_or_mortgage": 900, **HEAT}, True, 301, "cap: 783-769S=14N; C4.2=5; 306-5"),
    ("KS", 1, 1000.50, {}, True, 70, "783.50 -> 784N (50 cents up); C235.2=236; 306-236"),
    ("KS", 1, 1000.49, {}, True, 71, "783.49 -> 783N (49 cents down); C234.9=235; 306-235"),
    ("KS", 1, 217 + 50, {}, True, 291, "N50; C15 exactly; 306-15"),
    ("TX", 1, 1700, {}, True, 25, "165% = 2194.50; 1700-217D=1483N; C445 > 306: minimum"),
    ("KS", 1, 1700, {}, False, 0, "no category: gross 1700<=1729, net 1483>1330"),
    ("KS", 1, 1730, {}, False, 0, "gross 1730>1729"),
    ("KS", 1, 1729, {"dependent_care": 400}, True, 25, "gross at the limit; 1729-217D-400=1112N; C334 > 306: minimum"),
    ("CO", 3, 3800, {}, True, 0, "200% = 4553.33; 3800-217D=3583N; C1075 > 808: nothing for three"),
    ("CA", 3, 3800, {}, False, 0, "the same in California: nothing means not taking part"),
    ("AK", 1, 0, {"region": "AK_URBAN"}, True, 392, "urban Alaska"),
    ("AK", 1, 0, {"region": "AK_RURAL_1"}, True, 499, "rural I"),
    ("AK", 1, 0, {"region": "AK_RURAL_2"}, True, 608, "rural II"),
    ("AK", 3, 0, {"region": "AK_RURAL_2", "monthly_earned_income": 2000}, True, 1233, "2000-371D-400E=1229N; C368.7=369; 1602-369"),
    ("AK", 2, 1500, {"region": "AK_URBAN", "utility_region": "AK_NW", "rent_or_mortgage": 600, **HEAT}, True, 718, "1500-371D=1129; 600+1107-564.50=1142.50S, below the cap of 1229; 0N; the maximum"),
    ("HI", 2, 1500, {"rent_or_mortgage": 1000, "utilities": ["electricity"]}, True, 769, "1500-306D=1194; 1000+324-597=727S; N467; C140.1=141; 910-141"),
    ("HI", 1, 0, {"month": SEPTEMBER}, True, 506, "Hawaii FY2026"),
    ("GU", 1, 800, {}, True, 342, "800-435D=365N; C109.5=110; 452-110"),
    ("GU", 4, 0, {"month": SEPTEMBER}, True, 1465, "Guam FY2026"),
    ("VI", 4, 0, {"monthly_earned_income": 1500}, True, 1023, "1500-229D-300E=971N; C291.3=292; 1315-292"),
    ("VI", 3, 0, {"month": SEPTEMBER}, True, 1009, "Virgin Islands FY2026"),
    ("TX", 1, 1200, {**OLD, "medical_expenses": 100}, True, 51, "65 above 35, standard 135: 1200-217D-135=848N; C254.4=255; 306-255"),
    ("TX", 1, 1200, {**OLD, "medical_expenses": 200}, True, 60, "165 above 35 > 135: 1200-217D-165=818N; C245.4=246; 306-246"),
    ("TX", 1, 1000, {**OLD, "medical_expenses": 35}, True, 71, "nothing above 35: 783N; C234.9=235; 306-235"),
    ("TX", 1, 1000, {"medical_expenses": 500}, True, 71, "medical costs count for elderly and disabled members only: 783N"),
    ("CA", 1, 2700, {"child_support_paid": 100}, True, 25, "left out of gross: 2600 <= 2660; 2383N; C715 > 306: minimum"),
    ("TX", 1, 2250, {"child_support_paid": 100}, False, 0, "a deduction in Texas: gross 2250 > 2194.50"),
    ("TX", 1, 1000, {"child_support_paid": 100}, True, 101, "1000-217D-100=683N; C204.9=205; 306-205"),
    ("NY", 2, 0, {"monthly_earned_income": 3000, "dependent_care": 400}, True, 27, "200% with care = 3606.67; 3000-217D-600E-400=1783N; C534.9=535; 562-535"),
    ("NY", 2, 0, {"monthly_earned_income": 3000}, False, 0, "150% with earnings = 2705 < 3000"),
    ("NY", 2, 2400, {}, False, 0, "130% without earnings = 2344.33 < 2400"),
    ("NY", 2, 0, {"monthly_earned_income": 2400}, True, 51, "150%: 2400-217D-480E=1703N; C510.9=511; 562-511"),
    ("TX", 1, 900, {"homeless": True, "rent_or_mortgage": 100}, True, 162, "683 left; 100-341.50<0: 205.66; 477.34 -> 477N; C143.1=144; 306-144"),
    ("TX", 1, 900, {"homeless": True}, True, 101, "no shelter costs, no deduction: 683N; C204.9=205; 306-205"),
    ("TX", 1, 900, {"homeless": True, "rent_or_mortgage": 700}, True, 208, "700-341.50=358.50S is more than 205.66: 324.50 -> 325N; C97.5=98; 306-98"),
    ("TX", 1, 900, {"utilities": ["electricity", "water"]}, True, 118, "two: limited 400-341.50=58.50S; 624.50 -> 625N; C187.5=188; 306-188"),
    ("TX", 1, 300, {"utilities": ["phone"]}, True, 287, "83 left; phone 62-41.50=20.50S; 62.50 -> 63N; C18.9=19; 306-19"),
    ("CO", 1, 300, {"utilities": ["phone"]}, True, 297, "83 left; phone 97-41.50=55.50S; 27.50 -> 28N; C8.4=9; 306-9"),
    ("MI", 1, 500, {"utilities": ["electricity", "gas"]}, True, 242, "no limited allowance: 181+33=214-141.50=72.50S; 283-72.50=210.50 -> 211N; C63.3=64; 306-64"),
    ("CA", 1, 1200, OLD, True, 62, "energy assistance of the state: 983 left; 663-491.50=171.50S; 811.50 -> 812N; C243.6=244; 306-244"),
    ("CA", 1, 1200, {}, True, 25, "not without an elderly or disabled member: 983N; C295; 11 < minimum 25"),
    ("TX", 1, 600, {**OLD, "receives_energy_assistance": True}, True, 267, "383 left; 445-191.50=253.50S; 129.50 -> 130N; C39; 306-39"),
    ("TX", 1, 600, {"receives_energy_assistance": True}, True, 191, "no elderly or disabled member: 383N; C114.9=115; 306-115"),
    ("TX", 17, 0, {}, True, 3866, "1841+9x225"),
    ("TX", 18, 0, {}, True, 3887, "the cap from 18 on"),
    ("TX", 20, 0, {}, True, 3887, "the cap"),
    ("TX", 20, 0, {"month": SEPTEMBER}, True, 3777, "the cap of FY2026 by the statute"),
    ("TX", 1, 0, {"assets": 5001}, False, 0, "above 5000 of the state and 3000 of the rule"),
    ("TX", 1, 0, {"assets": 4000}, True, 306, "within 5000 of the state"),
    ("KS", 1, 0, {"assets": 3000}, True, 306, "at the limit"),
    ("KS", 1, 0, {"assets": 3001}, False, 0, "above 3000"),
    ("KS", 1, 0, {"assets": 4750, **OLD}, True, 306, "4750 with an elderly member"),
    ("KS", 1, 0, {"assets": 4501, **OLD, "month": SEPTEMBER}, False, 0, "4500 in FY2026"),
    ("KS", 1, 2500, {**OLD, "medical_expenses": 1500}, True, 60, "no gross test; 1465 above 35 is more than the standard 175: 2500-217D-1465=818N; C245.4=246; 306-246"),
    ("AL", 1, 1500, {"all_elderly_or_disabled": True}, True, 25, "200% with all elderly; 1283N <= 1330; C385 > 306: minimum"),
    ("AL", 2, 2400, OLD, False, 0, "one of two: 130% = 2344.33 fails; no gross test, net 2183 > 1804"),
    ("NJ", 4, 4500, {}, True, 0, "185% = 5087.50; 4271N; nothing left, so the state adds nothing"),
    ("NJ", 4, 3500, {}, True, 95, "3500-229D=3271N; C981.3=982; 1023-982=41; the state adds 54"),
    ("NJ", 1, 1900, {}, True, 95, "1683N; C505 > 306: minimum 25; the state adds 70"),
    ("NM", 1, 1900, {"all_elderly_or_disabled": True}, True, 100, "1683N; minimum 25; the state adds 75"),
    ("NM", 1, 980, {"all_elderly_or_disabled": True}, True, 77, "763N; C228.9=229; 77 is more than the minimum, so nothing is added"),
    ("NM", 1, 1900, {}, True, 25, "neither elderly nor disabled"),
    ("NM", 2, 2500, OLD, True, 25, "one of two"),
    ("NM", 1, 1800, {"all_elderly_or_disabled": True, "monthly_earned_income": 100}, True, 25, "with earnings"),
    ("NH", 1, 0, {"monthly_earned_income": 2000, "members": [{"age": 45}]}, False, 0, "no child: gross 2000 > 1729"),
    ("NH", 1, 0, {"monthly_earned_income": 2000}, False, 0, "a household of one has no dependent child"),
    ("NH", 2, 0, {"monthly_earned_income": 3000, "members": [{"age": 45}, {"age": 18}]}, False, 0, "18 is no child: gross 3000 > 2345"),
    ("NH", 2, 0, {"monthly_earned_income": 3000, "members": [{"age": 45}, {"age": 17}]}, True, 25, "a child: 200%; 3000-217D-600E=2183N; C655 > 562: minimum"),
    ("NH", 2, 0, {"monthly_earned_income": 3000}, True, 25, "ages not known: a child is assumed"),
    ("NH", 1, 1500, {"members": [{"age": 70}]}, True, 25, "1283N within the usual net limit"),
    ("DC", 1, 2000, {}, True, 30, "the district's own minimum"),
    ("MD", 1, 2000, {"members": [{"age": 63}]}, True, 40, "the state's minimum from 62"),
    ("MD", 1, 2000, {"members": [{"age": 61}]}, True, 25, "not at 61"),
    ("LA", 1, 1600, {}, False, 0, "200%, but with a net test: 1383 > 1330"),
    ("ID", 1, 1900, {**OLD, "assets": 5000}, False, 0, "no gross limit for elderly, but net 1683 > 1330"),
    ("ID", 1, 1500, {**OLD, "assets": 5000}, True, 25, "1283N <= 1330, assets within 5000 of the state"),
    ("AZ", 1, 500, {"utilities": ["electricity", "gas"]}, True, 224, "limited 154-141.50=12.50S; 283-12.50=270.50 -> 271N; C81.3=82; 306-82"),
    ("NC", 5, 1500, {**HEAT}, True, 936, "912 for five: 1500-268D=1232; 912-616=296S; N936; C280.8=281; 1217-281"),
    ("WA", 1, 2650, {"month": SEPTEMBER}, True, 24, "2026 guideline since April: 200% = 2660; minimum 24 of FY2026"),
    ("CO", 1, 2650, {"month": SEPTEMBER}, False, 0, "2025 guideline until October: 200% = 2608.33"),
    ("GU", 1, 300, {"utilities": ["electricity", "phone"]}, True, 452, "below the deduction of 435: N0"),
    ("VI", 1, 800, {"rent_or_mortgage": 300, "utility_costs": 250}, True, 284, "800-191D=609; no allowance, so 300+250-304.50=245.50S; 363.50 -> 364N; C109.2=110; 394-110"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "size", "income", "more", "eligible", "benefit"),
    [pytest.param(*row[:6], id=f"{row[0]} {row[1]}: {row[6]}") for row in ROWS],
)
def test_by_hand(
    state: str, size: int, income: float, more: dict[str, Any], eligible: bool, benefit: int
) -> None:
    estimate = of(state, size, income, **more)
    assert (estimate.eligible, estimate.estimated_monthly_benefit) == (eligible, benefit)


@pytest.mark.parametrize(
    ("state", "size", "income", "more", "tests"),
    [
        # 200% of the guideline for one is $3,060 in Hawaii, and net income is limited as well.
        ("HI", 1, 0, {"monthly_earned_income": 2350}, ["net"]),
        ("HI", 1, 3100, {}, ["gross", "net"]),
        ("LA", 1, 1600, {}, ["net"]),
        ("TX", 1, 0, {"assets": 5001}, ["assets"]),
        ("TX", 1, 3000, {"assets": 5001}, ["gross", "assets"]),
        ("KS", 1, 1700, {}, ["net"]),
        ("KS", 1, 1730, {}, ["gross", "net"]),
        ("KS", 1, 0, {"assets": 3001}, ["assets"]),
        ("ID", 1, 1900, {**OLD, "assets": 5000}, ["net"]),
        ("NY", 2, 2400, {}, ["gross"]),
        # No gross test for elderly people above the state's limit: the net test decides.
        ("AL", 1, 2700, {"all_elderly_or_disabled": True}, ["net"]),
    ],
)
def test_a_denial_names_the_test_that_failed(
    state: str, size: int, income: float, more: dict[str, Any], tests: list[str]
) -> None:
    words = {
        "gross": ("gross income is above", "el ingreso bruto pasa"),
        "net": ("net income is above", "el ingreso neto pasa"),
        "assets": ("resources are above", "los recursos pasan"),
    }
    for at, language in enumerate(("en", "es")):
        estimate = of(state, size, income, lang=language, **more)
        assert not estimate.eligible
        assert estimate.denied_by == tests
        reason = estimate.explanation[-1]
        assert [name for name in words if words[name][at] in reason] == tests
        if "gross" not in tests:
            # Nothing says that the gross income is too high, if that is not why.
            assert not any(t.name == "gross" and t.applies and not t.passed for t in estimate.tests)


@pytest.mark.parametrize(
    ("state", "more", "amount", "citation"),
    [
        ("NJ", {}, 70, "N.J.S.A. 44:10-111"),
        ("NM", {"all_elderly_or_disabled": True}, 75, "8.139.502 NMAC"),
        ("MD", {"members": [{"age": 63}]}, 15, "Md. Code, Human Services § 5-501(d)"),
        ("DC", {}, 5, "D.C. Code § 4-261.04"),
        ("TX", {}, 0, None),
    ],
)
def test_a_supplement_is_state_money_with_its_own_citation(
    state: str, more: dict[str, Any], amount: int, citation: str | None
) -> None:
    estimate = of(state, 1, 1600, **more)
    assert (estimate.eligible, estimate.state_supplement) == (True, amount)
    steps = [line for line in estimate.explanation if "from its own money" in line]
    assert [f"({citation})" in line for line in steps] == [True] * bool(citation)
    assert [f"adds ${amount} " in line for line in steps] == [True] * bool(citation)
    # What is federal is cited as federal, and apart.
    [minimum] = [line for line in estimate.explanation if "273.10(e)(2)(ii)(C)" in line]
    assert "$25" in minimum


@pytest.mark.parametrize(
    ("size", "members", "is_said"),
    [
        (2, [{"age": 40}, {"age": 17}], True),
        (2, [{"age": 40}, {"age": 18}], False),
        (3, [], True),
        (1, [], False),
    ],
)
def test_the_wages_of_a_student_do_not_count(
    size: int, members: list[dict[str, Any]], is_said: bool
) -> None:
    for language, words in (("en", "student of 17"), ("es", "estudiante de 17")):
        estimate = of("TX", size, members=members, monthly_earned_income=900, lang=language)
        said = [line for line in estimate.explanation if words in line]
        assert ["273.9(c)(7)" in line for line in said] == [True] * is_said
