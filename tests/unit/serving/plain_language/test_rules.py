"""A rule needs five questions that use it: each need, wish, kind of place and topic."""

from collections import Counter
from pathlib import Path

from serving.search.language.needs import needs
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import Reading, read_question
from serving.search.language.tables import tables, wish_words
from tests.unit.serving.plain_language.questions import read_table
from tests.unit.serving.plain_language.test_wishes import read_wishes

_HERE = Path(__file__).parent
_LEAST = 5
# Older rules with fewer questions. A new rule needs five; a rule that gets them leaves this list.
_FEW = {
    f"{group} {name}"
    for group, names in {
        "kind": "community_fridge tribal_food",
        "need": """
            deposit_day ebt_balance eligible_food emergency food_lost mental_health
            other_help rent rides small_benefit stolen_benefits students treatment
            what_csfp what_dsnap what_ebt what_fdpir what_snap what_sun_bucks
            what_wic work_rules
        """,
        "topic": "disaster expedited form_help operator sun_bucks",
        "unsupported": """
            after_jail allergy always choice church disability documents double_up elsewhere holiday
            holiday_meal income insurance lactose lifting midnight minors minutes_away no_cooking
            no_refrigerator notify other_language parking pets pork somebody_else unclear_time
            visit_limit vouchers waiting week_of_month welcome women
        """,
    }.items()
    for name in names.split()
}


def _questions() -> set[str]:
    tables_of_needs = ((_HERE / f"needs_{half}.txt") for half in ("tuned", "held_out"))
    lines = [line for path in tables_of_needs for line in path.read_text("utf-8").splitlines()]
    of_needs = {line.split(" | ")[0] for line in lines if line and not line.startswith("#")}
    of_wishes = {
        q for half in ("tuned", "held_out") for _, q, _ in read_wishes(f"wishes_{half}.txt")
    }
    return of_needs | of_wishes | {expected.question for expected in read_table()}


def _rules_of(reading: Reading) -> set[str]:
    return {
        *(f"need {need.id}" for need in reading.needs),
        *(f"wish {wish.kind} {str(wish.value).lower()}" for wish in reading.wishes),
        *(f"unsupported {name}" for name in reading.unsupported),
        *(f"kind {name}" for name in reading.wants.kinds),
        *(f"topic {name}" for name in reading.wants.topics),
    }


def test_each_new_rule_has_five_questions(names: PlaceNames):
    used = Counter(
        rule for question in _questions() for rule in _rules_of(read_question(question, names))
    )
    words = wish_words()
    rules = {
        *(f"need {need.id}" for need in needs().needs),
        *(
            f"wish {kind} {name.lower()}"
            for kind, values in words.wishes.items()
            for name in values
        ),
        *(f"unsupported {name}" for name in words.unsupported),
        *(f"kind {name}" for name in tables().kinds),
        *(f"topic {name[6:]}" for name in tables().patterns if name.startswith("topic.")),
    }
    assert {rule for rule in rules if used[rule] < _LEAST} == _FEW
