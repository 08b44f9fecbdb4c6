"""Reads texts in part: reads clauses that make sense alone and lists the rest as unread.

The unread rest may add or remove hours, so the hours read are doubtful:
`schemas.hours.schedule.READ_IN_PART`.
"""

from collections.abc import Callable, Iterator
from itertools import groupby, pairwise, takewhile

from assets.hours.guard import names_worship, split_parts
from assets.hours.lexicon import NEVER_FOOD, RANGES, STARTS, STEMS, Kind, has_stem, may_be_day
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token, kind_at
from schemas.hours.schedule import (
    READ_IN_PART,
    UNDATED_SEASONS,
    Doubt,
    Schedule,
    doubt_of,
    is_beside,
)

Read = Callable[[list[Token]], list[Schedule]]
_TIMES = (Kind.CLOCK, Kind.ALL_DAY)
_WHEN = (*_TIMES, Kind.DAYS, Kind.LETTER, Kind.HOLIDAYS, Kind.MONTH, Kind.DATE, Kind.YEAR)
_NAMES = (Kind.WORD, Kind.MEAL, Kind.WHO, Kind.SERVICE, Kind.UNKNOWABLE)
_WORDS = (*_NAMES, Kind.NUMBER, Kind.REMARK, Kind.APPOINTMENT, Kind.DOUBT, Kind.CLOSED, Kind.SOME)
_DAYS = (Kind.DAYS, Kind.ORDINAL, Kind.LETTER)
# Reasons that are no fault in a part.
_SAYS_NO_HOURS = ("closed", "no days and no times")
# A part without days and times, no longer than this, may be the heading of the next.
_LONGEST_HEADING = 8
_BESIDE_DAYS = (*_WORDS, *_TIMES, Kind.EXCEPT, Kind.OTHER)
_SPAN_ALONE = {Kind.OPEN, Kind.CLOSE, Kind.CLOCK, Kind.DASH, Kind.TO}
# If a part has more groups in parentheses than this, all are omitted together.
_MAX_GROUPS = 3


def read_in_part(tokens: list[Token], read: Read) -> tuple[list[Schedule], list[Token]]:
    """Return the schedules of the parts readable on their own, and the other tokens.

    Omits unknown words within parts only as a last resort. Raises CannotTell if no part gives
    hours, if all parts are readable (they contradict each other), or if the rest may say that the
    hours are over or belong to a telephone.
    """
    try:
        return _read_parts(tokens, read, is_patient=False)
    except CannotTell:
        return _read_parts(tokens, read, is_patient=True)


def _read_parts(
    tokens: list[Token], read: Read, *, is_patient: bool
) -> tuple[list[Schedule], list[Token]]:
    hour_tokens: list[Token] = []
    others: list[Token] = []
    is_about_food = any(token.kind is Kind.MEAL for token in tokens)
    is_untimed = False  # the part before has days and no times
    is_of_unread = False  # an unread heading may also apply to the next parts
    rest: list[Token] = []
    for part in _join_headings(split_parts(tokens)):
        is_of_unread = is_of_unread and not (_has_heading(part) or _begins_with_food(part))
        # times that may belong to unread days at the end of the part before
        before = [token.kind for token in rest if token.kind is not Kind.BREAK][-1:]
        after = [token.kind for token in part if token.kind is not Kind.FILLER]
        is_split = before != [] and before[0] in _DAYS and after[0] in _TIMES
        is_unreadable = is_of_unread or is_split or names_worship(part)
        hours, rest = ([], part) if is_unreadable else _split(part, read)
        if not _is_for_visitors(rest):
            hours, rest = [], part
        if is_patient and not (hours or is_unreadable):
            hours, rest = _read_sentence(part, is_about_food=is_about_food)
            hours, rest = (hours, rest) if _can_read(hours, read) else ([], part)
        if rest and not hours:
            is_of_unread |= _has_heading(part) or not _is_for_visitors(part)
            has_words = any(token.kind in (*_WORDS, Kind.PART, Kind.LETTER) for token in part)
            has_times = any(token.kind in _TIMES for token in part)
            if not has_words or (is_untimed and has_times and not _is_for_visitors(part)):
                # "Monday-Friday, 24-hour answering machine": the days before may belong to it
                raise CannotTell("days and times out of order")
        is_untimed = bool(hours) and not any(token.kind in _TIMES for token in hours)
        hour_tokens += hours
        others += rest
    is_over = any(has_stem(word, STEMS.possibly_ended) for word in _split_words(others))
    kinds = {token.kind for token in others}
    is_over |= Kind.CLOSED in kinds and kinds.isdisjoint((*_WHEN, Kind.ORDINAL))
    schedules = [] if is_over or not others else read(hour_tokens)
    if not any(
        (schedule.opens_at or schedule.freq) and not (schedule.is_closed or is_beside(schedule))
        for schedule in schedules
    ):
        raise CannotTell("no part of it")
    return [*schedules, Schedule(description=READ_IN_PART)], others


def _join_headings(parts: list[list[Token]]) -> Iterator[list[Token]]:
    """Yield parts, each with the short parts without days and times before it, unless it begins
    with food or visitors."""
    heading: list[Token] = []
    for part in parts:
        is_heading = not any(token.kind in _WHEN for token in part)
        if is_heading and len(part) <= _LONGEST_HEADING:
            heading += part
            continue
        if heading and _begins_with_food(part):
            yield heading
            heading = []
        yield heading + part
        heading = []
    if heading:
        yield heading


def _begins_with_food(part: list[Token]) -> bool:
    """Check for hours of food or of visitors: "pantry Tue 10-12", "clients served Sat 9-12", "open
    Mon 10-3"."""
    kinds = [token.kind for token in part if token.kind is not Kind.FILLER]
    is_named = kinds[:1] in ([Kind.MEAL], [Kind.WHO]) and kinds[1:2] != []
    is_named = is_named and kinds[1] in (*STARTS, Kind.LETTER)
    return is_named or (bool(part) and part[0].text.startswith(STEMS.opens))


def _has_heading(part: list[Token]) -> bool:
    """Return True for a part that names a service before its hours: "Legal clinic: ..."."""
    names = (*_NAMES, Kind.FILLER)
    return any(one.kind in names and two.kind is Kind.COLON for one, two in pairwise(part))


def _split(part: list[Token], read: Read) -> tuple[list[Token], list[Token]]:
    """Return the readable tokens of a part, and the others: none, all, parentheses, or an exception
    that ends the part."""
    if _can_read(part, read):
        return part, []
    if any(token.kind is Kind.ALL_DAY for token in part):
        return [], part  # "24 hours (social worker)" names a service that never closes
    groups = _find_groups(part)
    choices = [[group] for group in groups] if 1 < len(groups) <= _MAX_GROUPS else []
    exception = _find_exception(part)
    for cuts in [*choices, groups, *([tail] for tail in (exception, _find_tail(part)) if tail)]:
        inside = {place for start, end in cuts for place in range(start, end)}
        hours = [token for place, token in enumerate(part) if place not in inside]
        says_when = any(token.kind in (*_TIMES, Kind.DAYS) for token in hours)
        if not inside or not says_when or any(_is_about_rest(part, *cut) for cut in cuts):
            continue
        if _can_read(hours, read):
            return hours, [part[place] for place in sorted(inside)]
    return [], part


def _is_about_rest(part: list[Token], start: int, end: int) -> bool:
    """Check for tokens of a part that apply to its other hours."""
    kinds = {token.kind for token in part[start:end]}
    if part[start].kind is Kind.OTHER:
        return True  # "Mon 9-11, Tue 1-3 every other week"
    if part[start].value in NEVER_FOOD and kind_at(part, start - 1) is Kind.CLOCK:
        return True  # "Sun 9 am Sunday school, 10 worship"
    if Kind.CLOCK in kinds and kinds <= _SPAN_ALONE:
        return True  # "lunch (11-1) Tue, after school 3-4 Thu"
    # "3-5 (Thu), 11-1 (Sat)"
    return not kinds.isdisjoint((Kind.DAYS, Kind.LETTER)) and kinds.isdisjoint(_BESIDE_DAYS)


def _find_groups(part: list[Token]) -> list[tuple[int, int]]:
    """Return the places of parentheses, quotes and words after the last day or time: [first, past
    the last)."""
    ranges: list[tuple[int, int]] = []
    start: int | None = None
    end_of_hours = 0
    for place, token in enumerate(part):
        if start is None and token.kind in (Kind.OPEN, Kind.QUOTE):
            start = place
        elif start is not None and token.kind in (Kind.CLOSE, Kind.QUOTE):
            ranges.append((start, place + 1))
            start = None
        elif start is None and token.kind is Kind.PART:  # but not "some evenings"
            is_of_hours = kind_at(part, place - 1) in (Kind.DAYS, Kind.CLOCK)
            end_of_hours = place + 1 if is_of_hours else end_of_hours
        elif start is None and token.kind in _WHEN and not _is_count(part, place):
            end_of_hours = place + 1
    begin = max([end_of_hours, *(end for _, end in ranges)])
    if end_of_hours and any(token.kind is not Kind.BREAK for token in part[begin:]):
        ranges.append((begin, len(part)))
    return ranges


def _find_exception(part: list[Token]) -> tuple[int, int] | None:
    """Return the place of an exception after the hours: "Tue 9-11 except Dec (1st Tue only)",
    "Mon-Fri 9-5, closed Fridays in July"."""
    has_times, depth = False, 0
    for place, token in enumerate(part):
        has_times |= token.kind in _TIMES
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        before = kind_at(part, place - 1)
        is_closure = token.kind is Kind.CLOSED and before not in (Kind.DAYS, Kind.COLON, Kind.DASH)
        if has_times and not depth and (token.kind is Kind.EXCEPT or is_closure):
            return place - (before is Kind.COMMA), len(part)
    return None


def _find_tail(part: list[Token]) -> tuple[int, int] | None:
    """Return the place of words after the last time, which may include months or years: "Sat 9-1,
    mid-May through October"."""
    kinds = [token.kind for token in part]
    places = [place for place, kind in enumerate(kinds) if kind in (*_TIMES, Kind.DAYS)]
    if not places or kinds[places[-1]] is not Kind.CLOCK:
        return None
    begin = places[-1] + 1
    return (begin, len(part)) if any(kind in _NAMES for kind in kinds[begin:]) else None


def _is_count(part: list[Token], at: int, *, is_sentence: bool = False) -> bool:
    """Check for a number that is not a time: "3 meals", "room 12"; in a sentence also "120 of
    them"."""
    clock = part[at].value
    if not (isinstance(clock, Clock) and clock.is_bare):
        return False
    lead = part[at - 1].text if at else ""
    is_named = kind_at(part, at + 1) in _NAMES or lead in STEMS.before_numbers
    is_large = is_sentence and clock.hour > _LAST_HOUR
    return is_large or (is_named and kind_at(part, at - 1) not in RANGES)


def _can_read(part: list[Token], read: Read) -> bool:
    """Check for a readable part whose hours, if any, have days."""
    try:
        schedules = read(part)
    except CannotTell as fault:
        return str(fault) in _SAYS_NO_HOURS
    return not any(s.opens_at and doubt_of(s) is Doubt.DAYS for s in schedules)


def _split_words(tokens: list[Token]) -> Iterator[str]:
    return (word for token in tokens for word in token.text.split())


def _is_for_visitors(part: list[Token]) -> bool:
    """Return False for hours of staff and the like, not for a closure with its reason: "(closed 2nd
    Tue for staff meeting)"."""
    names: list[Token] = []
    is_closure = False
    for token in part:
        is_closure |= token.kind in (Kind.CLOSED, Kind.EXCEPT)
        is_closure &= token.kind not in (Kind.BREAK, Kind.CLOSE, Kind.COMMA)
        names += [] if is_closure else [token]
    return not any(has_stem(word, STEMS.not_for_visitors) for word in set(_split_words(names)))


# --- Sentences about food whose other words are unknown: "Grace Lutheran feeds anyone who is hungry
# Wednesdays 5-6:15". An unknown word is omitted only if the words around it name food or its
# recipients, and none is about time, staff, fundraising or another service.


_WEEKDAYS = (Kind.DAYS, Kind.LETTER)
_OF_HOURS = (
    *(*_WEEKDAYS, *_TIMES, Kind.BETWEEN, Kind.PART, Kind.MONTH, Kind.DATE, Kind.YEAR, Kind.OTHER),
    *(Kind.OF_MONTH, Kind.HOLIDAYS, Kind.EXCEPT, Kind.INCLUDING, Kind.CLOSED, Kind.SOME),
    *(Kind.APPOINTMENT, Kind.REMARK, Kind.DOUBT, Kind.BREAK),
)
_JOINS = (Kind.COMMA, Kind.AND, Kind.SLASH, Kind.DASH, Kind.COLON, Kind.TO)
_GAPS = (Kind.COMMA, Kind.COLON, Kind.DASH, Kind.SLASH)
_MARKS = (*_JOINS, Kind.OPEN, Kind.CLOSE, Kind.QUOTE)
_AT = ("at", "in", "from", "inside", "outside", "near", "by", "behind")
_SCHOOLS = ("school", "schools")
_SAYS_WHERE = (("after", "school"), ("next", "to"), ("next", "door"))
_SHORTEST_DAY = 3
_LAST_HOUR = 24
_MAY_CHANGE = (
    *STEMS.dangerous,
    *STEMS.not_a_name,
    *STEMS.telephone,
    *STEMS.not_for_visitors,
    *STEMS.elsewhere,
    *STEMS.possibly_ended,
)


def _read_sentence(part: list[Token], *, is_about_food: bool) -> tuple[list[Token], list[Token]]:
    """Return the tokens of a part that give hours, and the words between them; no hours if the
    words may assign them to others, or without days and times.

    `is_about_food` says that another part of the text may name the food that people get.
    """
    end = next(n for n in range(len(part), 0, -1) if part[n - 1].kind is not Kind.BREAK)
    groups = groupby(range(end), lambda at: _is_hour_of_sentence(part, at))
    runs = [(is_hours, [part[at] for at in places]) for is_hours, places in groups]
    hours: list[Token] = []
    words: list[Token] = []
    stems = (*STEMS.about_food, *(STEMS.about_visits if is_about_food else ()))

    def names_food(run: list[Token]) -> bool:
        return any(token.kind is Kind.MEAL or has_stem(token.text, stems) for token in run)

    # the food named before the first time
    lead = takewhile(lambda run: not run[0] or not any(t.kind in _TIMES for t in run[1]), runs)
    has_food = any(names_food(run) for is_hours, run in lead if not is_hours)
    venues = 0
    for run in (run for is_hours, run in runs if not is_hours):
        names_venue = any(token.text.rpartition(" ")[2] in STEMS.venues for token in run)
        venues += max(sum(token.text == "at" for token in run[:-1]), names_venue)
    if venues > 1:
        return [], part  # "Lunch at the school Mon 12-1, pantry at the church Tue 9-11"
    for place, (is_hours, run) in enumerate(runs):
        if is_hours:
            hours += run
            continue
        has_food = has_food or names_food(run)
        is_last = place + 1 == len(runs)
        if run[-1].kind is Kind.TO and not is_last and runs[place + 1][1][0].kind is Kind.CLOCK:
            return [], part  # "open till noon Sat"
        is_tail = bool(hours) and hours[-1].kind in (Kind.CLOCK, Kind.PART)
        may_leave = _is_about_visit(run) if is_tail and is_last else _is_safe(run)
        is_beside = has_food or (is_tail and (is_last or run[-1].kind is Kind.COMMA))
        if not (all(map(_is_mark, run)) or (may_leave and is_beside)):
            return [], part
        words += [token for token in run if token.kind not in (Kind.FILLER, Kind.MEAL, *_GAPS)]
        hours += _join_for(run, hours, is_last=is_last)
    kinds = {token.kind for token in hours}
    is_whole = not kinds.isdisjoint(_TIMES) and not kinds.isdisjoint(_DAYS)
    is_whole |= [token.kind for token in hours if token.kind in _WHEN] == [Kind.ALL_DAY]
    return ([*hours, *part[end:]], words) if words and is_whole else ([], part)


def _join_for(run: list[Token], hours: list[Token], *, is_last: bool) -> list[Token]:
    """Return the tokens that replace the words: their meal before hours, their mark after times."""
    if not hours or hours[-1].kind is Kind.BREAK or is_last:
        return [token for token in run if token.kind is Kind.MEAL and not is_last][-1:]
    marks = [token for token in run if token.kind in _MARKS]
    if all(map(_is_mark, run)):
        return run
    return marks[:1] if hours[-1].kind in (*_TIMES, Kind.PART) else []


def _is_mark(token: Token) -> bool:
    return token.kind in (*_MARKS, Kind.FILLER)


def _is_hour_of_sentence(part: list[Token], at: int) -> bool:
    """Check for a token of hours: not "5th Street", "each family", "60 and older", "open to
    all"."""
    token, before, after = part[at], kind_at(part, at - 1), kind_at(part, at + 1)
    if token.value in UNDATED_SEASONS:
        return True
    match token.kind:
        case Kind.ORDINAL | Kind.EVERY:
            between = (Kind.FILLER, Kind.ORDINAL, *_JOINS)
            rest = (other.kind for other in part[at + 1 :] if other.kind not in between)
            return next(rest, None) in (*_OF_HOURS, Kind.EVERY)
        case Kind.SOME if after in (Kind.WORD, Kind.FILLER):
            return before is Kind.ORDINAL
        case Kind.CLOCK:
            return not _is_count(part, at, is_sentence=True)
        case kind if kind in _JOINS:
            return all(other in (*_OF_HOURS, Kind.ORDINAL) for other in (before, after))
    is_verb = token.text == "may" and after in (Kind.WORD, Kind.SOME, Kind.FILLER)
    return token.kind in _OF_HOURS and not is_verb


def _is_safe(run: list[Token]) -> bool:
    """Check that no word may give hours or say that they are not for visitors."""
    if any(map(_is_dangerous, _split_names(run))):
        return False
    words = [token for token in run if token.text not in ("is", "are", "will be")]
    for one, two in pairwise(words):
        if one.kind is Kind.MEAL and two.kind is Kind.WORD and not _is_known(two.text):
            return False  # "food truck rally", "shelves are replenished"
    for edge in (run[:2], run[:-3:-1]):
        if edge[0].kind is Kind.DASH and may_be_day(edge[-1].text):
            return False  # "Pantry Mxn-Fri 9-2"
    for at, token in enumerate(run):
        lead = takewhile(lambda token: token.kind is Kind.FILLER, reversed(run[:at]))
        is_venue = token.text in STEMS.venues or any(word.text in _AT for word in lead)
        is_venue |= any(other.kind is Kind.WHO for other in run[at + 1 : at + 2])  # "WIC families"
        pair = tuple(other.text for other in run[at : at + 2])
        is_count = token.text == "about" and run[at + 1 : at + 2] != []
        if token.kind is Kind.UNKNOWABLE and not (
            pair[0] in _SCHOOLS or pair in _SAYS_WHERE or is_count
        ):
            return False
        if token.kind is Kind.SERVICE and not is_venue:
            return False
    return True


def _is_about_visit(run: list[Token]) -> bool:
    """Check for words after the last time that do not assign the hours to others: "no income
    limit", but not "Sun 9 am Sunday school, 12 meal"."""
    stems = (*STEMS.not_for_visitors, *STEMS.other_activities)
    words = [word for word in _split_names(run) if not _is_known(word)]
    return run[0].value not in NEVER_FOOD and not any(has_stem(word, stems) for word in words)


def _split_names(run: list[Token]) -> Iterator[str]:
    return _split_words(
        [token for token in run if token.kind not in (Kind.FILLER, Kind.MEAL, *_MARKS)]
    )


def _is_known(word: str) -> bool:
    return word in STEMS.context_words or word in STEMS.neutral_words


def _is_dangerous(word: str) -> bool:
    if len(word) > _SHORTEST_DAY and may_be_day(word):
        return True
    if word in STEMS.neutral_words:
        return False
    is_place = word in STEMS.context_words
    return has_stem(word, STEMS.other_activities) or (not is_place and has_stem(word, _MAY_CHANGE))
