"""Reads the intent of a question: programme, urgency, applying."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

from schemas.api.plain_language import AskedMode
from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.search.language.tables import Tables, tables

Intent = Literal["find", "apply"]
_MODES: tuple[AskedMode, ...] = ("wic", "snap", "summer", "school")
_MAX_BACK = 7
_TOPICS = ("estimate", "expedited", "disaster", "form_help", "sun_bucks", "operator")
_WORD = re.compile(r"[^ ]+")


# Patterns that decide what is looked for, besides those of programmes, kinds and topics.
_DECIDING = (
    *("free_places", "more_food", "farmers_markets", "organizations", "stores", "offices"),
    *("restaurants", "health", "crisis", "apply", "get_it", "restored", "urgent", "not_urgent"),
)


class Wants(NamedTuple):
    """Intent of a question, with the words that expressed it.

    `modes` are the programmes that it asks for, the first of them as `mode`; `kinds` the types of
    places that it names, each of one of these modes.
    """

    modes: tuple[AskedMode, ...]
    is_urgent: bool
    intent: Intent
    kinds: tuple[str, ...]
    is_about_health: bool
    is_in_crisis: bool
    reasons: tuple[str, ...]
    topics: frozenset[str] = frozenset()

    @property
    def mode(self) -> AskedMode:
        return self.modes[0]

    @property
    def asked(self) -> tuple[str, ...]:
        """The wanted types of each mode, or the mode where none is named."""
        of_modes = (
            [k for k in self.kinds if RESOURCE_TYPES[k].mode == m] or [m] for m in self.modes
        )
        return tuple(name for names in of_modes for name in names)


def deciding_patterns() -> Iterator[re.Pattern[str]]:
    """Yield the patterns that decide programme, kind of place, topic, urgency or applying."""
    for name, pattern in tables().patterns.items():
        if name in _DECIDING or name.startswith(("programme.", "state.", "kind.", "topic.")):
            yield pattern


def wants_of(text: str, state: str | None) -> Wants:
    """Return the wishes of a text: folded words, one blank between and around them, names as
    `#`.
    """
    known = tables()
    reasons: list[str] = []
    modes = _modes(text, state, known, reasons)
    is_urgent = _is_urgent(text, known, reasons)
    intent = _intent(text, modes[0], known, reasons)
    if modes == ("free",) and _asks_for_help_with_form(text, known):
        modes = ("snap",)
    topics = _topics(text, modes, intent, known)
    asks_how_fast = "expedited" in topics and known.patterns["how_fast"].search(text)
    if "form_help" in topics or asks_how_fast:
        intent = "apply"
    about_health = known.patterns["health"].search(text) is not None
    in_crisis = known.patterns["crisis"].search(text) is not None
    return Wants(
        modes,
        is_urgent,
        intent,
        _kinds(text, modes, known),
        about_health,
        in_crisis,
        tuple(reasons),
        topics,
    )


def _asks_for_help_with_form(text: str, known: Tables) -> bool:
    """Return whether somebody asks for help with a form and for no place with food: SNAP's is
    the one that has offices."""
    is_asked = known.patterns["topic.form_help"].search(text)
    return bool(is_asked) and not known.patterns["free_places"].search(text)


def _topics(
    text: str, modes: tuple[AskedMode, ...], intent: Intent, known: Tables
) -> frozenset[str]:
    """Return the topics of a question that are no place (content/messages/topics.yaml)."""
    # After a hurricane food is looked for by who never asks for SNAP.
    asked = _TOPICS if "snap" in modes else ("disaster", "sun_bucks", "operator")
    found = {name for name in asked if known.patterns[f"topic.{name}"].search(text)}
    if "school" in modes and intent == "apply":
        found.add("school_apply")
    return frozenset(found)


# ---------------------------------------------------------------- programme


def _modes(
    text: str, state: str | None, known: Tables, reasons: list[str]
) -> tuple[AskedMode, ...]:
    """Return the programmes asked for, each by words of its own; free food where there is none."""
    found: dict[AskedMode, re.Match[str]] = {}
    for mode in _MODES:
        mention = _mention(text, mode, known, reasons, found)
        if mention is not None:
            found[mode] = mention
            reasons.append(f"{mention[0]!r}: {mode}")
    if not found:
        return ("snap",) if _is_own_program(text, state, known, reasons) else ("free",)
    is_joined = any(
        _are_joined(text, free, one, known)
        for free in known.patterns["free_places"].finditer(text)
        for one in found.values()
    )
    return (*found, "free") if is_joined else tuple(found)


def _are_joined(text: str, one: re.Match[str], other: re.Match[str], known: Tables) -> bool:
    """Return whether nothing but "or" or "and" is between: "pantry or a WIC office"."""
    first, last = sorted((one, other), key=lambda m: m.start())
    between = known.patterns["joining"].match(text, first.end() + 1)
    return between is not None and between.end() + 1 == last.start()


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.start() < other.end() and other.start() < one.end()


def _mention(
    text: str,
    mode: AskedMode,
    known: Tables,
    reasons: list[str],
    others: Mapping[AskedMode, re.Match[str]],
) -> re.Match[str] | None:
    """Return the first mention of a programme that asks for it; None where there is none, and
    where beside another programme it shares its words or is merely had."""
    mentions = list(known.patterns[f"programme.{mode}"].finditer(text))
    if not mentions:
        return None
    pantry = known.patterns["free_places"].search(text)
    more = known.patterns["more_food"].search(text)
    free_place = pantry if mode in ("school", "summer") else pantry or more
    negated = [m for m in mentions if _is_negated(text, m, known)]
    if negated and _is_restored(text, mode, known):
        negated = []
    for mention in mentions:
        if mention in negated:
            reasons.append(f"{mention[0]!r} is negated")
        elif mode == "wic" and _is_had_beside_snap(text, mention, known):
            reasons.append(f"{mention[0]!r} is had; asked for is snap")
        elif mode == "wic" and negated and known.patterns["wic_goods"].search(f" {mention[0]} "):
            reasons.append(f"{mention[0]!r} is looked for without WIC")
        elif mode == "school" and known.patterns["not_school"].search(text):
            reasons.append(f"{mention[0]!r}: being near a school is no school meal")
        elif free_place and _is_beside_the_point(text, mention, mode, known, free_place):
            reasons.append(f"{mention[0]!r} is only mentioned; asked for is {free_place[0]!r}")
        elif not others or _is_asked_too(text, mention, known, others.values()):
            return mention
    return None


def _is_asked_too(
    text: str, mention: re.Match[str], known: Tables, others: Collection[re.Match[str]]
) -> bool:
    """Return whether a programme beside another is asked for by words of its own, and not had."""
    is_had = known.patterns["possessed"].match(text[: mention.start()])
    shares = any(_overlap(mention, other) for other in others)
    return not is_had and not shares


def _is_own_program(text: str, state: str | None, known: Tables, reasons: list[str]) -> bool:
    """Return whether SNAP is asked for by the name that only one state or territory gives it."""
    own = known.patterns.get(f"state.{state}")
    found = own.search(text) if own else None
    if found and not _is_negated(text, found, known):
        reasons.append(f"{found[0]!r} in {state}: snap")
        return True
    # Without a place only capitals and a word of applying are sure: "pan" is bread.
    is_pan = (
        _asks_for_pan(text, known)
        if state == "PR"
        else state is None and " PAN " in text and bool(_word_of_applying(text, known))
    )
    if is_pan:
        reasons.append("PAN in Puerto Rico: snap")
    return is_pan


def _is_had_beside_snap(text: str, mention: re.Match[str], known: Tables) -> bool:
    """Return whether somebody has WIC and asks for SNAP: "I have WIC and want to apply for
    SNAP".
    """
    had = known.patterns["possessed"]
    if not had.match(text[: mention.start()]):
        return False
    others = known.patterns["programme.snap"].finditer(text, mention.end())
    return any(not had.match(text[: m.start()]) and not _is_negated(text, m, known) for m in others)


def _is_beside_the_point(
    text: str, mention: re.Match[str], mode: AskedMode, known: Tables, free_place: re.Match[str]
) -> bool:
    """Return whether a pantry is requested and the programme only possessed, or no programme of
    pantries."""
    if mode in ("school", "summer"):
        rest = text[: free_place.start()] + "#" + text[free_place.end() :]
        return not known.patterns["sure_meals"].search(rest)
    if known.patterns["stores"].search(text) and known.patterns["stores"].search(mention[0]):
        return False
    if mode == "snap" and known.patterns["buys"].search(text):
        return False
    if mode == "wic" and mention[0] not in ("wic",):
        return True
    before = text[: mention.start()]
    return bool(known.patterns["possessed"].match(before))


def _is_negated(text: str, mention: re.Match[str], known: Tables) -> bool:
    """Check for a negation before or after: "no estampillas", "without using my EBT", "EBT not
    required"."""
    if known.patterns["negated_after"].match(text, mention.end() + 1):
        return True
    if known.patterns["declined"].match(text[: mention.start()].rstrip()):
        return True
    before = [m[0] for m in _WORD.finditer(text[: mention.start()])]
    for back in range(1, min(_MAX_BACK, len(before)) + 1):
        if known.patterns["negators"].match(f" {before[-back]} ", 1):
            return True
        if before[-back] not in known.words["transparent"]:
            return _ends_negator(before, back, known)
    return False


def _is_restored(text: str, mode: AskedMode, known: Tables) -> bool:
    """Return whether somebody wants a lost or refused benefit back: "denied food stamps, can I
    reapply", "lost my EBT card, how to replace it".

    Words of applying belong to the other programme where one is named: "denied WIC, can I apply for
    SNAP".
    """
    if known.patterns["free_places"].search(text):
        return False
    other = known.patterns["programme.snap" if mode == "wic" else "programme.wic"]
    if any(not _is_negated(text, m, known) for m in other.finditer(text)):
        return False
    return bool(
        known.patterns["restored"].search(text)
        or known.patterns["get_it"].search(text)
        or _word_of_applying(text, known)
    )


def _ends_negator(before: list[str], back: int, known: Tables) -> bool:
    """Return whether a word is part of several that negate: "out" of "out of food stamps",
    "instead" of "instead of WIC"."""
    first = " ".join(["", *before[-back - 2 : -back], ""])
    tail = f"{first}{' '.join(before[-back:])} "
    found = known.patterns["negators"].finditer(tail)
    return any(m.start() <= len(first) < m.end() for m in found)


def _asks_for_pan(text: str, known: Tables) -> bool:
    """Check for the programme PAN, not bread in Spanish: in capitals, or next to words of
    applying."""
    if " PAN " in text:
        return True
    if not re.search(r" (el|del|al|the|de) pan ", text) and " pan " not in text:
        return False
    return bool(
        known.patterns["apply"].search(text)
        or re.search(
            r" (oficina|tarjeta|beneficios?|programa|office|card|benefits|tiendas?) ", text
        )
        or re.search(r" (acepta|aceptan) (el )?pan ", text)
    )


# ---------------------------------------------------------------- urgency, applying, kind


def _is_urgent(text: str, known: Tables, reasons: list[str]) -> bool:
    spared = known.patterns["not_urgent"].sub(lambda m: "#" * len(m[0]), text)
    found = known.patterns["urgent"].search(spared)
    if found is None:
        return False
    reasons.append(f"{found[0]!r}: urgent")
    return True


def _intent(text: str, mode: AskedMode, known: Tables, reasons: list[str]) -> Intent:
    found = _word_of_applying(text, known)
    if found:
        reasons.append(f"{found[0]!r}: apply")
        return "apply"
    got = known.patterns["get_it"].search(text) if mode in ("snap", "wic") else None
    if got:
        reasons.append(f"{got[0]!r}: apply")
        return "apply"
    if mode in ("snap", "wic") and not known.patterns["stores"].search(text):
        for mention in known.patterns[f"programme.{mode}"].finditer(text):
            asked = known.patterns["apply_before"].match(text[: mention.start()].rstrip())
            is_place = known.patterns["places_after"].match(text, mention.end() + 1)
            if asked and not is_place and " where " not in text and " donde " not in text:
                reasons.append(f"{asked['found']!r}: apply")
                return "apply"
    return "find"


def _word_of_applying(text: str, known: Tables) -> re.Match[str] | None:
    spared = known.patterns["apply_negated"].sub(lambda m: "#" * len(m[0]), text)
    return known.patterns["apply"].search(spared)


def _kinds(text: str, modes: tuple[AskedMode, ...], known: Tables) -> tuple[str, ...]:
    """Return the types of places that are named, of those the modes hold."""
    found: list[str] = []
    if "free" in modes:
        named = {
            kind: mentions
            for kind in known.kinds
            if (mentions := [*known.patterns[f"kind.{kind}"].finditer(text)])
        }
        # "Pantry or soup kitchen" is any place with free food.
        of_kinds = [mention for mentions in named.values() for mention in mentions]
        is_any = any(
            _are_joined(text, free, one, known)
            for free in known.patterns["free_places"].finditer(text)
            for one in of_kinds
            if not any(_overlap(free, other) for other in of_kinds)
        )
        found = [] if is_any else [*named]
    if "snap" in modes:
        if known.patterns["restaurants"].search(text):
            found.append("rmp_restaurant")
        elif known.patterns["offices"].search(text):
            found.append("snap_office")
        elif known.patterns["stores"].search(text) or known.patterns["buys"].search(text):
            found.append("snap_retailer")
        elif "wic" in modes:
            # Who names both programmes wants to get them, and buys nothing yet.
            found.append("snap_office")
    return tuple(found)
