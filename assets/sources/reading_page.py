"""Reads the list that a web page holds as JSON: in a script, or in an attribute of an element."""

import json
import re
from collections.abc import Iterator
from typing import Any

from lxml import html

from assets.sources.contract import RawFile
from assets.sources.delimited import decode
from assets.sources.reading_json import Record

_START = re.compile(r"[{\[]")
# Fewer objects are settings of the page rather than its list.
_MIN_RECORDS = 2
# One of these words is in a member's name of a list of places.
_PLACE_WORDS = ("name", "title", "address", "addr", "street", "agency")


def page_records(file: RawFile) -> list[Record]:
    """Return the longest list of places in the page's scripts and attributes; empty without one."""
    text = decode(file.read_bytes(), "utf-8-sig")
    texts = [text]
    if text.lstrip().startswith("<"):
        tree = html.fromstring(text)
        texts = [script.text for script in tree.iter("script") if script.text]
        texts += [
            value
            for element in tree.iter()
            if isinstance(element.tag, str)
            for name, value in element.attrib.items()
            if name.startswith("data-") and value.lstrip()[:1] in ("[", "{")
        ]
    lists = (found for each in texts for value in _json_values(each) for found in _lists_in(value))
    return max(lists, key=len, default=[])


def _json_values(text: str) -> Iterator[Any]:
    """Yield the JSON values that begin with an object or a list of objects."""
    decoder, at = json.JSONDecoder(), 0
    while start := _START.search(text, at):
        try:
            value, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at = start.end()
            continue
        yield value


def _lists_in(value: Any) -> Iterator[list[Record]]:
    """Yield the lists of places in a JSON value."""
    if isinstance(value, dict):
        members = list(value.values())
        if _are_places(members):
            yield members
        for member in members:
            yield from _lists_in(member)
    elif isinstance(value, list):
        if _are_places(value):
            yield value
        else:
            for member in value:
                yield from _lists_in(member)


def _are_places(members: list[Any]) -> bool:
    if len(members) < _MIN_RECORDS or not all(isinstance(each, dict) for each in members):
        return False
    names = " ".join(str(name) for name in members[0]).casefold()
    return any(word in names for word in _PLACE_WORDS)
