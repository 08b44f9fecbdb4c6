"""Rules for submitted fields of a place, shared by submissions, edits and the console."""

import math
import re
import unicodedata
from typing import Any

from schemas.values.contacts import parse_phone, parse_website
from schemas.values.names import fold_name, without_invisible
from schemas.values.zip_code import parse_zip, states_of_zip
from schemas.vocab.languages import LANGUAGE_NAMES
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.reviews import Kind
from schemas.vocab.states import STATE_CODES

MAX_CHARACTERS = {"line": 200, "text": 2000, "phone": 60, "website": 500, "list": 200}
MAX_ENTRIES = 40
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_LEGAL = re.compile(r" (?:inc|incorporated|llc|llp|ltd|corp|pllc)$")


class FieldFaultError(ValueError):
    """A value breaks the rule of its field."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field = field
        self.rule = rule


def read_field(name: str, kind: Kind, value: object) -> Any:
    """Return a value in its one form, None for "". Raises FieldFaultError."""
    if kind in {"truth", "closing"}:
        return _truth(name, kind, value)
    if kind in {"latitude", "longitude"}:
        return _degrees(name, value, 90 if kind == "latitude" else 180)
    if kind in {"list", "codes"}:
        return _entries(name, kind, value)
    if not isinstance(value, str):
        raise FieldFaultError(name, "a text")
    if len(value) > MAX_CHARACTERS.get(kind, 200):
        raise FieldFaultError(name, f"at most {MAX_CHARACTERS.get(kind, 200)} characters")
    text = _plain(value, keeps_lines=kind == "text")
    return _read_text(name, kind, text) if text else None


def _read_text(name: str, kind: Kind, text: str) -> str:
    if kind == "phone":
        phone = parse_phone(text)
        if phone is None:
            raise FieldFaultError(name, "a telephone number of the United States, ten digits")
        return phone.display
    if kind == "website":
        website = parse_website(text)
        if website is None:
            raise FieldFaultError(name, "a web address, such as https://example.org")
        return website
    if kind == "zip":
        zip_code = parse_zip(text)
        if zip_code is None:
            raise FieldFaultError(name, "a ZIP code: five digits, or ZIP+4")
        return zip_code
    if kind == "state":
        if text.upper() not in STATE_CODES:
            raise FieldFaultError(name, "the two-letter code of a state or territory")
        return text.upper()
    if kind == "type":
        if text not in TYPE_IDS:
            raise FieldFaultError(name, f"one of {', '.join(TYPE_IDS)}")
        return text
    if name == "name" and not any(c.isalnum() for c in text):
        raise FieldFaultError(name, "a name needs letters or digits")
    return text


def plain_text(text: str | None, *, keeps_lines: bool = False) -> str | None:
    """Strip control and invisible characters and extra blanks; None if the result is empty.

    PostgreSQL rejects a nul byte; the others could misrepresent the text where it is shown.
    """
    return (_plain(text, keeps_lines=keeps_lines) or None) if text else None


def _plain(text: str, *, keeps_lines: bool) -> str:
    """Return text without control and invisible characters and with single blanks."""
    normal = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    plain = "".join(
        c
        for c in without_invisible(normal)
        if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cs"}
    )
    if not keeps_lines:
        return " ".join(plain.split())
    return _LINES.sub("\n", _BLANKS.sub(" ", plain)).strip()


def _truth(name: str, kind: Kind, value: object) -> bool:
    if not isinstance(value, bool):
        raise FieldFaultError(name, "true or false")
    if kind == "closing" and value:
        raise FieldFaultError(name, "only false: the place is closed for good")
    return value


def _degrees(name: str, value: object, most: int) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or abs(value) > most:  # type: ignore[arg-type]
        raise FieldFaultError(name, f"a number from -{most} to {most}")
    return round(float(value), 6)  # type: ignore[arg-type]


def _entries(name: str, kind: Kind, value: object) -> list[str] | None:
    if not isinstance(value, list) or len(value) > MAX_ENTRIES:
        raise FieldFaultError(name, f"a list of at most {MAX_ENTRIES} texts")
    entries: list[str] = []
    for entry in value:
        if not isinstance(entry, str) or len(entry) > MAX_CHARACTERS["list"]:
            raise FieldFaultError(
                name, f"a list of texts of at most {MAX_CHARACTERS['list']} characters"
            )
        # A semicolon parts entries wherever services are written in one text.
        text = _plain(entry.replace(";", ","), keeps_lines=False)
        if kind == "codes" and text not in LANGUAGE_NAMES:
            raise FieldFaultError(name, f"language codes: {', '.join(LANGUAGE_NAMES)}")
        if text and text not in entries:
            entries.append(text)
    return entries or None


def check_zip_of_state(zip_code: str, state: str) -> None:
    """Raise FieldFaultError if the ZIP code cannot be in the state."""
    if state not in states_of_zip(zip_code):
        raise FieldFaultError("zip", f"{zip_code} is no ZIP code of {state}")


def place_key(name: str, zip_code: str) -> str:
    """Return a key of name (no case, accents, signs, legal form) and ZIP code."""
    folded = _LEGAL.sub("", fold_name(name)).removeprefix("the ")
    # Names in scripts that do not fold to Latin letters are compared as they are.
    return f"{folded or ''.join(name.casefold().split())}|{zip_code}"
