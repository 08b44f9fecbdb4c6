"""Parses a question: language, place, program, urgency, intent. No model, no network;
deterministic."""

import re
from datetime import datetime
from typing import NamedTuple

from serving.search.language.intent import Wants, household_of, wants_of
from serving.search.language.landmarks import ListingName, landmarks_of, listing_names
from serving.search.language.needs import Need, find_needs, words_of_needs
from serving.search.language.place import Where, where_of
from serving.search.language.place_names import PlaceNames
from serving.search.language.tables import tables
from serving.search.language.text import (
    Language,
    Token,
    clean,
    correct_word,
    fold,
    join_tokens,
    language_of,
    tokens_of,
)
from serving.search.language.times import AskedTime, Soon, at_clock, has_unread_exclusion, times_of
from serving.search.language.wishes import (
    Wish,
    find_unsupported_wishes,
    in_order,
    strange_languages,
    unused_words,
    wishes_of,
    wishes_of_time,
)

# Letters absent from English and Spanish: other scripts and Vietnamese.
_OTHER_LETTER = re.compile(r"[^\W\d_\x00-\u02ff]|[ăđơưĂĐƠƯ]")
_OTHER_LANGUAGE, _EXCLUDED_TIME = "other_language", "excluded_time"
_MEAL, _HOLIDAY_MEAL, _HOUSEHOLD = "meal", "holiday_meal", "household"
# Kinds named by words that are in no place name.
_NAMED_KINDS = frozenset({"mobile_pantry", "community_fridge", "senior_commodity"})
# Their meals are the program.
_MODES_OF_MEALS = frozenset({"school", "summer"})
# No source separates markets from other stores: they are found by name.
FARMERS_MARKETS = ListingName("", "Farmers Market", "", is_sure=True)
# Maximum characters read; finding the place compares every word with its neighbours.
MAX_QUESTION = 500


class Reading(NamedTuple):
    """The parsed meaning of a question."""

    language: Language
    where: Where
    wants: Wants
    time: AskedTime | None
    wishes: tuple[Wish, ...] = ()
    household: tuple[tuple[str, str], ...] = ()
    unsupported: tuple[str, ...] = ()
    name: ListingName | None = None
    instead: tuple[tuple[str, str], ...] = ()
    """Other places that may be meant, each with the question that asks for it alone."""
    unused: tuple[str, ...] = ()
    """Words of the question that the answer does not use."""
    landmarks: tuple[str, ...] = ()
    """Landmarks and streets of the question, which no gazetteer knows."""
    soon: Soon | None = None
    """A time counted from now; among the unused words until the clock of a place is known."""
    next_day: str = ""
    """A day as "next Tuesday", in the words of the question: it is not today."""
    strange: tuple[str, ...] = ()
    """Words after "need" and the like that no table has. They may be a person's name, so no stored
    message contains them."""
    needs: tuple[Need, ...] = ()
    """Needs that a place with food does not meet, dangers first."""
    seeks_food: bool = True
    """Whether places with food follow the answers to the needs."""


def read_question(text: str, names: PlaceNames) -> Reading:
    """Parse a question of any content and length; never raises."""
    plain = clean(text[:MAX_QUESTION])
    folded, tokens = fold(plain), tokens_of(plain)
    token_text = join_tokens(tokens)
    spelled = [_respell(token) for token in tokens]
    first = language_of((word for group in spelled for word in group), plain)
    where = where_of(plain, tokens, token_text, names, first)
    places = where.place_tokens
    # Words and accents of place names do not indicate the language.
    own = [i for i in range(len(tokens)) if i not in places]
    own_text = " ".join(tokens[i].raw for i in own)
    language = language_of((word for i in own for word in spelled[i]), own_text)
    # The correctly spelt words with single blanks between them.
    right = (word for i, group in enumerate(spelled) for word in ("#" if i in places else group))
    words = f" {' '.join(right)} "
    if all(token.is_caps for token in tokens if len(token.raw) > 2 and token.raw.isalpha()):
        words = words.replace(" PAN ", " pan ")
    unsupported = find_unsupported_wishes(words, folded)
    wants = wants_of(words, where.state)
    needs, seeks_food = find_needs(words_of_needs(tokens, places))
    if any(need.is_danger for need in needs):
        wants = wants._replace(is_urgent=True)
    if _OTHER_LANGUAGE in unsupported or _OTHER_LETTER.search(plain):
        # A similarity to English words would be accidental: "thức" is not Thursday.
        return Reading(
            *(language, where, wants, None),
            unsupported=(_OTHER_LANGUAGE,),
            needs=needs,
            seeks_food=seeks_food,
        )
    start, end = where.span
    instead = tuple(
        (name, f"{plain[:start]}{name}{plain[end:]}") for name in where.others or where.choices
    )
    times = times_of(words, folded)
    time = times.time
    if has_unread_exclusion(words, folded):
        unsupported += (_EXCLUDED_TIME,)
    wishes = wishes_of(words, folded, time, language)
    household = household_of(folded) if "estimate" in wants.topics else ()
    if household:
        unsupported = tuple(name for name in unsupported if name != _HOUSEHOLD)
    wants, unsupported = _reconcile(wants, wishes, unsupported)
    organizations = (
        [FARMERS_MARKETS]
        if tables().patterns["farmers_markets"].search(words)
        else _names_of(plain, tokens, where, wants, wishes)
    )
    name = organizations[0] if organizations else None
    landmarks = landmarks_of(
        plain,
        tokens,
        token_text,
        places,
        where.streets,
        by_bus=Wish("transport", "bus") in wishes,
    )
    unused = *(one.text for one in organizations[1:]), *strange_languages(folded), *times.unread
    if times.soon is not None:
        unused = *unused, times.soon.text
    strange = [] if needs else unused_words(plain, tokens, spelled, where, words, folded)
    if name and name.is_sure:
        strange = [text for text in strange if text not in name.text]
    heard = fold(" ".join((*unused, *landmarks, where.location or "")))
    strange = list(dict.fromkeys(text for text in strange if fold(text) not in heard))
    return Reading(
        *(language, where, wants, time, wishes, household, unsupported, name, instead, unused),
        *(landmarks, times.soon, times.next_day, tuple(strange), needs, seeks_food),
    )


def by_clock(reading: Reading, there: datetime) -> Reading:
    """Resolve relative times of a reading by the clock at its place. No search has a window in the
    week after today's."""
    if reading.soon is not None:
        soon_text, time = reading.soon.text, at_clock(reading.soon, there)
        unused = tuple(text for text in reading.unused if text != soon_text)
        wishes = in_order({*reading.wishes, *wishes_of_time(time)})
        return reading._replace(time=time, wishes=wishes, unused=unused, soon=None)
    if reading.next_day and reading.time and there.weekday() in reading.time.weekdays:
        of_time = set(wishes_of_time(reading.time))
        wishes = tuple(wish for wish in reading.wishes if wish not in of_time)
        unused = *reading.unused, reading.next_day
        return reading._replace(time=None, wishes=wishes, unused=unused, next_day="")
    return reading


def _reconcile(
    wants: Wants, wishes: tuple[Wish, ...], unsupported: tuple[str, ...]
) -> tuple[Wants, tuple[str, ...]]:
    """Settle words that are read as a program or kind and as a wish: return what is wanted, and the
    unsupported wishes that remain."""
    if wants.mode in _MODES_OF_MEALS:
        unsupported = tuple(name for name in unsupported if name != _MEAL)
    if Wish("delivery", True) in wishes:
        # "Bring her dinner" asks for delivery, not for a place that serves dinner.
        wants = wants._replace(kinds=tuple(k for k in wants.kinds if k != "soup_kitchen"))
    if _HOLIDAY_MEAL in unsupported:
        # No source states who gives these, so any place with free food may.
        wants = wants._replace(kinds=tuple(k for k in wants.kinds if k != "soup_kitchen"))
        unsupported = tuple(name for name in unsupported if name not in ("holiday", _MEAL))
    if wants.modes == ("wic",) and Wish("item", "diapers") in wishes:
        # WIC provides formula but no diapers; pantries may have both.
        wants = wants._replace(modes=("wic", "free"))
    return wants, unsupported


def _names_of(
    text: str, tokens: list[Token], where: Where, wants: Wants, wishes: tuple[Wish, ...]
) -> list[ListingName]:
    """Return words that may name a listed place; none with a program or a wish other than a time.
    Only names of organizations are certain among further ones."""
    if wants.mode != "free" or wants.intent == "apply" or _NAMED_KINDS & set(wants.kinds):
        return []
    if any(wish.kind not in ("day", "time", "distance") for wish in wishes):
        return []
    names = listing_names(text, tokens, where.place_tokens)
    return names[:1] + [name for name in names[1:] if name.is_sure]


def _respell(token: Token) -> list[str]:
    """Return the words of a token: itself, its correct spelling, or its expanded short form."""
    if token.is_break:
        return [","]
    right = tables().spellings.get(token.word)
    if right is not None:
        return list(right)
    if token.is_number:
        return ["#"]
    if token.raw == "PAN":
        return ["PAN"]
    nearest = correct_word(token.word)
    return [nearest[0] if nearest else token.word]
