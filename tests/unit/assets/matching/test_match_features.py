"""Facts of records that matching needs nationwide."""

from assets.matching.profiles import facts_by_state
from tests.unit.assets.matching.places import located

PLACES = (
    {"name": "St. Mary Pantry", "address": "12 Oak St", "city": "Salem", "zip": "97301"},
    {
        "name": "Community Fridge",
        "address": "PO Box 7",
        "state": "WA",
        "phone_e164": "+12065550123",
    },
    {"name": "Grace Kitchen", "address": "9 Elm Ave", "lat": 44.9, "lng": -123.0},
    {"name": "St. Mary Pantry", "address": "12 Oak St", "city": "Salem", "state": "WA"},
)


def test_facts_of_a_state_are_the_same_alone_and_among_others() -> None:
    rows = located(*PLACES)
    together = facts_by_state(rows)
    assert sorted(together) == ["OR", "WA"]
    for state, facts in together.items():
        alone = facts_by_state(rows[rows["state"].eq(state)])
        assert list(alone) == [state]
        assert facts.equals(alone[state])
        assert facts["row"].to_pylist() == [0, 1]
