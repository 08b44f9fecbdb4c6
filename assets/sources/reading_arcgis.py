"""Readers for ArcGIS query answers."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading import as_text, as_text_rows

_FEATURES_AT_ONCE = 2000
_POINT = ("geometry.x", "geometry.y")


def read_arcgis_json(file: RawFile, required: Iterable[str] = ()) -> pd.DataFrame:
    """Return the attributes of an ArcGIS query answer, or of a list of answers (pages), as a frame
    of text.

    Every declared field is a column, requested or filled or not. Points are separate columns,
    `geometry.x` and `geometry.y`: their reference system need not be that of the attributes. Raises
    UnreadableFileError for an error answer and for a list whose last page says that more rows would
    follow.
    """
    columns: dict[str, list[str | None]] = {}
    count, pages_read, more = 0, 0, False
    for number, page in _arcgis_pages(file):
        rows = []
        for feature in page["features"]:
            geometry = feature.get("geometry") or {}
            point = {name: geometry[name[-1]] for name in _POINT if name[-1] in geometry}
            rows.append({**(feature.get("attributes") or {}), **point})
        names = [field["name"] for field in page.get("fields") or []]
        for name in dict.fromkeys([*names, *(name for row in rows for name in row)]):
            columns.setdefault(name, [None] * count)
        for name, values in columns.items():
            values += [as_text(row.get(name)) for row in rows]
        count, pages_read = count + len(rows), number
        more = bool(page.get("exceededTransferLimit"))
    if pages_read > 1 and more:
        raise UnreadableFileError(f"{file.name}: the last of {pages_read} pages is not the last")
    return as_text_rows(pd.DataFrame(columns, dtype="str"), file, required)


def _arcgis_pages(file: RawFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the answers with their numbers, long ones in slices, so that one slice at a time is
    decoded."""
    content = file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    is_list = content.lstrip()[:1] == b"["
    try:
        answers = (
            msgspec.json.decode(content, type=list[msgspec.Raw])
            if is_list
            else [msgspec.Raw(content)]
        )
        for number, answer in enumerate(answers, start=1):
            for page in _slices(answer):
                if not isinstance(page.get("features"), list):
                    fault = page.get("error")
                    raise UnreadableFileError(
                        f"{file.name}: page {number} has no features: {fault}"
                    )
                yield number, page
    except msgspec.DecodeError as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error


def _slices(answer: msgspec.Raw) -> Iterator[dict[str, Any]]:
    """Yield an answer as answers of at most _FEATURES_AT_ONCE features."""
    try:
        members = msgspec.json.decode(answer, type=dict[str, msgspec.Raw])
        features = msgspec.json.decode(members.pop("features"), type=list[msgspec.Raw])
    except (KeyError, msgspec.ValidationError):
        whole = msgspec.json.decode(answer)
        yield whole if isinstance(whole, dict) else {}
        return
    about = {name: msgspec.json.decode(raw) for name, raw in members.items()}
    for start in range(0, max(len(features), 1), _FEATURES_AT_ONCE):
        batch = features[start : start + _FEATURES_AT_ONCE]
        yield {**about, "features": [msgspec.json.decode(each) for each in batch]}
