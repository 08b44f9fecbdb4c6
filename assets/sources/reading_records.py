"""Reads JSON: an object per line, lists of answers, and records as frames of text, one column per
path of names.

An object within a record is flattened ("address.city"). A list of texts is one text, ", " between.
A list of objects stays as JSON text under its name (for `each`), and the first object is
flattened as well ("phones.0.number").
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import NoneType
from typing import Any

import msgspec
import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading import as_text, as_text_rows, refuse_wide

Record = dict[str, Any]


def read_json_lines(file: RawFile) -> list[Record]:
    """Return the objects, one per line. Raises UnreadableFileError naming a line without one."""
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

    Raises UnreadableFileError for anything else.
    """
    content = decode_json(file)
    if not isinstance(content, dict) or not all(
        isinstance(item, dict) for item in content.values()
    ):
        raise UnreadableFileError(f"{file.name}: not an object of objects")
    return content


def texts(records: list[Record], *path: str) -> pd.Series:
    """Return a (nested) member of every record as stripped text; "" and null as None."""
    values = [member(record, *path) for record in records]
    plain = [
        str(v).lower()
        if isinstance(v, bool)
        else None
        if isinstance(v, list | dict)
        else as_text(v)
        for v in values
    ]
    column = pd.Series(plain, dtype="str").str.strip()
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


_MAX_DEPTH = 6
# JSON in the call of a function or in a variable, as scripts load it.
JSONP = re.compile(
    rb"^(?:/\*.*?\*/|//[^\n]*\n|\s)*"
    rb"(?:(?:export\s+default|(?:export\s+)?(?:var|let|const)\s+[\w$]+\s*="
    rb"|(?:module\.exports|window\.[\w.$]+|[A-Za-z_$][\w.$]*)\s*[=(])\s*)(?=[{\[])",
    re.DOTALL,
)
_LIST_IN_CODE = re.compile(r"[=(:,]\s*\[\s*\{")
_FEWEST_RECORDS = 3
# Names of the member with the records, in answers of APIs.
_ENVELOPES = {"features", "results", "contents", "elements", "items", "records", "locations"}
_ENVELOPES |= {"data", "item1"}
# Socrata writes an address as JSON in a text.
_ADDRESS_IN_TEXT = "human_address"


def decode_json(file: RawFile) -> Any:
    """Return the value of a JSON file; of a file with one object per line, the list of them.

    Raises UnreadableFileError naming file and fault, and the line.
    """
    content = file.read_bytes().removeprefix(b"\xef\xbb\xbf").strip()
    if call := JSONP.match(content):
        content = content[call.end() :].rstrip(b"; \r\n").removesuffix(b")")
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if call:
            with suppress(ValueError):
                code = content.decode()
                value, end = json.JSONDecoder().raw_decode(code)
                # Another list behind it would be lost.
                if not _LIST_IN_CODE.search(code, end):
                    return value
            raise UnreadableFileError(
                f"{file.name}: it is JavaScript, and the value in it is no JSON ({error}); "
                "save the list itself as JSON or CSV"
            ) from error
        first = content.partition(b"\n")[0].strip()
        if not first.endswith(b"}"):
            raise UnreadableFileError(f"{file.name}: no valid JSON ({error})") from error
    return read_json_lines(file)


def read_records(file: RawFile, path: str | None = None) -> list[Record]:
    """Return the records of a JSON file that `path` leads to, in file order; without a path, those
    of its largest list of objects.

    "results.locations" names members. "*" stands for every member of an object or list; the
    names are in the records as `_key`, those of outer ones as `_key.1`, `_key.2`. Members of the
    objects passed on the way come as `_parent`. A file that is a list of pages is read page by
    page. Raises UnreadableFileError where the path leads to no objects, on any page, or to
    texts and numbers in their list.
    """
    content = decode_json(file)
    if path is not None:
        for number, page in enumerate(content if isinstance(content, list) else [content], start=1):
            name = path.partition(".")[0]
            is_there = isinstance(page, dict) and page.get(name) is not None
            if name not in ("", "*") and not is_there:
                raise UnreadableFileError(f"{file.name}: page {number} has no {path}")
    items = list(_largest(content)) if path is None else list(_walk(content, path.split(".")))
    records = [record for record in items if isinstance(record, dict)]
    # Of "*" the other members of an object are no records.
    is_list = bool(path) and not str(path).endswith("*")
    is_mixed = is_list and any(not isinstance(item, dict | NoneType) for item in items)
    if (items and not records) or is_mixed:
        fault = f"{path or 'its lists'} leads to {'more than' if records else 'no'} objects"
        raise UnreadableFileError(f"{file.name}: {fault}")
    return records


def records_frame(
    records: list[Record], file: RawFile, required: Sequence[str] = ()
) -> pd.DataFrame:
    """Return records as a frame of text with `source_row`, one column per path.

    Raises UnreadableFileError when there are records and none has a required member.
    """
    flat = [flatten(record) for record in records]
    names = dict.fromkeys(name for record in flat for name in record)
    refuse_wide(names, file)
    columns = {
        name: pd.Series([record.get(name) for record in flat], dtype="str") for name in names
    }
    frame = pd.DataFrame(columns, index=range(len(flat)))
    return as_text_rows(frame, file, required if records else ())


def flatten(record: Record, prefix: str = "", depth: int = 0) -> dict[str, str | None]:
    """Return the members of a record as texts by path."""
    flat: dict[str, str | None] = {}
    for name, value in record.items():
        path = f"{prefix}{name}"
        if isinstance(value, str) and (inner := _object_in(name, value)) is not None:
            flat.update(flatten(inner, f"{path}.", depth + 1))
        elif isinstance(value, dict) and depth < _MAX_DEPTH:
            flat.update(flatten(value, f"{path}.", depth + 1))
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            flat[path] = msgspec.json.encode(value).decode()
            first = next(item for item in value if isinstance(item, dict))
            flat.update(flatten(first, f"{path}.0.", depth + 1))
        elif isinstance(value, list):
            flat[path] = ", ".join(str(item) for item in value if item not in (None, "")) or None
        elif isinstance(value, bool):
            flat[path] = "true" if value else "false"
        else:
            flat[path] = as_text(value)
    return flat


def _object_in(name: str, text: str) -> Record | None:
    """Return the object in a JSON text: Socrata's address, a plugin's opening hours."""
    if not text.startswith("{") and name != _ADDRESS_IN_TEXT:
        return None
    inner = objects_in(text)
    return inner[0] if inner else {} if name == _ADDRESS_IN_TEXT else None


def objects_in(text: str | None) -> list[Record]:
    """Return the objects of a list of objects that `flatten` wrote as JSON text."""
    if not isinstance(text, str) or not text.startswith(("[", "{")):
        return []
    try:
        content = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return []
    return [
        item
        for item in (content if isinstance(content, list) else [content])
        if isinstance(item, dict)
    ]


def _walk(
    content: Any, path: list[str], keys: tuple[str, ...] = (), above: Any = None
) -> Iterator[Any]:
    """Yield the values at the path; members of a list count as pages unless "*" names them."""
    if not path or path == [""]:
        for item in content if isinstance(content, list) else [content]:
            yield _with_context(item, keys, above)
        return
    name, rest = path[0], path[1:]
    if name == "*":
        pairs = content.items() if isinstance(content, dict) else enumerate(content)
        for key, value in pairs if isinstance(content, dict | list) else ():
            own = (str(key), *keys) if isinstance(content, dict) else keys
            yield from _walk(value, rest, own, content if isinstance(content, dict) else above)
    elif isinstance(content, list):
        for page in content:
            yield from _walk(page, path, keys, above)
    elif isinstance(content, dict) and name in content:
        yield from _walk(content[name], rest, keys, content)


def _with_context(item: Any, keys: tuple[str, ...], above: Any) -> Any:
    if not isinstance(item, dict):
        return item
    names = {f"_key.{at}" if at else "_key": key for at, key in enumerate(keys)}
    parent = above if isinstance(above, dict) else {}
    outer = {k: v for k, v in parent.items() if not isinstance(v, dict | list)}
    return {**names, **item, **({"_parent": outer} if outer else {})}


def _largest(content: Any) -> Iterator[Any]:
    """Yield the records of the largest list of objects, or object of objects, in a file."""
    sizes: Counter[str] = Counter()
    for path, count in _lists(content, "", 0):
        sizes[path] += count
    if not sizes:
        return iter([content] if isinstance(content, dict) else [])
    best = max(sizes, key=lambda path: (sizes[path], -path.count(".")))
    return _walk(content, best.split(".") if best else [])


def _lists(content: Any, path: str, depth: int) -> Iterator[tuple[str, int]]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(content, list):
        records = [item for item in content if isinstance(item, dict)]
        pages = [item for item in records if _holds_records(item)]
        # A list of pages: each has its own list of records.
        if pages and len(pages) == len(records) and len(pages) < 1000:
            for page in pages:
                yield from _lists(page, path, depth + 1)
        if records and not (pages and len(pages) == len(records)):
            yield path, len(records)
    elif isinstance(content, dict):
        members = list(content.values())
        if _are_groups(members):
            yield f"{path}.*.*".lstrip("."), sum(len(group) for group in members)
            return
        if (
            len(members) >= _FEWEST_RECORDS
            and all(isinstance(m, dict) for m in members)
            and _alike(members)
        ):
            yield f"{path}.*".lstrip("."), len(members)
            return
        for name, value in content.items():
            if isinstance(value, dict | list) and "." not in name:
                yield from _lists(value, f"{path}.{name}".lstrip("."), depth + 1)


def _are_groups(members: list[Any]) -> bool:
    """Check for records by name within groups by name: towns with their pantries."""
    groups = [list(m.values()) for m in members if isinstance(m, dict) and m]
    inner = [item for group in groups for item in group]
    return (
        len(groups) == len(members) >= _FEWEST_RECORDS
        and all(isinstance(item, dict) for item in inner)
        and _alike(inner)
    )


def _holds_records(page: Record) -> bool:
    """Check for an envelope: a list of several objects that outweighs the object's own texts."""
    lists = [v for v in page.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
    texts = [name for name in page if name in ("name", "title", "address", "store")]
    return len(lists) == 1 and not texts and not _ENVELOPES.isdisjoint(page)


def _alike(members: list[Any]) -> bool:
    """Check whether objects have most of their names in common: records by name, not sections."""
    names = Counter(name for member in members for name in member)
    shared = sum(count > len(members) / 2 for count in names.values())
    return bool(names) and shared >= max(2, len(names) / 3)
