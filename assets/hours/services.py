"""Finds the service that hours belong to, and tells hours of the telephone from those of the
door.
"""

import re
from dataclasses import replace
from itertools import islice, pairwise, takewhile

from assets.hours.lexicon import STEMS, Kind
from assets.hours.notes import has_stem, is_harmless
from assets.hours.spelling import may_be_day
from assets.hours.times import CannotTell
from assets.hours.tokens import Token
from schemas.hours.schedule import UNDATED_SEASONS

_NAMES = (Kind.WORD, Kind.MEAL, Kind.WHO, Kind.SERVICE)
_JOINS = (Kind.AND, Kind.SLASH, Kind.DASH)
_STARTS = (Kind.DAYS, Kind.CLOCK, Kind.ORDINAL, Kind.EVERY, Kind.OTHER, Kind.BETWEEN)
_BOUNDS = (Kind.BREAK, Kind.CLOCK, Kind.COMMA, Kind.CLOSE, Kind.DAYS, Kind.PART, Kind.REMARK)
_LONGEST_NAME = 6
# Services of worship: they begin at a time and give no food.
_WORSHIP = ("worship", "mass", "masses", "misa", "misas", "culto", "cultos")
# What a place has several of: hours of two of them are not those of the one that is requested.
_PLACES = frozenset({"branch", "location", "site", "campus", "sede", "sucursal", "plantel"})
_DAY_LETTERS = re.compile(r"m?t?w?(?:r|th)?f?s?")
_WHERE = _PLACES | {"st", "street", "ave", "avenue", "rd", "road", "blvd", "dr", "church", "school"}
_VENUES = frozenset(
    {"lodge", "hall", "church", "school", "elementary", "center", "library", "park", "chapel"}
)
# Words that begin hours of their own.
_OPENS = ("open", "pick")
_ONE_SPAN = 2  # clocks
HOURS_OF_TELEPHONE = "hours of the telephone"
_STREETS = ("streetaddress", "at streetaddress", "located at streetaddress")
_THANKS = ("welcome", "appreciated")
ASIDE = (*STEMS.not_for_visitors, *STEMS.activities)
_NO_NAME = (*STEMS.telephone, *STEMS.not_a_name)


def with_services(tokens: list[Token]) -> list[Token]:
    """Join each run of words that names a service ("Legal clinic: Tue 1-3") into one token.

    A name is followed by a colon and hours, or is alone in parentheses. Words of the lexicon need
    neither.
    """
    tokens = _with_headings(tokens)
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        length = _name_before_mark(tokens, at) or _name_in_parentheses(tokens, at)
        if length:
            found.append(_service(tokens[at : at + length]))
            at += length
            if at < len(tokens) and tokens[at].kind is Kind.DASH:
                found.append(Token(Kind.COLON, None, ":"))
                at += 1
        else:
            found.append(tokens[at])
            at += 1
    return found


def _with_headings(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a colon after each known name that has a line of its own above its
    days."""
    found = list(tokens)
    for at, token in enumerate(tokens[:-2]):
        is_line = (at == 0 or _is_new_line(tokens[at - 1])) and _is_new_line(tokens[at + 1])
        if token.kind in _NAMES[1:] and is_line:
            follows = next((n for n in tokens[at + 2 :] if not _is_new_line(n)), token)
            if follows.kind in (Kind.DAYS, Kind.ORDINAL, Kind.EVERY, Kind.OTHER):
                found[at + 1] = Token(Kind.COLON, None, ":")
    if found != tokens and tokens[-1].kind in _NAMES[1:] and _is_new_line(tokens[-2]):
        raise CannotTell("names above or below")
    return found


def _is_new_line(token: Token) -> bool:
    return token.kind is Kind.BREAK and token.text == "\n"


def _name_before_mark(tokens: list[Token], at: int) -> int:
    """Return a name before a mark: "Legal clinic: Tue 1-3"; at the beginning of a part also
    "Legal clinic - Tue 1-3"."""
    if at and tokens[at - 1].kind not in _BOUNDS:
        return 0
    end = _end_of_words(tokens, at)
    is_first = at == 0 or tokens[at - 1].kind is Kind.BREAK
    if is_first and end - at > 1 and tokens[end - 1].kind is Kind.DASH:
        end -= 1
    elif end == len(tokens) or tokens[end].kind is not Kind.COLON:
        return 0
    follows = end + 1
    while follows < len(tokens) and tokens[follows].kind is Kind.BREAK:
        follows += 1
    return end - at if _begins_hours(tokens, follows) and _is_name(tokens[at:end]) else 0


def _begins_hours(tokens: list[Token], at: int) -> bool:
    """Check for days or times; single letters only if joined to others ("WIC: M-F 8-5")."""
    kinds = [token.kind for token in tokens[at : at + 3]]
    is_letters = (
        kinds[:1] == [Kind.LETTER] and kinds[1:2] != [] and kinds[1] in (Kind.COMMA, *_JOINS)
    )
    return kinds[:1] != [] and (kinds[0] in _STARTS or (is_letters and kinds[2:] == [Kind.LETTER]))


def _name_in_parentheses(tokens: list[Token], at: int) -> int:
    if at == 0 or tokens[at - 1].kind is not Kind.OPEN:
        return 0
    end = _end_of_words(tokens, at)
    if end == len(tokens) or tokens[end].kind is not Kind.CLOSE:
        return 0
    words = [token.text for token in tokens[at:end]]
    return end - at if _is_name(tokens[at:end]) and not is_harmless(words, in_group=True) else 0


def _end_of_words(tokens: list[Token], at: int) -> int:
    """Return where a run of words ends, or a little beyond the longest name."""
    last = min(len(tokens), at + 3 * _LONGEST_NAME)
    return next((n for n in range(at, last) if tokens[n].kind not in (*_NAMES, *_JOINS)), last)


def _is_name(tokens: list[Token]) -> bool:
    """Check for a name: up to six words, one of them neither meal nor group of visitors, none
    about time."""
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
    return is_new and len(words) <= _LONGEST_NAME and not any(has_stem(w, _NO_NAME) for w in words)


def _service(tokens: list[Token]) -> Token:
    if len(tokens) == 1 and tokens[0].kind is Kind.SERVICE:
        return tokens[0]
    text = " ".join(token.text for token in tokens).replace(" - ", "-").replace(" / ", "/")
    is_food = any(token.kind is Kind.MEAL for token in tokens)
    return Token(Kind.MEAL if is_food else Kind.SERVICE, text, text)


def refuse_several_places(tokens: list[Token]) -> None:
    """Refuse "North branch: Mon 9-12; south branch: Tue 9-12": a record is one place, and which
    is unknown."""
    timed = [part for part in parts_of(tokens) if any(t.kind is Kind.CLOCK for t in part)]
    words = [token for part in timed for token in part]
    clocks = [at for at, token in enumerate(words) if token.kind is Kind.CLOCK]
    streets = [at for at, token in enumerate(words) if token.text in _STREETS]
    # "Mon 9-12; Tue 1-3 at 415 N 5th St"; one address before all hours is that of the place
    if len(clocks) > _ONE_SPAN and (len(streets) > 1 or (streets and streets[0] > clocks[0])):
        raise CannotTell("hours of several places")
    if len(clocks) > _ONE_SPAN and len(_venues(words)) > 1:
        raise CannotTell("hours of several places")
    # "Mon 5-6 (Main St.); Thu 5-6 (Oak Ave.)"
    ends = [at for at, token in enumerate(tokens) if token.kind is Kind.CLOSE]
    inside = {_last_words([t for t in tokens[:at] if t.text != "."]) for at in ends}
    if len({words for words in inside if words and words[0] in _WHERE}) > 1:
        raise CannotTell("hours of several places")
    headings = (tokens[:at] for at, token in enumerate(tokens) if token.kind is Kind.COLON)
    names = {_last_words(heading) for heading in headings}
    if len([name for name in names if len(name) > 1 and not _PLACES.isdisjoint(name)]) > 1:
        raise CannotTell("hours of several places")


def _venues(tokens: list[Token]) -> set[tuple[str, ...]]:
    """Return the names of buildings after "at": "Tue 9-11 at Elks Lodge, Thu 3-5 at Hope Church"."""
    places = (at for at, token in enumerate(tokens, start=1) if token.text == "at")
    runs = (
        takewhile(lambda token: token.kind in (Kind.WORD, Kind.FILLER), tokens[at:])
        for at in places
    )
    names = (tuple(token.text for token in run if token.kind is Kind.WORD) for run in runs)
    return {name for name in names if len(name) > 1 and name[-1] in _VENUES}


def _last_words(tokens: list[Token]) -> tuple[str, ...]:
    """Return up to three words of the part that ends there."""
    part = takewhile(lambda token: token.kind not in (Kind.BREAK, Kind.COLON), reversed(tokens))
    return tuple(token.text for token in islice(part, 3))


def without_telephone(tokens: list[Token]) -> tuple[list[Token], tuple[str, ...]]:
    """Return the tokens without the parts that give the hours of a telephone, and the words of
    those parts.

    Such a part holds a word of the telephone and either "24 hours" and no other time, or begins
    with the word. Raises CannotTell where the hours after it may belong to the telephone as well,
    and where nothing else remains.
    """
    whole = parts_of(tokens)
    parts = [[token for token in part if token.kind is not Kind.FILLER] for part in whole]
    is_telephone = [bool(part) and _is_telephone(part) for part in parts]
    if not any(is_telephone):
        return [token for part in parts for token in part], ()
    is_call = any(_rings(token) for part in parts for token in part) or any(
        _is_call(part) for part in parts if part
    )
    reason = HOURS_OF_TELEPHONE if is_call else "hours of no visitors"
    pairs = pairwise(zip(parts, whole, is_telephone, strict=True))
    for (part, _, is_ours), (following, words, is_next) in pairs:
        if (
            is_ours
            and not is_next
            and not _is_round_the_clock(part)
            and not _is_named(following)
            and not (_is_worship(part) and following[0].kind in (Kind.MEAL, Kind.SERVICE))
            and not (begins_with_food(words) and not _is_call(part))
        ):
            raise CannotTell(reason)
    ours = [part for part, is_ours in zip(parts, is_telephone, strict=True) if not is_ours]
    if not any(token.kind in (Kind.CLOCK, Kind.APPOINTMENT) for part in ours for token in part):
        raise CannotTell(reason)
    dropped = [part for part, is_ours in zip(parts, is_telephone, strict=True) if is_ours]
    left = [replace(token) for part in ours for token in part]
    return left, tuple(" ".join(token.text.strip() for token in part).strip() for part in dropped)


def parts_of(tokens: list[Token]) -> list[list[Token]]:
    """Return parts of a text, each with its closing break; "24 hours" after a comma begins a
    part of its own."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if token.kind is Kind.ALL_DAY and _is_whole(parts[-1]):
            parts.append([])
        parts[-1].append(token)
        if token.kind is Kind.BREAK and depth <= 0:
            parts.append([])
    return [part for part in parts if any(token.kind is not Kind.BREAK for token in part)]


def _is_whole(part: list[Token]) -> bool:
    """Check for "Mon-Fri 9-5, 24 hours ..." and "Mon-Fri 9-5 (office) 24 hours ...": another
    part follows."""
    has_hours = any(token.kind in (Kind.CLOCK, Kind.DAYS) for token in part)
    return has_hours and part[-1].kind in (Kind.COMMA, Kind.CLOSE)


def _is_telephone(part: list[Token]) -> bool:
    if _is_elsewhere(part) or _is_worship(part) or is_aside(part):
        return True
    if not any(_rings(token) for token in part) and not _is_call(part):
        return False
    return _is_round_the_clock(part) or _is_call(part) or _begins_with_telephone(part)


def is_aside(part: list[Token]) -> bool:
    """Check for hours of an activity without visitors: "Staff meeting Mon 9-10", "Thu 5-6
    volunteers sort food".
    """
    words = [token for token in part if token.kind is not Kind.FILLER]
    days = [at for at, token in enumerate(words) if token.kind in (Kind.DAYS, Kind.LETTER)]
    times = [at for at, token in enumerate(words) if token.kind in (Kind.CLOCK, Kind.PART)] or days
    if not (days and times):
        return False
    subject = list(takewhile(lambda token: token.kind not in _STARTS, words))
    said = subject or list(takewhile(lambda t: t.kind in _NAMES, words[times[-1] + 1 :]))[:2]
    names = [token for token in said if token.kind in (Kind.WORD, Kind.VOID, Kind.WHO)]
    if said[:1] and said[0].kind is Kind.MEAL and "by" in [token.text for token in names]:
        return False  # "pantry run by volunteers"
    if not subject and said[-1:] and said[-1].text in _THANKS:
        return False  # "Tue 4-6 donations welcome"
    text = " ".join(token.text for token in names)
    words_said = text.replace("set up", "setup").replace("drop off", "dropoff").split()
    return any(has_stem(word, ASIDE) and word != "staffed" for word in words_said)


def with_asides_apart(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a break between hours of visitors and of others: "Staff meeting Mon
    9-10, open Mon 10-3"; a name with "hours" begins a part: "Tue 9-11 Phone hours Mon-Fri 9-4"."""
    found = _without_worship(tokens)
    for at, token in enumerate(found[1:-1], start=1):
        if token.kind not in (Kind.COMMA, Kind.AND):
            continue
        before, after = _part_around(found, at)
        is_before, is_after = is_aside(before), is_aside(after)
        # "Mon 9-12, Tue 1-3 deliveries" may all be deliveries
        is_named = begins_with_food(after) if is_before else _begins_with_name(after)
        if is_before != is_after and is_named:
            found[at] = replace(token, kind=Kind.BREAK)
    starts = [
        at
        for at, (before, name, hours, days) in enumerate(
            zip(found, found[1:], found[2:], found[3:], strict=False), start=1
        )
        if before.kind in (Kind.CLOCK, Kind.PART)
        and name.kind in (Kind.WORD, Kind.SERVICE)
        and hours.text in ("hours", "hrs")
        and days.kind is Kind.DAYS
        and found[-1].kind in (Kind.BREAK, Kind.CLOCK, Kind.PART)  # no names after times
    ]
    for at in reversed(starts):
        found.insert(at, Token(Kind.BREAK, None, ";"))
    return found


def _without_worship(tokens: list[Token]) -> list[Token]:
    """Return the tokens without worship between a day and its food: "Sun: worship 10am; lunch
    12-1"."""
    found = list(tokens)
    for at in [n for n, token in enumerate(tokens) if token.text in _WORSHIP and n][::-1]:
        end = at + 1
        while end < len(found) and found[end].kind in (Kind.FILLER, Kind.CLOCK, Kind.DASH, Kind.TO):
            end += 1
        kinds = [token.kind for token in found[end : end + 4] if token.kind is not Kind.FILLER]
        is_day = found[at - 1 - (found[at - 1].kind is Kind.COLON)].kind is Kind.DAYS
        is_food = kinds[:1] in ([Kind.BREAK], [Kind.COMMA]) and kinds[1:3] == [
            Kind.MEAL,
            Kind.CLOCK,
        ]
        if is_day and is_food:
            del found[at : end + 1]
    return found


def _begins_with_name(part: list[Token]) -> bool:
    kinds = [token.kind for token in part if token.kind is not Kind.FILLER]
    return kinds[:1] in ([Kind.WORD], [Kind.VOID], [Kind.WHO])


def _part_around(tokens: list[Token], at: int) -> tuple[list[Token], list[Token]]:
    """Return the tokens on both sides of a place up to the next breaks."""
    before = takewhile(lambda token: token.kind is not Kind.BREAK, reversed(tokens[:at]))
    after = takewhile(lambda token: token.kind is not Kind.BREAK, tokens[at + 1 :])
    return list(before)[::-1], list(after)


def _is_worship(part: list[Token]) -> bool:
    """Check for worship with days and a time of its own: "Worship Sun 10 am", "Misa: domingo 9
    am"."""
    kinds = [token.kind for token in part]
    is_name = part[0].text in _WORSHIP and kinds[1:2] != [] and kinds[1] in (*_STARTS, Kind.COLON)
    names_food = any(kind in (Kind.MEAL, Kind.SERVICE) for kind in kinds)
    return is_name and Kind.DAYS in kinds and Kind.CLOCK in kinds and not names_food


def _is_round_the_clock(part: list[Token]) -> bool:
    kinds = {token.kind for token in part}
    return Kind.ALL_DAY in kinds and Kind.CLOCK not in kinds


def begins_with_food(part: list[Token]) -> bool:
    """Check for hours of food or of visitors: "pantry Tue 10-12", "clients served Sat 9-12", "open
    Mon 10-3"."""
    kinds = [token.kind for token in part if token.kind is not Kind.FILLER]
    is_named = kinds[:1] in ([Kind.MEAL], [Kind.WHO]) and kinds[1:2] != []
    is_named = is_named and kinds[1] in (*_STARTS, Kind.LETTER)
    return is_named or (bool(part) and part[0].text.startswith(_OPENS))


def _is_call(part: list[Token]) -> bool:
    """Check for hours of the telephone: "Call: Mon-Fri 9-5"."""
    kinds = [token.kind for token in part if token.kind is not Kind.COLON]
    return part[0].value == "call for details" and kinds[1:2] != [] and kinds[1] in _STARTS


def _begins_with_telephone(part: list[Token]) -> bool:
    for token in part:
        if token.kind in (*_STARTS, Kind.COMMA):
            return False
        if _rings(token):
            return any(other.kind is Kind.CLOCK for other in part)
    return False


def _rings(token: Token) -> bool:
    if token.kind not in (Kind.WORD, Kind.VOID, Kind.SERVICE):
        return False
    return any(has_stem(word, STEMS.telephone) for word in token.text.split())


def _is_elsewhere(part: list[Token]) -> bool:
    """Check for a service away from the door: "Home care is 24 hours", "on call for emergencies
    24/7"."""
    said = (token for token in part if token.kind in (Kind.WORD, Kind.REMARK))
    words = [word for token in said for word in token.text.split()]
    return _is_round_the_clock(part) and any(has_stem(word, STEMS.elsewhere) for word in words)


def _is_named(part: list[Token]) -> bool:
    """Return True where a part begins with a name of its own: "Walk-in hours: Wed 9-12"."""
    for token in part:
        if token.kind in _STARTS:
            return False
        if token.kind is Kind.COLON:
            return True
    return False
