"""The counts of a filter form are those of the filters themselves."""

import random
from datetime import UTC, datetime

import numpy as np
import pytest

from schemas.attributes import CODE_LISTS, TRUTHS
from serving.search.filter import Counts, Facets, Filters, judge
from tests.support.releases import open_release, resource
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Within

NOW = datetime(2026, 10, 14, 13, 30, tzinfo=UTC)
CHOICES = [
    *(Filters(truths=frozenset({one.filter.parameter})) for one in TRUTHS),
    *(
        Filters(codes=((one.filter.parameter, frozenset({code})),))
        for one in CODE_LISTS
        for code in one.codes
    ),
]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> OpenRelease:
    chance = random.Random(7)
    rows = [
        resource(
            n,
            **{one.name: chance.choice([None, True, False]) for one in TRUTHS},
            **{
                one.name: chance.choice([[], chance.sample(one.codes, chance.randint(1, 4))])
                for one in CODE_LISTS
            },
        )
        for n in range(1, 200)
    ]
    return open_release(tmp_path_factory.mktemp("facets"), rows)


def facets_of(release: OpenRelease, rows: np.ndarray) -> Facets:
    return Facets(release, Within(np.zeros(len(rows)), rows), NOW)


@pytest.mark.parametrize("part", [slice(0, 199), slice(3, 120, 2), slice(0, 0)])
def test_every_choice_counts_as_its_filter(release: OpenRelease, part: slice) -> None:
    rows = np.arange(199)[part]
    facets = facets_of(release, rows)
    for filters in CHOICES:
        is_match, is_known = judge(release, rows, filters, NOW)
        match, known = int(is_match.sum()), int(is_known.sum())
        expected = Counts(match, known - match, len(rows) - known)
        assert facets.count(filters) == expected, filters


def test_other_filters_are_counted_by_their_conditions(release: OpenRelease) -> None:
    rows = np.arange(199)
    together = Filters(truths=frozenset(t.filter.parameter for t in TRUTHS[:2]))
    is_match, is_known = judge(release, rows, together, NOW)
    counts = facets_of(release, rows).count(together)
    assert (counts.match, counts.unknown) == (is_match.sum(), (~is_known).sum())
    assert facets_of(release, rows).of_types(*range(50)) == Counts(199, 0, 0)
