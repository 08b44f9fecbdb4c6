"""Readers for files that are one JSON value: a list of objects, or an object of objects by name."""

from __future__ import annotations

from typing import Any

import msgspec

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading_json import Record


def read_json_list(file: RawFile) -> list[Record]:
    """Return the objects of a file that is one list of objects, in file order.

    Raises UnreadableFileError when it is none.
    """
    found = _decode(file)
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise UnreadableFileError(f"{file.name}: no list of objects")
    return found


def read_json_object(file: RawFile) -> dict[str, Record]:
    """Return the objects of a file that is one object of objects, by name, in file order.

    Raises UnreadableFileError when it is none.
    """
    found = _decode(file)
    if not isinstance(found, dict) or not all(isinstance(item, dict) for item in found.values()):
        raise UnreadableFileError(f"{file.name}: no object of objects")
    return found


def _decode(file: RawFile) -> Any:
    try:
        return msgspec.json.decode(file.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
