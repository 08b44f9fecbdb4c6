"""Parses opening hours in free text (English, Spanish, mixed) into schedules, or reports that it
cannot."""

from __future__ import annotations

from typing import NamedTuple

from assets.hours.assemble import Assembler
from assets.hours.build import schedules_of
from assets.hours.dated import dated_schedules
from assets.hours.letters import with_letters
from assets.hours.lexicon import Kind
from assets.hours.normalise import plain_text
from assets.hours.parallel import with_pairs
from assets.hours.reader import Reader
from assets.hours.services import refuse_several_places, with_services, without_telephone
from assets.hours.times import CannotTell, Clock
from assets.hours.tokens import Token, tokens_of
from schemas.hours.schedule import Schedule

# Longer texts are web pages pasted into a cell, not hours.
_LONGEST_TEXT = 1500


class HoursReading(NamedTuple):
    """Result of parsing a text. `schedules` is None for "cannot tell"; `reason` then names the
    obstacle.

    `ignored` are the parts of the text that were understood to say nothing about time.
    """

    text: str | None
    schedules: list[Schedule] | None = None
    ignored: tuple[str, ...] = ()
    reason: str | None = None


def parse_hours(text: str | None) -> HoursReading:
    """Return the schedules of a text, all of them certain, or None. Never raises."""
    if text is None or not text.strip():
        return HoursReading(text, reason="empty")
    try:
        dated = dated_schedules(text) if text.lstrip()[:2] == "20" else None
        if dated:
            return HoursReading(text, dated)
        if len(text) > _LONGEST_TEXT:
            raise CannotTell("too long")
        schedules, ignored = _read(plain_text(text))
    except CannotTell as fault:
        return HoursReading(text, reason=str(fault))
    return HoursReading(text, schedules, ignored)


def _read(plain: str) -> tuple[list[Schedule], tuple[str, ...]]:
    words = tokens_of(plain)
    refuse_several_places(words)
    tokens = [token for token in words if token.kind is not Kind.FILLER]
    tokens, telephone = without_telephone(tokens)
    tokens = with_pairs(with_letters(with_services(tokens)))
    reader = Reader(tokens)
    reader.ignored += telephone
    assembled = Assembler(reader.read())
    if not assembled.clauses:
        return _description_only(assembled.remarks), tuple(reader.ignored)
    aside = reader.ignored + [token.text for token in tokens if token.kind is Kind.SERVICE]
    if aside and any(token.kind is Kind.ALL_DAY for token in tokens):
        raise CannotTell("round the clock: " + aside[0])
    return schedules_of(assembled, is_24=_is_24(tokens)), tuple(reader.ignored)


def _is_24(tokens: list[Token]) -> bool:
    """Return True where the text uses the 24-hour clock: an hour past 12, seconds, or "hs"."""
    clocks = [
        (token.value, token.text)
        for before, token in zip([None, *tokens], tokens, strict=False)
        if isinstance(token.value, Clock) and not (before and before.kind is Kind.MONTH)
    ]
    if any(clock.half for clock, _ in clocks):
        return False
    return any(
        (clock.is_exact and text[:1].isdigit() and "noon" not in text) or text == "hs"
        for clock, text in clocks
    )


def _description_only(remarks: list[str]) -> list[Schedule]:
    """Return a description for "By appointment" or "call first" alone: times are unknown, but
    how to ask is not."""
    known = [text for text in dict.fromkeys(remarks) if text in ("by appointment", "call first")]
    if not known:
        raise CannotTell("no days and no times")
    return [Schedule(description="; ".join(known))]
