"""Writes out days and times given by reference: "Thurs same hours", "groceries the same days at 3",
"24/7 blessing box", and joins spans split by days: "9:00 Tuesdays until noon"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from assets.hours.lexicon import Kind
from assets.hours.span_reader import UNTIL
from assets.hours.tokens import Token

_SAME = ("same", "mismo", "mismos", "misma", "mismas")
_DAY_NOUNS = ("day", "days", "dia", "dias")
_TIME_NOUNS = ("hours", "hrs", "time", "times", "hora", "horas", "horario", "horarios")
_JOINS = (Kind.COMMA, Kind.AND, Kind.SLASH, Kind.DASH, Kind.TO)
_BOUNDS = (Kind.BREAK, Kind.COMMA)
_BOXES = frozenset({"box", "outdoor", "fridge", "little", "nevera", "refrigerador"})
_OF_DAYS = (Kind.DAYS, Kind.LETTER, Kind.ORDINAL, Kind.EVERY, Kind.OF_MONTH)
_OF_TIMES = (Kind.CLOCK, Kind.PART)
_BEFORE_TIMES = (*_OF_DAYS, Kind.COLON, Kind.DASH)
# Limits of hours, which may not apply to "the same hours".
_LIMITS = (
    *(Kind.MONTH, Kind.DATE, Kind.YEAR, Kind.CLOSED, Kind.EXCEPT, Kind.DOUBT, Kind.SOME),
    *(Kind.WHO, Kind.APPOINTMENT, Kind.REMARK),
)


def with_repeats(tokens: list[Token]) -> list[Token]:
    """Return the tokens with "same" replaced by the last days or times, and with every day added at
    an unlocked box."""
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        if span := _read_divided_span(tokens, at):
            new_tokens += span
            at += len(span)
            continue
        if tokens[at].kind is Kind.ALL_DAY and _is_of_box(tokens, at):
            place = tokens[at].start
            new_tokens.append(Token(Kind.DAYS, tuple(range(7)), "daily", place, place))
        same, end = _same(new_tokens, tokens, at)
        if same:
            place = tokens[at].start
            new_tokens += [replace(token, start=place, end=place) for token in same]
            at = end
        else:
            new_tokens.append(tokens[at])
            at += 1
    return new_tokens


def _same(before: list[Token], tokens: list[Token], at: int) -> tuple[list[Token], int]:
    """Return the days for "same days 1-3" or the times for "Thurs same" and "Thurs the same hours",
    and the place after these words."""
    words = [token.text for token in tokens[at : at + 2]]
    if words[:1] == [] or words[0] not in _SAME:
        return [], at
    is_named = words[1:] != [] and words[1] in (*_DAY_NOUNS, *_TIME_NOUNS)
    end = at + 1 + is_named
    if is_named and words[1] in _DAY_NOUNS:
        follows = next((t.kind for t in tokens[end:] if t.kind is not Kind.FILLER), None)
        return (_last_run(before, _OF_DAYS, Kind.DAYS) if follows is Kind.CLOCK else []), end
    last = next((t.kind for t in reversed(before) if t.kind is not Kind.FILLER), None)
    times = _last_run(before, _OF_TIMES, Kind.CLOCK) if last in _BEFORE_TIMES else []
    earlier, later = _before_run(before, times), _after_run(before, times)
    since = takewhile(lambda token: token.kind is not Kind.DAYS, earlier)
    part = [*takewhile(lambda token: token.kind is not Kind.BREAK, earlier)]
    if part[-1:] and part[-1].kind is Kind.APPOINTMENT:
        part.pop()  # "By appointment Mon 9-12, Wed same": applies to both
    # "Mon 9-12 pantry, 12-1 lunch, Wed same", "Mon 9-12 June-Aug, Wed same",
    # "1st Mon 9-12, Wed same"
    is_unclear = (
        any(token.kind is Kind.CLOCK for token in since)
        or any(token.kind in _LIMITS for token in [*part, *later])
        or (_has_weeks(part) and not _has_weeks(later))
    )
    return ([] if is_unclear else times), end


def _has_weeks(tokens: list[Token]) -> bool:
    return any(token.kind in (Kind.ORDINAL, Kind.OTHER) for token in tokens)


def _before_run(tokens: list[Token], run: list[Token]) -> list[Token]:
    """Return the tokens before a run, in reverse order."""
    return tokens[: tokens.index(run[0])][::-1] if run else []


def _after_run(tokens: list[Token], run: list[Token]) -> list[Token]:
    return tokens[tokens.index(run[-1]) + 1 :] if run else []


def _last_run(tokens: Sequence[Token], kinds: tuple[Kind, ...], last_kind: Kind) -> list[Token]:
    """Return the last list of tokens of these kinds, with their joins."""
    ends = [at for at, token in enumerate(tokens, start=1) if token.kind is last_kind]
    if not ends:
        return []
    begin = end = ends[-1]
    while end < len(tokens) and tokens[end].kind in kinds:
        end += 1
    while begin and tokens[begin - 1].kind in (*kinds, *_JOINS):
        begin -= 1
    while tokens[begin].kind not in kinds:
        begin += 1
    return [*tokens[begin:end]]


def _is_of_box(tokens: list[Token], at: int) -> bool:
    """Check for a box or fridge without days beside other hours: "24/7 blessing box; pantry Th
    2-5"."""
    before = takewhile(lambda token: token.kind not in _BOUNDS, reversed(tokens[:at]))
    part = [*before, *takewhile(lambda token: token.kind not in _BOUNDS, tokens[at + 1 :])]
    is_box = any(t.kind is Kind.MEAL and not _BOXES.isdisjoint(t.text.split()) for t in part)
    is_silent = not any(token.kind in (Kind.CLOCK, *_OF_DAYS) for token in part)
    return is_box and is_silent and any(token.kind is Kind.CLOCK for token in tokens)


def _read_divided_span(tokens: list[Token], at: int) -> list[Token]:
    """Return days and their span for "9:00 Tuesdays and Fridays until noon"."""
    end = at + 1
    while end < len(tokens) and tokens[end].kind in (*_OF_DAYS, *_JOINS[:-1], Kind.FILLER):
        end += 1
    kinds = [token.kind for token in tokens[end : end + 2]]
    is_span = tokens[at].kind is Kind.CLOCK and kinds == [Kind.TO, Kind.CLOCK]
    is_lone = at == 0 or tokens[at - 1].kind not in (*_JOINS, Kind.CLOCK)
    days = tokens[at + 1 : end]
    if not (is_span and is_lone and any(token.kind is Kind.DAYS for token in days)):
        return []
    if tokens[end].text not in UNTIL or tokens[at + 1].kind in _JOINS:
        return []
    return [*days, tokens[at], *tokens[end : end + 2]]
