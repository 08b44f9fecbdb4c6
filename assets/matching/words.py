"""Word lists for comparing names of places, from `words.yaml`, whose comments explain them."""

import re
from pathlib import Path

import msgspec

from schemas.vocab.resource_types import TYPE_IDS

WordSet = frozenset[str]

# Ends a comparable name that was translated into English. Other comparable names have no brackets.
TRANSLATED = "(es)"
_DIRECTION = re.compile("north|south|east|west")


class WordLists(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file."""

    spellings: dict[str, str]
    phrases: dict[str, str]
    spanish: dict[str, str]
    saints: dict[str, str]
    faith_words: WordSet
    street_words: WordSet
    lettered_parts: WordSet
    fillers: WordSet
    weak: WordSet
    nameless: WordSet
    congregations: WordSet
    program_words: WordSet
    optional_words: WordSet
    shops: WordSet
    eateries: WordSet
    kinds_of_eateries: WordSet
    optional_eatery_words: WordSet
    trades: WordSet
    kinds_of_brands: dict[str, str]
    departments: WordSet
    titles: WordSet
    lodgings: WordSet
    school_words: WordSet
    host_words: WordSet
    numbered_bodies: WordSet
    store_types: WordSet
    levels: WordSet
    directions: WordSet
    kinds: dict[str, str]
    audiences: WordSet
    distinguishing_kinds: WordSet
    food_kinds: WordSet
    kinds_of_type: dict[str, WordSet]
    type_groups: tuple[WordSet, ...]

    def __post_init__(self) -> None:
        """Raise ValueError for a kind without words or an unknown type."""
        kinds = self.audiences.union(
            self.distinguishing_kinds,
            self.food_kinds,
            self.kinds_of_eateries,
            self.trades,
            self.kinds_of_brands.values(),
            *self.kinds_of_type.values(),
        )
        if unknown_names := kinds - set(self.kinds.values()):
            raise ValueError(f"no word is of the kinds {sorted(unknown_names)}")
        types = self.store_types.union(self.kinds_of_type, *self.type_groups)
        if unknown_names := types - set(TYPE_IDS):
            raise ValueError(f"no types of places: {sorted(unknown_names)}")


def read_words(content: bytes) -> WordLists:
    """Decode the lists. Raises msgspec.ValidationError naming the wrong member."""
    return msgspec.yaml.decode(content, type=WordLists)


def differ_in_direction(one: str, other: str) -> bool:
    """Check whether texts differ only in a direction, such as Northgate and Southgate."""
    return one != other and _DIRECTION.sub("*", one) == _DIRECTION.sub("*", other)


WORDS = read_words(Path(__file__).with_name("words.yaml").read_bytes())
FILLERS = WORDS.fillers | {TRANSLATED}
WEAK = WORDS.weak | FILLERS
OPTIONAL = WORDS.optional_words | FILLERS
# Before a number: "Twenty-First Street Church".
TENS = {
    word: figures[0]
    for word, figures in WORDS.spellings.items()
    if word.endswith("ty") and figures.isdigit() and len(figures) == 2
}
