"""Compares two names word by word.

A single word may decide: "Elementary" and "Middle", "8406" and "8407", "Pantry" and "WIC"
distinguish two places whose names are otherwise the same.
"""

import re
from collections.abc import Iterable
from enum import IntEnum
from itertools import combinations, pairwise, product
from typing import NamedTuple

from rapidfuzz.distance import OSA

from assets.matching.names import NameParts, comparable_word
from assets.matching.words import FILLERS, OPTIONAL, TRANSLATED, WEAK, WORDS, differ_in_direction


class NameRelation(IntEnum):
    """Relation of names. Larger is closer."""

    CONFLICT = 0  # a different store number, school level or direction
    OTHER_SERVICE = 1  # the same name, a different service or school level
    OTHER = 2
    CONTAINED = 3  # one name has words that the other lacks
    ALIKE = 4  # the same words except for spelling, fillers and the town
    EXACT = 5


# Lists give a pantry and its kitchen the name of the two.
_BOTH_WAYS = re.compile(r"\bpantry and kitchen\b|\bkitchen (?:and )?pantry\b")
# A house where seniors live or meet. A pantry in it may serve everybody.
_SENIORS_HOUSE = re.compile(
    r"\bsenior (?:citizen )?(?:center|housing|apartment|building|residence)\b"
)


class NameComparison(NamedTuple):
    """Relation of two names, whether their shared words are distinctive here, whether both state
    the same service, whether only one has a number, and whether the longer may be that of a
    department or guest of the shorter."""

    relation: NameRelation
    is_distinctive: bool = False
    is_same_service: bool = False
    has_extra_number: bool = False
    may_be_department: bool = False


class NameContext(NamedTuple):
    """What is known about two records when their names are compared."""

    # Words of both records' city and street: "Kuhn's Market Bellevue" in Bellevue is "Kuhn's
    # Market".
    place_words: frozenset[str] = frozenset()
    # Kinds that do not distinguish names of these two types.
    idle_kinds: frozenset[str] = frozenset()
    # Whether a number may be a store's.
    are_stores: bool = True
    # Whether a type states the service.
    is_typed: bool = False
    # Whether both give free food in the same way at one address, according to their types.
    is_food: bool = False
    # Whether both give the same suite or floor of one house.
    is_unit: bool = False


_CONFLICT = NameComparison(NameRelation.CONFLICT)


def compare_names(one: NameParts, other: NameParts, context: NameContext) -> NameComparison:
    """Return how two names relate; one with a former name relates by the closer of its names."""
    comparison = _compare(one, other, context)
    # A truck with another name is not the house.
    if (one.aliases or other.aliases) and "mobile" not in one.kinds ^ other.kinds:
        pairs = product(one.aliases or (one,), other.aliases or (other,))
        comparisons = (_compare(*pair, context) for pair in pairs)
        closest = max(comparisons, key=lambda names: names.relation)
        if closest.relation > comparison.relation:
            # Another place may have the former name by now: alike, not the same.
            comparison = closest._replace(relation=min(closest.relation, NameRelation.ALIKE))
    return comparison


def _compare(one: NameParts, other: NameParts, context: NameContext) -> NameComparison:
    if _are_in_conflict(one, other, context.place_words):
        return _CONFLICT
    if is_acronym(one.words, other.words) or is_acronym(other.words, one.words):
        return NameComparison(NameRelation.CONTAINED, is_distinctive=True)
    is_typed = context.is_typed
    words = _differing_words(one, other, context)
    shared_words, left, right, kinds = words.shared, words.left, words.right, words.kinds
    is_distinctive = any(word not in WEAK and not word.isdigit() for word in shared_words)

    # Titles after two names: "James Kuno, MD", "Rhea Kuno, MD".
    have_titles = WORDS.titles.intersection(one.words) and WORDS.titles.intersection(other.words)
    if kinds & WORDS.distinguishing_kinds or (left and right and have_titles):
        return _CONFLICT

    # A name may leave out its service ("Hope Mission", "Hope Mission Food Pantry") or trade, but
    # "Alda Farm" is not "Alda Pantry", and "Alda Medicine" is not "Alda Dental".
    may_be_left_out = (
        bool(kinds)
        and not is_typed
        and OPTIONAL.issuperset(left if other.kinds else right)
        and WORDS.host_words.isdisjoint(one.words + other.words)
    )
    is_pantry_left_out = may_be_left_out and kinds == {"pantry"}
    is_pantry_left_out &= not ((one.kinds and other.kinds) or one.is_school or other.is_school)
    is_trade_left_out = may_be_left_out and kinds <= WORDS.trades and not (left and right)
    if kinds and not is_pantry_left_out and not is_trade_left_out:
        rests = [part if is_typed else set(part) - OPTIONAL for part in (left, right)]
        is_name_shared = bool(shared_words - WEAK) and not all(rests)
        relation = NameRelation.OTHER_SERVICE if is_name_shared else NameRelation.OTHER
        return NameComparison(relation, is_distinctive and is_name_shared)

    is_guest = _is_guest(one.words, other.words, left) or _is_guest(other.words, one.words, right)
    is_guest |= _are_shop_and_eatery(one.words, other.words)
    long, short, extra = (one, other, left) if left else (other, one, right)
    if not is_typed:
        extra = [word for word in extra if word not in words.besides]
    may_be_department = bool(extra) and _is_department(
        extra, long.words, short.words, context.is_unit
    )
    if context.is_food and left and right and not OPTIONAL.issuperset(left + right):
        # "Alda Baptist Church" and "Birch Ministry (Alda Baptist)".
        left, right = ([] if OPTIONAL.issuperset(part) else part for part in (left, right))

    # "First" in "First Baptist Church" is not a number.
    has_store_number = (
        context.are_stores
        and bool(one.numbers & other.numbers - _congregation_numbers(one.words))
        and not (one.is_school or other.is_school)
        and WORDS.numbered_bodies.isdisjoint(one.words + other.words)
    )
    relation = _relation(
        left, right, shared_words - FILLERS, words.is_spelled_alike, has_store_number
    )
    # "Primera Iglesia Bautista": the Spanish name and the English one only state the faith.
    is_congregation = (TRANSLATED in one.words) != (TRANSLATED in other.words) and all(
        word.isdigit() for word in shared_words - WEAK - WORDS.faith_words
    )
    if relation >= NameRelation.ALIKE and (
        is_pantry_left_out or words.is_saint_translated or is_congregation
    ):
        # A house may lend a room to a pantry, or to a congregation of the same name in Spanish.
        relation, is_distinctive = NameRelation.CONTAINED, len(shared_words - FILLERS) > 1
        may_be_department = True
    if is_trade_left_out:
        relation, may_be_department = min(relation, NameRelation.CONTAINED), True
    if not is_typed and is_guest:
        relation = min(relation, NameRelation.OTHER_SERVICE)
    return NameComparison(
        relation,
        is_distinctive,
        is_same_service=bool(one.kinds & other.kinds - WORDS.audiences) and not kinds,
        has_extra_number=any(
            is_typed or len(number) < 3 for number in _differing_numbers(one, other, context)
        ),
        may_be_department=may_be_department,
    )


class _DifferingWords(NamedTuple):
    """Words that two names share, words that only one has and that may distinguish it, kinds and
    levels that only one states, and trades that "and" joins to one of the other."""

    shared: set[str]
    left: list[str]
    right: list[str]
    kinds: frozenset[str]
    besides: frozenset[str]
    is_spelled_alike: bool
    is_saint_translated: bool


def _differing_words(one: NameParts, other: NameParts, context: NameContext) -> _DifferingWords:
    mine = in_one_language(one.words, other.words)
    theirs = in_one_language(other.words, one.words)
    shared_words, left, right, is_spelled_alike = align(mine, theirs)
    idle_kinds = context.idle_kinds | {
        kind for brand, kind in WORDS.kinds_of_brands.items() if brand in shared_words
    }
    kinds = _differing_kinds(one, other, idle_kinds, is_food=context.is_food)
    besides = _trades_besides(one.words, other.words) | _trades_besides(other.words, one.words)
    if not context.is_typed:
        kinds -= {WORDS.kinds[word] for word in besides if word in WORDS.kinds}
    kinds -= {WORDS.kinds[word] for word in context.place_words if word in WORDS.kinds}
    idle_words = FILLERS | context.place_words | kinds | idle_kinds
    if one.levels or other.levels or (one.is_school and other.is_school):
        idle_words |= {"school"}

    def telling(words: list[str], idle: frozenset[str]) -> list[str]:
        return [
            word
            for word in words
            if not (word in idle or word.isdigit() or WORDS.kinds.get(word) in idle)
        ]

    return _DifferingWords(
        shared_words,
        telling(left, idle_words | acronyms_in(one.words)),
        telling(right, idle_words | acronyms_in(other.words)),
        kinds,
        besides,
        is_spelled_alike,
        is_saint_translated=mine != one.words or theirs != other.words,
    )


def _is_department(
    extra: list[str], long: tuple[str, ...], short: tuple[str, ...], is_unit: bool
) -> bool:
    """Check whether the extra words of the longer name may be those of a department or guest of
    the house with the shorter name.

    "Alda Bar at Birch Hotel" is a guest of "Birch Hotel"; "Birch Library at Alda Square" only
    states where the library is.
    """
    if not WORDS.departments.isdisjoint(extra):
        return True
    if "at" in long and "at" not in short:
        return not set(extra).isdisjoint(long[: long.index("at")])
    if is_unit and FILLERS.union(long).issuperset(short):
        # A suite has no departments, but a doctor may share it with a clinic.
        return not WORDS.titles.isdisjoint(set(long) - set(short))
    # "Alda Birch Market" is the market itself.
    houses = (WORDS.host_words | WORDS.numbered_bodies) - WORDS.shops.intersection(long)
    return not houses.isdisjoint(short)


def _are_shop_and_eatery(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Check whether one name is only that of a shop and the other only that of a restaurant."""
    shops, eateries = (
        [not group.isdisjoint(words) for words in (one, other)]
        for group in (WORDS.shops, WORDS.eateries)
    )
    return shops[0] != shops[1] and eateries[0] != eateries[1] and shops != eateries


def _is_guest(words: tuple[str, ...], house: tuple[str, ...], extra: list[str]) -> bool:
    """Check for a name with the other one after "at" only ("Alda Bar at Birch Hotel"), or for that
    of a department, which may have the telephone of the house."""
    if not (WORDS.host_words.isdisjoint(house) or WORDS.departments.isdisjoint(extra)):
        return True
    if "at" not in words or "at" in house:
        return False
    at = words.index("at")
    guest = set(words[:at]) - FILLERS - set(house)
    is_behind = not set(house).isdisjoint(set(words[at:]) - FILLERS)
    return bool(guest) and guest.issubset(extra) and is_behind


def _trades_besides(words: tuple[str, ...], others: tuple[str, ...]) -> frozenset[str]:
    """Return words that "and" joins to a word of the other name: "Deli and Bakery", "Deli"."""
    positions = [n for n in range(1, len(words) - 1) if words[n] == "and"]
    pairs = [(words[n - 1], words[n + 1]) for n in positions]
    return frozenset(a for a, b in pairs if b in others) | {b for a, b in pairs if a in others}


def _differing_kinds(
    one: NameParts, other: NameParts, idle_kinds: frozenset[str], *, is_food: bool
) -> frozenset[str]:
    """Return the services and school levels that only one name states.

    A name without a level may be that of another school, or of all schools of a campus.
    """
    words = one.words + other.words
    kinds = ((one.kinds ^ other.kinds) | (one.levels ^ other.levels)) - idle_kinds
    if WORDS.eateries.intersection(words):
        kinds -= WORDS.kinds_of_eateries
    if is_food:
        kinds &= WORDS.food_kinds | WORDS.audiences | WORDS.levels
        if _SENIORS_HOUSE.search(" ".join(words)):
            kinds -= {"senior"}
    if idle_kinds & one.kinds & other.kinds and _BOTH_WAYS.search(" ".join(words)):
        kinds -= {"pantry", "meals"}
    return kinds


def _differing_numbers(one: NameParts, other: NameParts, context: NameContext) -> frozenset[str]:
    """Return the numbers that only one name has; none if both share one of three digits.

    Some lists leave out the number of a shop or a lodge; a small one may mean a second place.
    """
    if any(len(number) >= 3 for number in one.numbers & other.numbers):
        return frozenset()
    numbers = (one.numbers ^ other.numbers) - context.place_words
    numbers -= _congregation_numbers(one.words) | _congregation_numbers(other.words)
    # The first place of a name often has no number.
    return numbers - {"1"} if context.is_food else numbers


def _are_in_conflict(one: NameParts, other: NameParts, place_words: frozenset[str]) -> bool:
    """Check whether each name has a level, number or direction that the other lacks."""
    if one.levels and other.levels and one.levels != other.levels:
        return True
    # The K of "Circle K" is not a store's letter, since "Circle K 633" has it as well.
    mine = one.numbers - _street_numbers(one.words, place_words) - set(other.words)
    theirs = other.numbers - _street_numbers(other.words, place_words) - set(one.words)
    if mine - theirs and theirs - mine:
        return True
    directions, other_directions = one.directions - place_words, other.directions - place_words
    return bool(directions - other_directions and other_directions - directions)


def _street_numbers(words: tuple[str, ...], place_words: frozenset[str]) -> frozenset[str]:
    """Return the numbers in a name that are those of its street or town: "Fifth Avenue"."""
    numbers = set()
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        if word in place_words and (WORDS.street_words | place_words) & {before, after}:
            numbers.add(word)
    return frozenset(numbers)


def _congregation_numbers(words: tuple[str, ...]) -> frozenset[str]:
    """Return the numbers in a name that are those of a congregation: "First Baptist Church"."""
    # "183 St" is a street, not a saint.
    bodies = WORDS.congregations - WORDS.street_words
    return frozenset(w for w, after in pairwise(words) if w.isdigit() and after in bodies)


def _relation(
    left: list[str],
    right: list[str],
    shared_words: set[str],
    is_spelled_alike: bool,
    has_number: bool,
) -> NameRelation:
    if left and right and (WORDS.host_words | WORDS.lodgings).isdisjoint(left + right):
        # "Amigos Grill" and "Amigos Restaurant" are one; "Amigos Bowl" is another.
        if WORDS.optional_eatery_words.issuperset(left + right):
            left, right = [], []
        left, right = ([] if set(part) == {"restaurant"} else part for part in (left, right))
    if not shared_words or (left and right):
        return NameRelation.OTHER
    extra = left or right
    if extra and all(word.isdigit() and len(word) < 3 for word in shared_words):
        # "7-Eleven" is not "Fastop #11"; a longer number identifies a store.
        return NameRelation.OTHER
    if not extra:
        return NameRelation.EXACT if is_spelled_alike else NameRelation.ALIKE
    if WORDS.directions.intersection(extra):
        return NameRelation.CONTAINED
    # The same store number outweighs an extra word.
    if has_number or OPTIONAL.issuperset(extra):
        return NameRelation.ALIKE
    return NameRelation.CONTAINED


_SAINTS = {comparable_word(es): comparable_word(en) for es, en in WORDS.saints.items()}


def in_one_language(words: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with saints in English ("San Pedro") if the other name has them so."""
    saints = {after for word, after in pairwise(other) if word == "st"}
    english_words = list(words)
    for at, (word, after) in enumerate(pairwise(words)):
        if word in {"san", "santo", "santa"} and _SAINTS.get(after) in saints:
            english_words[at : at + 2] = "st", _SAINTS[after]
    return tuple(english_words)


# Words that may stand for each other, the shorter first. N is missing, since it may be "and".
_SHORT_FOR = {("bank", "pantry"), ("co", "county"), ("s", "south"), ("e", "east"), ("w", "west")}


def align(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[set[str], list[str], list[str], bool]:
    """Return the shared words, the other words of each name, and whether the shared ones are
    spelled the same."""
    one, other = _matches_joined(one, other), _matches_joined(other, one)
    # A name with its initials behind the words is left as it is. Schools of a campus share theirs.
    if not (acronyms_in(one) or acronyms_in(other) or WORDS.school_words & {*one, *other}):
        one, other = with_acronyms(one, other), with_acronyms(other, one)
    shared_words = set(one) & set(other)
    left = [word for word in one if word not in shared_words]
    right = [word for word in other if word not in shared_words]
    if not left or not right:
        return shared_words, left, right, True
    if "".join(left) == "".join(right):
        return shared_words | set(left), [], [], True
    is_spelled_alike = True
    for word in list(left):
        twin = next((candidate for candidate in right if _is_one_word(word, candidate)), None)
        if twin is not None:
            left.remove(word)
            right.remove(twin)
            shared_words.add(word)
            is_spelled_alike = False
    return shared_words, left, right, is_spelled_alike


def _matches_joined(words: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Join two words that the other name has as one: "Casa Blanca" and "Casablanca"."""
    tokens = list(words)
    for at in range(len(words) - 2, -1, -1):
        compound = "".join(tokens[at : at + 2])
        if compound in others and "school" not in tokens[at : at + 2]:
            tokens[at : at + 2] = [compound]
    return tuple(tokens)


def _is_one_word(one: str, other: str) -> bool:
    """Check for a misspelling, an initial, or "bank" for "pantry".

    Numbers, directions and words for services and levels must be the same.
    """
    short, long = sorted((one, other), key=len)
    if (short, long) in _SHORT_FOR:
        return True
    special = WORDS.levels | WORDS.directions | WORDS.kinds.keys()
    is_apart = one.isdigit() or other.isdigit() or differ_in_direction(one, other)
    if is_apart or one in special or other in special:
        return False
    if len(short) == 1 and long.startswith(short):
        return True
    max_distance = 2 if len(short) >= 8 else 1 if len(short) >= 5 else 0
    return max_distance > 0 and OSA.distance(short, long, score_cutoff=max_distance) <= max_distance


_SMALL = frozenset({"a", "and", "at", "de", "for", "in", "of", "on", "the", "to"})


def initials_of(words: Iterable[str]) -> frozenset[str]:
    """Return the initials of words, with and without small words and fillers: "eaoa" and "eaa" for
    "emergency assistance of alda"."""
    full = [word for word in words if word[0].isalpha()]
    parts = (
        full,
        [word for word in full if word not in _SMALL],
        [word for word in full if word not in FILLERS],
    )
    return frozenset("".join(word[0] for word in part) for part in parts)


def acronyms_in(words: tuple[str, ...]) -> frozenset[str]:
    """Return the initials among the words: EAM of "Emergency Assistance Ministry (EAM)"."""
    acronyms = set()
    for at, word in enumerate(words):
        if 3 <= len(word) <= 6 and word.isalpha():
            rest = words[:at] + words[at + 1 :]
            full = [other for other in rest if other.isalpha() and other not in FILLERS]
            # Initials with further letters of their words: "Chatham OutReach Alliance (CORA)".
            letters_of_words = "".join(f"{other[0]}[{other}]{{0,2}}" for other in full)
            is_spelled = len(full) >= 3 and re.fullmatch(letters_of_words, word) is not None
            if (is_spelled and at == len(words) - 1) or any(
                word in letters for letters in initials_of(rest)
            ):
                acronyms.add(word)
    return frozenset(acronyms)


def is_acronym(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Check whether a name is the initials of the other: "EAM", "Emergency Alda Ministry"."""
    if len(one) != 1 or len(other) < 3 or not is_acronym_long(one[0]):
        return False
    # A comparable word has lost its s.
    return not initials_of(other).isdisjoint({one[0], f"{one[0]}s"})


def is_acronym_long(name: str) -> bool:
    """Check for one word long enough to be initials that are not the same by chance."""
    return 3 <= len(name) <= 8 and name.isalpha()


def with_acronyms(words: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words, three or more of them replaced by their initials if the other name has
    those: CCCS for "Catholic Charities Community Services"."""
    for letters in others:
        if (
            letters in words
            or letters in WEAK
            or letters in OPTIONAL
            or not is_acronym_long(letters)
        ):
            continue
        # A comparable word has lost its s.
        spellings = {letters, f"{letters}s"}
        for begin, end in combinations(range(len(words) + 1), 2):
            if end - begin >= 3 and not initials_of(words[begin:end]).isdisjoint(spellings):
                return (*words[:begin], letters, *words[end:])
    return words
