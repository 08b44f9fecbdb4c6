"""Describes in a sentence the area that a place serves, as its list names it."""

from schemas.hours.clock_words import list_words
from schemas.vocab.states import STATES
from serving.render.words import Language, words
from warehouse.index.reader import OpenRelease


def area_sentence(
    release: OpenRelease, row: int, text: str | None, language: Language
) -> str | None:
    """Return the sentence; None if the list names no area. `text`: the list's own sentence."""
    w = words("site", language).area
    area = release.service_areas.area(row)
    if area is None:
        return w.unread.format(text=text) if text else None
    zips = [code.removeprefix("zip:") for code in area.codes if code.startswith("zip:")]
    parts = []
    if zips:
        label = w.zip if len(zips) == 1 else w.zips
        parts.append(label.format(names=list_words(zips, language)))
    parts += [
        area_name(release, code, language) for code in area.codes if not code.startswith("zip:")
    ]
    sentence = w.only if area.is_exclusive else w.also
    return str(sentence.format(areas=list_words(parts, language)))


def area_name(release: OpenRelease, code: str, language: Language) -> str:
    """Return the name of an area of `service_areas`; of a state in the language."""
    kind, _, value = code.partition(":")
    if kind == "state":
        return STATES[value].names[language]
    return release.service_areas.name(code)
