"""Finds the location in a question: ZIP code, city or state.

A ZIP code wins over a city. Every gazetteer name in the text is a candidate; its evidence is
summed. For it: an adjacent state, a preceding "in" or "cerca de", its population. Against it: being
an ordinary word, or the name of a street, a school or a former home.
"""

from functools import partial
from typing import NamedTuple

from serving.search.language.also_named import (
    PlaceMention,
    find_other_names,
    labels_of,
    namesakes,
    span_of,
    spelt_alike,
)
from serving.search.language.candidates import LEAST, candidates
from serving.search.language.city_ranking import Candidate, View, follows_in
from serving.search.language.detection import Language
from serving.search.language.names import PlaceNames
from serving.search.language.numbers import Code, zip_codes
from serving.search.language.states import state_mentions
from serving.search.language.stop_phrases import (
    CountyMention,
    compound_words,
    county,
    current_zip,
    find_said_words,
    find_unknown_words,
    former_ends,
    organizations,
    streets,
)
from serving.search.language.tables import nicknames, tables
from serving.search.language.text import Token, join_tokens
from warehouse.index.gazetteer import City, County, ZipPlace

_MAX_BACK = 4


class Where(NamedTuple):
    """Location in a question: at most one of ZIP code and city, the state, and their tokens.

    `streets` are the tokens of streets. `others` are further named places, `choices` possible
    meanings: each replaces the characters of the cleaned text in `span`.
    """

    zip: ZipPlace | None = None
    city: City | None = None
    state: str | None = None
    near: City | None = None
    place_tokens: frozenset[int] = frozenset()
    unknown_zip: str | None = None
    reason: str = "no place named"
    county: County | None = None
    others: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    span: tuple[int, int] = (0, 0)
    streets: frozenset[int] = frozenset()

    @property
    def location(self) -> str | None:
        """The location as the API writes it: five digits, "City, ST", or "Cook County, IL"."""
        if self.zip:
            return self.zip.zip
        if self.county:
            return f"{self.county.name}, {self.county.state}"
        return f"{self.city.name}, {self.city.state}" if self.city else None


def where_of(text: str, tokens: list[Token], names: PlaceNames, language: Language) -> Where:
    """Return the location that a question names."""
    codes = zip_codes(text)
    digits = frozenset(
        i for i, t in enumerate(tokens) if any(c.start <= t.start < c.end for c in codes)
    )
    zips = [(code, place) for code in codes if (place := names.gazetteer.zip(code.zip))]
    token_text = join_tokens(tokens)
    former = former_ends(token_text)
    zip_place = current_zip(zips, tokens, former)
    states = state_mentions(tokens, names, language)
    street_tokens, of_county = streets(tokens, names, states), county(tokens, names, states)
    view = View(
        tokens,
        names,
        states,
        street_tokens | of_county.place_tokens | organizations(token_text, tokens, states),
        former,
        find_said_words(tokens, language, tables().vocabulary),
        find_said_words(tokens, language, tables().common),
        [token.key for token in tokens],
        compound_words(token_text),
        find_unknown_words(tokens, states),
    )
    make_where = partial(Where, streets=street_tokens)
    likely = _likely(candidates(view))
    best = _best(likely)
    place_tokens = digits | frozenset(i for m in states if m.is_name for i in range(m.start, m.end))
    if best:
        place_tokens |= frozenset(range(best.start, best.end))
        if best.state:
            place_tokens |= frozenset(range(best.state.start, best.state.end))
    mentions = [_city_mention(one) for one in likely if not one.is_former]
    mentions += [_zip_mention(code, place, tokens) for code, place in zips]
    if zip_place and not (best and _is_house_number(zip_place, best, view)):
        at = next(_zip_mention(code, place, tokens) for code, place in zips if place == zip_place)
        reason = f"ZIP code {zip_place.zip}"
        where = make_where(
            zip=zip_place, state=zip_place.state, place_tokens=place_tokens, reason=reason
        )
        return _with_others(where, view, at, mentions)
    unknown = codes[0].zip if codes else None
    if best:
        city, near = best.city, _part_of(view, best)
        where = make_where(None, city, city.state, near, place_tokens, unknown, best.reason)
        is_sure = best.state is not None or "the largest" not in best.reason
        if not is_sure or (best.is_guess and best.state is None):
            span = span_of(view, best.start, best.end)
            where = where._replace(choices=namesakes(view, city), span=span)
        elif same := view.names.gazetteer.namesakes(city):
            where = where._replace(
                choices=labels_of(same), span=span_of(view, best.start, best.end)
            )
        return _with_others(where, view, _city_mention(best), mentions)
    return _where_of_area(view, of_county, place_tokens, unknown)._replace(streets=street_tokens)


def _where_of_area(
    view: View, of_county: CountyMention, place_tokens: frozenset[int], unknown: str | None
) -> Where:
    """Return the county or the state that a question names, or cities spelt alike."""
    place_tokens |= of_county.place_tokens
    if of_county.county:
        area = of_county.county
        return Where(None, None, area.state, None, place_tokens, unknown, area.name, area)
    state = _state_alone(view) or of_county.state
    reason = f"state {state}" if state else "no place named"
    where = Where(state=state, place_tokens=place_tokens, unknown_zip=unknown, reason=reason)
    if of_county.namesakes:
        span = span_of(view, min(of_county.place_tokens), max(of_county.place_tokens) + 1)
        return where._replace(choices=labels_of(of_county.namesakes), span=span)
    choices, span = ((), (0, 0)) if unknown else spelt_alike(view)
    return where._replace(choices=choices, span=span)


def _with_others(where: Where, view: View, at: PlaceMention, mentions: list[PlaceMention]) -> Where:
    """Return a location with the others that the text names."""
    group = find_other_names(view, at, [one for one in mentions if one.start not in view.former])
    others = tuple(dict.fromkeys(one.label for one in group if one.label != at.label))
    if not others:
        return where
    place_tokens = where.place_tokens.union(*(range(one.start, one.end) for one in group))
    span = span_of(view, group[0].start, group[-1].end)
    return where._replace(place_tokens=place_tokens, others=others, choices=(), span=span)


def _city_mention(one: Candidate) -> PlaceMention:
    end = max(one.end, one.state.end) if one.state else one.end
    return PlaceMention(one.start, end, f"{one.city.name}, {one.city.state}")


def _zip_mention(code: Code, place: ZipPlace, tokens: list[Token]) -> PlaceMention:
    at = [i for i, t in enumerate(tokens) if code.start <= t.start < code.end]
    return PlaceMention(at[0], at[-1] + 1, place.zip)


def _is_house_number(place: ZipPlace, best: Candidate, view: View) -> bool:
    """Return whether five digits before a street in another state are a house number: "20115
    Euclid, Cleveland OH"."""
    if best.state is None or place.state == best.city.state:
        return False
    at = next((i for i, t in enumerate(view.tokens) if t.raw == place.zip), None)
    if at is None or at + 1 >= best.start or at + _MAX_BACK + 1 < best.start:
        return False
    between = [t for t in view.tokens[at + 1 : best.start] if not t.is_break]
    return bool(between) and not any(t.word in view.ordinary for t in between)


# ---------------------------------------------------------------- the choice


def _likely(all_candidates: list[Candidate]) -> list[Candidate]:
    """Return candidates with enough evidence. A name within a longer one is excluded: "North
    Charleston", "West Palm Beach"."""
    likely = [c for c in all_candidates if c.score >= LEAST]
    return [c for c in likely if not any(_is_within(c, other) for other in likely)]


def _best(likely: list[Candidate]) -> Candidate | None:
    """Return the candidate with the most evidence, the first of equals; a former home only if
    nothing else is named."""
    if not likely:
        return None
    return min(likely, key=lambda c: (c.is_former, -c.score, c.start, c.start - c.end))


def _is_within(short: Candidate, long: Candidate) -> bool:
    """Return whether a name is part of a longer one; if that is misspelt, only a misspelt name
    is."""
    if long.is_guess and not short.is_guess:
        return False
    is_longer = long.end - long.start > short.end - short.start
    return is_longer and long.start <= short.start and short.end <= long.end


def _part_of(view: View, best: Candidate) -> City | None:
    """Return the named part of the city, if the gazetteer has its location."""
    if "another name" not in best.reason:
        return None
    words = [t.key for t in view.tokens[best.start : best.end]]
    # The Postal Service has special names for whole cities: "Nyc".
    is_whole = " ".join(words) in nicknames()
    return None if is_whole else view.names.in_state(words, best.city.state)


def _state_alone(view: View) -> str | None:
    """Return the state of a question without a city: by its name, or a code that cannot be a
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
