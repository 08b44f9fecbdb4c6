"""Clauses that say a place is closed for now, and until when."""

from datetime import date

from assets.attributes.reading import facts_in
from assets.attributes.statements import last_day, read_closure
from tests.support.cases import labelled

SAID_ON = date(2023, 7, 13)


@labelled("clause, until")
def test_closures(clause: str, until: date | None) -> None:
    found = {finding.field: finding.value for finding in read_closure(clause)}
    assert found == {"closure": "closed", "closure_text": clause}
    assert last_day(clause, SAID_ON) == until


@labelled("clause")
def test_no_closures(clause: str) -> None:
    assert read_closure(clause) == []


def test_a_name_says_only_that_its_place_is_closed() -> None:
    assert [f.field for f in facts_in("Example Pantry (Closed)", "name")] == [
        "closure",
        "closure_text",
    ]
    assert facts_in("Seniors Only Hot Meals", "name") == []
