"""Refuses texts with a sign of something that the reader does not read.

| sign | example | result |
| --- | --- | --- |
| two languages that disagree | "2nd Tuesday / tercer martes 10-12" | unread |
| hours of an activity without visitors | "Sat 8-9 set-up, 9-11 pantry" | unread, or in part |
| other weeks in some months | "4th Thu 4-6 (3rd Thu in Nov)" | read in part |
| lists of days and of times side by side | "MON/THUR 3-5PM/12-2PM" | days without times |
| days of one month, whose year is not said | "Mon-Fri March 23-27, 11-2" | doubtful |

Other things unread ("arrive by", times in words, "the same hours") leave unknown words, which the
grammar refuses.
"""

from collections.abc import Iterator
from itertools import takewhile

from assets.hours.days import ENGLISH_DAYS, SPANISH_DAYS, SUNDAY
from assets.hours.lexicon import RANGES, STEMS, Kind
from assets.hours.notes import has_stem
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token
from schemas.hours.schedule import UNDATED_SEASONS, YEAR_NOT_SAID

ASIDE = (*STEMS.not_for_visitors, *STEMS.activities)
_WORSHIP = ("worship", "mass", "masses", "misa", "misas", "culto", "cultos", "prayer")
_SUNDAY_WORSHIP = (*_WORSHIP, "church", "service", "services")
_NAMES = (Kind.WORD, Kind.VOID, Kind.WHO, Kind.SERVICE, Kind.FILLER)
_ROW_MARKS = (Kind.BREAK, Kind.COLON, Kind.COMMA, Kind.FILLER)
_LIST_MARKS = (Kind.COMMA, Kind.AND, Kind.SLASH)
_WEEKS = (Kind.ORDINAL, Kind.COMMA, Kind.AND, Kind.FILLER)
_NOON = 12


def refuse_unread_signs(tokens: list[Token]) -> None:
    """Raise CannotTell for languages that disagree, worship, and other weeks in some months."""
    _refuse_languages_that_differ(tokens)
    _refuse_other_weeks(tokens)
    seasons = (at for at, token in enumerate(tokens) if token.value in UNDATED_SEASONS)
    if any(token.kind is Kind.CLOSED for token in tokens) and any(
        token.kind is Kind.MONTH for at in seasons for token in tokens[at + 1 : at + 3]
    ):
        raise CannotTell("a season with dates")  # "Summer (June-August): closed"
    if names_worship(tokens):
        raise CannotTell("hours of worship")


def names_worship(tokens: list[Token]) -> bool:
    """Check for times of worship, which give no food: "Mass Sat 5 pm", "Sun 10-12 church"."""
    return any(
        word in (_SUNDAY_WORSHIP if weekdays_of(piece) == {SUNDAY} else _WORSHIP)
        for piece in _pieces(tokens)
        for word in _words_beside_times(piece)
    )


def heed_unread_signs(tokens: list[Token]) -> list[Token]:
    """Return the tokens without the times of paired lists, and with a doubt about a missing year.

    Raises CannotTell for hours of an activity without visitors. Telephones are set aside before.
    """
    for piece in _pieces(tokens):
        if any(has_stem(w, ASIDE) and w != "staffed" for w in _words_beside_times(piece)):
            raise CannotTell("hours of no visitors")
    if has_paired_lists(tokens):
        return tokens[: _first_time(tokens)]
    return _with_missing_year(tokens)


def _words_beside_times(piece: list[Token]) -> list[str]:
    """Return the words of a stretch with times, none without."""
    if not any(token.kind is Kind.CLOCK for token in piece):
        return []
    return [word for token in piece if token.kind in _NAMES for word in token.text.split()]


def weekdays_of(tokens: list[Token]) -> set[int]:
    """Return the weekdays that tokens name; letters do not count."""
    values = (token.value for token in tokens if token.kind is Kind.DAYS)
    return {day for value in values if isinstance(value, tuple) for day in value}


def _refuse_languages_that_differ(tokens: list[Token]) -> None:
    days: dict[str, set[object]] = {"en": set(), "es": set()}
    for at, token in enumerate(tokens):
        is_english = token.text.startswith(ENGLISH_DAYS)
        if token.kind is Kind.DAYS and (is_english or token.text.startswith(SPANISH_DAYS)):
            before = takewhile(lambda other: other.kind in _WEEKS, reversed(tokens[:at]))
            weeks = frozenset(other.value for other in before if other.kind is Kind.ORDINAL)
            days["en" if is_english else "es"].add((token.value, weeks))
    if days["en"] and days["es"] and days["en"] != days["es"]:
        raise CannotTell("a translation with other days")


def _pieces(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield the stretches between breaks and commas; one without times joins the next."""
    piece: list[Token] = []
    for token in tokens:
        is_mark = token.kind in (Kind.BREAK, Kind.COMMA, Kind.AND)
        if is_mark and any(other.kind is Kind.CLOCK for other in piece):
            yield piece
            piece = []
        elif token.kind is Kind.BREAK:
            piece = []
        piece.append(token)
    yield piece


def _refuse_other_weeks(tokens: list[Token]) -> None:
    group: list[Token] | None = None
    for token in tokens:
        if token.kind is Kind.OPEN:
            group = []
        elif token.kind is Kind.CLOSE and group is not None:
            kinds = {other.kind for other in group}
            if {Kind.MONTH, Kind.ORDINAL} <= kinds and not kinds & {Kind.CLOSED, Kind.CLOCK}:
                raise CannotTell("other weeks in some months")
            group = None
        elif group is not None:
            group.append(token)


def has_paired_lists(tokens: list[Token]) -> bool:
    """Check for as many days as times, or as many lists of days, joined by slashes on both sides or
    in a row above the other."""
    at = _first_time(tokens)
    days, times = tokens[:at], tokens[at:]
    if any(token.kind is Kind.DAYS for token in times):
        return False
    count = sum(token.kind is Kind.DAYS for token in days)
    first = [*takewhile(lambda token: token.kind is not Kind.BREAK, times)]
    slashes = _count_slashes(first, (Kind.CLOCK,))
    if slashes:
        is_list = all(token.kind in (Kind.DAYS, *_LIST_MARKS) for token in days)
        is_pair = _count_slashes(days, (Kind.DAYS, Kind.CLOSE)) > 0
        return is_pair or (is_list and count == slashes + 1 > 1)
    clocks = sum(token.kind is Kind.CLOCK for token in times)
    is_row = all(token.kind in (Kind.DAYS, *_ROW_MARKS) for token in days)
    is_row &= any(token.kind is Kind.BREAK for token in days)
    return is_row and count > 1 and clocks == 2 * count


def _first_time(tokens: list[Token]) -> int:
    """Return the place of the first clock outside parentheses ("SAT(2,4)" names weeks)."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if token.kind is Kind.CLOCK and depth == 0:
            return at
    return len(tokens)


def _count_slashes(tokens: list[Token], before: tuple[Kind, ...]) -> int:
    """Return the number of slashes between two times, or between days."""
    after = before if before == (Kind.CLOCK,) else (Kind.DAYS, Kind.ORDINAL)
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return sum(
        mark.kind is Kind.SLASH and one.kind in before and two.kind in after
        for one, mark, two in triples
    )


def _with_missing_year(tokens: list[Token]) -> list[Token]:
    kinds = [token.kind for token in tokens]
    if Kind.YEAR in kinds or Kind.CLOSED in kinds or Kind.EXCEPT in kinds:
        return tokens
    for month, first, join, last in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        is_span = month.kind is Kind.MONTH and join.kind in RANGES
        if is_span and _NOON < _day(first) < _day(last):
            end = tokens[-1].end
            doubt = Token(Kind.DOUBT, YEAR_NOT_SAID, "", end, end)
            return [*tokens, Token(Kind.BREAK, None, ";", end, end), doubt]
    return tokens


def _day(token: Token) -> int:
    """Return the number of a bare clock or an ordinal, else 0."""
    if isinstance(token.value, Clock):
        return token.value.hour if token.value.is_bare else 0
    return token.value if token.kind is Kind.ORDINAL and isinstance(token.value, int) else 0
