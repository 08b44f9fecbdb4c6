"""The table of rules: every sign has a meaning, every row is used."""

import numpy as np

from assets.matching.evidence import Comparer
from assets.matching.profiles import profiles_of
from assets.matching.rules import RULES, TABLE, Verdict
from tests.unit.assets.matching.places import located


def test_every_sign_is_explained_and_used() -> None:
    profiles = profiles_of(located({"name": "Alda"}, {"name": "Birch"}))
    rows = np.array([0], np.int32), np.array([1], np.int32)
    signs = Comparer(profiles).compare(*rows).signs
    explained = {**TABLE.names, **TABLE.addresses, **TABLE.signs}
    assert set(signs) == set(explained)
    used = {
        sign
        for _, _, rule in RULES
        for text in (rule.names, rule.addresses, rule.needs, rule.forbids)
        for sign in text.replace("|", " ").split()
    }
    assert used - {"any"} == set(explained)


def test_every_merge_and_question_is_proven_by_the_real_lists() -> None:
    weak = [
        name
        for verdict, name, rule in RULES
        if verdict in {Verdict.SAME, Verdict.DOUBTFUL} and max(rule.pairs or (0, 0)) < 5
    ]
    assert not weak
    assert all(rule.question for verdict, _, rule in RULES if verdict == Verdict.DOUBTFUL)
