"""Relations of two types of places, as tables by the types' codes; the last row and column, or code
-1, stand for "not known"."""

from collections.abc import Iterable
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from assets.matching.words import WORDS

FREE_FOOD = frozenset().union(*WORDS.type_groups)


class TypeRelation(IntEnum):
    APART = 0
    COMPATIBLE = 1
    SAME = 2  # or not known


def type_relations(types: list[str]) -> NDArray[np.int8]:
    """Return relation of types by code; the last row and column stand for "not known"."""
    table = np.full((len(types) + 1, len(types) + 1), TypeRelation.SAME, dtype=np.int8)
    for one, first in enumerate(types):
        for other, second in enumerate(types):
            if one != other:
                is_grouped = any({first, second} <= group for group in WORDS.type_groups)
                table[one, other] = TypeRelation.COMPATIBLE if is_grouped else TypeRelation.APART
    return table


def free_food(types: list[str]) -> NDArray[np.bool_]:
    """Return whether two types, by code, give free food in one way; False for unknown types."""
    pantries = WORDS.type_groups[0]
    table = np.zeros((len(types) + 1, len(types) + 1), dtype=bool)
    for one, first in enumerate(types):
        for other, second in enumerate(types):
            is_one = first == second and first in FREE_FOOD
            table[one, other] = is_one or {first, second} <= pantries
    return table


def idle_kinds(types: list[str]) -> dict[tuple[int, int], frozenset[str]]:
    """Return kinds that decide nothing between two types; none for unknown types."""
    kinds = [WORDS.kinds_of_type.get(name, frozenset()) for name in types]
    pairs: Iterable[tuple[int, int]] = (
        (i, j) for i in range(len(types)) for j in range(len(types))
    )
    idle = {(i, j): kinds[i] & kinds[j] for i, j in pairs}
    none: frozenset[str] = frozenset()
    idle.update({(-1, j): none for j in range(-1, len(types))})
    idle.update({(i, -1): none for i in range(len(types))})
    return idle
