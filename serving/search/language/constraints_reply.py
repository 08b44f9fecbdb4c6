"""Puts constraints into words, English or Spanish: results per wish, unknowns, contacts."""

from collections.abc import Sequence
from typing import NamedTuple

from schemas.api.plain_language import Constraint
from schemas.attributes import WISHES
from schemas.hours.clock_words import hour_words
from schemas.languages import Language
from schemas.words import Messages, messages

# A phone call cannot answer these.
_NOT_READ = frozenset({"other_language", "excluded_time", "notify"})


class Tally(NamedTuple):
    """Counts of places by state of a wish; a day with an hour has the kind `when`."""

    kind: str
    value: str | bool | float
    met: int
    by_old_hours: int
    unknown: int
    not_met: int


def wish_phrases(language: Language) -> Messages:
    """Return the sentences of a language (content/messages/wishes.yaml)."""
    return messages("wishes", language)


def label_of(kind: str, value: str | bool | float, language: Language) -> str:
    """Return a wish in a few words, in small letters."""
    words = wish_phrases(language)
    if kind == "distance":
        return str(words.within[value != 1].format(n=f"{value:g}"))
    if kind == "serves_zip":
        return str(words.serves.format(zip=value))
    if kind == "language":
        return str(words.spoken.format(language=words.languages[str(value)]))
    if kind in WISHES:
        return WISHES[kind].label[language]
    text, labels = str(value), words.labels[kind]
    return str(labels[text]) if text in labels else _hours_label(text, words, language)


def _hours_label(value: str, words: Messages, language: Language) -> str:
    """Return "before 10:00", "after 17:00" or "09:00-12:00" in words."""
    side, _, clocks = value.rpartition(" ")
    minutes = [int(clock[:2]) * 60 + int(clock[3:]) for clock in clocks.split("-")]
    *first, last = (hour_words(n, language) for n in minutes)
    if not first:
        sentence = words.time_before if side == "before" else words.time_after
        return str(sentence.format(time=last))
    if minutes[0] == minutes[1] - 1:
        return str(words.time_until.format(time=last))
    return str(words.time_between.format(after=first[0], before=last))


def list_of_wishes(wishes: Sequence[Constraint], language: Language, *, is_only: bool) -> list[str]:
    """List the wishes that were understood when no place was searched."""
    if not wishes:
        return []
    words = wish_phrases(language)
    labels = "; ".join(label_of(one.kind, one.value, language) for one in wishes)
    return [(words.asked if is_only else words.noted).format(list=labels)]


def describe_unsupported(
    keys: Sequence[str], unused: Sequence[str], landmarks: Sequence[str], language: Language
) -> list[str]:
    """Name the wishes that no source covers, with advice to ask; name the words of the question
    that were not read or not used."""
    words = wish_phrases(language)
    unread = label_unsupported([key for key in keys if key in _NOT_READ], language)
    unsupported = label_unsupported([key for key in keys if key not in _NOT_READ], language)
    unread += quote_words(unused, landmarks, language)
    return [
        sentence.format(list="; ".join(part))
        for part, sentence in ((unsupported, words.cannot_check), (unread, words.not_read))
        if part
    ]


def quote_words(unused: Sequence[str], landmarks: Sequence[str], language: Language) -> list[str]:
    """Quote the words of a question that were not used; for a landmark give the reason."""
    words = wish_phrases(language)
    return [
        *(words.quoted.format(text=text) for text in unused),
        *(words.landmark.format(text=text) for text in landmarks),
    ]


def label_unsupported(keys: Sequence[str], language: Language) -> list[str]:
    """Return short labels, in small letters, of the wishes that no source covers."""
    words = wish_phrases(language)
    return [words.unsupported[key] for key in keys]


def wishes_in_words(
    tallies: Sequence[Tally], unpublished: frozenset[tuple[str, str]], when: str, language: Language
) -> list[str]:
    """Return the result of each wish. `unpublished` are the wishes that nobody publishes; `when`
    the time in words."""
    words, sentences, must_call = wish_phrases(language), [], False
    has_time = any(one.kind == "when" for one in tallies)
    for one in tallies:
        total = one.met + one.by_old_hours + one.unknown + one.not_met
        is_in_when = has_time and (
            one.kind == "day" or (one.kind == "time" and one.value != "open_now")
        )
        # The sentence about the whole answer gives the distance.
        if is_in_when or one.kind == "distance" or not total:
            continue
        must_call |= bool(one.unknown or one.by_old_hours)
        sentences.append(_sentence(one, total, unpublished, when, words, language))
    return [*sentences, words.call] if must_call else sentences


def _sentence(
    one: Tally,
    total: int,
    unpublished: frozenset[tuple[str, str]],
    when: str,
    words: Messages,
    language: Language,
) -> str:
    is_one = total == 1
    label = (
        words.open.format(when=when)
        if one.kind == "when"
        else label_of(one.kind, one.value, language)
    )
    label = label[:1].upper() + label[1:]
    if (one.kind, str(one.value)) in unpublished:
        return str(words.no_data.format(label=label))
    places = words.places[not is_one]
    if one.value == "walk":
        return str(words.computed.format(label=label, met=one.met, total=total, places=places))
    if one.unknown == total:
        any_of = words.any_of[not is_one].format(total=total)
        return str(words.none.format(label=label, any_of=any_of))
    return str(
        (words.when if one.kind == "when" else words.some).format(
            label=label,
            met=one.met,
            total=total,
            places=places,
            old=words.old.format(n=one.by_old_hours) if one.by_old_hours else "",
            no=words.failed.format(n=one.not_met) if one.not_met else "",
            unknown=words.unknown[one.unknown != 1].format(n=one.unknown) if one.unknown else "",
        )
    )
