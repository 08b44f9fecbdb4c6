"""Attributes as bits: a release returns its input."""

import numpy as np
import pytest

from schemas.attributes import CODE_LISTS, TRUTHS
from tests.support.releases import resource, write_release
from warehouse.index.points import bits_of
from warehouse.index.reader import OpenRelease

ROWS = [
    resource(1),
    resource(2, accepts_walkins=True, requires_documents=False, required_documents=[]),
    resource(
        3,
        accepts_walkins=False,
        required_documents=["photo_id", "referral"],
        requires_documents=True,
        requires_id=True,
    ),
    resource(
        4,
        food_types=["halal", "pet_food", "halal"],
        languages=["es", "zh", "xx"],
        audiences=["everyone"],
        minimum_age=60,
        maximum_age=0,
    ),
    resource(5, **dict.fromkeys((truth.name for truth in TRUTHS), True)),
    resource(6, is_active=False, accepts_walkins=True),
]
ALL = np.arange(5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("facts")
    return path / "releases" / write_release(path, ROWS)


def test_truths(folder):
    attributes = OpenRelease(folder).attributes
    for name in (truth.name for truth in TRUTHS):
        is_true, is_known = attributes.truth(name, ALL)
        actual = [row.get(name) for row in ROWS[:5]]
        assert is_known.tolist() == [value is not None for value in actual], name
        assert is_true.tolist() == [value is True for value in actual], name


def test_sets_and_ages(folder):
    attributes = OpenRelease(folder).attributes
    for name, codes in ((one.name, one.codes) for one in CODE_LISTS):
        actual = [[code for code in row.get(name) or [] if code in codes] for row in ROWS[:5]]
        assert attributes.bits(name, ALL).tolist() == [
            int(bits_of(name, set(c))) for c in actual
        ], name
    low, high = attributes.ages(ALL)
    assert (low.tolist(), high.tolist()) == ([-1, -1, -1, 60, -1], [-1, -1, -1, 0, -1])


def test_every_code_has_a_bit_of_its_own():
    for name, codes in ((one.name, one.codes) for one in CODE_LISTS):
        assert len({int(bits_of(name, [code])) for code in codes}) == len(codes)
    with pytest.raises(ValueError, match="not in tuple"):
        bits_of("languages", ["klingon"])
