"""Translation catalogues: the template of all messages of the finder, and faults of a catalogue.

The context of a message is its path (`site.need`); labels of vocabularies have none. The English
text is part of its key: a change invalidates the translation.
"""

import re
from collections.abc import Iterator
from importlib import resources
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from schemas.attributes import CODE_LISTS, TRUTHS, WISHES
from schemas.languages import PUBLISHED, SOURCE, Language, languages
from schemas.vocab.attributes import AUDIENCES, DOCUMENTS, FOOD_TYPES, WHO_MAY_EAT
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.states import STATES
from schemas.words import InWords, leaves, read_messages

# Messages of the pages that exist in every language: a file of content/messages, or part of one.
FINDER = (
    *("layout", "site", "place", "hours", "filters", "areas", "area_help", "sheet", "map"),
    *("forms", "home_delivery", "pocket", "problems"),
    *("wishes.labels", "wishes.unsupported", "wishes.within", "wishes.serves", "wishes.spoken"),
    *("wishes.time_before", "wishes.time_after", "wishes.time_between", "wishes.time_until"),
    *("wishes.cannot_check", "wishes.quoted", "wishes.landmark"),
)
_PLACE = re.compile(r"\{(\w*)[^{}]*\}")
# English alone writes endings of numbers: "1st".
_MAY_BE_LEFT_OUT = frozenset({"ending"})


def template() -> Catalog:
    """Return every message that a catalogue has to translate, with its Spanish as a comment."""
    catalogue = Catalog(locale=SOURCE, charset="utf-8")
    for path, forms, spanish in _messages():
        one = (
            (forms.get("one", forms["other"]), forms["other"]) if isinstance(forms, dict) else forms
        )
        hint = spanish["other"] if isinstance(spanish, dict) else spanish
        catalogue.add(one, context=path, auto_comments=[f"es: {hint}"])
    for label in _labels():
        catalogue.add(label["en"], auto_comments=[f"es: {label['es']}"])
    return catalogue


def _messages() -> Iterator[tuple[str, str | dict[str, str], str | dict[str, str]]]:
    for part in FINDER:
        name, *keys = part.split(".")
        english, spanish = (read_messages(name)[language] for language in PUBLISHED)
        for key in keys:
            english, spanish = english[key], spanish[key]
        spanish_texts = dict(leaves(spanish, part))
        for path, text in leaves(english, part):
            if text:
                yield path, text, spanish_texts[path]


def _labels() -> Iterator[InWords]:
    """Yield the labels of vocabularies that pages of the finder show."""
    yield from (one.labels for one in RESOURCE_TYPES.values())
    yield from (one.names for one in STATES.values())
    for labels in (DOCUMENTS, FOOD_TYPES, AUDIENCES, WHO_MAY_EAT):
        yield from labels.values()
    yield from (one.filter.label for one in TRUTHS)
    yield from (one.filter.label for one in CODE_LISTS)
    yield from (wish.label for wish in WISHES.values())


def catalogue_path(language: Language) -> Path:
    """Return the file of a language."""
    return Path(str(resources.files("content"))) / "catalogues" / f"{language}.po"


def read_catalogue(language: Language) -> Catalog:
    """Return the catalogue of a language. Raises FileNotFoundError."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=languages()[language].locale)


def update_catalogue(language: Language) -> bytes:
    """Return the catalogue of a language with exactly the messages of the template.

    New messages are empty; a translation of a changed text is marked `fuzzy`, and not shown until a
    translator has reviewed it.
    """
    catalogue = read_catalogue(language)
    catalogue.update(template(), update_creation_date=False)
    catalogue.obsolete.clear()
    stream = BytesIO()
    write_po(stream, catalogue, width=0, omit_header=False)
    return stream.getvalue()


def faults(catalogue: Catalog) -> list[str]:
    """Return the faults of a catalogue, a sentence each, by context and English text."""
    expected = template()
    problems = [f"{_name(m)}: missing" for m in expected if m.id and not _has_text(catalogue, m)]
    for message in catalogue:
        if not message.id:
            continue
        if expected.get(_first(message), message.context) is None:
            problems.append(
                f"{_name(message)}: not a message of the finder, or its English has changed"
            )
        elif message.fuzzy:
            problems.append(f"{_name(message)}: fuzzy, to be looked at")
        else:
            problems += _faults_of(message)
    return problems


def _faults_of(message: Message) -> Iterator[str]:
    ids, strings = _forms(message.id), _forms(message.string)
    expected = {place for text in ids for place in _PLACE.findall(text)}
    if len(ids) > 1 and not all(strings):
        yield f"{_name(message)}: a plural form is missing"
    for text in filter(None, strings):
        has = set(_PLACE.findall(text))
        if has - expected or (expected - has - _MAY_BE_LEFT_OUT and len(strings) == 1):
            yield f"{_name(message)}: has {sorted(has)}, English has {sorted(expected)}"


def _has_text(catalogue: Catalog, message: Message) -> bool:
    translation = catalogue.get(_first(message), message.context)
    return translation is not None and all(_forms(translation.string))


def _forms(text: object) -> list[str]:
    return [str(one or "") for one in text] if isinstance(text, tuple | list) else [str(text or "")]


def _first(message: Message) -> str:
    return _forms(message.id)[0]


def _name(message: Message) -> str:
    return f"{message.context or 'label'} {_first(message)[:60]!r}"
