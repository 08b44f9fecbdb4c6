"""Reads single times before the hours or at their end: "registration starts at 8:30", "last client
taken 3:30", "no one admitted after 11", "orders due by noon the day before". No place opens at such
a time."""

from itertools import takewhile

from assets.hours.asides import weekdays_of
from assets.hours.lexicon import PRELUDES, RANGES, STEMS, Kind
from assets.hours.note_reader import DAY_STARTS, ENDS, IN_TIME
from assets.hours.times import Clock
from assets.hours.tokens import Token
from schemas.hours.schedule import HOURS_VARY

_SAID = (Kind.WORD, Kind.FILLER, Kind.VOID, Kind.WHO, Kind.SERVICE)
_BETWEEN = (*_SAID, Kind.DASH, Kind.DOUBT, Kind.SOME)
_OF_DAYS = (Kind.DAYS, Kind.ORDINAL, Kind.EVERY)
_TIMES = (Kind.CLOCK, Kind.PART)
_BEFORE_TIME = ("close", "a las")
_REGISTRATION = "registration begins before"
_LONGEST = 9  # words between the note's subject and the time
_ENDINGS = ("clos", "end", "last", "final", "stop", "lock")
_DEADLINES = (*_ENDINGS, "by", "no", "must")
_BEFORE = frozenset((*STEMS.before_arrival, *STEMS.scenery)) - {"and"}
_SPAN = (Kind.DASH, Kind.TO, Kind.CLOCK)


def with_arrivals(tokens: list[Token]) -> list[Token]:
    """Return the tokens with each such note replaced by one remark."""
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        end, remark = _arrival(tokens, at)
        if end == at and (end := _last_day(tokens, at)) > at:
            remark = Token(Kind.DOUBT, HOURS_VARY)
        if remark is None:
            end, remark = _arrival_after_time(tokens, at)
        if remark is None:
            new_tokens.append(tokens[at])
            at += 1
            continue
        while new_tokens and (new_tokens[-1].kind is Kind.FILLER or new_tokens[-1].text in _BEFORE):
            new_tokens.pop()
        text = " ".join(token.text for token in tokens[at:end])
        new_tokens.append(
            Token(remark.kind, remark.value, text, tokens[at].start, tokens[end - 1].end)
        )
        if any(token.kind is Kind.DAYS for token in tokens[at:end]):
            new_tokens += [token for token in tokens[at:end] if token.kind in _OF_DAYS]
            end += 1  # the mark before the hours
        at = end
    return new_tokens


def _arrival(tokens: list[Token], at: int) -> tuple[int, Token | None]:
    """Return the place after a note at this token, and its remark; None without a note."""
    remark = _remark(tokens, at)
    clock = at + 1
    while (
        remark
        and clock < len(tokens)
        and (tokens[clock].kind in (*_BETWEEN, *_OF_DAYS) or tokens[clock].text in _BEFORE_TIME)
    ):
        clock += 1
    kinds = [token.kind for token in tokens[clock : clock + 4]]
    if remark is None or kinds[:1] != [Kind.CLOCK] or clock - at > _LONGEST:
        return at, None
    end = clock + 1 + (kinds[1:2] == [Kind.PART])
    has_days = any(token.kind is Kind.DAYS for token in tokens[at:clock])
    is_registration = remark.value == _REGISTRATION
    is_span = kinds[1:3] == [Kind.DASH, Kind.CLOCK] and (is_registration or not has_days)
    if is_span and _begins_food(tokens[clock + 3 :]):
        end = clock + 3  # "sign in 8-9; pantry 9-10:30"
    if has_days:
        # "Truck arrives Thu at 8, food 9-11", "New clients register Tue 9-10; pantry 10-12"
        is_note = remark.kind is Kind.FILLER or is_registration
        is_note &= _begins_food(tokens[end:], Kind.CLOCK)
        hours = takewhile(lambda token: token.kind is not Kind.BREAK, tokens[end + 1 :])
        is_note &= weekdays_of([*hours]) <= weekdays_of(tokens[at:clock])
        return (end, remark) if is_note else (at, None)
    rest = (token.kind for token in tokens[end : end + 3] if token.text != "on")
    after = [*rest, None, None]
    is_of_days = after[0] in DAY_STARTS and after[1] is not Kind.CLOCK
    words = [token.text for token in tokens[at:clock]]
    goes_on = after[0] is Kind.AND and after[1] in _SPAN
    goes_on &= not any(word.startswith(_ENDINGS) for word in words)
    if is_of_days or after[0] in _SPAN or goes_on:
        is_open = remark.value == "doors open before"  # "doors 9-1 Mon & Wed"
        return (clock, Token(Kind.FILLER)) if is_open else (at, None)
    tail = end
    while tail < len(tokens) and tokens[tail].text in STEMS.after_arrival:
        tail += 1
    if tail == len(tokens) or tokens[tail].kind in (*ENDS, Kind.COMMA):
        end = tail
    if remark.kind is not Kind.REMARK:
        return end, remark
    if any(word.startswith(("before", "earlier", "prior")) for word in words) and {
        "no",
        "not",
    } & set(words):
        return end, Token(Kind.FILLER)
    endings = _ENDINGS if remark.value == "a line forms before" else _DEADLINES
    is_end = any(word.startswith(endings) for word in words)
    return end, Token(Kind.REMARK, IN_TIME) if is_end else remark


def _arrival_after_time(tokens: list[Token], at: int) -> tuple[int, Token | None]:
    """Return the same for a note that begins with its time: "8:30 - tickets, 9:30-11:30 pantry"."""
    clock = tokens[at]
    if not (isinstance(clock.value, Clock) and not clock.value.is_bare):
        return at, None
    end = at + 1 + (tokens[at + 1 : at + 2] != [] and tokens[at + 1].kind is Kind.DASH)
    remark = _remark(tokens, end) if end < len(tokens) else None
    while end < len(tokens) and tokens[end].kind in (*_BETWEEN[:-3], Kind.MEAL):
        end += 1
    kinds = [token.kind for token in tokens[end : end + 3]]
    is_before = kinds[:1] in ([Kind.COMMA], [Kind.BREAK]) and Kind.CLOCK in kinds
    is_lone = not (at and tokens[at - 1].kind in _SPAN)
    is_note = remark is not None and remark.value not in (IN_TIME, "by appointment")
    return (end, remark) if is_note and is_lone and is_before else (at, None)


def _last_day(tokens: list[Token], at: int) -> int:
    """Return the place after the last day of all hours: "Through December 17: Thu 3-5", "Mon-Fri
    11-1 thru Aug 8". Does not check whether the day has passed."""
    kinds = [token.kind for token in tokens[at : at + 5]]
    is_first = all(token.kind is Kind.FILLER for token in tokens[:at])
    is_after = at > 2 and tokens[at - 2].kind in RANGES
    is_after = is_after and tokens[at - 1].kind in (*_TIMES, Kind.DAYS, Kind.LETTER)
    is_day = kinds[:1] == [Kind.TO] and kinds[1:2] in ([Kind.MONTH], [Kind.HOLIDAYS])
    if not (is_day and (is_first or is_after)):
        return at
    end = at + 2 + (kinds[2:3] == [Kind.CLOCK])
    end += 2 * (kinds[end - at : end - at + 2] == [Kind.COMMA, Kind.YEAR])
    if is_first:
        return end + (kinds[end - at : end - at + 1] in ([Kind.COLON], [Kind.COMMA]))
    return end if end == len(tokens) or tokens[end].kind in (*ENDS, Kind.OPEN) else at


def _begins_food(tokens: list[Token], *after: Kind) -> bool:
    """Check for a break or comma, a name of food or visitors, and then the kinds `after`."""
    kinds = [token.kind for token in tokens if token.kind is not Kind.FILLER]
    begins = kinds[:1] in ([Kind.BREAK], [Kind.COMMA]) and kinds[1:2] in ([Kind.MEAL], [Kind.WHO])
    return begins and kinds[2 : 2 + len(after)] == [*after]


def _remark(tokens: list[Token], at: int) -> Token | None:
    """Return the remark for a token that may begin such a note."""
    token = tokens[at]
    remark = PRELUDES.get(token.text) if token.kind in _BETWEEN or token.text == "last" else None
    if token.text == "last" and [t.kind in _BETWEEN for t in tokens[at + 1 : at + 2]] != [True]:
        return None
    if token.text == "coffee" and not any(
        _begins_food(tokens[end:], Kind.CLOCK) for end in range(at + 2, at + 5)
    ):
        return None  # "Tuesdays coffee at 9" may be a club's
    return Token(*remark) if remark else None
