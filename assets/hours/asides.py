"""Sets aside hours in which no visitor gets food: staff and volunteer hours, worship."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from assets.hours.days import SUNDAY
from assets.hours.lexicon import RANGES, STEMS, Kind
from assets.hours.notes import has_stem
from assets.hours.times import CannotTell, Clock, Span, span_of
from assets.hours.tokens import Token

_NAMES = (Kind.WORD, Kind.MEAL, Kind.WHO, Kind.SERVICE)
STARTS = (Kind.DAYS, Kind.CLOCK, Kind.ORDINAL, Kind.EVERY, Kind.OTHER, Kind.BETWEEN)
_DAYS = (Kind.DAYS, Kind.LETTER)
_TIMES = (Kind.CLOCK, Kind.PART)
_MARKS = (Kind.DASH, Kind.TO, Kind.COMMA, Kind.AND, Kind.BREAK, Kind.FILLER)
_DAY_LIST = (
    *(Kind.DAYS, Kind.LETTER, Kind.ORDINAL, Kind.EVERY, Kind.OTHER, Kind.OF_MONTH, Kind.FILLER),
    *(Kind.COMMA, Kind.AND, Kind.SLASH, Kind.DASH, Kind.TO, Kind.COLON),
)
_LIMITS = (Kind.EXCEPT, Kind.CLOSED, Kind.HOLIDAYS, Kind.MONTH, Kind.DATE, Kind.SOME, Kind.DOUBT)
# Services of worship: these begin at a time and give no food.
_WORSHIP = ("worship", "mass", "masses", "misa", "misas", "culto", "cultos", "prayer")
_WORSHIP_ON_SUNDAY = ("church", "service", "services")
_BEFORE_TIMES = (Kind.DAYS, Kind.COLON, Kind.FILLER)
_SUNDAY_WORSHIP = ("sunday worship", "sunday service", "sunday services")
# Words that begin hours for visitors.
_OPENS = (
    *("open", "pick", "giv", "distribut", "shop", "serv"),
    *("door", "in person", "walk-in", "walk in", "drop-in"),
)
_THANKS = ("welcome", "appreciated")
ASIDE = (*STEMS.not_for_visitors, *STEMS.activities)


def weekdays_of(tokens: list[Token]) -> set[int]:
    """Return the weekdays that a text names; letters do not count."""
    values = (token.value for token in tokens if token.kind is Kind.DAYS)
    return {day for value in values if isinstance(value, tuple) for day in value}


def is_aside(part: list[Token]) -> bool:
    """Check for hours of an activity without visitors: "Staff meeting Mon 9-10", "Sat set-up 8-9",
    "Thu 5-6 volunteers sort food", "Sun 10-12 church"."""
    subject, is_after = _subject(part)
    kinds = (*_DAYS, Kind.CLOCK)
    if _is_worship(part, subject, is_after=is_after):
        return True
    if not (subject and any(token.kind in kinds for token in part)):
        return False
    name_kinds = (Kind.WORD, Kind.VOID, Kind.WHO)
    names = [
        token for token in subject if token.kind in name_kinds and not _is_of_venue(token, subject)
    ]
    if subject[0].kind is Kind.MEAL and {"by", "line", "lines"} & {token.text for token in names}:
        return False  # "pantry run by volunteers", "bread line"
    words = " ".join(token.text for token in names).split()
    return any(has_stem(word, ASIDE) and word != "staffed" for word in words)


def _is_of_venue(token: Token, subject: list[Token]) -> bool:
    """Check for a word directly before a venue: "outside the staff door"."""
    return any(o.start == token.end + 1 and o.text in STEMS.venues for o in subject)


def _subject(part: list[Token]) -> tuple[list[Token], bool]:
    """Return the names of hours and whether they follow the times: names before the days, else
    before the times, else after the times."""
    marks = (Kind.FILLER, Kind.COLON, Kind.OPEN, Kind.CLOSE)
    words = [token for token in part if token.kind not in marks]
    times = [at for at, token in enumerate(words) if token.kind in _TIMES]
    days = [at for at, token in enumerate(words) if token.kind in _DAYS]
    if before := list(takewhile(lambda token: token.kind not in STARTS, words)):
        return [token for token in before if token.kind is not Kind.DASH], False
    begin = max((at + 1 for at in days if times and at < times[0]), default=0)
    between = words[begin : times[0]] if begin else []
    if between and all(token.kind in _NAMES for token in between):
        return between, False
    if not (times or days):
        return [], False
    after = list(takewhile(lambda t: t.kind in _NAMES, words[(times or days)[-1] + 1 :]))[:2]
    return ([] if after[-1:] and after[-1].text in _THANKS else after), True


def with_asides_apart(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a break between visitors' and other hours: "Staff meeting Mon 9-10,
    open Mon 10-3". Visitors' hours without days get the days of the aside before: "Sat 8-9 set-up,
    9-11 pantry". A name with "hours" begins a part: "Tue 9-11 Phone hours Mon-Fri 9-4".

    Raises CannotTell where the days of such hours may be those before the aside.
    """
    tokens = _with_worship(tokens)
    new_tokens: list[Token] = []
    aside: list[Token] = []  # at the end of the part before
    days: list[Token] = []  # of the aside
    before: list[Token] = []
    for part in _sentences(_with_groups_apart(tokens)):
        runs = _runs(part)
        for at, (run, is_ours) in enumerate(runs):
            if at:
                new_tokens.append(_break(run[0].start))
            is_visit = not _names_days(run) and not is_ours and names_visitors(run)
            if days and is_visit and _may_be_of_some_days(run, aside):
                raise CannotTell("days are missing")
            if days and is_visit and not _is_earlier(run, aside):
                new_tokens += [replace(day, start=run[0].start, end=run[0].start) for day in days]
            elif aside and is_visit and _names_days(before) and _has_times(run):
                # "Mon-Fri 9-5 office. Volunteers Sat 8-9. Pantry 9-11": on which of them?
                raise CannotTell("days are missing")
            if is_ours and _names_days(run):
                days, aside, before = _first_days(run), run, [*new_tokens]
            elif any(token.kind is not Kind.BREAK for token in run) and not is_ours:
                days, aside = [], []
            new_tokens += run
    return _with_named_hours(new_tokens)


def _with_worship(tokens: list[Token]) -> list[Token]:
    """Return the tokens with "services" on Sundays as worship where the text has hours of food as
    well: "Sunday: services 9 & 11; pantry: noon-1", "Sunday service 10:30; pantry 12-1"."""
    if not any(token.kind is Kind.MEAL for token in tokens):
        return tokens
    new_tokens: list[Token] = []
    for part in _sentences(tokens):
        is_sunday = weekdays_of(part) <= {SUNDAY}
        is_food = False
        for at, token in enumerate(part, start=1):
            is_food = (is_food or token.kind is Kind.MEAL) and token.kind is not Kind.COMMA
            rest = (other.kind for other in part[at:] if other.kind not in _BEFORE_TIMES)
            is_timed = not is_food and next(rest, None) is Kind.CLOCK
            if is_timed and token.text in _SUNDAY_WORSHIP:
                new_tokens.append(replace(token, kind=Kind.DAYS, value=(SUNDAY,), end=token.start))
            is_worship = is_sunday and token.text in _WORSHIP_ON_SUNDAY[1:]
            is_worship = is_timed and (is_worship or token.text in _SUNDAY_WORSHIP)
            new_tokens.append(
                replace(token, kind=Kind.WORD, text="worship") if is_worship else token
            )
    return new_tokens


def _sentences(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield parts, each ending with a break outside parentheses."""
    part: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        part.append(token)
        if token.kind is Kind.BREAK and depth <= 0:
            yield part
            part = []
    yield part


def _runs(part: list[Token]) -> list[tuple[list[Token], bool]]:
    """Return visitors' and other hours in turn, each with True for other hours; a single run where
    a name may apply to several: "Mon 9-12, Tue 1-3 deliveries"."""
    pieces = _pieces(part)
    are_ours = [is_aside(piece) for piece in pieces]
    if len(set(are_ours)) < 2:
        return [(part, are_ours[0])]
    for at, (piece, is_ours) in enumerate(zip(pieces, are_ours, strict=True)):
        others = [
            other
            for place, (other, is_other) in enumerate(zip(pieces, are_ours, strict=True))
            if not is_other and (place < at if _subject(piece)[1] else place > at)
        ]
        if is_ours and not all(map(names_visitors, others)):
            return [(part, False)]
    runs: list[tuple[list[Token], bool]] = []
    for piece, is_ours in zip(pieces, are_ours, strict=True):
        if runs and runs[-1][1] == is_ours:
            runs[-1][0].extend(piece)
        else:
            runs.append((piece, is_ours))
    return [(_without_last_join(run), is_ours) for run, is_ours in runs]


def _pieces(part: list[Token]) -> list[list[Token]]:
    """Return the stretches between commas that have times; a stretch without times joins the one
    after it, at the end the one before it."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in part:
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        pieces[-1].append(token)
        if token.kind in (Kind.COMMA, Kind.AND) and depth <= 0 and _has_times(pieces[-1]):
            pieces.append([])
    pieces = _with_bare_times_joined(pieces)
    last = pieces[-1]
    is_own = _has_times(last) or (_begins_with_name(last) and _names_days(last))
    if is_own or len(pieces) == 1:
        return pieces
    if _names_days(last) and not any(map(_names_days, pieces[:-1])):
        return [part]  # "Set-up 3-4, dinner 5-6, clean-up 6-7, Wednesdays": days for all
    return [*pieces[:-2], pieces[-2] + last]


def _with_bare_times_joined(pieces: list[list[Token]]) -> list[list[Token]]:
    """Return the pieces, joining times alone to the piece before: "Sunday: worship 9 & 11 am"."""
    groups = pieces[:1]
    for piece in pieces[1:]:
        if all(token.kind in (*_TIMES, *_MARKS) for token in piece):
            groups[-1] = groups[-1] + piece
        else:
            groups.append(piece)
    return groups


def _names_days(tokens: list[Token]) -> bool:
    return any(token.kind in _DAYS for token in tokens)


def _has_times(tokens: list[Token]) -> bool:
    return any(token.kind is Kind.CLOCK for token in tokens)


def _without_last_join(run: list[Token]) -> list[Token]:
    return run[:-1] if run[-1].kind in (Kind.COMMA, Kind.AND) else run


def _first_days(run: list[Token]) -> list[Token]:
    """Return the days before the times and names of hours; none if the hours have limits: "Tue
    (except holidays) 8-9 setup"."""
    days = list(takewhile(lambda token: token.kind in _DAY_LIST, run))
    if any(token.kind in _LIMITS for token in run):
        return []
    while days and days[-1].kind not in (*_DAYS, Kind.OF_MONTH):
        days.pop()
    return days


def _is_earlier(run: list[Token], aside: list[Token]) -> bool:
    """Check for morning hours after an afternoon aside: the pantry of "Fri 6-8 pm set-up, 9-11 am
    pantry" opens on another day."""
    return (_half_of(run), _half_of(aside)) == ("am", "pm")


def _may_be_of_some_days(run: list[Token], aside: list[Token]) -> bool:
    """Check for hours within staff hours on a range of days: "Mon-Fri 9-5 staff; pantry 10-12"."""
    kinds = [token.kind for token in aside]
    joins = zip(kinds, kinds[1:], kinds[2:], strict=False)
    is_range = any(one in _DAYS and join in RANGES and two in _DAYS for one, join, two in joins)
    outer, inner = _first_span(aside), _first_span(run)
    is_within = outer and inner and outer[0] <= inner[0] and inner[1] <= outer[1]
    return is_range and bool(is_within)


def _first_span(tokens: list[Token]) -> Span | None:
    """Return the reading of the first span; None without a single reading."""
    clocks = [token.value for token in tokens if isinstance(token.value, Clock)][:2]
    try:
        return span_of(*clocks, is_24=False) if len(clocks) > 1 else None
    except CannotTell:
        return None


def _half_of(tokens: list[Token]) -> str | None:
    """Return the half of the day that the first time names, else the second."""
    clocks = [token.value for token in tokens if isinstance(token.value, Clock)][:2]
    return next((clock.half for clock in clocks if clock.half), None)


def names_visitors(tokens: list[Token]) -> bool:
    """Check for hours named as hours of food, visitors or a service."""
    kinds = (Kind.MEAL, Kind.WHO, Kind.SERVICE)
    return any(token.kind in kinds or token.text.startswith(_OPENS) for token in tokens)


def _with_groups_apart(tokens: list[Token]) -> list[Token]:
    """Return the tokens with breaks in place of parentheses around asides on other days at the end
    of a part: "Thu 4-6 (volunteer training Saturdays 9 am)"."""
    new_tokens = list(tokens)
    start: int | None = None
    for at, token in enumerate(tokens):
        if token.kind is Kind.OPEN:
            start = at
        elif token.kind is Kind.CLOSE and start is not None:
            group, rest = tokens[start + 1 : at], [*tokens[:start], *tokens[at:]]
            follows = tokens[at + 1].kind if at + 1 < len(tokens) else Kind.BREAK
            is_apart = weekdays_of(group).isdisjoint(weekdays_of(rest))
            if follows is Kind.BREAK and is_apart and is_aside(group):
                new_tokens[start], new_tokens[at] = _break(tokens[start].start), _break(token.start)
            start = None
    return new_tokens


def _with_named_hours(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a break before a name with "hours" after times."""
    new_tokens = list(tokens)
    starts = [
        at
        for at, (before, name, hours, days) in enumerate(
            zip(new_tokens, new_tokens[1:], new_tokens[2:], new_tokens[3:], strict=False), start=1
        )
        if before.kind in (Kind.CLOCK, Kind.PART)
        and name.kind in (Kind.WORD, Kind.SERVICE)
        and hours.text in ("hours", "hrs")
        and days.kind is Kind.DAYS
        and new_tokens[-1].kind in (Kind.BREAK, Kind.CLOCK, Kind.PART)  # no names after times
    ]
    for at in reversed(starts):
        new_tokens.insert(at, _break(new_tokens[at].start))
    return new_tokens


def _break(place: int) -> Token:
    return Token(Kind.BREAK, None, ";", place, place)


def _begins_with_name(part: list[Token]) -> bool:
    kinds = [token.kind for token in part if token.kind is not Kind.FILLER]
    return kinds[:1] in ([Kind.WORD], [Kind.VOID], [Kind.WHO])


def _is_worship(part: list[Token], subject: list[Token], *, is_after: bool) -> bool:
    """Check for times named only as worship: "Worship Sun 10 am", "Sun 10-12 church"."""
    names: tuple[str, ...] = _WORSHIP
    if is_after:
        words = [token for token in part if token.kind not in (Kind.BREAK, Kind.COMMA, Kind.AND)]
        times = [at for at, token in enumerate(words) if token.kind in _TIMES]
        subject = words[times[-1] + 1 :] if times else []
        names += _WORSHIP_ON_SUNDAY if SUNDAY in weekdays_of(part) else ()
    has_times = any(token.kind is Kind.CLOCK for token in part)
    return has_times and bool(subject) and all(token.text in names for token in subject)


def begins_with_food(part: list[Token]) -> bool:
    """Check for hours of food or of visitors: "pantry Tue 10-12", "clients served Sat 9-12", "open
    Mon 10-3"."""
    kinds = [token.kind for token in part if token.kind is not Kind.FILLER]
    is_named = kinds[:1] in ([Kind.MEAL], [Kind.WHO]) and kinds[1:2] != []
    is_named = is_named and kinds[1] in (*STARTS, Kind.LETTER)
    return is_named or (bool(part) and part[0].text.startswith(_OPENS))
