"""Press releases: content/press/<id>.yaml, each in English and Spanish.

The file name is the permanent id; the text of a published release is never changed, a correction is
a new release.
"""

from datetime import date
from functools import cache
from importlib import resources

import msgspec

from schemas.languages import localize
from serving.render.words import Language


class PressText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Press release in one language."""

    title: str
    summary: str
    paragraphs: list[str]


class PressItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A press release. `see` is a path of this service to read on at."""

    id: str
    date: date
    see: str
    en: PressText
    es: PressText

    def texts(self, language: Language) -> PressText:
        return self.en if language == "en" else self.es


@cache
def press_items() -> tuple[PressItem, ...]:
    """Return all of them, newest first. Raises ValueError naming the file when one is damaged."""
    items = []
    for file in (resources.files("content") / "press").iterdir():
        if not file.name.endswith(".yaml"):
            continue
        try:
            item = msgspec.yaml.decode(file.read_bytes(), type=PressItem)
        except msgspec.DecodeError as error:
            raise ValueError(f"content/press/{file.name}: {error}") from error
        if file.name != f"{item.id}.yaml":
            raise ValueError(f"content/press/{file.name}: id is {item.id!r}")
        items.append(item)
    return tuple(sorted(items, key=lambda item: (item.date, item.id), reverse=True))


def press_path(item: PressItem, language: Language) -> str:
    """Return the page of a press release."""
    return localize(f"/press/news/{item.id}", language)
