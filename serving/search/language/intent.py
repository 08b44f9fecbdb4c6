"""Reads what a question asks for: program, kind of place, urgency, applying; also household size
and income."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from schemas.api.plain_language import AskedMode
from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.search.language.tables import Tables, number_patterns, number_words, tables

Intent = Literal["find", "apply"]
_MODES: tuple[AskedMode, ...] = ("wic", "snap", "summer", "school")
_MAX_BACK = 7
_TOPICS = ("estimate", "expedited", "disaster", "form_help", "sun_bucks", "operator")
_WORD = re.compile(r"[^ ]+")


# Patterns that decide the search, in addition to programs, kinds and topics.
_DECIDING = (
    *("free_places", "more_food", "farmers_markets", "organizations", "stores", "offices"),
    *("restaurants", "apply", "get_it", "restored", "urgent", "not_urgent"),
)


class Wants(NamedTuple):
    """Intent of a question, with the words that expressed it.

    `modes` are the requested programs, `mode` the first of them; `kinds` the named types of places,
    each of one of these modes.
    """

    modes: tuple[AskedMode, ...]
    is_urgent: bool
    intent: Intent
    kinds: tuple[str, ...]
    reasons: tuple[str, ...]
    topics: frozenset[str] = frozenset()

    @property
    def mode(self) -> AskedMode:
        return self.modes[0]

    @property
    def targets(self) -> tuple[str, ...]:
        """The requested types of each mode, or the mode if none is named."""
        of_modes = (
            [k for k in self.kinds if RESOURCE_TYPES[k].mode == m] or [m] for m in self.modes
        )
        return tuple(name for names in of_modes for name in names)


def deciding_patterns() -> Iterator[re.Pattern[str]]:
    """Yield the patterns that decide program, kind of place, topic, urgency or applying."""
    for name, pattern in tables().patterns.items():
        if name in _DECIDING or name.startswith(("program.", "state.", "kind.", "topic.")):
            yield pattern


def wants_of(text: str, state: str | None) -> Wants:
    """Return the intent of a folded text with single blanks between and around words and names as
    `#`."""
    lexicon = tables()
    reasons: list[str] = []
    modes = _modes(text, state, lexicon, reasons)
    rest = lexicon.patterns["not_urgent"].sub(lambda m: "#" * len(m[0]), text)
    urgent = lexicon.patterns["urgent"].search(rest)
    if urgent is not None:
        reasons.append(f"{urgent[0]!r}: urgent")
    intent = _intent(text, modes[0], lexicon, reasons)
    if modes == ("free",) and not lexicon.patterns["free_places"].search(text):
        # Only SNAP has offices that help with a form.
        modes = ("snap",) if lexicon.patterns["topic.form_help"].search(text) else modes
    # After a hurricane, people look for food who never ask for SNAP.
    names = _TOPICS if "snap" in modes else ("disaster", "sun_bucks", "operator")
    topics = {name for name in names if lexicon.patterns[f"topic.{name}"].search(text)}
    if "school" in modes and intent == "apply":
        topics.add("school_apply")
    asks_how_fast = "expedited" in topics and lexicon.patterns["how_fast"].search(text)
    if "form_help" in topics or asks_how_fast:
        intent = "apply"
    return Wants(
        modes,
        urgent is not None,
        intent,
        _kinds(text, modes, lexicon),
        tuple(reasons),
        frozenset(topics),
    )


# ---------------------------------------------------------------- program


def _modes(
    text: str, state: str | None, lexicon: Tables, reasons: list[str]
) -> tuple[AskedMode, ...]:
    """Return the programs that the question names in separate words; free food if none."""
    mentions: dict[AskedMode, re.Match[str]] = {}
    for mode in _MODES:
        mention = _mention(text, mode, lexicon, reasons, mentions)
        if mention is not None:
            mentions[mode] = mention
            reasons.append(f"{mention[0]!r}: {mode}")
    if not mentions:
        return ("snap",) if _is_own_program(text, state, lexicon, reasons) else ("free",)
    is_joined = any(
        _are_joined(text, free, one, lexicon)
        for free in lexicon.patterns["free_places"].finditer(text)
        for one in mentions.values()
    )
    return (*mentions, "free") if is_joined else tuple(mentions)


def _are_joined(text: str, one: re.Match[str], other: re.Match[str], lexicon: Tables) -> bool:
    """Return whether only "or" or "and" is between: "pantry or a WIC office"."""
    first, last = sorted((one, other), key=lambda m: m.start())
    between = lexicon.patterns["joining"].match(text, first.end() + 1)
    return between is not None and between.end() + 1 == last.start()


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.start() < other.end() and other.start() < one.end()


def _mention(
    text: str,
    mode: AskedMode,
    lexicon: Tables,
    reasons: list[str],
    others: Mapping[AskedMode, re.Match[str]],
) -> re.Match[str] | None:
    """Return the first mention that requests a program; None without one, or if next to another
    program it shares its words or is merely possessed."""
    mentions = list(lexicon.patterns[f"program.{mode}"].finditer(text))
    if not mentions:
        return None
    pantry = lexicon.patterns["free_places"].search(text)
    more = lexicon.patterns["more_food"].search(text)
    free_place = pantry if mode in ("school", "summer") else pantry or more
    negated = [m for m in mentions if _is_negated(text, m, lexicon)]
    if negated and _is_restored(text, mode, lexicon):
        negated = []
    for mention in mentions:
        if mention in negated:
            reasons.append(f"{mention[0]!r} is negated")
        elif mode == "wic" and _has_wic_and_asks_for_snap(text, mention, lexicon):
            reasons.append(f"{mention[0]!r} is already received; snap is requested")
        elif mode == "wic" and negated and lexicon.patterns["wic_goods"].search(f" {mention[0]} "):
            reasons.append(f"{mention[0]!r} is requested without WIC")
        elif mode == "school" and lexicon.patterns["not_school"].search(text):
            reasons.append(f"{mention[0]!r}: near a school is not a school meal")
        elif free_place and _is_only_mentioned(text, mention, mode, lexicon, free_place):
            reasons.append(f"{mention[0]!r} is only mentioned; {free_place[0]!r} is requested")
        elif not others:
            return mention
        elif not lexicon.patterns["possessed"].match(text[: mention.start()]) and not any(
            _overlap(mention, other) for other in others.values()
        ):
            # A second program is asked for in words of its own and not merely received.
            return mention
    return None


def _is_own_program(text: str, state: str | None, lexicon: Tables, reasons: list[str]) -> bool:
    """Return whether SNAP is requested by the name used in a single state or territory."""
    own = lexicon.patterns.get(f"state.{state}")
    mention = own.search(text) if own else None
    if mention and not _is_negated(text, mention, lexicon):
        reasons.append(f"{mention[0]!r} in {state}: snap")
        return True
    # Without a place only capitals or a word of applying are certain: "pan" is bread.
    is_pan = (
        _asks_for_pan(text, lexicon)
        if state == "PR"
        else state is None and " PAN " in text and bool(_word_of_applying(text, lexicon))
    )
    if is_pan:
        reasons.append("PAN in Puerto Rico: snap")
    return is_pan


def _has_wic_and_asks_for_snap(text: str, mention: re.Match[str], lexicon: Tables) -> bool:
    """Return whether the person has WIC and asks for SNAP: "I have WIC and want to apply for
    SNAP"."""
    had = lexicon.patterns["possessed"]
    if not had.match(text[: mention.start()]):
        return False
    others = lexicon.patterns["program.snap"].finditer(text, mention.end())
    return any(
        not had.match(text[: m.start()]) and not _is_negated(text, m, lexicon) for m in others
    )


def _is_only_mentioned(
    text: str, mention: re.Match[str], mode: AskedMode, lexicon: Tables, free_place: re.Match[str]
) -> bool:
    """Return whether a pantry is requested, and the program is one that the person already has or
    that has no pantries."""
    if mode in ("school", "summer"):
        rest = text[: free_place.start()] + "#" + text[free_place.end() :]
        return not lexicon.patterns["sure_meals"].search(rest)
    if lexicon.patterns["stores"].search(text) and lexicon.patterns["stores"].search(mention[0]):
        return False
    if mode == "snap" and lexicon.patterns["buys"].search(text):
        return False
    if mode == "wic" and mention[0] not in ("wic",):
        return True
    before = text[: mention.start()]
    return bool(lexicon.patterns["possessed"].match(before))


def _is_negated(text: str, mention: re.Match[str], lexicon: Tables) -> bool:
    """Check for a negation before or after: "no estampillas", "without using my EBT", "EBT not
    required"."""
    if lexicon.patterns["negated_after"].match(text, mention.end() + 1):
        return True
    if lexicon.patterns["declined"].match(text[: mention.start()].rstrip()):
        return True
    before = [m[0] for m in _WORD.finditer(text[: mention.start()])]
    for back in range(1, min(_MAX_BACK, len(before)) + 1):
        if lexicon.patterns["negators"].match(f" {before[-back]} ", 1):
            return True
        if before[-back] not in lexicon.words["transparent"]:
            # A word belongs to a negating phrase: "out" of "out of food stamps", "instead" of
            # "instead of WIC".
            first = " ".join(["", *before[-back - 2 : -back], ""])
            tail = f"{first}{' '.join(before[-back:])} "
            matches = lexicon.patterns["negators"].finditer(tail)
            return any(m.start() <= len(first) < m.end() for m in matches)
    return False


def _is_restored(text: str, mode: AskedMode, lexicon: Tables) -> bool:
    """Return whether the question asks to restore a lost or refused benefit: "denied food stamps,
    can I reapply", "lost my EBT card, how to replace it".

    If another program is named, words of applying belong to it: "denied WIC, can I apply for SNAP".
    """
    if lexicon.patterns["free_places"].search(text):
        return False
    other = lexicon.patterns["program.snap" if mode == "wic" else "program.wic"]
    if any(not _is_negated(text, m, lexicon) for m in other.finditer(text)):
        return False
    return bool(
        lexicon.patterns["restored"].search(text)
        or lexicon.patterns["get_it"].search(text)
        or _word_of_applying(text, lexicon)
    )


def _asks_for_pan(text: str, lexicon: Tables) -> bool:
    """Check for the program PAN, not Spanish for bread: in capitals, or next to words of
    applying."""
    if " PAN " in text:
        return True
    if not re.search(r" (el|del|al|the|de) pan ", text) and " pan " not in text:
        return False
    return bool(
        lexicon.patterns["apply"].search(text)
        or re.search(
            r" (oficina|tarjeta|beneficios?|programa|office|card|benefits|tiendas?) ", text
        )
        or re.search(r" (acepta|aceptan) (el )?pan ", text)
    )


# ---------------------------------------------------------------- urgency, applying, kind


def _intent(text: str, mode: AskedMode, lexicon: Tables, reasons: list[str]) -> Intent:
    applying = _word_of_applying(text, lexicon)
    if applying:
        reasons.append(f"{applying[0]!r}: apply")
        return "apply"
    getting = lexicon.patterns["get_it"].search(text) if mode in ("snap", "wic") else None
    if getting:
        reasons.append(f"{getting[0]!r}: apply")
        return "apply"
    if mode in ("snap", "wic") and not lexicon.patterns["stores"].search(text):
        for mention in lexicon.patterns[f"program.{mode}"].finditer(text):
            before = lexicon.patterns["apply_before"].match(text[: mention.start()].rstrip())
            is_place = lexicon.patterns["places_after"].match(text, mention.end() + 1)
            if before and not is_place and " where " not in text and " donde " not in text:
                reasons.append(f"{before['found']!r}: apply")
                return "apply"
    return "find"


def _word_of_applying(text: str, lexicon: Tables) -> re.Match[str] | None:
    rest = lexicon.patterns["apply_negated"].sub(lambda m: "#" * len(m[0]), text)
    return lexicon.patterns["apply"].search(rest)


def _kinds(text: str, modes: tuple[AskedMode, ...], lexicon: Tables) -> tuple[str, ...]:
    """Return the named types of places that belong to the modes."""
    kinds: list[str] = []
    if "free" in modes:
        by_kind = {
            kind: mentions
            for kind in lexicon.kinds
            if (mentions := [*lexicon.patterns[f"kind.{kind}"].finditer(text)])
        }
        # "Pantry or soup kitchen" means any place with free food.
        of_kinds = [mention for mentions in by_kind.values() for mention in mentions]
        is_any = any(
            _are_joined(text, free, one, lexicon)
            for free in lexicon.patterns["free_places"].finditer(text)
            for one in of_kinds
            if not any(_overlap(free, other) for other in of_kinds)
        )
        kinds = [] if is_any else [*by_kind]
    if "snap" in modes:
        if lexicon.patterns["restaurants"].search(text):
            kinds.append("rmp_restaurant")
        elif lexicon.patterns["offices"].search(text):
            kinds.append("snap_office")
        elif lexicon.patterns["stores"].search(text) or lexicon.patterns["buys"].search(text):
            kinds.append("snap_retailer")
        elif "wic" in modes:
            # A person who names both programs wants to get them, and buys nothing yet.
            kinds.append("snap_office")
    return tuple(kinds)


_NUMBERS = number_words().numbers
_RATES = {"yearly": 1 / 12, "twice_monthly": 2.15, "weekly": 4.3}


def household_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return SNAP calculator inputs from a folded question: `household_size`, and the income in
    dollars a month."""
    inputs = dict[str, str]()
    size = _size(text)
    if size and 1 <= size <= 20:
        inputs["household_size"] = str(size)
    income = _income(text)
    if income is not None:
        kind = (
            "monthly_unearned_income"
            if number_patterns()["unearned"].search(text)
            else "monthly_earned_income"
        )
        inputs[kind] = str(income)
    return tuple(inputs.items())


def _size(text: str) -> int | None:
    patterns = number_patterns()
    mention = patterns["household"].search(text)
    if mention:
        return _number(next(part for part in mention.groups() if part))
    children = patterns["children"].search(text)
    if children:
        return 1 + _number(children[1]) + bool(patterns["couple"].search(text))
    if patterns["couple"].search(text):
        return 2
    return 1 if patterns["alone"].search(text) else None


def _number(text: str) -> int:
    return _NUMBERS.get(text) or int(text)


def _income(text: str) -> int | None:
    """Return dollars a month; None for an hourly wage or without an income."""
    patterns = number_patterns()
    mention = patterns["money"].search(text)
    if mention is None or patterns["hourly"].search(text, mention.end(), mention.end() + 20):
        return None
    amount, thousands = next(
        (a, k) for a, k in zip(mention.groups()[::2], mention.groups()[1::2], strict=True) if a
    )
    dollars = int(amount.replace(",", "")[:9] or 0) * (1000 if thousands else 1)
    part = text[mention.start() : mention.end() + 40]
    rate = next((rate for name, rate in _RATES.items() if patterns[name].search(part)), 1.0)
    return round(dollars * rate)
