"""Removes personal data from free texts: names of people with their telephones (people.yaml), and
e-mail addresses."""

import re
from importlib import resources
from typing import Literal

import msgspec
import pandas as pd

from assets.cleaning.text import MULTI_LINE_FIELDS, TEXT_FIELDS, contains, map_where, says_something
from schemas.sources.registry import Source

Language = Literal["en", "es"]
# Note of a source's table: number of names that were removed.
PEOPLE_REMOVED = "people_removed"


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    titles: dict[Language, list[str]]
    doubtful_titles: list[str]
    roles: dict[Language, list[str]]
    verbs: dict[Language, list[str]]
    connectors: list[str]
    headings: list[str]
    replacements: dict[Language, dict[str, str]]
    not_names: str
    given_names: str


_RULES = msgspec.yaml.decode(
    resources.files("assets.cleaning").joinpath("people.yaml").read_bytes(), type=_Rules
)
_NOT_NAMES, _GIVEN = (frozenset(t.split()) for t in (_RULES.not_names, _RULES.given_names))


def _any(words: list[str]) -> str:
    """Return a pattern of any of the words, in any case; the longest first."""
    ordered = sorted(words, key=len, reverse=True)
    return "(?i:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered) + ")"


_TITLES, _ROLES, _VERBS = (
    [word for words in each.values() for word in words]
    for each in (_RULES.titles, _RULES.roles, _RULES.verbs)
)
_SPANISH = frozenset(
    word.casefold() for each in (_RULES.titles, _RULES.roles, _RULES.verbs) for word in each["es"]
)
# A word in capitals, of two names with a hyphen, or an initial.
_WORD = (
    r"(?:[A-ZÁÉÍÓÚÑÜ][A-Za-zÁÉÍÓÚÑÜáéíóúñü'’]+(?:-[A-ZÁÉÍÓÚÑ][A-Za-zÁÉÍÓÚÑÜáéíóúñü]+)?|[A-Z]\b\.?)"
)
_NUMBER = (
    r"\(?(?<!\d)(?:\+?1[\s.-]*)?\(?[2-9]\d{2}\)?[\s./-]*[2-9]\d{2}[\s.-]*\d{4}(?!\d)"
    r"(?:\s*(?:x|ext\.?|extension)\s*\d{1,6})?\)?"
)
_PERSON = re.compile(
    rf"(?:(?P<verb>\b{_any(_VERBS)}|(?<=[;,/&\s])(?i:or|and|o|y)|[;/&])[\s:]+)?"
    rf"(?:(?i:the|our|la|el)\s+)?"
    rf"(?:(?P<role>\b{_any(_ROLES)})(?P<label>\s*[:–-])?\s+)?"
    rf"(?P<title>(?:\b{_any(_TITLES + _RULES.doubtful_titles)}\.?\s+)*)"
    rf"(?P<name>\b{_WORD}(?:[ \t]+(?!{_any(_RULES.connectors)}\b){_WORD}){{0,2}})"
    rf"(?:(?:[\s,:;()@#–-]|\b{_any(_RULES.connectors)}\b\.?)*(?P<number>{_NUMBER})"
    rf"(?:[\s,;/&]*(?i:or|and|o|y)?\s*{_NUMBER})*|(?=[\s,.;:!?)–-]|$))"
)
_SIGNS = (
    r"(?i)\d{3}[\s.-]*\d{4}|\b(?:" + "|".join(map(re.escape, [*_TITLES, *_ROLES, *_VERBS])) + r")\b"
)
_NEXT_WORD = re.compile(r"[ \t]+([A-Za-zÁÉÍÓÚÑ'’]+)")
_LEFT_OVER = re.compile(
    r"\(\s*\)|\s+(?=[,.;:])|(?<=[,;:])\s*(?=[,;.])|(?i:\bcontact (?:person|name)\b)[\s:–-]*$"
)


def is_about_person(heading: str) -> bool:
    """Return whether the heading of a column is that of people's names."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+", " ", heading).casefold().split()
    text = " ".join(words)
    return any(re.search(rf"\b{each}(?: name| person)?$", text) for each in _RULES.headings)


def remove_people(places: pd.DataFrame, phones: pd.Series) -> tuple[pd.DataFrame, int]:
    """Return rows of places without names of people in their free texts, and how many there were.

    `phones` are the publisher's texts with the numbers of each place, which stay.
    """
    result = places.copy(deep=False)
    own = [places[name].fillna("") for name in ("name", "organization", "address")]
    own_words = own[0] + " " + own[1] + " " + own[2]
    removed = 0
    for field in MULTI_LINE_FIELDS:
        column = places[field]
        suspect = contains(column, _SIGNS)
        readings: dict[tuple[str, str, str], tuple[str | None, int]] = {}
        texts = []
        keys = (column[suspect], phones[suspect].fillna(""), own_words[suspect])
        for key in zip(*keys, strict=True):
            if key not in readings:
                readings[key] = without_people(*key)
            texts.append(readings[key][0])
            removed += readings[key][1]
        if texts:
            result[field] = column.copy()
            result.loc[suspect, field] = pd.array(texts, dtype="str")
    return result, removed


def without_people(text: str, own_phones: str, own_words: str = "") -> tuple[str | None, int]:
    """Return a text without names and numbers of people, and how many names there were.

    `own_phones` has the numbers of the place, `own_words` its name and address.
    """
    own = set(re.findall(r"\w+", own_words.casefold()))
    digits = re.sub(r"\D", "", own_phones)
    parts: list[str] = []
    at = count = 0
    was_person = False
    while (match := _PERSON.search(text, at)) is not None:
        name, verb = match["name"], match["verb"]
        is_continued = was_person and not text[at : match.start()].strip(" ,;/&")
        if not _is_person(match, text, own, is_continued):
            # Not a person; a later word may begin the name of one.
            step = match.start("name") + len(name.split()[0])
            parts.append(text[at:step])
            at, was_person = step, False
            continue
        count += 1
        parts.append("" if is_continued else text[at : match.start()])
        parts.append(_replacement(match, digits, is_continued))
        at, was_person = match.end(), True
        if verb is None and parts[-1] == "":
            parts[-2] = parts[-2].rstrip(" ,;/&(-")
    if not count:
        return text, 0
    parts.append(text[at:])
    lines = ("".join(parts)).split("\n")
    tidy = (" ".join(_LEFT_OVER.sub("", line).split()) for line in lines)
    tidy = (line.lstrip(" ,;:/").rstrip(" ,;:/-") for line in tidy)
    plain = "\n".join(line for line in tidy if line)
    return (plain if plain and says_something(plain) else None), count


def _is_person(match: re.Match[str], text: str, own: set[str], is_continued: bool) -> bool:
    words = [word.strip(".'’").casefold() for word in match["name"].split()]
    after = _NEXT_WORD.match(text, match.end())
    is_capital = after is not None and after[1][0].isupper()
    if re.search(r"['’][sS]?$", match["name"]) or own.issuperset(words):
        return False
    is_word = after is not None and after[1].strip("'’").casefold() in _NOT_NAMES
    if (_NOT_NAMES | _ROLE_WORDS).intersection(words) or (is_capital and is_word):
        return False
    is_given = words[0] in _GIVEN
    # "Call AACSA at ..." is an organization, unless everything is in capitals.
    if match["name"].isupper() and not is_given and not text.isupper():
        return False
    verb = match["verb"] if match["verb"] and match["verb"][0].isalpha() else None
    is_verb = verb is not None and verb.casefold() not in {"or", "and", "o", "y"}
    # In a text with both cases, MS is not a title.
    found = [t for t in re.findall(r"[^\s.]+", match["title"]) if text.isupper() or not t.isupper()]
    titles = {title.casefold() for title in found}
    title = titles - _DOUBTFUL or (titles and (is_verb or match["role"] is not None))
    if match["number"]:
        return bool(title or match["role"] or is_verb or is_given or is_continued)
    if title or match["label"]:
        return True
    return (is_verb or is_continued or match["role"] is not None) and is_given


_ROLE_WORDS = frozenset(role.casefold() for role in _ROLES)
_DOUBTFUL = frozenset(title.casefold() for title in _RULES.doubtful_titles)


def _replacement(match: re.Match[str], own_digits: str, is_continued: bool) -> str:
    verb, number = match["verb"], match["number"]
    words = (verb or "", match["role"] or "", match["title"].strip(" ."))
    is_spanish = any(word.casefold() in _SPANISH for word in words)
    texts = _RULES.replacements["es" if is_spanish else "en"]
    if number is not None and re.sub(r"\D", "", number)[-10:] in own_digits:
        if ")" in number and "(" not in number:
            number = f"({number}"
        return f"{verb} {number}" if verb else number
    if is_continued or (verb is None and (number is not None or match["label"])):
        return ""
    kind = "place" if number is not None else "staff"
    return f"{verb} {texts[kind]}" if verb else texts[kind]


_EMAIL_SIGNS = r"(?i)@|[\[(]\s*at\s*[\])]"
_AT = r"(?:@|\s*[\[(]\s*at\s*[\])]\s*)"
_DOT = r"(?:\.|\s*[\[(]\s*dot\s*[\])]\s*)"
_LABEL = r"(?:\b(?:e-?mail|correo(?:\s+electr[oó]nico)?)(?:\s+address)?(?:\s+(?:us|at))*\s*:?\s*)?"
_EMAIL = re.compile(
    rf"{_LABEL}(?:mailto:)?<?\b[\w.+'-]{{1,64}}{_AT}[\w-]+(?:{_DOT}[\w-]+)*{_DOT}[A-Za-z]{{2,24}}>?",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]|(?<=[,;|/])\s*[,;|/]+")
_EDGES = " \n,;:|/-"


def remove_personal_data(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Remove e-mail addresses from every text field except web addresses, which have a separate
    step."""
    result = places.copy(deep=False)
    for name in TEXT_FIELDS:
        if name != "website":
            column = result[name]
            result[name] = map_where(column, contains(column, _EMAIL_SIGNS), without_emails)
    return result


def without_emails(text: str) -> str | None:
    """Return a text without e-mail addresses and the words introducing them; None if empty."""
    while (shorter := _EMAIL.sub("", text)) != text:
        shorter = _EMPTY.sub("", shorter)
        lines = (" ".join(line.split()).strip(_EDGES) for line in shorter.split("\n"))
        text = "\n".join(line for line in lines if line)
    return text if says_something(text) else None
