"""Skips the place where food is given: "lunch at the high school cafeteria, Mon-Fri", "the pantry
operates out of the fellowship hall on Mondays"."""

from dataclasses import replace
from itertools import takewhile

from assets.hours.lexicon import NEVER_FOOD, STEMS, Kind
from assets.hours.note_reader import DAY_STARTS
from assets.hours.notes import has_stem
from assets.hours.tokens import Token
from schemas.hours.schedule import UNDATED_SEASONS

_LEADS = (
    "at",
    "in",
    "out",
    "from",
    "inside",
    "outside",
    "behind",
    "near",
    "by",
    "on",
    "visits",
    ",",
)
_WHILE = ("when", "whenever", "during", "anytime", "any time")  # "when the library is open"
_COMES = ("come", "visit", "stop by")
_NAMES = (Kind.WORD, Kind.FILLER, Kind.WHO, Kind.SERVICE)
_GIVEN = (Kind.MEAL, Kind.WHO, Kind.FILLER, Kind.COLON, Kind.COMMA)
_FOLLOWS = (
    *DAY_STARTS,
    Kind.LETTER,
    Kind.APPOINTMENT,
    Kind.WHO,
    Kind.EVERY,
    Kind.CLOCK,
    Kind.BETWEEN,
    Kind.COMMA,
    Kind.DASH,
    Kind.COLON,
    Kind.OPEN,
)
_NO_PLACE = (*STEMS.dangerous, *STEMS.not_a_name, *STEMS.not_for_visitors, *STEMS.activities)


def without_venue(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a filler for the single venue between food and its hours, and for a
    clause that gives it the venue's hours: "pantry shelf inside the front door, open when the
    library is"."""
    ends = [_end_of_venue(tokens, at) for at in range(len(tokens))]
    venues = {end: at for at, end in reversed([*enumerate(ends)]) if end > at}
    times = [at for at in venues.values() if tokens[at].text in _WHILE]
    if max(len(times), len(venues) - len(times)) > 1:
        return tokens
    for end, at in venues.items():
        text = " ".join(token.text for token in tokens[at:end])
        venue = replace(tokens[at], kind=Kind.FILLER, text=text, end=tokens[end - 1].end)
        tokens = [*tokens[:at], venue, *tokens[end:]]
    return tokens


def _end_of_venue(tokens: list[Token], at: int) -> int:
    """Return the place after a venue that begins at a token, else the token's place."""
    if tokens[at].text not in (*_LEADS, *_WHILE) or not _is_after_food(tokens[:at]):
        return at
    run = [*takewhile(_may_name_venue, tokens[at + 1 :])]
    while run and not _is_venue(run[-1]):
        if run.pop().kind not in (Kind.FILLER, Kind.WHO):
            return at
    names = [token for token in run[:-1] if token.kind is not Kind.FILLER]
    if names and any(has_stem(word, STEMS.not_for_visitors) for word in names[-1].text.split()):
        names.pop()  # "the staff door"
    words = [word for token in names for word in token.text.split()]
    end = at + 1 + len(run)
    follows = [token for token in tokens[end : end + 4] if token.kind is not Kind.FILLER]
    is_whole = follows[:1] != [] and (
        follows[0].kind in _FOLLOWS or follows[0].value in UNDATED_SEASONS
    )
    is_whole |= [token.kind for token in follows[:2]] == [Kind.AND, Kind.ALL_DAY]
    if tokens[at].kind is Kind.COMMA:  # "Summer lunch, Oak Park Elementary, June 16 - Aug 1"
        is_whole &= bool(names) and run[-1].kind is Kind.WORD and follows[0].kind is Kind.COMMA
    is_place = bool(run) and is_whole and not any(has_stem(word, _NO_PLACE) for word in words)
    return end if is_place else at


def _may_name_venue(token: Token) -> bool:
    is_name = token.kind in _NAMES and token.value not in UNDATED_SEASONS
    return is_name or token.text in STEMS.venues


def _is_venue(token: Token) -> bool:
    """Check for the end of a venue's name: "church hall", "office"."""
    if token.kind is Kind.SERVICE and token.text not in STEMS.venues:
        return token.value not in UNDATED_SEASONS and token.text not in NEVER_FOOD
    return token.text.rpartition(" ")[2] in STEMS.venues


def _is_after_food(tokens: list[Token]) -> bool:
    """Check that only words of giving come between the food, or "come", and the venue."""
    words = takewhile(
        lambda token: token.kind in _GIVEN or token.text in STEMS.scenery, reversed(tokens)
    )
    return any(token.kind is Kind.MEAL or token.text in _COMES for token in words)
