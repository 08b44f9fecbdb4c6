"""Finds hours in a sentence about food whose other words are unknown: "Grace Lutheran feeds anyone
who is hungry Wednesdays 5-6:15".

Omits an unknown word only if the words around it name food or its recipients, and none is about
time, staff, fundraising or another service.
"""

from collections.abc import Iterator
from itertools import groupby, pairwise, takewhile

from assets.hours.guard import ASIDE
from assets.hours.lexicon import NEVER_FOOD, RANGES, STEMS, Kind
from assets.hours.notes import has_stem
from assets.hours.spelling import may_be_day
from assets.hours.times import Clock
from assets.hours.tokens import Token
from schemas.hours.schedule import UNDATED_SEASONS

_DAYS = (Kind.DAYS, Kind.LETTER)
_TIMES = (Kind.CLOCK, Kind.ALL_DAY)
_HOURS = (
    *(*_DAYS, *_TIMES, Kind.BETWEEN, Kind.PART, Kind.MONTH, Kind.DATE, Kind.YEAR, Kind.OTHER),
    *(Kind.OF_MONTH, Kind.HOLIDAYS, Kind.EXCEPT, Kind.INCLUDING, Kind.CLOSED, Kind.SOME),
    *(Kind.APPOINTMENT, Kind.REMARK, Kind.DOUBT, Kind.BREAK),
)
_JOINS = (Kind.COMMA, Kind.AND, Kind.SLASH, Kind.DASH, Kind.COLON, Kind.TO)
_GAPS = (Kind.COMMA, Kind.COLON, Kind.DASH, Kind.SLASH)
_MARKS = (*_JOINS, Kind.OPEN, Kind.CLOSE, Kind.QUOTE)
_AT = ("at", "in", "from", "inside", "outside", "near", "by", "behind")
_BEFORE_NUMBERS = (
    "room",
    "rm",
    "post",
    "age",
    "ages",
    "grade",
    "grades",
    "suite",
    "unit",
    "lot",
    "station",
)
_SCHOOLS = ("school", "schools")
_SAYS_WHERE = (("after", "school"), ("next", "to"), ("next", "door"))
_SHORTEST_DAY = 3
_LAST_HOUR = 24
_NOTHING = Token(Kind.COMMA)
_MAY_CHANGE = (
    *STEMS.dangerous,
    *STEMS.not_a_name,
    *STEMS.telephone,
    *ASIDE,
    *STEMS.elsewhere,
    *STEMS.over,
)


def hours_of_sentence(part: list[Token], *, is_about_food: bool) -> tuple[list[Token], list[Token]]:
    """Return the tokens of a part that give hours, and the words between them; no hours if the
    words may assign them to others."""
    end = next(n for n in range(len(part), 0, -1) if part[n - 1].kind is not Kind.BREAK)
    groups = groupby(range(end), lambda at: _is_of_hours(part, at))
    runs = [(is_hours, [part[at] for at in places]) for is_hours, places in groups]
    hours: list[Token] = []
    words: list[Token] = []
    names_food = _names_food_or_visit if is_about_food else _names_food
    has_food = any(map(names_food, _before_times(runs)))
    if sum(_count_venues(run) for is_hours, run in runs if not is_hours) > 1:
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
        may_leave = _is_of_visit(run) if is_tail and is_last else _is_safe(run)
        is_beside = has_food or (is_tail and (is_last or run[-1].kind is Kind.COMMA))
        if not (all(map(_is_mark, run)) or (may_leave and is_beside)):
            return [], part
        words += [token for token in run if token.kind not in (Kind.FILLER, Kind.MEAL, *_GAPS)]
        hours += _join_for(run, hours, is_last=is_last)
    return ([*hours, *part[end:]], words) if words else ([], part)


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


def _before_times(runs: list[tuple[bool, list[Token]]]) -> Iterator[list[Token]]:
    """Yield the words before the first time."""
    for is_hours, run in runs:
        if is_hours and any(token.kind in _TIMES for token in run):
            return
        if not is_hours:
            yield run


def _is_of_hours(part: list[Token], at: int) -> bool:
    """Check for a token of hours: not "5th Street", "each family", "60 and older", "open to
    all"."""
    token = part[at]
    before = part[at - 1] if at else _NOTHING
    after = part[at + 1] if at + 1 < len(part) else _NOTHING
    if token.value in UNDATED_SEASONS:
        return True
    match token.kind:
        case Kind.ORDINAL | Kind.EVERY:
            rest = (o for o in part[at + 1 :] if o.kind not in (Kind.FILLER, *_JOINS))
            follows = next((other for other in rest if other.kind is not Kind.ORDINAL), _NOTHING)
            return follows.kind in (*_HOURS, Kind.EVERY)
        case Kind.SOME if after.kind in (Kind.WORD, Kind.FILLER):
            return before.kind is Kind.ORDINAL
        case Kind.CLOCK:
            return not _is_count(token, before, after)
        case kind if kind in _JOINS:
            return all(other.kind in (*_HOURS, Kind.ORDINAL) for other in (before, after))
    is_verb = token.text == "may" and after.kind in (Kind.WORD, Kind.SOME, Kind.FILLER)
    return token.kind in _HOURS and not is_verb


def _is_count(token: Token, before: Token, after: Token) -> bool:
    """Check for a number that is not a time: "60 and older", "120 guests", "room 12"."""
    if not (isinstance(token.value, Clock) and token.value.is_bare):
        return False
    is_of_span = before.kind in RANGES
    is_named = after.kind in (Kind.WORD, Kind.WHO, Kind.MEAL) or before.text in _BEFORE_NUMBERS
    return token.value.hour > _LAST_HOUR or (is_named and not is_of_span)


def _names_food(run: list[Token]) -> bool:
    return any(token.kind is Kind.MEAL or has_stem(token.text, STEMS.of_food) for token in run)


def _names_food_or_visit(run: list[Token]) -> bool:
    return _names_food(run) or any(has_stem(token.text, STEMS.of_visit) for token in run)


def _count_venues(run: list[Token]) -> int:
    places = sum(token.text == "at" for token in run[:-1])
    return max(places, any(token.text.rpartition(" ")[2] in STEMS.venues for token in run))


def _is_safe(run: list[Token]) -> bool:
    """Check that no word may give hours or say that they are not for visitors."""
    if any(map(_is_dangerous, _words(run))):
        return False
    if any(map(_is_unknown, _after_meals(run))):
        return False  # "food truck rally", "shelves are replenished"
    if any(one.kind is Kind.DASH and may_be_day(two.text) for one, two in _beside(run)):
        return False  # "Pantry Mxn-Fri 9-2"
    for at, token in enumerate(run):
        lead = takewhile(lambda token: token.kind is Kind.FILLER, reversed(run[:at]))
        is_venue = token.text in STEMS.venues or any(word.text in _AT for word in lead)
        is_venue |= any(other.kind is Kind.WHO for other in run[at + 1 : at + 2])  # "WIC families"
        pair = tuple(other.text for other in run[at : at + 2])
        is_count = token.text == "about" and run[at + 1 : at + 2] != []
        if token.kind is Kind.VOID and not (pair[0] in _SCHOOLS or pair in _SAYS_WHERE or is_count):
            return False
        if token.kind is Kind.SERVICE and not is_venue:
            return False
    return True


def _is_of_visit(run: list[Token]) -> bool:
    """Check for words after the last time that do not assign the hours to others: "no income
    limit"."""
    stems = (*ASIDE, *STEMS.other_doings)
    if run[0].value in NEVER_FOOD:
        return False  # "Sun 9 am Sunday school, 12 meal"
    return not any(has_stem(word, stems) for word in _words(run) if not _is_known(word))


def _words(run: list[Token]) -> Iterator[str]:
    names = (token for token in run if token.kind not in (Kind.FILLER, Kind.MEAL, *_MARKS))
    return (word for token in names for word in token.text.split())


def _after_meals(run: list[Token]) -> Iterator[Token]:
    """Yield the token after each meal, directly or after a form of "be"."""
    words = [token for token in run if token.text not in ("is", "are", "will be")]
    return (two for one, two in pairwise(words) if one.kind is Kind.MEAL)


def _is_unknown(token: Token) -> bool:
    return token.kind is Kind.WORD and not _is_known(token.text)


def _is_known(word: str) -> bool:
    return word in STEMS.scenery or word in STEMS.sentence


def _beside(run: list[Token]) -> Iterator[tuple[Token, Token]]:
    """Yield the first and the last token, each with its neighbor."""
    if len(run) > 1:
        yield run[0], run[1]
        yield run[-1], run[-2]


def _is_dangerous(word: str) -> bool:
    if len(word) > _SHORTEST_DAY and may_be_day(word):
        return True
    if word in STEMS.sentence:
        return False
    is_place = word in STEMS.scenery
    return has_stem(word, STEMS.other_doings) or (not is_place and has_stem(word, _MAY_CHANGE))
