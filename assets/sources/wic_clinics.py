"""WIC offices of states that publish a list: Washington and others with usual columns, California
(2015).

The California file is the state's list after a geocoder: name and raw address are the state's, all
later columns are the geocoder's, sometimes on another street or another continent.
"""

import re
from collections.abc import Callable, Iterator

import pandas as pd

from assets.cleaning.keys import address_key
from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.free_text import digests
from assets.sources.readers import read_columns
from assets.sources.reading import (
    as_number,
    join_texts,
    read_csv_text,
    with_known,
    with_rejects,
)
from schemas.sources.registry import Source
from schemas.vocab.states import CODE_BY_NAME, STATE_CODES

_CA_COLUMNS = [
    "name",
    "raw_address",
    "number",
    "street",
    "city",
    "state",
    "zip",
    "county_name",
    "lat",
    "lng",
]
MAX_POINTLESS_SHARE = 0.1
_NO_VALUE = ("0", "N/A")
# Words that the geocoder adds, moves or leaves out.
_DIRECTIONS = frozenset({"n", "s", "e", "w", "ne", "nw", "se", "sw"})
_STATE = re.compile(r"\bstate\b", re.IGNORECASE)


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the offices in one frame. Raises UnreadableFileError for missing columns."""
    if file.layout == "wa_portal":
        yield with_known(_state_list(read_columns(file, source)), file, source)
        return
    layout = source.layout_of(file.name)
    state = layout.known.get("state") if layout else None
    rows = read_csv_text(file, names=_CA_COLUMNS, lineterminator="\r")
    # Without a header, only numbers in the point columns identify this layout.
    if as_number(rows["lat"]).isna().mean() > MAX_POINTLESS_SHARE:
        raise UnreadableFileError(f"{file.name}: columns 9 and 10 of 10 are no coordinates")
    yield _california(rows, state)


def _state_list(rows: pd.DataFrame) -> pd.DataFrame:
    """Read a state's list; of Washington's pairs, Longitude/Latitude is the right one."""
    places = rows.drop(columns=["clinic", "agency", "address2"]).assign(
        name=rows["clinic"].fillna(rows["agency"]),
        organization=rows["agency"].mask(rows["agency"] == rows["clinic"]),
        address=join_texts(rows["address"], rows["address2"], separator=", "),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
    )
    places["source_key"] = digests(rows["agency"], rows["clinic"], rows["state"])
    return places


def _california(rows: pd.DataFrame, list_state: str | None) -> pd.DataFrame:
    """Read a Californian list; `list_state` is its state's code."""
    for name in ("raw_address", "number"):
        rows[name] = rows[name].mask(rows[name].isin(_NO_VALUE))
    state = rows["state"].str.casefold().map(CODE_BY_NAME).astype("str")
    is_numbered = _agree(_names_number, rows["raw_address"], rows["number"])
    # The geocoder's city and ZIP are no data of the state, so no part of the key.
    key_state = pd.Series(list_state, index=rows.index, dtype="str")
    places = rows[["source_row", "name", "city", "zip", "county_name"]].assign(
        source_key=digests(rows["name"], rows["raw_address"], key_state),
        address=rows["raw_address"],
        state=state,
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        # On the right street, but anywhere along it.
        location_precision=pd.Series("city", index=rows.index).mask(is_numbered),
    )
    is_there = is_numbered | _agree(_names_street, rows["raw_address"], rows["street"])
    geocoded_town = rows["city"].fillna("no city") + ", " + rows["state"].fillna("no state")
    compared = rows["raw_address"] + " -> " + rows["street"].fillna("no street")
    return with_rejects(
        places,
        (
            ("not_in_united_states", ~state.isin(STATE_CODES), geocoded_town),
            ("geocoded_outside_state", state != key_state, geocoded_town),
            ("no_address_to_locate", rows["raw_address"].isna(), geocoded_town),
            ("address_not_found", ~is_there, compared),
        ),
    )


def _agree(test: Callable[[str, str], bool], queries: pd.Series, matches: pd.Series) -> pd.Series:
    pairs = zip(queries.fillna(""), matches.fillna(""), strict=True)
    return pd.Series([test(a, f) for a, f in pairs], index=queries.index, dtype=bool)


def _names_number(query: str, match: str) -> bool:
    """Check whether the geocoder's house number occurs in the address."""
    number = re.match(r"[0-9]+", match)
    return number is not None and number[0] in re.findall(r"[0-9]+", query)


def _names_street(query: str, match: str) -> bool:
    """Check whether the geocoder's street occurs in the address word for word, directions aside."""
    street = _words(match)
    return bool(street) and f" {' '.join(street)} " in f" {' '.join(_words(query))} "


def _words(text: str) -> list[str]:
    return [word for word in address_key(_STATE.sub("", text)).split() if word not in _DIRECTIONS]
