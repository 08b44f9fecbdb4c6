"""Names within a few typing errors, against RapidFuzz."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from warehouse.index.fuzzy_names import NearNames, errors_allowed

NAMES = sorted(
    [
        "springfield",
        "springfield gardens",
        "salem",
        "salem heights",
        "salmon",
        "portland",
        "st paul",
        "new york",
        "newark",
        "york",
        "o fallon",
        "a",
        "x" * 40,
    ]
)
NEAR = NearNames(NAMES)

# Text, errors, whole names found, names that begin so.
CASES = {
    "two letters swapped": (
        "springfeild",
        2,
        ["springfield"],
        ["springfield", "springfield gardens"],
    ),
    "a letter missing": ("salm", 1, ["salem"], ["salem", "salem heights", "salmon"]),
    "a letter too many": ("porttland", 1, ["portland"], ["portland"]),
    "a wrong first letter": ("dortland", 1, ["portland"], ["portland"]),
    "a blank missing": ("newyork", 1, ["new york"], ["new york"]),
    "too many errors": ("sprungfuild", 1, [], []),
    "nothing alike": ("qqqqqq", 2, [], []),
    "a name longer than is compared": ("x" * 40, 1, ["x" * 40], ["x" * 40]),
}


@pytest.mark.parametrize(("text", "most", "whole", "beginning"), CASES.values(), ids=CASES)
def test_near(text, most, whole, beginning):
    assert [NAMES[at] for _, at in NEAR.whole(text, most)] == whole
    assert [NAMES[at] for _, at in NEAR.beginning(text, most)] == beginning


words = st.text("abc ", min_size=1, max_size=9)


@given(names=st.lists(words, max_size=12, unique=True), text=words, most=st.integers(0, 3))
def test_agrees_with_rapidfuzz(names, text, most):
    near = NearNames(names)
    whole = {at: OSA.distance(text, name) for at, name in enumerate(names)}
    beginning = {
        at: min(OSA.distance(text, name[:end]) for end in range(len(name) + 1))
        for at, name in enumerate(names)
    }
    for matches, expected in (
        (near.whole(text, most), whole),
        (near.beginning(text, most), beginning),
    ):
        assert {at: errors for errors, at in matches} == {
            a: e for a, e in expected.items() if e <= most
        }


def test_errors_allowed():
    assert [errors_allowed("x" * n) for n in (1, 3, 4, 7, 8, 20)] == [0, 0, 1, 1, 2, 2]
