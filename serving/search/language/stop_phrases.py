"""Finds words of a question that are not a start: ordinary words, streets, counties, former
homes."""

from typing import NamedTuple

from serving.search.language.detection import Language
from serving.search.language.names import PlaceNames
from serving.search.language.numbers import Code
from serving.search.language.states import StateMention
from serving.search.language.tables import tables
from serving.search.language.text import Token, TokenText
from warehouse.index.gazetteer import County, ZipPlace

_SAINTS = frozenset({"st", "san"})
# "Drive thru" is not a street.
_AFTER_DRIVE = frozenset({"thru", "through", "up"})


def former_ends(token_text: TokenText) -> frozenset[int]:
    """Return tokens right after "moved from" and similar phrases."""
    return frozenset(end for _, end in token_text.spans(tables().patterns["former_places"]))


def compound_words(token_text: TokenText) -> frozenset[int]:
    """Return tokens of phrases that contain a town's name but mean no town: "food stamps", "comida
    gratis"."""
    spans = token_text.spans(tables().patterns["compounds"])
    return frozenset(i for start, end in spans for i in range(start, end))


def organizations(
    token_text: TokenText, tokens: list[Token], states: list[StateMention]
) -> frozenset[int]:
    """Return tokens of organizations named after a saint: "St. Vincent de Paul", but not "St.
    Vincent, MN"."""
    starts = {start for m in states for start in (m.start, m.start - 1)}
    all_spans = token_text.spans(tables().patterns["organizations"])
    spans = [(a, b) for a, b in all_spans if tokens[a].key in _SAINTS and b not in starts]
    return frozenset(i for start, end in spans for i in range(start, end))


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


class CountyMention(NamedTuple):
    """Tokens of a county name, the state meant, and the county if that state is named or no other
    has the name; else all counties with it."""

    place_tokens: frozenset[int] = frozenset()
    state: str | None = None
    county: County | None = None
    namesakes: tuple[County, ...] = ()


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


def find_unknown_words(tokens: list[Token], states: list[StateMention]) -> frozenset[int]:
    """Return tokens outside the vocabulary that name no country or state."""
    lexicon = tables()
    state_tokens = {i for m in states if m.is_name and m.is_sure for i in range(m.start, m.end)}
    return frozenset(
        i
        for i, t in enumerate(tokens)
        if i not in state_tokens
        and t.word not in lexicon.vocabulary
        and t.word not in lexicon.countries
    )


def current_zip(
    zips: list[tuple[Code, ZipPlace]], tokens: list[Token], former: frozenset[int]
) -> ZipPlace | None:
    """Return the first ZIP code, unless the person moved away from it (`former_ends`)."""
    if not zips:
        return None
    for code, place in zips:
        at = next((i for i, t in enumerate(tokens) if t.start >= code.start), 0)
        if at not in former:
            return place
    return zips[0][1] if len(zips) == 1 else zips[-1][1]
