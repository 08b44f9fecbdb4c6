"""Wire format of the Census batch geocoder: five text columns out, three to twelve back.

A request row is `id,street,city,state,zip`. A response row is quoted and has the id, the input as
one text, `Match`, `No_Match` or `Tie`; for a match also `Exact` or `Non_Exact`, the matched
address, "longitude,latitude" as one field, the TIGER/Line edge and its side, and (geographies)
state, county, tract and block. Rows come in any order.
"""

import csv
import hashlib
import io
import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from warehouse.fetch.errors import FetchError, ServerBusyError, TruncatedError

Match = Literal["match", "no_match", "tie"]

_MATCHES: dict[str, Match] = {"Match": "match", "No_Match": "no_match", "Tie": "tie"}
_EXACTNESS = {"Exact": True, "Non_Exact": False}
_SHORT, _LOCATIONS, _GEOGRAPHIES = 3, 8, 12
_CODES = re.compile(r"\d{2},\d{3},\d{6}", re.ASCII)
_NOT_WORD = re.compile(r"[^A-Z0-9]+")
# Letters and signs without an ASCII decomposition.
_PLAIN = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "‐": "-",
        "‑": "-",
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "đ": "d",
        "Đ": "D",
        "½": " 1/2",
    }
)


class Address(NamedTuple):
    """An address as sent: capitals, ASCII, single blanks; city, state and zip may be empty."""

    street: str
    city: str
    state: str
    zip: str

    @property
    def digest(self) -> str:
        """The address as a key: 32 hexadecimal digits of SHA-256."""
        return hashlib.sha256("\x1f".join(self).encode()).hexdigest()[:32]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Result for one address; only a match has members other than `match`.

    `is_exact` is False if the service changed ZIP, direction or street type. `tract` is the eleven
    digits of state, county and tract, None if the service gives none.
    """

    match: Match
    is_exact: bool | None = None
    matched_address: str | None = None
    lat: float | None = None
    lng: float | None = None
    tiger_line: str | None = None
    side: str | None = None
    tract: str | None = None
    block: str | None = None


def as_sent(street: str, city: str, state: str, zip_code: str) -> Address:
    """Return the address as sent: plain letters, no quotes or control characters."""
    return Address(*(_fold(part) for part in (street, city, state, zip_code)))


def _fold(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        text = _as_ascii(text)
    return " ".join(text.replace('"', " ").upper().split())


def _as_ascii(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(
        " " if unicodedata.category(character)[0] in "CZ" else character
        for character in decomposed
        if character.isascii() or unicodedata.category(character)[0] in "CZ"
    )


def batch_as_csv(batch: Mapping[str, Address]) -> bytes:
    """Return the body of the file part: one line for each id, no header."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([row_id, *address] for row_id, address in batch.items())
    return text.getvalue().encode("ascii")


def read_answers(body: bytes, batch: Mapping[str, Address], url: str) -> dict[Address, Answer]:
    """Parse the answers to a batch, skipping rows whose echo is not the sent address.

    Raises ServerBusyError for anything but rows (a web page under status 200), TruncatedError for a
    broken row and for missing, repeated or unknown ids. `url` is the URL for messages.
    """
    text = _decode(body)
    if not text.lstrip().startswith('"'):
        kind = "a web page or text" if text.strip() else "an empty body"
        raise ServerBusyError(url, f"{kind} instead of rows")
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    except csv.Error as error:
        raise TruncatedError(url, f"the answer is not whole CSV ({error})") from error
    _check_ids([row[0] for row in rows], batch, url)
    has_end = text.endswith(("\n", "\r"))
    if not has_end and _LOCATIONS <= len(rows[-1]) < _GEOGRAPHIES:
        raise TruncatedError(url, "the last row has no end")
    answers = {batch[row[0]]: (row[1:2], _answer(row, url)) for row in rows}
    return {
        address: answer for address, (echo, answer) in answers.items() if _is_echo(echo[0], address)
    }


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("latin-1")


def _check_ids(ids: list[str], batch: Mapping[str, Address], url: str) -> None:
    faults = {
        "repeated": len(ids) - len(set(ids)),
        "missing": len(batch.keys() - set(ids)),
        "foreign": len(set(ids) - batch.keys()),
    }
    totals = ", ".join(f"{count} {fault}" for fault, count in faults.items() if count)
    if totals:
        raise TruncatedError(url, f"{len(batch)} rows sent, ids of the answer: {totals}")


def _is_echo(echo: str, address: Address) -> bool:
    words = [_NOT_WORD.sub("", text.upper()) for text in (echo, "".join(address))]
    return words[0] == words[1]


def _answer(row: list[str], url: str) -> Answer:
    match = _MATCHES.get(row[2]) if len(row) >= _SHORT else None
    if match is None:
        raise _broken(row, url)
    if match != "match":
        if any(row[_SHORT:]):
            raise _broken(row, url)
        return Answer(match=match)
    if len(row) not in (_LOCATIONS, _GEOGRAPHIES) or row[3] not in _EXACTNESS:
        raise _broken(row, url)
    point = _point(row[5])
    if point is None:
        raise _broken(row, url)
    codes = row[_LOCATIONS:]
    has_tract = bool(_CODES.fullmatch(",".join(codes[:3])))
    return Answer(
        match=match,
        is_exact=_EXACTNESS[row[3]],
        matched_address=row[4],
        lat=point[0],
        lng=point[1],
        tiger_line=row[6],
        side=row[7],
        tract="".join(codes[:3]) if has_tract else None,
        block=codes[3] if has_tract else None,
    )


def _point(text: str) -> tuple[float, float] | None:
    """Parse "longitude,latitude" as (lat, lng); None for anything else."""
    try:
        lng, lat = (float(part) for part in text.split(","))
    except ValueError:
        return None
    is_on_earth = math.isfinite(lat) and math.isfinite(lng) and abs(lat) <= 90 and abs(lng) <= 180
    return (lat, lng) if is_on_earth else None


def _broken(row: list[str], url: str) -> FetchError:
    # The row itself is not quoted: messages reach logs, which must not contain addresses.
    return TruncatedError(url, f"row {row[0]} of the answer has {len(row)} unreadable fields")
