"""Read JSON: an object per line or lists of answers, with columns as text or numbers."""

from typing import Any

import msgspec
import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading import as_text

Record = dict[str, Any]


def read_json_lines(file: RawFile) -> list[Record]:
    """Return the objects, one a line. Raises UnreadableFileError naming a line of none."""
    decoder = msgspec.json.Decoder()
    records: list[Record] = []
    content = file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UnreadableFileError(f"{file.name}: line {number}: {error}") from error
        if not isinstance(record, dict):
            raise UnreadableFileError(f"{file.name}: line {number} is no object")
        records.append(record)
    return records


def read_json_object(file: RawFile) -> dict[str, Record]:
    """Return the objects of a file that is one object of objects, by name, in file order.

    Raises UnreadableFileError when it is none.
    """
    try:
        content = msgspec.json.decode(file.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    if not isinstance(content, dict) or not all(
        isinstance(item, dict) for item in content.values()
    ):
        raise UnreadableFileError(f"{file.name}: no object of objects")
    return content


def texts(records: list[Record], *path: str) -> pd.Series:
    """Return a (nested) member of every record as stripped text; "" and null as None."""
    column = pd.Series([_scalar(member(record, *path)) for record in records], dtype="str")
    column = column.str.strip()
    return column.mask(column == "")


def numbers(records: list[Record], *path: str) -> pd.Series:
    """Return a member (of a member ...) of every record as float64, also if it is a text; other
    values become missing."""
    values = [member(record, *path) for record in records]
    plain = [
        v if isinstance(v, int | float | str) and not isinstance(v, bool) else None for v in values
    ]
    column = pd.to_numeric(pd.Series(plain, dtype="object"), errors="coerce").astype("float64")
    return column.where(column.abs() != float("inf"))


def member(record: Record, *path: str) -> Any:
    """Return the value at a path of names, None if the path breaks off."""
    value: Any = record
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _scalar(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if isinstance(value, list | dict) else as_text(value)
