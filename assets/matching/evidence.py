"""Computes evidence for and against two records being one place: arrays with one entry per pair."""

from dataclasses import dataclass
from enum import IntEnum
from itertools import product

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from assets.matching.name_comparison import (
    NameComparison,
    NameContext,
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
# Names with a smaller share of common words (in percent) are not compared word by word.
_MIN_COMMON_WORDS = 62
# Several schools share a street, so records farther apart need the same ZIP code or town.
SAME_AREA_MILES = 3.0
# Geocoders place one house up to this far apart; two houses of one name are rarely this near.
NEAR_MILES = 0.1
# Two points of one address are an error of a geocoder; farther apart they are two towns.
_MAX_ADDRESS_MILES = 30
# Flags of a NameComparison other than its relation.
_NAME_FLAGS = len(NameComparison._fields) - 1
FREE_FOOD = frozenset().union(*WORDS.type_groups)


class TypeRelation(IntEnum):
    CONFLICT = 0
    COMPATIBLE = 1
    SAME = 2  # or unknown


@dataclass(frozen=True)
class Evidence:
    """Relations of pairs (`a`, `b`), and which pairs have each of the signs that rules.yaml
    explains.

    `name` holds a NameRelation, `address` an AddressRelation, `type` a TypeRelation. The
    `similarity` of names is 0 to 1; `miles` is nan without two exact points.
    """

    a: Codes
    b: Codes
    name: Levels
    similarity: Similarities
    address: Levels
    type: Levels
    miles: NDArray[np.float64]
    signs: dict[str, Flags]

    def __len__(self) -> int:
        return len(self.a)


class Comparer:
    """Compares pairs of profiles; caches parsed names and towns."""

    def __init__(self, profiles: Profiles) -> None:
        self._p = profiles
        self._parts: dict[int, NameParts] = {}
        self._place_words: dict[tuple[int, int], frozenset[str]] = {}

        # Tables by the codes of two types. Code -1, the last row, is an unknown type.
        types = profiles.type.values
        self._types = np.full((len(types) + 1, len(types) + 1), TypeRelation.SAME, dtype=np.int8)
        self._free_food = np.zeros((len(types) + 1, len(types) + 1), dtype=bool)
        # Kinds that both types imply, and that therefore do not distinguish names.
        self._idle_kinds: dict[tuple[int, int], frozenset[str]] = {}
        for (i, one), (j, other) in product(enumerate(types), repeat=2):
            if i != j:
                is_grouped = any({one, other} <= group for group in WORDS.type_groups)
                self._types[i, j] = TypeRelation.COMPATIBLE if is_grouped else TypeRelation.CONFLICT
            is_same_food_type = i == j and one in FREE_FOOD
            self._free_food[i, j] = is_same_food_type or {one, other} <= WORDS.type_groups[0]
            kinds, other_kinds = (
                WORDS.kinds_of_type.get(name, frozenset()) for name in (one, other)
            )
            self._idle_kinds[i, j] = kinds & other_kinds
        # A record of unknown type may be a store.
        stores = [-1, *(n for n, name in enumerate(types) if name in WORDS.store_types)]
        self._stores = set(product(stores, repeat=2))

        def has_word(words: frozenset[str]) -> Flags:
            flags = [not words.isdisjoint(name.split()) for name in profiles.name.values]
            return np.array([*flags, False])[profiles.name.codes]

        def words_of(kinds: frozenset[str]) -> frozenset[str]:
            return frozenset(word for word, kind in WORDS.kinds.items() if kind in kinds)

        type_of_row = np.array([*types, ""], dtype=object)[profiles.type.codes]
        self._is_mobile = has_word(frozenset({"mobile"})) | (type_of_row == "mobile_pantry")
        has_church = has_word(frozenset({"church"}))
        self._is_school = has_word(WORDS.school_words) | (has_word(WORDS.levels) & ~has_church)
        self._is_host = has_word(WORDS.host_words)
        self._has_two_words = np.array([" " in key for key in profiles.content.values] + [False])[
            profiles.content.codes
        ]
        self._has_audience = has_word(words_of(WORDS.audiences))
        self._is_in_town = np.array(list(map(bool, profiles.town_names)), dtype=bool)[profiles.town]

        # Records of free food without a name: "Food Pantry", a number, the town alone. Each list
        # gives a community fridge another name.
        self._is_nameless = np.asarray(type_of_row == "community_fridge")
        for row in np.flatnonzero(np.isin(type_of_row, list(FREE_FOOD))).tolist():
            code = int(profiles.name.codes[row])
            name = profiles.name.values[code] if code >= 0 else ""
            words = {word for word in name.split() if not word.isdigit()}
            # "Alda Food Pantry" is a name, although Alda is the town; "Alda" alone is not.
            self._is_nameless[row] |= words <= WORDS.nameless | FILLERS or (
                len(words) <= 3 and words <= self._words_of_place(row)
            )
        plain_kinds = WORDS.audiences | {"pantry", "meals", "cafe", "fridge"}
        self._has_special_kind = has_word(frozenset(WORDS.kinds) - words_of(plain_kinds))

        # A program's name states how its type gives food: a pantry's, or a kitchen's meals.
        says_meals = has_word(words_of(frozenset({"meals", "cafe"})))
        says_pantry = has_word(frozenset({"pantry"}))
        says_pantry |= has_word(frozenset({"bank"})) & has_word(frozenset({"food"}))
        self._says_food = np.where(type_of_row == "soup_kitchen", says_meals, says_pantry)
        self._says_food |= has_word(WORDS.program_words)
        self._is_church = has_word(WORDS.congregations)
        # A house with offices lends rooms to more than one program, so it does not count as host.
        has_kind = has_word(frozenset(WORDS.kinds) - {"cafe", "deli"})
        self._may_host = ~has_kind & (~self._is_host | has_church)

    def compare(self, a: Codes, b: Codes) -> Evidence:
        """Return evidence on the pairs (a[i], b[i])."""
        p = self._p

        def are_same(codes: Codes) -> Flags:
            return np.asarray((codes[a] == codes[b]) & (codes[a] >= 0))

        def differ(codes: Codes) -> Flags:
            return np.asarray((codes[a] != codes[b]) & (codes[a] >= 0) & (codes[b] >= 0))

        def either(flags: Flags) -> Flags:
            return np.asarray(flags[a] | flags[b])

        miles = np.full(len(a), np.nan)
        is_measured = p.is_exact[a] & p.is_exact[b]
        x, y = a[is_measured], b[is_measured]
        if len(x):
            miles[is_measured] = great_circle_miles(p.lat[x], p.lng[x], p.lat[y], p.lng[y])
        is_near = miles <= NEAR_MILES

        type_relation = self._types[p.type.codes[a], p.type.codes[b]]
        is_free_food = self._free_food[p.type.codes[a], p.type.codes[b]]
        is_untyped = (p.type.codes[a] < 0) & (p.type.codes[b] < 0)
        is_same_list = p.list[a] == p.list[b]

        is_other_state = differ(p.state)
        is_same_door = are_same(p.number) & are_same(p.core) & ~is_other_state
        is_phone = are_same(p.phone) | (are_same(p.line) & is_same_door)
        is_phone &= ~either(p.is_phone_shared)
        is_phone_apart = differ(p.phone) & ~either(p.is_phone_shared) & ~is_phone

        is_same_area = are_same(p.zip) | (are_same(p.city.codes) & ~is_other_state)
        is_same_area |= is_same_door & (is_phone | self._share_town(a, b, is_same_door))
        # Records without a ZIP code or any town are compared by the available fields.
        is_anywhere = either(~self._is_in_town) | either(p.zip < 0)
        is_same_area |= is_anywhere & is_phone & ~is_other_state
        is_same_area |= miles <= SAME_AREA_MILES

        is_close = (is_same_door & (is_free_food | is_untyped)) | (is_near & is_free_food)
        is_same_unit = is_same_door & are_same(p.units)
        name, similarity, common, flags = self._names(
            a, b, is_close, is_same_door & is_free_food, is_same_unit
        )
        is_distinctive, is_same_service, is_numbered, is_department = flags

        address, is_unit_apart = self._addresses(a, b, is_same_area, name)
        is_house = address >= AddressRelation.ALIKE
        is_different = address == AddressRelation.DIFFERENT
        is_one_sided = (p.units[a] >= 0) != (p.units[b] >= 0)
        has_units = is_unit_apart | (is_one_sided & either(p.units_by_name > 1))

        # Two boxes are two addresses, although neither has a house number; a box and a corner may
        # be one.
        is_only = ~either(p.addresses_by_name > 1) & ~differ(p.box)
        is_nowhere = ~either(p.has_address) & are_same(p.zip)
        is_only &= (p.has_address[a] & p.has_address[b]) | is_nowhere

        def is_guest(guest: Codes, host: Codes) -> Flags:
            """Check for a program whose host is a congregation, or has the name of the program."""
            is_in_church = self._is_church[host] & ~self._is_church[guest]
            is_named = name == NameRelation.OTHER_SERVICE
            return np.asarray(
                self._says_food[guest] & self._may_host[host] & (is_in_church | is_named)
            )

        signs = {
            "exact": name == NameRelation.EXACT,
            "alike": name == NameRelation.ALIKE,
            "contained": name == NameRelation.CONTAINED,
            "other": name == NameRelation.OTHER,
            "other_service": name == NameRelation.OTHER_SERVICE,
            "conflict": name == NameRelation.CONFLICT,
            "unlike": name < NameRelation.CONTAINED,
            "not_alike": name < NameRelation.ALIKE,
            "same_address": is_house & ~(miles > _MAX_ADDRESS_MILES) & ~has_units,
            "same_number_and_street": is_house,
            "street_type_differs": address == AddressRelation.STREET_TYPE_DIFFERS,
            "direction_differs": address == AddressRelation.DIRECTION_DIFFERS,
            "number_one_digit_off": address == AddressRelation.NUMBER_ONE_DIGIT_OFF,
            "street_differs": is_different & are_same(p.number) & is_same_area,
            "same_street": is_different & are_same(p.core) & is_same_area,
            "different": is_different,
            "unknown": address == AddressRelation.UNKNOWN,
            "same_type": type_relation == TypeRelation.SAME,
            "compatible_types": type_relation == TypeRelation.COMPATIBLE,
            "types_conflict": type_relation == TypeRelation.CONFLICT,
            "free_food": is_free_food,
            "same_type_or_free_food": (type_relation == TypeRelation.SAME)
            | (is_free_food & ~is_same_list),
            "untyped": is_untyped,
            "same_phone": is_phone,
            "phones_differ": is_phone_apart,
            "names_similar": similarity >= 0.85,
            "names_dissimilar": similarity < 0.5,
            "phone_and_name_differ": is_phone_apart & (similarity < 0.85),
            "same_website": are_same(p.website) & ~either(p.is_website_shared),
            "same_hours": are_same(p.hours),
            "no_common_weekday": (p.weekdays[a] > 0)
            & (p.weekdays[b] > 0)
            & ((p.weekdays[a] & p.weekdays[b]) == 0),
            "one_has_audience": self._has_audience[a] != self._has_audience[b],
            "few_common_words": common < 0.75,
            "same_area": is_same_area,
            "only_in_town": is_only,
            "near": is_near,
            "not_near": miles > NEAR_MILES,
            "over_1_mile": miles > 1,
            "over_10_miles": miles > 10,
            "far_apart": (miles > SAME_AREA_MILES) & ~is_house,
            "different_lists": ~is_same_list,
            "same_list": is_same_list,
            "unattributed_list": is_same_list & p.is_unattributed[a],
            "same_publisher": p.source[a] == p.source[b],
            "distinctive_words": is_distinctive,
            "two_words_each": self._has_two_words[a] & self._has_two_words[b],
            "same_service": is_same_service,
            "may_be_department": is_department,
            "host": either(self._is_host),
            "school": either(self._is_school),
            "mobile": either(self._is_mobile),
            "number_in_one_name": is_numbered,
            "second_of_its_name": is_numbered
            & (is_same_list | either(self._is_mobile) | either(self._is_school)),
            "nameless": (self._is_nameless[a] & ~self._has_special_kind[b])
            | (self._is_nameless[b] & ~self._has_special_kind[a]),
            "program_and_host": is_guest(a, b) | is_guest(b, a),
            "unit_in_one_address": is_one_sided,
            "units_differ": is_unit_apart,
            "units_may_differ": has_units,
            "states_differ": is_other_state,
        }
        flags_by_sign = {sign: np.asarray(flags) for sign, flags in signs.items()}
        return Evidence(a, b, name, similarity, address, type_relation, miles, flags_by_sign)

    def _share_town(self, a: Codes, b: Codes, mask: Flags) -> Flags:
        """Check which of some pairs are in towns that share a name."""
        p = self._p
        is_same_town = np.zeros(len(a), dtype=bool)
        pairs = np.stack([p.town[a[mask]], p.town[b[mask]]], axis=1)
        towns, inverse = np.unique(pairs, axis=0, return_inverse=True)
        flags = [not p.town_names[x].isdisjoint(p.town_names[y]) for x, y in towns.tolist()]
        is_same_town[mask] = np.array(flags, dtype=bool)[inverse.reshape(-1)]
        return is_same_town

    def _names(
        self, a: Codes, b: Codes, is_close: Flags, is_food: Flags, is_same_unit: Flags
    ) -> tuple[Levels, Similarities, Similarities, NDArray[np.bool_]]:
        """Return relation, similarity, similarity of the common words (0 if it is low) and the
        flags of a NameComparison.

        Names are compared word by word where they have enough words in common, or are close.
        """
        p = self._p
        names = np.array([*p.name.values, ""], dtype=object)
        one, other = p.name.codes[a], p.name.codes[b]
        texts = names[one], names[other]
        similarity = process.cpdist(*texts, scorer=fuzz.token_sort_ratio, dtype=np.float32)
        common = process.cpdist(
            *texts, scorer=fuzz.token_set_ratio, score_cutoff=_MIN_COMMON_WORDS, dtype=np.float32
        )
        relation = np.full(len(a), NameRelation.OTHER, dtype=np.int8)
        flags = np.zeros((_NAME_FLAGS, len(a)), dtype=np.bool_)

        # Most pairs have the same name: each is compared with itself once.
        is_equal = (one == other) & (one >= 0)
        relation[is_equal] = NameRelation.EXACT
        codes, inverse = np.unique(one[is_equal], return_inverse=True)
        parts = map(self._parts_of, codes.tolist())
        flags_of_names = [compare_names(part, part, NameContext())[1:] for part in parts]
        flags[:, is_equal] = (
            np.array(flags_of_names, dtype=np.bool_).reshape(-1, _NAME_FLAGS)[inverse].T
        )

        # Initials have no word in common with the words that they stand for.
        is_short = np.array([*map(is_acronym_long, p.name.values), False], dtype=bool)
        has_hope = (common > 0) | (is_short[one] != is_short[other]) | is_close
        hopeful_pairs = np.flatnonzero(~is_equal & (one >= 0) & (other >= 0) & has_hope)
        for pair in hopeful_pairs.tolist():
            x, y = int(a[pair]), int(b[pair])
            place_words = self._words_of_place(x) | self._words_of_place(y)
            parts_of_pair = self._parts_of(int(one[pair])), self._parts_of(int(other[pair]))
            types = int(p.type.codes[x]), int(p.type.codes[y])
            context = NameContext(
                place_words,
                self._idle_kinds.get(types, frozenset()),
                are_stores=types in self._stores,
                is_typed=max(types) >= 0,
                is_food=bool(is_food[pair]),
                is_unit=bool(is_same_unit[pair]),
            )
            comparison = compare_names(*parts_of_pair, context)
            if comparison.relation == NameRelation.OTHER and not common[pair]:
                # Only a word of both names that is not in their town or street is distinctive.
                shared_words = set(parts_of_pair[0].words) & set(parts_of_pair[1].words)
                is_named = any(not word.isdigit() for word in shared_words - WEAK - place_words)
                comparison = comparison._replace(
                    is_distinctive=comparison.is_distinctive and is_named
                )
            relation[pair], flags[:, pair] = comparison.relation, comparison[1:]
        return relation, np.divide(similarity, 100), np.divide(common, 100), flags

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
    ) -> tuple[Levels, Flags]:
        """Return the relation of addresses in one area, and which pairs have different units."""
        p = self._p

        def street(row: np.int32) -> Street:
            return p.streets[int(p.street[row])]

        relation = np.full(len(a), AddressRelation.DIFFERENT, dtype=np.int8)
        is_known = (p.number[a] >= 0) & (p.number[b] >= 0)
        relation[~is_known] = AddressRelation.UNKNOWN
        is_equal = is_known & is_same_area & (p.street[a] == p.street[b])
        relation[is_equal] = AddressRelation.SAME
        # A different spelling of the street matters only with the same number or matching names.
        is_alike = name >= NameRelation.ALIKE
        is_same_number, is_same_core = p.number[a] == p.number[b], p.core[a] == p.core[b]
        is_close = is_known & is_same_area & ~is_equal
        is_close &= is_same_number | (is_same_core & is_alike)
        # Two corners or landmarks.
        has_cores = (p.core[a] >= 0) & (p.core[b] >= 0)
        is_unread = (p.number[a] < 0) & (p.number[b] < 0)
        is_close |= is_unread & has_cores & ~is_same_core & is_alike
        for pair in np.flatnonzero(is_close).tolist():
            relation[pair] = compare_streets(street(a[pair]), street(b[pair]))
        is_unit_apart = np.zeros(len(a), dtype=bool)
        has_units = (p.units[a] >= 0) & (p.units[b] >= 0) & (p.units[a] != p.units[b])
        for pair in np.flatnonzero(has_units & (relation >= AddressRelation.UNKNOWN)).tolist():
            is_unit_apart[pair] = have_units_in_conflict(street(a[pair]), street(b[pair]))
        return relation, is_unit_apart
