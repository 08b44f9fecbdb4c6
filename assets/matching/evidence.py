"""Computes evidence for and against two records being one place: arrays with one entry per pair."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from assets.matching.name_comparison import (
    NameComparison,
    NameRelation,
    compare_names,
    is_acronym_long,
)
from assets.matching.names import NameParts, parts_of
from assets.matching.profiles import Codes, Flags, Profiles, place_words_of
from assets.matching.streets import (
    AddressRelation,
    Street,
    compare_streets,
    have_units_in_conflict,
)
from assets.matching.words import FILLERS, WEAK, WORDS
from schemas.values.coordinates import great_circle_miles

Levels = NDArray[np.int8]
Similarities = NDArray[np.float32]
# Below this share of common words, names are never alike word by word.
_HOPELESS_BELOW = 62
# Several schools share a street: the town is compared first.
SAME_PLACE_MILES = 3.0
# Geocoders place one house up to this far apart; two houses of one name are rarely this near.
NEAR_MILES = 0.1


# Flags of a NameComparison other than its relation.
_NAME_FLAGS = len(NameComparison._fields) - 1


@dataclass(frozen=True)
class Evidence:
    """Relations of pairs (`a`, `b`). `similarity` of names is 0 to 1, and so is `common`, that of
    their common words; `miles` is nan without two exact points.

    `is_phone` and `is_website` mean shared and their own, `is_phone_apart` that both give one and
    differ. `has_rival_units`: one gives no unit, and records of its name hold several in this
    house. `is_free_food`: both are known to give free food in one way, as a pantry or a kitchen.
    `is_hours`: the hours of the week are the same, and not every office's. `is_other_days`: no day
    of the one is a day of the other.
    `is_host`: a name is that of a house that has guests. `has_kind`: a name says which service.
    `is_two_worded`: either name has two words that are no fillers, "Starbucks" has not.
    `is_untyped`: no type is known of either. `is_department`: as in a NameComparison.
    `is_nameless`: a name identifies nothing, such as "Food Pantry". `is_guest`: one name says that
    food is given in the way of its type, the other is that of a congregation, or one by which the
    first goes as well.
    `is_for_some`: one name alone says for whom it is.
    `is_same_list`: one list has both records; `is_gathered`: it was made of lists that it does not
    name; `is_same_source`: one publisher, who may have several lists.
    """

    a: Codes
    b: Codes
    name: Levels
    similarity: Similarities
    common: Similarities
    is_specific: Flags
    is_same_kind: Flags
    is_numbered_apart: Flags
    is_department: Flags
    is_school: Flags
    is_mobile: Flags
    is_host: Flags
    has_kind: Flags
    is_two_worded: Flags
    is_untyped: Flags
    address: Levels
    is_unit_apart: Flags
    is_unit_one_sided: Flags
    has_rival_units: Flags
    is_phone: Flags
    is_phone_shared: Flags
    is_phone_apart: Flags
    is_website: Flags
    is_same_area: Flags
    is_only_in_town: Flags
    is_other_state: Flags
    is_same_street: Flags
    is_same_number: Flags
    miles: NDArray[np.float64]
    type: Levels
    is_free_food: Flags
    is_hours: Flags
    is_other_days: Flags
    is_nameless: Flags
    is_guest: Flags
    is_for_some: Flags
    is_same_list: Flags
    is_gathered: Flags
    is_same_source: Flags

    def __len__(self) -> int:
        return len(self.a)


class Comparer:
    """Compares pairs of profiles; caches parsed names and towns."""

    def __init__(self, profiles: Profiles) -> None:
        self._p = profiles
        self._parts: dict[int, NameParts] = {}
        self._place_words: dict[tuple[int, int], frozenset[str]] = {}
        self._types = type_relations(profiles.type.values)
        self._free_food = free_food(profiles.type.values)
        # Code -1 means an unknown type, which may be a store.
        stores = [-1, *(n for n, t in enumerate(profiles.type.values) if t in WORDS.store_types)]
        self._stores = {(one, other) for one in stores for other in stores}
        self._idle_kinds = idle_kinds(profiles.type.values)
        is_mobile = _has_word(profiles, frozenset({"mobile"}))
        says_church = _has_word(profiles, frozenset({"church"}))
        is_level = _has_word(profiles, WORDS.levels) & ~says_church
        self._is_school = _has_word(profiles, WORDS.school_words) | is_level
        self._is_host = _has_word(profiles, WORDS.hosts)
        self._has_kind = _has_word(profiles, frozenset(WORDS.kinds) - {"cafe", "deli"})
        self._is_two_worded = np.array([" " in key for key in profiles.content.values] + [False])[
            profiles.content.codes
        ]
        self._is_nameless = _are_nameless(profiles, self._words_of_place)
        self._says_food = _say_food(profiles)
        self._is_for_some = _has_word(profiles, _words_of(WORDS.audiences))
        self._is_church = _has_word(profiles, WORDS.congregations)
        # A house with its own offices lends rooms to more than one program.
        self._is_lender = self._is_host & ~says_church
        plain = WORDS.audiences | {"pantry", "meals", "cafe", "fridge"}
        self._serves_else = _has_word(profiles, frozenset(WORDS.kinds) - _words_of(plain))
        mobile_types = np.array([*(t == "mobile_pantry" for t in profiles.type.values), False])
        self._is_mobile = is_mobile | mobile_types[profiles.type.codes]
        self._is_in_town = np.array(list(map(bool, profiles.town_names)), dtype=bool)[profiles.town]

    def compare(self, a: Codes, b: Codes) -> Evidence:
        """Return evidence on the pairs (a[i], b[i])."""
        p = self._p
        miles = self._miles(a, b)
        is_other_state = _apart(p.state, a, b)
        has_shared_phone = p.is_phone_shared[a] | p.is_phone_shared[b]
        is_same_door = _both(p.number, a, b) & _both(p.core, a, b) & ~is_other_state
        is_phone = _both(p.phone, a, b) | (_both(p.line, a, b) & is_same_door)
        is_same_area = self._share_area(a, b, is_same_door, is_phone & ~has_shared_phone)
        is_same_area |= miles <= SAME_PLACE_MILES
        is_free_food = self._free_food[p.type.codes[a], p.type.codes[b]]
        is_untyped = (p.type.codes[a] < 0) & (p.type.codes[b] < 0)
        is_close = is_same_door & (is_free_food | is_untyped)
        is_close |= (miles <= NEAR_MILES) & is_free_food
        is_unit = is_same_door & _both(p.units, a, b)
        is_food = is_same_door & is_free_food
        similarity, common, name, flags = self._names(a, b, is_close, is_food, is_unit)
        is_specific, is_same_kind, is_numbered_apart, is_department = flags
        address, is_unit_apart, is_one_sided = self._addresses(a, b, is_same_area, name)
        days = p.weekdays[a] & p.weekdays[b]
        has_shared_site = p.is_website_shared[a] | p.is_website_shared[b]
        return Evidence(
            a=a,
            b=b,
            name=name,
            similarity=similarity,
            common=common,
            is_specific=is_specific,
            is_same_kind=is_same_kind,
            is_numbered_apart=is_numbered_apart,
            is_department=is_department,
            is_school=self._is_school[a] | self._is_school[b],
            is_mobile=self._is_mobile[a] | self._is_mobile[b],
            is_host=self._is_host[a] | self._is_host[b],
            has_kind=self._has_kind[a] | self._has_kind[b],
            is_two_worded=self._is_two_worded[a] & self._is_two_worded[b],
            is_untyped=is_untyped,
            address=address,
            is_unit_apart=is_unit_apart,
            is_unit_one_sided=is_one_sided,
            has_rival_units=is_one_sided & ((p.units_by_name[a] > 1) | (p.units_by_name[b] > 1)),
            is_phone=is_phone & ~has_shared_phone,
            is_phone_shared=is_phone & has_shared_phone,
            is_phone_apart=_apart(p.phone, a, b) & ~has_shared_phone & ~is_phone,
            is_website=_both(p.website, a, b) & ~has_shared_site,
            is_same_area=is_same_area,
            is_only_in_town=self._are_only_in_town(a, b),
            is_other_state=is_other_state,
            is_same_street=_both(p.core, a, b) & is_same_area,
            is_same_number=_both(p.number, a, b) & is_same_area,
            miles=miles,
            type=self._types[p.type.codes[a], p.type.codes[b]],
            is_free_food=is_free_food,
            is_hours=_both(p.hours, a, b),
            is_other_days=(p.weekdays[a] > 0) & (p.weekdays[b] > 0) & (days == 0),
            is_nameless=(self._is_nameless[a] & ~self._serves_else[b])
            | (self._is_nameless[b] & ~self._serves_else[a]),
            is_guest=self._are_guests(a, b, name == NameRelation.KIND),
            is_for_some=self._is_for_some[a] != self._is_for_some[b],
            is_same_list=p.list[a] == p.list[b],
            is_gathered=(p.list[a] == p.list[b]) & p.is_gathered[a],
            is_same_source=p.source[a] == p.source[b],
        )

    def _are_guests(self, a: Codes, b: Codes, is_named: Flags) -> Flags:
        """Check which pairs are a program and its host: a congregation, or a host whose name the
        program also goes by."""

        def is_guest(guest: Codes, host: Codes) -> Flags:
            is_in_church = self._is_church[host] & ~self._is_church[guest]
            is_food = self._says_food[guest] & ~self._has_kind[host] & ~self._is_lender[host]
            return np.asarray(is_food & (is_in_church | is_named))

        return is_guest(a, b) | is_guest(b, a)

    def _share_area(self, a: Codes, b: Codes, is_same_door: Flags, is_phone: Flags) -> Flags:
        """Check which pairs are of one ZIP code or town, or share a telephone of their own where
        the area of one is not known or the door is the same."""
        p = self._p
        is_other_state = _apart(p.state, a, b)
        is_same_area: Flags = _both(p.zip, a, b) | (_both(p.city.codes, a, b) & ~is_other_state)
        is_same_area |= is_same_door & (is_phone | self._share_town(a, b, is_same_door))
        # Records without a ZIP code, or without any town, are compared by the available fields.
        is_anywhere = ~self._is_in_town[a] | ~self._is_in_town[b] | (p.zip[a] < 0) | (p.zip[b] < 0)
        is_same_area |= is_anywhere & is_phone & ~is_other_state
        return is_same_area

    def _are_only_in_town(self, a: Codes, b: Codes) -> Flags:
        """Check that no second address in town has their name, and both have one or neither has and
        the ZIP code is one."""
        p = self._p
        is_only = (p.addresses_by_name[a] <= 1) & (p.addresses_by_name[b] <= 1)
        # Two boxes are two addresses, although neither has a house number; a box and a corner may
        # be one.
        is_only &= ~_apart(p.box, a, b)
        is_nowhere = ~p.has_address[a] & ~p.has_address[b] & _both(p.zip, a, b)
        return np.asarray(is_only & ((p.has_address[a] & p.has_address[b]) | is_nowhere))

    def _share_town(self, a: Codes, b: Codes, mask: Flags) -> Flags:
        """Check which of some pairs are in towns that share a name."""
        p = self._p
        is_same_town = np.zeros(len(a), dtype=bool)
        pairs = np.stack([p.town[a[mask]], p.town[b[mask]]], axis=1)
        towns, inverse = np.unique(pairs, axis=0, return_inverse=True)
        flags = [not p.town_names[x].isdisjoint(p.town_names[y]) for x, y in towns.tolist()]
        is_same_town[mask] = np.array(flags, dtype=bool)[inverse.reshape(-1)]
        return is_same_town

    def _miles(self, a: Codes, b: Codes) -> NDArray[np.float64]:
        p = self._p
        miles = np.full(len(a), np.nan)
        is_known = p.is_exact[a] & p.is_exact[b]
        x, y = a[is_known], b[is_known]
        if len(x):
            miles[is_known] = great_circle_miles(p.lat[x], p.lng[x], p.lat[y], p.lng[y])
        return miles

    def _names(
        self, a: Codes, b: Codes, is_close: Flags, is_food: Flags, is_unit: Flags
    ) -> tuple[Similarities, Similarities, Levels, NDArray[np.bool_]]:
        """Return similarity, that of the common words, relation and the flags of a
        NameComparison; word by word only where there is hope, or the place is close."""
        names = np.array([*self._p.name.values, ""], dtype=object)
        one, other = self._p.name.codes[a], self._p.name.codes[b]
        texts = names[one], names[other]
        similarity = process.cpdist(*texts, scorer=fuzz.token_sort_ratio, dtype=np.float32)
        common = process.cpdist(
            *texts, scorer=fuzz.token_set_ratio, score_cutoff=_HOPELESS_BELOW, dtype=np.float32
        )
        relation = np.full(len(a), NameRelation.OTHER, dtype=np.int8)
        flags = np.zeros((_NAME_FLAGS, len(a)), dtype=np.bool_)
        is_equal = (one == other) & (one >= 0)
        relation[is_equal] = NameRelation.EXACT
        flags[:, is_equal] = self._flags_of_equal(one[is_equal])
        # Initials share no word with their expansion.
        is_short = np.array([*map(is_acronym_long, self._p.name.values), False], dtype=bool)
        has_hope = (common > 0) | (is_short[one] != is_short[other]) | is_close
        hopeful_pairs = np.flatnonzero(~is_equal & (one >= 0) & (other >= 0) & has_hope)
        for pair in hopeful_pairs.tolist():
            is_door = {"is_food": bool(is_food[pair]), "is_unit": bool(is_unit[pair])}
            comparison = self._compare_names(int(a[pair]), int(b[pair]), **is_door)
            if comparison.relation == NameRelation.OTHER and not common[pair]:
                is_named = comparison.is_specific and self._share_name(int(a[pair]), int(b[pair]))
                comparison = comparison._replace(is_specific=is_named)
            relation[pair], flags[:, pair] = comparison.relation, comparison[1:]
        return np.divide(similarity, 100), np.divide(common, 100), relation, flags

    def _flags_of_equal(self, names: Codes) -> NDArray[np.bool_]:
        """Return the flags of names compared with themselves: most pairs have one name."""
        codes, inverse = np.unique(names, return_inverse=True)
        nowhere: frozenset[str] = frozenset()
        parts = map(self._parts_of, codes.tolist())
        flags = [compare_names(part, part, nowhere, nowhere)[1:] for part in parts]
        return np.array(flags, dtype=np.bool_).reshape(-1, _NAME_FLAGS)[inverse].T

    def _compare_names(self, a: int, b: int, *, is_food: bool, is_unit: bool) -> NameComparison:
        p = self._p
        place_words = self._words_of_place(a) | self._words_of_place(b)
        types = int(p.type.codes[a]), int(p.type.codes[b])
        return compare_names(
            self._parts_of(int(p.name.codes[a])),
            self._parts_of(int(p.name.codes[b])),
            place_words,
            self._idle_kinds[types],
            are_stores=types in self._stores,
            is_typed=max(types) >= 0,
            is_food=is_food,
            is_unit=is_unit,
        )

    def _share_name(self, a: int, b: int) -> bool:
        """Check for a distinctive word of both names that is not in their town or street."""
        codes = int(self._p.name.codes[a]), int(self._p.name.codes[b])
        common_words = set.intersection(*(set(self._parts_of(code).words) for code in codes))
        idle_words = WEAK | self._words_of_place(a) | self._words_of_place(b)
        return any(not word.isdigit() for word in common_words - idle_words)

    def _parts_of(self, code: int) -> NameParts:
        parts = self._parts.get(code)
        if parts is None:
            parts = self._parts[code] = parts_of(self._p.name.values[code])
        return parts

    def _words_of_place(self, row: int) -> frozenset[str]:
        p = self._p
        key = int(p.city.codes[row]), int(p.street[row])
        words = self._place_words.get(key)
        if words is None:
            city = p.city.values[key[0]] if key[0] >= 0 else ""
            words = place_words_of(city, p.streets[key[1]] if key[1] >= 0 else None)
            self._place_words[key] = words
        return words

    def _addresses(
        self, a: Codes, b: Codes, is_same_area: Flags, name: Levels
    ) -> tuple[Levels, Flags, Flags]:
        """Return the relation of streets in one area, conflicting units, and units on one side
        only."""
        p = self._p
        relation = np.full(len(a), AddressRelation.DIFFERENT, dtype=np.int8)
        is_known = (p.number[a] >= 0) & (p.number[b] >= 0)
        relation[~is_known] = AddressRelation.UNKNOWN
        is_equal = is_known & is_same_area & (p.street[a] == p.street[b])
        relation[is_equal] = AddressRelation.SAME
        # A different spelling of the street matters only with the same number or matching names.
        is_close = is_known & is_same_area & ~is_equal
        is_close &= (p.number[a] == p.number[b]) | (
            (p.core[a] == p.core[b]) & (name >= NameRelation.ALIKE)
        )
        # Two corners or landmarks.
        is_unread = (p.number[a] < 0) & (p.number[b] < 0)
        is_close |= is_unread & _apart(p.core, a, b) & (name >= NameRelation.ALIKE)
        is_unit_apart = np.zeros(len(a), dtype=bool)
        for pair in np.flatnonzero(is_close).tolist():
            relation[pair] = compare_streets(self._street(a[pair]), self._street(b[pair]))
        is_other_unit = (p.units[a] >= 0) & (p.units[b] >= 0) & (p.units[a] != p.units[b])
        for pair in np.flatnonzero(is_other_unit & (relation >= AddressRelation.UNKNOWN)).tolist():
            is_unit_apart[pair] = have_units_in_conflict(
                self._street(a[pair]), self._street(b[pair])
            )
        return relation, is_unit_apart, (p.units[a] >= 0) != (p.units[b] >= 0)

    def _street(self, row: np.int32) -> Street:
        return self._p.streets[int(self._p.street[row])]


def _has_word(p: Profiles, words: frozenset[str]) -> Flags:
    flags = [not words.isdisjoint(name.split()) for name in p.name.values]
    return np.array([*flags, False])[p.name.codes]


def _are_nameless(p: Profiles, words_of_place: Callable[[int], frozenset[str]]) -> Flags:
    """Return which records of free food have no name: "Food Pantry", a number, the town alone.
    Every community fridge counts as one: each list gives it another name."""
    types = np.array([*p.type.values, ""], dtype=object)[p.type.codes]
    is_nameless = np.asarray(types == "community_fridge")
    for row in np.flatnonzero(np.isin(types, list(FREE_FOOD))).tolist():
        code = int(p.name.codes[row])
        words = {w for w in p.name.values[code].split() if not w.isdigit()} if code >= 0 else set()
        # "Alda Food Pantry" is a name, although Alda is the town; "Alda" alone is not.
        is_nameless[row] |= words <= WORDS.nameless | FILLERS or (
            len(words) <= 3 and words <= words_of_place(row)
        )
    return is_nameless


def _words_of(kinds: Collection[str]) -> frozenset[str]:
    return frozenset(word for word, kind in WORDS.kinds.items() if kind in kinds)


def _say_food(p: Profiles) -> Flags:
    """Return which names state how their type gives food: a pantry's, or a kitchen's meals."""
    meals = _has_word(p, _words_of({"meals", "cafe"}))
    pantry = _has_word(p, frozenset({"pantry"}))
    pantry |= _has_word(p, frozenset({"bank"})) & _has_word(p, frozenset({"food"}))
    programme = _has_word(p, WORDS.programmes)
    is_kitchen = np.array([*(t == "soup_kitchen" for t in p.type.values), False])[p.type.codes]
    return np.where(is_kitchen, meals, pantry) | programme


def _both(codes: Codes, a: Codes, b: Codes) -> Flags:
    return np.asarray((codes[a] == codes[b]) & (codes[a] >= 0))


def _apart(codes: Codes, a: Codes, b: Codes) -> Flags:
    return np.asarray((codes[a] != codes[b]) & (codes[a] >= 0) & (codes[b] >= 0))


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
