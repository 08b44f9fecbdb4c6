"""Finds the location in a question: ZIP code, city or state.

A ZIP code wins over a city. Every name in the text that the gazetteer knows is a candidate; its
evidence is added up. For it: an adjacent state, a preceding word like "in" or "cerca de", its size.
Against it: being an ordinary word, or the name of a street, a school or somebody's former home.
"""

from __future__ import annotations

from typing import NamedTuple

from serving.search.language.candidates import LEAST, candidates
from serving.search.language.city_ranking import Candidate, View, follows_in
from serving.search.language.detection import Language
from serving.search.language.names import PlaceNames
from serving.search.language.numbers import zip_codes
from serving.search.language.states import state_mentions
from serving.search.language.stop_phrases import (
    compound_words,
    county,
    current_zip,
    everyday_words,
    former_ends,
    ordinary_words,
    streets,
    unknown_words,
)
from serving.search.language.tables import nicknames, tables
from serving.search.language.text import Token
from warehouse.index.gazetteer import City, County, ZipPlace

_MAX_BACK = 4


class Where(NamedTuple):
    """Location in a question: at most one of ZIP code and city, the state, the tokens that named
    it."""

    zip: ZipPlace | None = None
    city: City | None = None
    state: str | None = None
    near: City | None = None
    used: frozenset[int] = frozenset()
    unknown_zip: str | None = None
    reason: str = "no place named"
    county: County | None = None

    @property
    def location(self) -> str | None:
        """As the interface writes it: five digits, "City, ST", or "Cook County, IL"."""
        if self.zip:
            return self.zip.zip
        if self.county:
            return f"{self.county.name}, {self.county.state}"
        return f"{self.city.name}, {self.city.state}" if self.city else None


def where_of(text: str, tokens: list[Token], names: PlaceNames, language: Language) -> Where:
    """Return the place that a question names."""
    codes = zip_codes(text)
    digits = frozenset(
        i for i, t in enumerate(tokens) if any(c.start <= t.start < c.end for c in codes)
    )
    known = [(code, place) for code in codes if (place := names.gazetteer.zip(code.zip))]
    chosen = current_zip(known, tokens)
    states = state_mentions(tokens, names, language)
    street_tokens, of_county = streets(tokens, names, states), county(tokens, names, states)
    view = View(
        tokens,
        names,
        states,
        street_tokens | of_county.used,
        former_ends(tokens),
        ordinary_words(tokens, language),
        everyday_words(tokens, language),
        compound_words(tokens),
        unknown_words(tokens, states),
    )
    best = _best(candidates(view))
    used = digits | frozenset(i for m in states if m.is_name for i in range(m.start, m.end))
    if best:
        used |= frozenset(range(best.start, best.end))
        used |= frozenset(range(best.state.start, best.state.end)) if best.state else frozenset()
    if chosen and not (best and _is_house_number(chosen, best, view)):
        return Where(zip=chosen, state=chosen.state, used=used, reason=f"ZIP code {chosen.zip}")
    unknown = codes[0].zip if codes else None
    if best:
        near = _part_of(view, best)
        return Where(None, best.city, best.city.state, near, used, unknown, best.reason)
    used |= of_county.used
    if of_county.county:
        named = of_county.county
        return Where(None, None, named.state, None, used, unknown, named.name, named)
    state = _state_alone(view) or of_county.state
    reason = f"state {state}" if state else "no place named"
    return Where(state=state, used=used, unknown_zip=unknown, reason=reason)


def _is_house_number(place: ZipPlace, best: Candidate, view: View) -> bool:
    """Return whether five digits before a street of another state are a house number: "20115
    Euclid, Cleveland OH"."""
    if best.state is None or place.state == best.city.state:
        return False
    at = next((i for i, t in enumerate(view.tokens) if t.raw == place.zip), None)
    if at is None or at + 1 >= best.start or at + _MAX_BACK + 1 < best.start:
        return False
    between = [t for t in view.tokens[at + 1 : best.start] if not t.is_break]
    return bool(between) and not any(t.word in view.ordinary for t in between)


# ---------------------------------------------------------------- the choice


def _best(found: list[Candidate]) -> Candidate | None:
    """Return the one for which most speaks; a former home only when nothing else is named; of
    equals the first.

    A name within a longer one is not meant: "North Charleston", "West Palm Beach".
    """
    likely = [c for c in found if c.score >= LEAST]
    likely = [c for c in likely if not any(_is_within(c, other) for other in likely)]
    if not likely:
        return None
    return min(likely, key=lambda c: (c.is_former, -c.score, c.start, c.start - c.end))


def _is_within(short: Candidate, long: Candidate) -> bool:
    """Return whether a name is part of a longer one; of a misspelt one, only if it is misspelt
    too."""
    if long.is_guess and not short.is_guess:
        return False
    is_longer = long.end - long.start > short.end - short.start
    return is_longer and long.start <= short.start and short.end <= long.end


def _part_of(view: View, best: Candidate) -> City | None:
    """Return the named part of the city, if the gazetteer has its location."""
    if "another name" not in best.reason:
        return None
    words = [t.key for t in view.tokens[best.start : best.end]]
    # The post has names of its own for whole cities: "Nyc".
    is_whole = " ".join(words) in nicknames()
    return None if is_whole else view.names.in_state(words, best.city.state)


def _state_alone(view: View) -> str | None:
    """Return the state of a question that names no city: by its name, or a code that cannot be a
    word."""
    usable = [m for m in view.states if m.start not in view.former] or view.states
    for mention in usable:
        if mention.is_name:
            return mention.code
    for mention in usable:
        code = view.tokens[mention.start].word
        if not mention.is_name and mention.is_sure:
            wordy = code in tables().places.wordy_codes
            if not wordy or follows_in(view.tokens, mention.start):
                return mention.code
    return None
