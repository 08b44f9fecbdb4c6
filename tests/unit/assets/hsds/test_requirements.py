"""Papers and fees are read only where a text is plain."""

import pytest

from assets.hsds.readings import documents_of, names_a_fee, requirement_facts
from tests.support.cases import labelled

FEES = [
    ("$5 handling fee", True),
    ("A suggested donation of $2", True),
    ("Food donations accepted", False),
    ("Free groceries", False),
    ("No cost", True),  # speaks of money: the claim is left to the words
]


@labelled("text, expected")
def test_papers_a_text_plainly_requires(text: str, expected: list[str]) -> None:
    assert documents_of(text) == expected


@pytest.mark.parametrize(("text", "expected"), FEES)
def test_texts_that_speak_of_money(text: str, expected: bool) -> None:
    assert names_a_fee(text) is expected


def test_texts_without_content_are_dropped() -> None:
    facts = requirement_facts(["ID required", "Use the side door", "$5 fee"])
    assert facts["text"].tolist() == ["ID required", "$5 fee"]
    assert facts["has_fee"].tolist() == [False, True]
