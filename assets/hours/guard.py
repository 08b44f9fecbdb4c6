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

Hours of a telephone are set aside: they open nothing, and the rest is read.
"""

from collections.abc import Iterator
from itertools import pairwise, takewhile

from assets.hours.days import ENGLISH_DAYS, SPANISH_DAYS, SUNDAY
from assets.hours.lexicon import CONNECTORS, RANGES, STARTS, STEMS, Kind, has_stem
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token
from schemas.hours.schedule import UNDATED_SEASONS, YEAR_NOT_SAID

_SUNDAY_WORSHIP = (*STEMS.worship, "church", "service", "services")
_NAMES = (Kind.WORD, Kind.UNKNOWABLE, Kind.WHO, Kind.SERVICE, Kind.FILLER)
_ROW_MARKS = (Kind.BREAK, Kind.COLON, Kind.COMMA, Kind.FILLER)
_WEEKS = (Kind.ORDINAL, Kind.COMMA, Kind.AND, Kind.FILLER)
_REGULAR = ("regular hours", "normal hours", "usual hours")
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
    has_season = any(
        token.kind in (Kind.MONTH, Kind.DATE) or token.value in UNDATED_SEASONS for token in tokens
    )
    if has_season and any(token.text in _REGULAR for token in tokens):
        raise CannotTell("regular hours beside a season")
    if names_worship(tokens):
        raise CannotTell("hours of worship")
    # "Tue 9-12; 1st Tue 5-7 only": the first Tuesday may or may not open in the morning
    kinds = [token.kind for token in tokens]
    for at, token in enumerate(tokens):
        if token.text == "only" and kinds[at - 5 : at - 3] == [Kind.ORDINAL, Kind.DAYS]:
            weekly = [two for one, two in pairwise(tokens) if one.kind is not Kind.ORDINAL]
            if any(other.value == tokens[at - 4].value for other in (tokens[0], *weekly)):
                raise CannotTell("only in some weeks")


def names_worship(tokens: list[Token]) -> bool:
    """Check for times of worship, which give no food: "Mass Sat 5 pm", "Sun 10-12 church"."""
    return any(
        word in (_SUNDAY_WORSHIP if _weekdays_of(piece) == {SUNDAY} else STEMS.worship)
        for piece in _pieces(tokens)
        for word in _words_beside_times(piece)
    )


def refuse_asides(tokens: list[Token]) -> None:
    """Raise CannotTell for hours of an activity without visitors: "Volunteers Sat 8-9", "Food drive
    drop-off: Tue 9-12". Telephones are set aside before."""
    for piece in _pieces(tokens):
        if any(
            has_stem(w, STEMS.not_for_visitors) and w != "staffed"
            for w in _words_beside_times(piece)
        ):
            raise CannotTell("hours of no visitors")


def heed_unread_signs(tokens: list[Token]) -> list[Token]:
    """Return the tokens without the times of paired lists, and with a doubt about a missing
    year."""
    if _has_paired_lists(tokens):
        return tokens[: _first_time(tokens)]
    if any(token.kind in (Kind.YEAR, Kind.CLOSED, Kind.EXCEPT) for token in tokens):
        return tokens
    for month, first, join, last in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        is_span = month.kind is Kind.MONTH and join.kind in RANGES
        if is_span and _NOON < _day(first) < _day(last):
            end = tokens[-1].end
            doubt = Token(Kind.DOUBT, YEAR_NOT_SAID, "", end, end)
            return [*tokens, Token(Kind.BREAK, None, ";", end, end), doubt]
    return tokens


def _words_beside_times(piece: list[Token]) -> list[str]:
    """Return the words of a stretch with times, none without."""
    if not any(token.kind is Kind.CLOCK for token in piece):
        return []
    return [word for token in piece if token.kind in _NAMES for word in token.text.split()]


def _weekdays_of(tokens: list[Token]) -> set[int]:
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


def _has_paired_lists(tokens: list[Token]) -> bool:
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
        is_list = all(token.kind in (Kind.DAYS, *CONNECTORS) for token in days)
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
    """Return the number of slashes after spans ("9-11/3-5", not "9/3"), or between days."""
    after = before if before == (Kind.CLOCK,) else (Kind.DAYS, Kind.ORDINAL)
    padded = [Token(Kind.BREAK), *tokens]
    return sum(
        mark.kind is Kind.SLASH
        and one.kind in before
        and two.kind in after
        and (one.kind is not Kind.CLOCK or join.kind in RANGES)
        for join, one, mark, two in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
    )


def _day(token: Token) -> int:
    """Return the number of a bare clock or an ordinal, else 0."""
    if isinstance(token.value, Clock):
        return token.value.hour if token.value.is_bare else 0
    return token.value if token.kind is Kind.ORDINAL and isinstance(token.value, int) else 0


# --- telephones


HOURS_OF_TELEPHONE = "hours of the telephone"


def set_aside_telephone(tokens: list[Token]) -> tuple[list[Token], tuple[str, ...]]:
    """Return the tokens without the parts that give telephone hours, and the words of those parts.

    A telephone part has a word for telephones and either "24 hours" and no other time, or begins
    with that word. Raises CannotTell if the hours after it may also be telephone hours, or if no
    other hours or appointments remain.
    """
    parts = [
        [token for token in part if token.kind is not Kind.FILLER] for part in split_parts(tokens)
    ]
    telephones = [part for part in parts if part and _is_telephone(part)]
    if not telephones:
        return [token for part in parts for token in part], ()
    for part, following in pairwise(parts):
        if part in telephones and following not in telephones and not _is_round_the_clock(part):
            starts = (token.kind for token in following if token.kind in (*STARTS, Kind.COLON))
            if next(starts, None) is not Kind.COLON:  # but "Walk-in hours: Wed 9-12"
                raise CannotTell(HOURS_OF_TELEPHONE)
    rest = [token for part in parts if part not in telephones for token in part]
    if not any(token.kind in (Kind.CLOCK, Kind.APPOINTMENT) for token in rest):
        raise CannotTell(HOURS_OF_TELEPHONE)
    return rest, tuple(" ".join(token.text for token in part).strip() for part in telephones)


def split_parts(tokens: list[Token]) -> list[list[Token]]:
    """Return parts of a text, each with its closing break; "24 hours" after a comma begins a new
    part."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        ends_hours = parts[-1] != [] and parts[-1][-1].kind in (Kind.COMMA, Kind.CLOSE)
        if token.kind is Kind.ALL_DAY and ends_hours:  # "Mon-Fri 9-5, 24 hours ..."
            kinds = {other.kind for other in parts[-1]}
            parts += [] if kinds.isdisjoint((Kind.CLOCK, Kind.DAYS)) else [[]]
        parts[-1].append(token)
        if token.kind is Kind.BREAK and depth <= 0:
            parts.append([])
    return [part for part in parts if any(token.kind is not Kind.BREAK for token in part)]


def _is_telephone(part: list[Token]) -> bool:
    """Check for hours of a telephone, or of a service away from the door."""
    is_round_the_clock = _is_round_the_clock(part)
    names = (token.text for token in part if token.kind in (Kind.WORD, Kind.REMARK))
    if is_round_the_clock and any(
        has_stem(word, STEMS.elsewhere) for name in names for word in name.split()
    ):
        return True  # "Home care is 24 hours", "on call for emergencies 24/7"
    kinds = [token.kind for token in part if token.kind is not Kind.COLON]
    if part[0].value == "call for details" and len(kinds) > 1 and kinds[1] in STARTS:
        return True  # "Call: Mon-Fri 9-5"
    lead = takewhile(lambda token: token.kind not in (*STARTS, Kind.COMMA), part)
    begins = any(map(_rings, lead)) and Kind.CLOCK in kinds
    return begins or (is_round_the_clock and any(map(_rings, part)))


def _is_round_the_clock(part: list[Token]) -> bool:
    kinds = {token.kind for token in part}
    return Kind.ALL_DAY in kinds and Kind.CLOCK not in kinds


def _rings(token: Token) -> bool:
    """Return whether a word names a telephone."""
    is_word = token.kind in (Kind.WORD, Kind.UNKNOWABLE, Kind.SERVICE)
    return is_word and any(has_stem(word, STEMS.telephone) for word in token.text.split())
