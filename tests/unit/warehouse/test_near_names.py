"""Names within a few typing errors, against RapidFuzz."""

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from tests.support.cases import labelled, table_of
from warehouse.index.fuzzy_names import NearNames, errors_allowed

NAMES = table_of(__file__, "names")


@labelled("text, most, whole, beginning")
def test_near(text, most, whole, beginning):
    near = NearNames(NAMES)
    assert [NAMES[at] for _, at in near.whole(text, most)] == whole
    assert [NAMES[at] for _, at in near.beginning(text, most)] == beginning


def test_a_name_longer_than_is_compared():
    near = NearNames(["springfield", "x" * 40])
    for matches in (near.whole("x" * 40, 1), near.beginning("x" * 40, 1)):
        assert [at for _, at in matches] == [1]


words = st.text("abc ", min_size=1, max_size=12)


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
        found = [(at, errors) for errors, at in matches]
        assert found == [(at, errors) for at, errors in expected.items() if errors <= most]


def test_errors_allowed():
    assert [errors_allowed("x" * n) for n in (1, 3, 4, 7, 8, 20)] == [0, 0, 1, 1, 2, 2]
