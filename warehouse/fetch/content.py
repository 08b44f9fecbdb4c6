"""Checks that a fetched body has the promised type and is complete."""

import zipfile
from pathlib import Path

from warehouse.fetch.errors import TooLargeError, TruncatedError, WrongContentError
from warehouse.unpacking import DamagedFileError, OversizedFileError, unpack_chunks

_HEAD_BYTES = 1024
_BLANK = b"\xef\xbb\xbf \t\r\n"
_ZIP_TYPES = ("application/zip", "application/vnd.openxmlformats-officedocument")
_WEB_PAGE = (b"<!doctype html", b"<html")
# Start and end of text formats that have an end marker (RFC 5545; OGC KML; ISO 32000).
_ENDS = {
    "text/calendar": (b"BEGIN:VCALENDAR", b"END:VCALENDAR"),
    "application/vnd.google-earth.kml+xml": (b"<", b"</kml>"),
    "application/pdf": (b"%PDF-", b"%%EOF"),
}


def check_body(path: Path, media_type: str, address: str, max_unpacked_bytes: int) -> None:
    """Check a body. Raises WrongContentError, TruncatedError or TooLargeError.

    `media_type` is the promised one, of the file inside a storage gzip. A format without an end
    marker (CSV without a Content-Length) passes.
    """
    head, tail = _ends(path, address, max_unpacked_bytes)
    check_head(head, media_type, address)
    if _is_zip(media_type):
        _check_zip(path, address, max_unpacked_bytes)
    elif _is_json(media_type) and tail.rstrip(_BLANK)[-1:] not in (b"}", b"]"):
        raise TruncatedError(address, "the JSON has no end")
    elif media_type in _ENDS and not tail.rstrip(_BLANK).endswith(_ENDS[media_type][1]):
        raise TruncatedError(address, f"{_ENDS[media_type][1].decode()} is missing at its end")


def check_head(head: bytes, media_type: str, address: str) -> None:
    """Check the first bytes of a body. Raises WrongContentError."""
    start = head.lstrip(_BLANK)
    if not start:
        raise WrongContentError(address, f"an empty body instead of {media_type}")
    is_page = start[:64].lower().startswith(_WEB_PAGE)
    if is_page and media_type not in ("text/html", "application/xhtml+xml"):
        raise WrongContentError(address, f"a web page instead of {media_type}")
    if _is_zip(media_type) and not start.startswith(b"PK"):
        raise WrongContentError(address, f"begins with {start[:16]!r}, not a zip file")
    if media_type in _ENDS and not start.startswith(_ENDS[media_type][0]):
        raise WrongContentError(address, f"begins with {start[:16]!r}, not {media_type}")
    if _is_json(media_type) and start[:1] not in (b"{", b"["):
        raise WrongContentError(address, f"begins with {start[:16]!r}, not JSON")


def _is_zip(media_type: str) -> bool:
    return media_type.startswith(_ZIP_TYPES)


def _is_json(media_type: str) -> bool:
    return media_type == "application/json" or media_type.endswith("+json")


def _ends(path: Path, address: str, max_unpacked_bytes: int) -> tuple[bytes, bytes]:
    head, tail = b"", b""
    try:
        for chunk in unpack_chunks(path, max_unpacked_bytes):
            head = head or chunk[:_HEAD_BYTES]
            tail = (tail + chunk)[-_HEAD_BYTES:]
    except DamagedFileError as error:
        raise TruncatedError(address, str(error)) from error
    except OversizedFileError as error:
        raise TooLargeError(address, str(error)) from error
    return head, tail


def _check_zip(path: Path, address: str, max_unpacked_bytes: int) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except zipfile.BadZipFile as error:
        raise TruncatedError(address, f"the zip is not whole ({error})") from error
    if size > max_unpacked_bytes:
        raise TooLargeError(address, f"unpacks to {size} bytes, more than {max_unpacked_bytes}")
