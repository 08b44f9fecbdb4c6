"""The rules of matching, one table: the first row that applies to two records decides.

Precision comes first, since a wrong merge hides a pantry. A merge needs names that agree and an
address that agrees; a telephone number of the place itself may stand in for either. Other records
that are close go on the review list, with the question that they raise. docs/matching-rules.md
prints the table with the number of pairs that each row decides on the real lists.
"""

from collections.abc import Collection
from enum import IntEnum
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from assets.matching.evidence import NEAR_MILES, SAME_PLACE_MILES, Evidence, TypeRelation
from assets.matching.name_comparison import NameRelation
from assets.matching.profiles import Flags
from assets.matching.streets import AddressRelation


class Verdict(IntEnum):
    UNRELATED = -1  # nothing speaks for it, nothing against
    DIFFERENT = 0  # never in one group
    SAME = 1
    DOUBTFUL = 2  # on the review list
    MAY_JOIN = 3  # in one group if a third record joins them
    MAY_JOIN_AT_DOOR = 4  # in one group with a record that shares the door of either


# The question about a pair that a rule joins, of which either record has another possible partner.
RIVALS = "same address, and another record there may be the same"


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of rules.yaml. `pairs` of the real lists are decided with types, and without."""

    names: str = "any"
    addresses: str = "any"
    needs: str = ""
    forbids: str = ""
    question: str = ""
    pairs: tuple[int, int] | None = None


class RuleTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of rules.yaml: the meaning of each sign, and the rows by verdict and name."""

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


def signs_of(e: Evidence) -> dict[str, Flags]:
    """Return which pairs have each sign of rules.yaml, which explains them."""
    is_house = e.address >= AddressRelation.ALIKE
    is_different = e.address == AddressRelation.DIFFERENT
    has_units = e.is_unit_apart | e.has_rival_units
    signs = {
        "exact": e.name == NameRelation.EXACT,
        "alike": e.name == NameRelation.ALIKE,
        "contained": e.name == NameRelation.CONTAINED,
        "other": e.name == NameRelation.OTHER,
        "kind": e.name == NameRelation.KIND,
        "conflict": e.name == NameRelation.CONFLICT,
        "unlike": e.name < NameRelation.CONTAINED,
        "not_alike": e.name < NameRelation.ALIKE,
        "door": is_house & ~(e.miles > 30) & ~has_units,
        "house": is_house,
        "slip": e.address == AddressRelation.SLIP,
        "turned": e.address == AddressRelation.TURNED,
        "neighbour": e.address == AddressRelation.NEIGHBOUR,
        "renamed": is_different & e.is_same_number,
        "same_street": is_different & e.is_same_street,
        "different": is_different,
        "unknown": e.address == AddressRelation.UNKNOWN,
        "same_type": e.type == TypeRelation.SAME,
        "compatible": e.type == TypeRelation.COMPATIBLE,
        "types_apart": e.type == TypeRelation.APART,
        "free_food": e.is_free_food,
        "one_way": (e.type == TypeRelation.SAME) | (e.is_free_food & ~e.is_same_list),
        "untyped": e.is_untyped,
        "phone": e.is_phone,
        "phones_differ": e.is_phone_apart,
        "nearly": e.similarity >= 0.85,
        "little": e.similarity < 0.5,
        "two_lines": e.is_phone_apart & (e.similarity < 0.85),
        "website": e.is_website,
        "hours": e.is_hours,
        "other_days": e.is_other_days,
        "for_some": e.is_for_some,
        "few_words": e.common < 0.75,
        "area": e.is_same_area,
        "only": e.is_only_in_town,
        "near": e.miles <= NEAR_MILES,
        "not_near": e.miles > NEAR_MILES,
        "mile": e.miles > 1,
        "ten_miles": e.miles > 10,
        "elsewhere": (e.miles > SAME_PLACE_MILES) & ~is_house,
        "lists": ~e.is_same_list,
        "same_list": e.is_same_list,
        "gathered": e.is_gathered,
        "publisher": e.is_same_source,
        "specific": e.is_specific,
        "two_worded": e.is_two_worded,
        "same_service": e.is_same_kind,
        "department": e.is_department,
        "host": e.is_host,
        "school": e.is_school,
        "mobile": e.is_mobile,
        "numbered": e.is_numbered_apart,
        "second": e.is_numbered_apart & (e.is_same_list | e.is_mobile | e.is_school),
        "nameless": e.is_nameless,
        "guest": e.is_guest,
        "one_unit": e.is_unit_one_sided,
        "unit_apart": e.is_unit_apart,
        "units": has_units,
        "state": e.is_other_state,
    }
    return {name: np.asarray(flags) for name, flags in signs.items()}


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


def may_join_at_door(e: Evidence) -> Flags:
    """Return pairs that may be in one group if one of them shares a door with a member of it."""
    row = _first_row(e, {Verdict.DIFFERENT, Verdict.MAY_JOIN_AT_DOOR})
    return np.asarray(VERDICTS[row] == Verdict.MAY_JOIN_AT_DOOR)


def _first_row(e: Evidence, verdicts: Collection[Verdict]) -> NDArray[np.int8]:
    flags = signs_of(e)

    def any_of(alternatives: str) -> Flags:
        if alternatives == "any":
            return np.ones(len(e), dtype=bool)
        return np.asarray(np.logical_or.reduce([flags[name] for name in alternatives.split("|")]))

    first = np.full(len(e), -1, dtype=np.int8)
    for number, (verdict, _, rule) in reversed(list(enumerate(RULES))):
        if verdict in verdicts:
            applies = any_of(rule.names) & any_of(rule.addresses)
            for alternatives in rule.needs.split():
                applies &= any_of(alternatives)
            for sign in rule.forbids.split():
                applies &= ~flags[sign]
            first[applies] = number
    return first


def strength(e: Evidence) -> NDArray[np.int64]:
    """Return a merge's strength: equal types, then names, address, contact, nearness."""
    points = 100 * e.name.astype(np.int64) + 10 * e.address
    points += 1000 * (e.type == TypeRelation.SAME)
    points += 5 * e.is_phone + 3 * e.is_website + 2 * (e.miles <= NEAR_MILES)
    return 1000 * points + np.rint(100 * e.similarity).astype(np.int64)


def reason(e: Evidence, pair: int) -> str:
    """Return the merge in plain words: "same phone, name 0.96 alike, 0.01 miles apart"."""
    parts = []
    if e.address[pair] == AddressRelation.SAME:
        parts.append("same street address")
    elif e.address[pair] == AddressRelation.ALIKE:
        parts.append("same house number in a street spelled alike")
    elif e.address[pair] >= AddressRelation.TURNED:
        parts.append("same house number, street name but for its suffix or direction")
    elif e.address[pair] == AddressRelation.NEIGHBOUR:
        parts.append("same street, house number but for one figure")
    elif e.is_same_number[pair]:
        parts.append("same house number, another street name")
    elif e.is_same_street[pair] and e.address[pair] == AddressRelation.DIFFERENT:
        parts.append("same street")
    if e.is_phone[pair]:
        parts.append("same phone")
    if e.is_website[pair]:
        parts.append("same website")
    is_equal = e.name[pair] == NameRelation.EXACT or e.similarity[pair] >= 0.995
    parts.append("same name" if is_equal else f"name {e.similarity[pair]:.2f} alike")
    if e.address[pair] == AddressRelation.UNKNOWN:
        parts.append("same town, no other street address to compare")
    if not np.isnan(e.miles[pair]):
        parts.append(f"{e.miles[pair]:.2f} miles apart")
    return ", ".join(parts)
