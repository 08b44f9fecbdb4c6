"""Parses opening hours in free text (English, Spanish, mixed) into schedules, or reports that it
cannot."""

import re
from typing import NamedTuple

from assets.hours.assemble import Assembler
from assets.hours.build import build_schedules
from assets.hours.days import read_letters, set_aside_ambiguous_letters
from assets.hours.guard import (
    HOURS_OF_TELEPHONE,
    heed_unread_signs,
    refuse_asides,
    refuse_unread_signs,
    set_aside_telephone,
)
from assets.hours.lexicon import STEMS, Kind, has_stem
from assets.hours.normalise import plain_text
from assets.hours.partial import read_in_part
from assets.hours.reader import Reader
from assets.hours.services import join_services, refuse_several_places
from assets.hours.structured import read_dated_schedules
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token, read_24_hour_clock, split_tokens
from schemas.hours.schedule import ASK_FOR_HOURS, Schedule

_ASKS = re.compile(
    r"\b(?:call|contact|check|see|visit|view|inquire|consult[ea]r?|ll[ae]m[ea]r?)\b[a-z /-]{0,40}"
    r"\b(?:hours|schedules?|times|days|dates|calendars?|horarios?|fechas)\b"
)
# "Call for intake", "many sites - see website": if the text says nothing else, visitors must ask
_REFERS = re.compile(
    r"(?:^|[.;,\n-] ?)(?:please )?(?:(?:call|contact)\b(?! (?:you|center|line|us back))"
    r"|(?:see|check)\b(?: our| the| their)?(?: [a-z]+)? (?:website|facebook|page|flyer)\b"
    r"|(?:llam[ae]|llamar|consultar?)\b)"
)
# Remarks that are useful alone.
_SAYS_HOW = ("by appointment", "by referral", "call first", "dawn to dusk")
_WHEN = (Kind.DAYS, Kind.CLOCK, Kind.ALL_DAY, Kind.MONTH, Kind.DATE)
_LONGEST_REFERENCE = 80
# Longer texts are web pages pasted into a cell, not hours.
_LONGEST_TEXT = 1500


class HoursReading(NamedTuple):
    """Result of parsing a text. `schedules` is None if unreadable; `reason` then gives the cause.

    `ignored` are the parts of the text known to say nothing about time. `plain` is the normalized
    text; `read` and `unread` are places in it: [start, end). If anything is unread, a schedule says
    so (`READ_IN_PART`).
    """

    text: str | None
    schedules: list[Schedule] | None = None
    ignored: tuple[str, ...] = ()
    reason: str | None = None
    plain: str = ""
    read: tuple[tuple[int, int], ...] = ()
    unread: tuple[tuple[int, int], ...] = ()


def parse_hours(text: str | None) -> HoursReading:
    """Return the schedules of a text, all of them certain, or None. Never raises."""
    if text is None or not text.strip():
        return HoursReading(text, reason="empty")
    try:
        schedules = read_dated_schedules(text) if text.lstrip()[:2] == "20" else None
        if schedules:
            return HoursReading(text, schedules)
        if len(text) > _LONGEST_TEXT:
            raise CannotTell("too long")
        return _read(text, plain_text(text))
    except CannotTell as fault:
        return HoursReading(text, reason=str(fault))


def _read(text: str, plain: str) -> HoursReading:
    tokens = read_24_hour_clock(split_tokens(plain))
    refuse_several_places(tokens)
    tokens = set_aside_ambiguous_letters(tokens)
    rest: list[Token] = []
    try:
        schedules, ignored, ignored_tokens = _read_tokens(tokens)
    except CannotTell as fault:
        try:
            schedules, rest = read_in_part(tokens, lambda part: _read_tokens(part)[0])
        except CannotTell:
            if not (doubt := _find_doubt(tokens, plain) or _find_doubt_of_calls(tokens, fault)):
                raise fault from None
            schedules = [Schedule(description=doubt)]
        ignored, ignored_tokens = [], []
    other_starts = {token.start for token in (*rest, *ignored_tokens)}
    hours = [token for token in tokens if token.start not in other_starts]
    return HoursReading(
        text,
        schedules,
        tuple(ignored),
        plain=plain,
        read=_join_places(hours),
        unread=_join_places(rest),
    )


def _find_doubt(tokens: list[Token], plain: str) -> str | None:
    """Return the doubt of "call for current meal schedule", "church hours vary", "see website": no
    days or times are given."""
    if any(token.kind in (*_WHEN, Kind.CLOSED) for token in tokens):
        return None
    doubts = (str(token.value) for token in tokens if token.kind is Kind.DOUBT)
    if doubt := next(doubts, None):
        return doubt
    is_brief = len(plain) <= _LONGEST_REFERENCE and not _says_over(plain)
    asks = _ASKS.search(plain) or (is_brief and _REFERS.search(plain))
    return ASK_FOR_HOURS if asks else None


def _find_doubt_of_calls(tokens: list[Token], fault: CannotTell) -> str | None:
    """Return the doubt of "By referral. Call 555-0100, Mon-Fri 9-3": callers ask at these hours for
    an appointment or for the opening hours."""
    asks = any(
        token.kind is Kind.APPOINTMENT or token.value == "call for details" for token in tokens
    )
    lines = [token.text for token in tokens if token.text != "phonenumber"]
    is_line = any(has_stem(text, STEMS.telephone) for text in lines)
    is_asked = str(fault) == HOURS_OF_TELEPHONE and asks and not is_line
    return ASK_FOR_HOURS if is_asked else None


def _join_places(tokens: list[Token]) -> tuple[tuple[int, int], ...]:
    """Return the stretches of the plain text covered by adjacent tokens."""
    places: list[tuple[int, int]] = []
    for token in tokens:
        if places and token.start - places[-1][1] <= 1:
            places[-1] = (places[-1][0], token.end)
        else:
            places.append((token.start, token.end))
    return tuple(places)


def _read_tokens(words: list[Token]) -> tuple[list[Schedule], list[str], list[Token]]:
    """Return the schedules of all tokens, and the words and tokens that say nothing about time."""
    refuse_unread_signs(words)
    tokens, telephone = set_aside_telephone(words)
    refuse_asides(tokens)
    tokens = heed_unread_signs(read_letters(join_services(tokens)))
    reader = Reader(tokens)
    reader.ignored += telephone
    assembler = Assembler(reader.read())
    if over := next((text for text in reader.ignored if _says_over(text)), None):
        raise CannotTell(over)  # "We have moved! Thurs 2-4"
    if not assembler.clauses:
        return _describe_without_times(assembler), reader.ignored, reader.ignored_tokens
    aside = reader.ignored + [token.text for token in tokens if token.kind is Kind.SERVICE]
    names = [word for text in aside for word in text.split()]
    is_elsewhere = any(word not in STEMS.places or word in STEMS.venues for word in names)
    if is_elsewhere and any(token.kind is Kind.ALL_DAY for token in tokens):
        raise CannotTell("round the clock: " + aside[0])
    schedules = build_schedules(assembler, is_24=_is_24(tokens))
    return schedules, reader.ignored, reader.ignored_tokens


def _says_over(text: str) -> bool:
    return any(has_stem(word, STEMS.possibly_ended) for word in text.split())


def _is_24(tokens: list[Token]) -> bool:
    """Return True where the text uses the 24-hour clock: an hour past 12, seconds, or "hs"."""
    clocks = [
        (token.value, token.text)
        for before, token in zip([None, *tokens], tokens, strict=False)
        if isinstance(token.value, Clock) and not (before and before.kind is Kind.MONTH)
    ]
    if any(clock.half or clock.hour > 24 for clock, _ in clocks):
        return False
    return any(
        (clock.is_exact and text[:1].isdigit() and "noon" not in text) or text == "hs"
        for clock, text in clocks
    )


def _describe_without_times(assembler: Assembler) -> list[Schedule]:
    """Return a description for "By appointment" or "hours vary" alone: the times are unknown."""
    remarks = dict.fromkeys(assembler.remarks)
    ways = [text for text in remarks if text in _SAYS_HOW]
    doubts = list(dict.fromkeys(assembler.doubts))
    if assembler.closures.has_undated_season:
        raise CannotTell("closed")
    if assembler.undated_season and not (ways or doubts):
        ways = [assembler.undated_season]  # "During the school year"
    if not (ways or doubts):
        raise CannotTell("no days and no times")
    schedules = [Schedule(description="; ".join(ways))] if ways else []
    return [*schedules, *(Schedule(description=doubt) for doubt in doubts)]
