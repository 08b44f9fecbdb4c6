"""Words that tell what a place is: a pantry, a market, a shop, an office (drafts.yaml)."""

import re
from pathlib import Path

import msgspec
import pandas as pd

from schemas.vocab.resource_types import TYPE_IDS


class Kind(msgspec.Struct, forbid_unknown_fields=True):
    """A kind of places and the pattern of texts that name it. `ask` is the question to the author
    of a source if the kind is not a type of the catalog."""

    kind: str
    pattern: str
    ask: str = ""


class Vocabulary(msgspec.Struct, forbid_unknown_fields=True):
    """The words of drafts.yaml."""

    kinds: list[Kind]
    headings: list[Kind]
    type_columns: list[str]
    status_columns: list[str]
    closed_words: str
    inactive_words: str
    excluded_headings: dict[str, str]


WORDS = msgspec.yaml.decode(Path(__file__).with_name("drafts.yaml").read_bytes(), type=Vocabulary)
ASK = {each.kind: each.ask for each in WORDS.kinds if each.ask}
# What gives food for nothing: only these are told by a name within a list of free food.
_FREE = ("food_pantry", "soup_kitchen", "mobile_pantry", "community_fridge", "senior_commodity")
# Kinds that a name shows to be no free food; a school or a clinic may have a pantry.
OTHER = ("thrift_store", "store", "farmers_market", "wic_store", "wic_office", "snap_retailer")


def kind_in_name(names: pd.Series) -> pd.Series:
    """Return the kind of `OTHER` that a name states, else missing."""
    kinds = {name: kind_of(name) for name in names.dropna().unique()}
    stated = names.map(kinds).astype("str")
    return stated.where(stated.isin(OTHER))


def kind_by_name(names: pd.Series) -> pd.Series:
    """Return the type of free food that a name states, else missing."""
    kinds = {name: kind_of(name) for name in names.dropna().unique()}
    types = names.map(kinds).astype("str")
    return types.where(types.isin(_FREE))


def kind_of(text: str, kinds: list[Kind] = WORDS.kinds) -> str | None:
    """Return the kind that a text names; None if it names no kind."""
    plain = spaced(text)
    return next((k.kind for k in kinds if re.search(k.pattern, plain, re.IGNORECASE)), None)


def kinds_in(text: str) -> set[str]:
    """Return all kinds that a text names; a "summer meal site" is no "meal site"."""
    kinds: set[str] = set()
    taken: list[tuple[int, int]] = []
    for each in WORDS.kinds:
        for match in re.finditer(each.pattern, spaced(text), re.IGNORECASE):
            begins, ends = match.span()
            if not any(begins < end and start < ends for start, end in taken):
                taken.append((begins, ends))
                kinds.add(each.kind)
    return kinds


def spaced(text: str) -> str:
    """Return a text with blanks between the words of "Food_Bank" and "FoodBank"."""
    return re.sub(r"[_\-./]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))


def is_plain(kind: str | None) -> bool:
    """Tell whether a kind is a type of the catalog, without a question."""
    return kind in TYPE_IDS and kind not in ASK
