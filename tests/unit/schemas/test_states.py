"""States in the order of their names."""

from schemas.vocab.states import STATES, sort_by_name


def test_states_are_in_the_order_of_the_language() -> None:
    names = [STATES[code].names["es"] for code in sort_by_name(("MT", "MI", "MS", "NY"), "es")]
    assert names == ["Míchigan", "Misisipi", "Montana", "Nueva York"]
