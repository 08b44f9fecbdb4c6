"""Finds the place in a question: ZIP code, city, county or state, and the others it may mean.

A ZIP code wins over a city. Every gazetteer name in the text is a candidate; its evidence is
summed. For it: an adjacent state, a preceding "in" or "cerca de", its population. Against it: being
an ordinary word, or the name of a street, a school or a former home.
"""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from serving.search.language.landmarks import is_facility
from serving.search.language.place_names import (
    LEAST,
    Candidate,
    PlaceNames,
    StateMention,
    View,
    candidates,
    follows_in,
    is_capitalised,
    state_mentions,
)
from serving.search.language.tables import nicknames, number_patterns, tables
from serving.search.language.text import Language, Token, TokenText, fold
from warehouse.index.fuzzy_names import errors_allowed
from warehouse.index.gazetteer import City, County, ZipPlace

_MAX_BACK = 4


class Code(NamedTuple):
    """Five digits that may be a ZIP code, and their position."""

    zip: str
    start: int
    end: int


class PlaceMention(NamedTuple):
    """Tokens `start` to `end` (exclusive) that name a place, and its written form."""

    start: int
    end: int
    label: str


class CountyMention(NamedTuple):
    """Tokens of a county name, the state meant, and the county if that state is named or no other
    has the name; else all counties with it."""

    place_tokens: frozenset[int] = frozenset()
    state: str | None = None
    county: County | None = None
    namesakes: tuple[County, ...] = ()


class Where(NamedTuple):
    """Location in a question: at most one of ZIP code and city, the state, and their tokens.

    `streets` are the tokens of streets, `former` those right after "moved from" and the like.
    `others` are further named places, `choices` possible meanings: each replaces the characters of
    the cleaned text in `span`.
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
    former: frozenset[int] = frozenset()

    @property
    def location(self) -> str | None:
        """The location as the API writes it: five digits, "City, ST", or "Cook County, IL"."""
        if self.zip:
            return self.zip.zip
        if self.county:
            return f"{self.county.name}, {self.county.state}"
        return f"{self.city.name}, {self.city.state}" if self.city else None


def where_of(
    text: str, tokens: list[Token], token_text: TokenText, names: PlaceNames, language: Language
) -> Where:
    """Return the location that a question names; `token_text` joins its tokens."""
    lexicon = tables()
    codes = zip_codes(text)
    digits = frozenset(
        i for i, t in enumerate(tokens) if any(c.start <= t.start < c.end for c in codes)
    )
    zips = list[tuple[PlaceMention, ZipPlace]]()
    for code in codes:
        if place := names.gazetteer.zip(code.zip):
            at = [i for i, t in enumerate(tokens) if code.start <= t.start < code.end]
            zips.append((PlaceMention(at[0], at[-1] + 1, place.zip), place))
    former = frozenset(end for _, end in token_text.spans(lexicon.patterns["former_places"]))
    states = state_mentions(tokens, names, language)
    state_starts = {start for m in states for start in (m.start, m.start - 1)}
    street_tokens, of_county = streets(tokens, names, states), county(tokens, names, states)
    # "St. Vincent de Paul" is an organization, "St. Vincent, MN" a town.
    saints = (
        range(start, end)
        for start, end in token_text.spans(lexicon.patterns["organizations"])
        if tokens[start].key in _SAINTS and end not in state_starts
    )
    # "Food stamps" and "comida gratis" contain a town's name but mean no town.
    compounds = token_text.spans(lexicon.patterns["compounds"])
    of_states = {i for m in states if m.is_name and m.is_sure for i in range(m.start, m.end)}
    view = View(
        tokens,
        names,
        states,
        street_tokens.union(of_county.place_tokens, *saints),
        former,
        find_said_words(tokens, language, lexicon.vocabulary),
        find_said_words(tokens, language, lexicon.common),
        [token.key for token in tokens],
        frozenset().union(*(range(start, end) for start, end in compounds)),
        frozenset(
            i
            for i, t in enumerate(tokens)
            if i not in of_states
            and t.word not in lexicon.vocabulary
            and t.word not in lexicon.countries
        ),
    )
    make_where = partial(Where, streets=street_tokens, former=former)
    likely = [one for one in candidates(view) if one.score >= LEAST]
    # "North Charleston" and "West Palm Beach" are one place each.
    likely = [
        one
        for one in likely
        if not any(
            long.end - long.start > one.end - one.start
            and long.start <= one.start
            and one.end <= long.end
            # Of a misspelt name only a misspelt one is a part.
            and (one.is_guess or not long.is_guess)
            for long in likely
        )
    ]
    # The most evidence wins, of equals the first; a former home only if nothing else is named.
    best = min(
        likely, key=lambda c: (c.is_former, -c.score, c.start, c.start - c.end), default=None
    )
    place_tokens = digits | frozenset(i for m in states if m.is_name for i in range(m.start, m.end))
    if best:
        place_tokens |= frozenset(range(best.start, best.end))
        if best.state:
            place_tokens |= frozenset(range(best.state.start, best.state.end))
    mentions = [_city_mention(one) for one in likely if not one.is_former]
    mentions += [mention for mention, _ in zips]
    # The first ZIP code, unless the person moved away from it.
    now = [one for one in zips if one[0].start not in former] or zips[-1:]
    if now and not (best and _is_house_number(now[0][1], best, view)):
        mention, zip_place = now[0]
        reason = f"ZIP code {zip_place.zip}"
        where = make_where(
            zip=zip_place, state=zip_place.state, place_tokens=place_tokens, reason=reason
        )
        return _with_others(where, view, mention, mentions)
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
    where = _where_of_area(view, of_county, place_tokens, unknown)
    return where._replace(streets=street_tokens, former=former)


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


_FIVE = re.compile(r"\d{5}")
# The sentence before says nothing about a number: "tell me the password. 98118". Abbreviations do
# not end a sentence.
_SENTENCE_END = re.compile(r"(?<=[a-z]{5})[.!?]+\s+|(?<=[a-z])[!?]+\s+")


def zip_codes(text: str) -> list[Code]:
    """Return the ZIP codes of a cleaned text, chosen by form and context."""
    if not _FIVE.search(text):
        return []
    patterns = number_patterns()
    # Letter by letter, so that positions in the text do not change.
    plain = text if text.isascii() else "".join(fold(c)[:1] or c for c in text)
    folded = plain.lower()
    for other in (patterns["phone"], patterns["other_number"]):
        folded = other.sub(lambda m: "x" * len(m[0]), folded)
    return [
        Code(match[1], match.start(), match.end())
        for match in patterns["zip"].finditer(folded)
        if _is_zip(folded, match)
    ]


def _is_zip(text: str, match: re.Match[str]) -> bool:
    patterns = number_patterns()
    before = _SENTENCE_END.split(text[max(0, match.start() - 60) : match.start()])[-1]
    after = text[match.end() : match.end() + 60]
    if patterns["called_zip"].search(before) or patterns["unasked"].search(before):
        return True
    if patterns["no_zip_before"].search(before) or patterns["no_zip_after"].match(after):
        return False
    return not patterns["street"].match(after.replace(",", " , "))


_SAINTS = frozenset({"st", "san"})
# "Drive thru" is not a street.
_AFTER_DRIVE = frozenset({"thru", "through", "up"})


def streets(tokens: list[Token], names: PlaceNames, states: list[StateMention]) -> frozenset[int]:
    """Return tokens of street names; "Mountlake Terrace, WA" is a town."""
    places, masked = tables().places, set[int]()
    towns = _towns_like_streets(tokens, names, states)
    before_places = tables().words["before_places"]
    states_at = {mention.start for mention in states if mention.is_name}
    for i, token in enumerate(tokens):
        if i in towns:
            continue
        is_saint = (
            token.key == "st"
            and i + 1 < len(tokens)
            and bool(names.cities(["st", tokens[i + 1].key]))
        )
        is_saint |= token.word == "st" and i > 0 and tokens[i - 1].word in before_places
        is_street = token.word in places.street_words or (token.word == "st" and not is_saint)
        following = tokens[i + 1].word if i + 1 < len(tokens) else ""
        is_street &= not (token.word == "drive" and following in _AFTER_DRIVE)
        if is_street and i and not tokens[i - 1].is_break:
            masked |= {i - 1, i} | _up_to_number(tokens, i - 1)
        elif token.word in places.facility_before and following not in before_places | {""}:
            masked |= {i, i + 1}
        elif token.word in places.street_before:
            for j in range(i, min(i + 3, len(tokens))):
                is_next = j > i and tokens[j].word in {"en", "in", "near", "cerca"}
                # "Calle 14 Nueva York"; "calle Nueva York" is a street.
                if tokens[j].is_break or is_next or (j > i + 1 and j in states_at):
                    break
                masked.add(j)
    return frozenset(masked)


def _towns_like_streets(
    tokens: list[Token], names: PlaceNames, states: list[StateMention]
) -> frozenset[int]:
    """Return tokens of towns whose name has a street word, next to their state and not after a
    house number."""
    town_tokens = set[int]()
    for mention in states:
        end = mention.start - (mention.start > 0 and tokens[mention.start - 1].is_break)
        for start in range(max(0, end - 3), end - 1):
            cities = names.cities([t.key for t in tokens[start:end]])
            has_number = start > 0 and tokens[start - 1].is_number
            if not has_number and any(city.state == mention.code for city in cities):
                town_tokens |= set(range(start, end))
    return frozenset(town_tokens)


def _up_to_number(tokens: list[Token], at: int) -> set[int]:
    """Return the words between a house number and the end of the street's name."""
    for back in range(1, 4):
        if at - back < 0 or tokens[at - back].is_break:
            return set()
        if tokens[at - back].is_number:
            return set(range(at - back, at))
    return set()


def county(tokens: list[Token], names: PlaceNames, states: list[StateMention]) -> CountyMention:
    """Return the named county in the adjacent state, or in the state of the largest."""
    kinds = tables().places.counties["words"]
    for i, token in enumerate(tokens):
        spans = []
        if token.word in ("county", "counties", "parish"):
            spans = [(i - n, i, i + 1) for n in (3, 2, 1) if i - n >= 0]
        elif token.word in kinds and i + 1 < len(tokens):
            first = i + 1 + (tokens[i + 1].word in {"de", "of"})
            spans = [(first, first + n, first + n) for n in (3, 2, 1) if first + n <= len(tokens)]
        mentions = [(a, b, c, names.counties([t.key for t in tokens[a:b]])) for a, b, c in spans]
        if not any(counties for *_, counties in mentions):
            mentions = [
                (*s, names.counties_alike([t.key for t in tokens[s[0] : s[1]]])) for s in spans
            ]
        for start, end, after, counties in mentions:
            if not counties:
                continue
            codes = [one.state for one in counties]
            adjacent = [m.code for m in states if m.start in (after, after + 1) and m.code in codes]
            likely = adjacent or [m.code for m in states if m.code in codes and m.is_name]
            state = (likely or codes)[0]
            sure = (
                next(one for one in counties if one.state == state)
                if likely or len(set(codes)) == 1
                else None
            )
            place_tokens = frozenset(range(min(start, i), max(end, i + 1)))
            return CountyMention(place_tokens, state, sure, () if sure else tuple(counties))
    return CountyMention()


def find_said_words(
    tokens: list[Token], language: Language, vocabulary: frozenset[str]
) -> frozenset[str]:
    """Return vocabulary words of a question, which alone are not names: a single word of the other
    language may be one ("pueblo food bank")."""
    lexicon = tables()
    words = {t.word for t in tokens} & vocabulary
    foreign = words & (lexicon.es if language == "en" else lexicon.en)
    return frozenset(words - foreign if len(foreign) == 1 else words)


MAX_CHOICES = 8
# A namesake with a smaller share of the population is seldom meant.
_PART, _LEAST_PEOPLE = 10, 5_000
_MAX_GUESSED_WORDS, _SPELT_ALIKE, _SHORTEST = 3, 4, 5


def labels_of(places: Iterable[City | County]) -> tuple[str, ...]:
    """Return unique labels of places as the API writes them: "Salem, OR"."""
    return tuple(dict.fromkeys(f"{one.name}, {one.state}" for one in places))[:MAX_CHOICES]


def find_other_names(
    view: View, place: PlaceMention, others: Sequence[PlaceMention]
) -> list[PlaceMention]:
    """Return the chosen place with those that "or" or "and" joins to it: "Sacramento o
    Stockton"."""
    group = [place]
    apart = sorted(one for one in others if one.end <= place.start or one.start >= place.end)
    for one in (o for o in apart if o.start >= place.end):
        if one.start >= group[-1].end and _are_joined(view, group[-1].end, one.start):
            group.append(one)
    for one in (o for o in reversed(apart) if o.end <= place.start):
        if one.end <= group[0].start and _are_joined(view, one.end, group[0].start):
            group.insert(0, one)
    return group


def span_of(view: View, start: int, end: int) -> tuple[int, int]:
    """Return the character span of some tokens in the text."""
    return view.tokens[start].start, view.tokens[end - 1].end


def _are_joined(view: View, start: int, end: int) -> bool:
    between = [token.word for token in view.tokens[start:end]]
    lists = tables().words
    joins = lists["joins"].intersection(between)
    return bool(joins) and lists["joins"] | lists["before_places"] | {",", "the"} >= set(between)


def namesakes(view: View, city: City) -> tuple[str, ...]:
    """Return other cities with the same name that may be meant: those of its state, then by
    population."""
    people = max((city.population or 0) // _PART, _LEAST_PEOPLE)
    same = view.names.gazetteer.cities(city.folded)
    large = (c for c in same if c != city and (c.population or 0) >= people)
    return labels_of([*view.names.gazetteer.namesakes(city), *large])


def spelt_alike(view: View) -> tuple[tuple[str, ...], tuple[int, int]]:
    """Return cities spelt almost like an unknown word, and its span in the text, if nothing else
    names a place."""
    for start, end in _strange_runs(view):
        name = " ".join(t.key for t in view.tokens[start:end])
        enough = len(name) >= _SHORTEST
        cities = view.names.gazetteer.cities_near(name, errors_allowed(name)) if enough else []
        if cities:
            by_people = sorted(cities, key=lambda city: -(city.population or 0))
            # A hamlet may really have this spelling: "Pitsburg, OH".
            exact = [city for city in cities if city.folded == name]
            choices = [*by_people[:_SPELT_ALIKE], *exact[:1]]
            return labels_of(choices), span_of(view, start, end)
    return (), (0, 0)


def _strange_runs(view: View) -> list[tuple[int, int]]:
    """Return runs of words outside everyday vocabulary (`end` exclusive)."""
    strange = [i for i in sorted(view.unknown - view.masked) if _is_strange(view, i)]
    runs: list[tuple[int, int]] = []
    for i in strange:
        if runs and runs[-1][1] == i:
            runs[-1] = (runs[-1][0], i + 1)
        else:
            runs.append((i, i + 1))
    # "Fenway Park" is not a misspelt town.
    return [
        (start, end)
        for start, end in runs
        if end - start <= _MAX_GUESSED_WORDS and not is_facility(view.tokens, end)
    ]


def _is_strange(view: View, at: int) -> bool:
    """Return whether a word is unknown and placed like a name: capitalized, after "in" or before a
    food word."""
    tokens, token = view.tokens, view.tokens[at]
    is_word = token.word in view.everyday or token.is_break or token.is_number
    if is_word or at in view.compounds or any(m.start <= at < m.end for m in view.states):
        return False
    is_before_food = at + 1 < len(tokens) and tokens[at + 1].word in tables().words["food_after"]
    return is_capitalised(tokens, at, at + 1) or follows_in(tokens, at) or is_before_food
