"""Finds the service of hours."""

import re
from itertools import islice, pairwise, takewhile

from assets.hours.guard import split_parts
from assets.hours.lexicon import STARTS, STEMS, Kind, has_stem, may_be_day
from assets.hours.times import CannotTell
from assets.hours.tokens import Token, kind_at
from schemas.hours.schedule import UNDATED_SEASONS

_NAMES = (Kind.WORD, Kind.MEAL, Kind.WHO, Kind.SERVICE)
_JOINS = (Kind.AND, Kind.SLASH, Kind.DASH)
_BOUNDS = (None, Kind.BREAK, Kind.CLOCK, Kind.COMMA, Kind.CLOSE, Kind.DAYS, Kind.PART, Kind.REMARK)
_LONGEST_NAME = 6
# Words for one of several sites: with hours for two, the hours of the requested site are unclear.
_PLACES = frozenset({"branch", "location", "site", "campus", "sede", "sucursal", "plantel"})
_DAY_LETTERS = re.compile(r"m?t?w?(?:r|th)?f?s?")
_WHERE = _PLACES | {"st", "street", "ave", "avenue", "rd", "road", "blvd", "dr", "church", "school"}
_ONE_SPAN = 2  # clocks
_STREETS = ("streetaddress", "at streetaddress", "located at streetaddress")
# "the full schedule can be found here" says nothing about the hours given
_POINTER = re.compile(
    r"\b(?:schedule|calendar|information|info|menu|details)\b.{0,30}\b(?:here|website|facebook)\b"
    r"|\bby calling\b|\bcall\b.{0,30}\b(?:information|info|details|questions|availability)\b"
    r"|\b(?:visit|see|check)\b.{0,20}\b(?:website|facebook)\b.{0,20}\b(?:info|information)\b"
)
_EVERYBODY = ("everyone", "everybody")
_NO_NAME = (*STEMS.telephone, *STEMS.not_a_name)


def join_services(tokens: list[Token]) -> list[Token]:
    """Join each run of words that names a service ("Legal clinic: Tue 1-3") into one token.

    A name must come before a colon and hours, or be alone in parentheses. Words of the lexicon need
    neither.
    """
    tokens = _mark_headings(tokens)
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        length = _name_before_mark(tokens, at) or _name_in_parentheses(tokens, at)
        if length:
            new_tokens.append(_service(tokens[at : at + length]))
            at += length
            if at < len(tokens) and tokens[at].kind is Kind.DASH:
                new_tokens.append(Token(Kind.COLON, None, ":"))
                at += 1
        else:
            new_tokens.append(tokens[at])
            at += 1
    return new_tokens


def _mark_headings(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a colon after each known name on a separate line above its days."""
    new_tokens = list(tokens)
    for at, token in enumerate(tokens[:-2]):
        is_line = (at == 0 or _is_new_line(tokens[at - 1])) and _is_new_line(tokens[at + 1])
        if token.kind in _NAMES[1:] and is_line:
            follows = next((n for n in tokens[at + 2 :] if not _is_new_line(n)), token)
            if follows.kind in (Kind.DAYS, Kind.ORDINAL, Kind.EVERY, Kind.OTHER):
                new_tokens[at + 1] = Token(Kind.COLON, None, ":")
    if new_tokens != tokens and tokens[-1].kind in _NAMES[1:] and _is_new_line(tokens[-2]):
        raise CannotTell("names above or below")
    return new_tokens


def _is_new_line(token: Token) -> bool:
    return token.kind is Kind.BREAK and token.text == "\n"


def _name_before_mark(tokens: list[Token], at: int) -> int:
    """Return the length of a name before a mark: "Legal clinic: Tue 1-3"; at the beginning of a
    part also "Legal clinic - Tue 1-3"."""
    before = kind_at(tokens, at - 1)
    if before not in _BOUNDS:
        return 0
    end = _end_of_words(tokens, at)
    is_first = before in (None, Kind.BREAK)
    if is_first and end - at > 1 and tokens[end - 1].kind is Kind.DASH:
        end -= 1
    elif kind_at(tokens, end) is not Kind.COLON:
        return 0
    follows = end + 1
    while kind_at(tokens, follows) is Kind.BREAK:
        follows += 1
    # single letters only if joined to others: "WIC: M-F 8-5"
    is_letters = kind_at(tokens, follows) is kind_at(tokens, follows + 2) is Kind.LETTER
    is_letters &= kind_at(tokens, follows + 1) in (Kind.COMMA, *_JOINS)
    begins_hours = kind_at(tokens, follows) in STARTS or is_letters
    return end - at if begins_hours and _is_name(tokens[at:end]) else 0


def _name_in_parentheses(tokens: list[Token], at: int) -> int:
    end = _end_of_words(tokens, at)
    if kind_at(tokens, at - 1) is not Kind.OPEN or kind_at(tokens, end) is not Kind.CLOSE:
        return 0
    words = [token.text for token in tokens[at:end]]
    return end - at if _is_name(tokens[at:end]) and not is_harmless(words, in_group=True) else 0


def _end_of_words(tokens: list[Token], at: int) -> int:
    """Return the end of a run of words, or a place slightly past the longest name."""
    last = min(len(tokens), at + 3 * _LONGEST_NAME)
    return next((n for n in range(at, last) if tokens[n].kind not in (*_NAMES, *_JOINS)), last)


def _is_name(tokens: list[Token]) -> bool:
    """Check for a name: up to six words, at least one neither a meal nor visitors, none about
    time."""
    if not tokens or tokens[0].kind in _JOINS or tokens[-1].kind in _JOINS:
        return False
    if tokens[-1].kind is Kind.WORD and may_be_day(tokens[-1].text):
        return False  # "Mxn-Fri 9-4", "Wdnsdy: 9-4"
    if any(_DAY_LETTERS.fullmatch(token.text) for token in tokens):
        return False  # "MWF: 10-2, TR: 2-6"
    if any(token.value in UNDATED_SEASONS for token in tokens):
        return False  # "Pantry when school is in session: Tue 2-4"
    kinds = {token.kind for token in tokens}
    words = [word for token in tokens for word in token.text.split()]
    is_new = bool(kinds & {Kind.WORD, Kind.SERVICE}) and any(w[0].isalpha() for w in words)
    others = (w for token in tokens if token.kind is not Kind.MEAL for w in token.text.split())
    return is_new and len(words) <= _LONGEST_NAME and not any(has_stem(w, _NO_NAME) for w in others)


def _service(tokens: list[Token]) -> Token:
    if len(tokens) == 1 and tokens[0].kind is Kind.SERVICE:
        return tokens[0]
    text = " ".join(token.text for token in tokens).replace(" - ", "-").replace(" / ", "/")
    is_food = any(token.kind is Kind.MEAL for token in tokens)
    is_food &= not any(has_stem(word, STEMS.no_food) for word in text.split())
    return Token(Kind.MEAL if is_food else Kind.SERVICE, text, text)


def refuse_several_places(tokens: list[Token]) -> None:
    """Refuse "North branch: Mon 9-12; south branch: Tue 9-12": a record is one place, but which one
    is unknown."""
    parts = [part for part in split_parts(tokens) if any(t.kind is Kind.CLOCK for t in part)]
    words = [token for part in parts for token in part]
    clocks = [at for at, token in enumerate(words) if token.kind is Kind.CLOCK]
    streets = [at for at, token in enumerate(words) if token.text in _STREETS]
    # "Mon 9-12; Tue 1-3 at 415 N 5th St"; a single address before all hours is the place's own
    if len(clocks) > _ONE_SPAN and (len(streets) > 1 or (streets and streets[0] > clocks[0])):
        raise CannotTell("hours of several places")
    # "Tue 9-11 at Elks Lodge, Thu 3-5 at Hope Church"
    venues: set[tuple[str, ...]] = set()
    for at in (at for at, token in enumerate(words, start=1) if token.text == "at"):
        run = takewhile(lambda token: token.kind in (Kind.WORD, Kind.FILLER), words[at:])
        name = tuple(token.text for token in run if token.kind is Kind.WORD)
        venues |= {name} if len(name) > 1 and name[-1] in STEMS.venues else set()
    if len(clocks) > _ONE_SPAN and len(venues) > 1:
        raise CannotTell("hours of several places")
    # Drop the dots of "Main St.", which end no sentence.
    pairs = pairwise([Token(Kind.BREAK), *tokens])
    tokens = [token for before, token in pairs if token.text != "." or before.text not in _WHERE]
    # "Mon 5-6 (Main St.); Thu 5-6 (Oak Ave.)"
    ends = [at for at, token in enumerate(tokens) if token.kind is Kind.CLOSE]
    inside = {_last_words(tokens[:at]) for at in ends}
    if len({words for words in inside if words and words[0] in _WHERE}) > 1:
        raise CannotTell("hours of several places")
    # "Main St. location: Mon 9-12. Hope Church: Tue 9-12"
    headings = (tokens[:at] for at, token in enumerate(tokens) if token.kind is Kind.COLON)
    names = {_last_words(heading) for heading in headings}
    places = [n for n in names if len(n) > 1 and (n[0] in _WHERE or not _PLACES.isdisjoint(n))]
    if len(places) > 1:
        raise CannotTell("hours of several places")


def _last_words(tokens: list[Token]) -> tuple[str, ...]:
    """Return up to three words of the part that ends at a token."""
    part = takewhile(lambda token: token.kind not in (Kind.BREAK, Kind.COLON), reversed(tokens))
    return tuple(token.text for token in islice(part, 3))


def is_harmless(words: list[str], *, in_group: bool) -> bool:
    """Return whether a run of unknown words certainly says nothing about time.

    Outside parentheses, three words without a dangerous one are enough. In parentheses, which may
    contain labels ("(Showers)"), one word must show the subject.
    """
    if _POINTER.search(" ".join(words)):
        return True
    letters = [word for word in words if word[0].isalpha()]
    if any(word[0] == "$" for word in words) and len(letters) <= 2:
        return True  # "$1 per person"
    if letters and len(letters[-1]) > 2 and may_be_day(letters[-1]):
        return False  # "YWCA clients: Wex., 1-2"
    terms = [word for text in letters for word in text.split() if word not in _EVERYBODY]
    if any(has_stem(word, STEMS.dangerous) for word in terms):
        return False
    if any(has_stem(word, STEMS.harmless) for text in letters for word in text.split()):
        return True
    return len(letters) >= 3 and not in_group
