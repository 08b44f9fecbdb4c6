"""Applies the rules of matching: the first row of a table that applies to two records decides.

Precision comes first, since a wrong merge hides a pantry. A merge needs names and addresses that
agree; a telephone number of the place itself may replace either. Other close pairs go on the review
list, with the question that they raise. docs/matching-rules.md prints the table.
"""

from collections.abc import Collection
from enum import IntEnum
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from assets.matching.evidence import Evidence, TypeRelation
from assets.matching.name_comparison import NameRelation
from assets.matching.profiles import Flags
from assets.matching.streets import AddressRelation


class Verdict(IntEnum):
    UNRELATED = -1  # no evidence for or against
    DIFFERENT = 0  # never in one group
    SAME = 1
    DOUBTFUL = 2  # on the review list
    MAY_JOIN = 3  # in one group if a third record joins them
    MAY_JOIN_AT_ADDRESS = 4  # in one group if a member has the address of either


# The question about a pair of which either record has another possible partner.
RIVALS = "same address, and another record there may be the same"


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of rules.yaml, which explains the fields."""

    names: str = "any"
    addresses: str = "any"
    needs: str = ""
    forbids: str = ""
    question: str = ""
    rank: str = ""
    pairs: tuple[int, int] | None = None


class RuleTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of rules.yaml: the meanings of the signs, and the rows by verdict and name."""

    measured: str
    names: dict[str, str]
    addresses: dict[str, str]
    signs: dict[str, str]
    rules: dict[str, dict[str, Rule]]


TABLE = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=RuleTable)
RULES = tuple(
    (Verdict[verdict.upper()], name, rule)
    for verdict, rules in TABLE.rules.items()
    for name, rule in rules.items()
)
VERDICTS = np.array([*(verdict for verdict, _, _ in RULES), Verdict.UNRELATED], dtype=np.int8)


def judge(e: Evidence) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return the `Verdict` on every pair, and the number of the deciding row; -1 for none."""
    row = _first_row(e, {Verdict.DIFFERENT, Verdict.SAME, Verdict.DOUBTFUL})
    return VERDICTS[row], row


def questions(e: Evidence) -> list[str]:
    """Return the question that each doubtful pair raises."""
    rows = _first_row(e, {Verdict.DOUBTFUL}).tolist()
    return [RULES[row][2].question if row >= 0 else RIVALS for row in rows]


def may_join(e: Evidence) -> Flags:
    """Return pairs that may be in one group, joined by a third record."""
    row = _first_row(e, {Verdict.DIFFERENT, Verdict.SAME, Verdict.MAY_JOIN})
    return np.asarray(np.isin(VERDICTS[row], [Verdict.SAME, Verdict.MAY_JOIN]))


def may_join_at_address(e: Evidence) -> Flags:
    """Return pairs that may be in one group if one has the address of a member."""
    row = _first_row(e, {Verdict.DIFFERENT, Verdict.MAY_JOIN_AT_ADDRESS})
    return np.asarray(VERDICTS[row] == Verdict.MAY_JOIN_AT_ADDRESS)


def _first_row(e: Evidence, verdicts: Collection[Verdict]) -> NDArray[np.int8]:

    def any_of(alternatives: str) -> Flags:
        if alternatives == "any":
            return np.ones(len(e), dtype=bool)
        return np.asarray(np.logical_or.reduce([e.signs[name] for name in alternatives.split("|")]))

    first = np.full(len(e), -1, dtype=np.int8)
    for number, (verdict, _, rule) in reversed(list(enumerate(RULES))):
        if verdict in verdicts:
            applies = any_of(rule.names) & any_of(rule.addresses)
            for alternatives in rule.needs.split():
                applies &= any_of(alternatives)
            for sign in rule.forbids.split():
                applies &= ~e.signs[sign]
            first[applies] = number
    return first


def strength(e: Evidence) -> NDArray[np.int64]:
    """Return the strength of links: equal types count most, then names, address, contact,
    nearness."""
    points = 100 * e.name.astype(np.int64) + 10 * e.address
    points += 1000 * (e.type == TypeRelation.SAME)
    points += 5 * e.signs["same_phone"] + 3 * e.signs["same_website"] + 2 * e.signs["near"]
    return 1000 * points + np.rint(100 * e.similarity).astype(np.int64)


def reason(e: Evidence, pair: int) -> str:
    """Return why two records are one place: "same phone, name 0.96 alike, 0.01 miles apart"."""
    parts = []
    if e.address[pair] == AddressRelation.SAME:
        parts.append("same street address")
    elif e.address[pair] == AddressRelation.ALIKE:
        parts.append("same house number, similar street name")
    elif e.address[pair] >= AddressRelation.DIRECTION_DIFFERS:
        parts.append("same house number and street name, different street type or direction")
    elif e.address[pair] == AddressRelation.NUMBER_ONE_DIGIT_OFF:
        parts.append("same street, house numbers differ in one digit")
    elif e.signs["street_differs"][pair]:
        parts.append("same house number, different street name")
    elif e.signs["same_street"][pair]:
        parts.append("same street")
    if e.signs["same_phone"][pair]:
        parts.append("same phone")
    if e.signs["same_website"][pair]:
        parts.append("same website")
    is_equal = e.name[pair] == NameRelation.EXACT or e.similarity[pair] >= 0.995
    parts.append("same name" if is_equal else f"name {e.similarity[pair]:.2f} alike")
    if e.address[pair] == AddressRelation.UNKNOWN:
        parts.append("same town, no other street address to compare")
    if not np.isnan(e.miles[pair]):
        parts.append(f"{e.miles[pair]:.2f} miles apart")
    return ", ".join(parts)
