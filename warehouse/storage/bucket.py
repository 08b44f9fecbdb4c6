"""Object storage: an S3-compatible bucket below one prefix, with few verbs and two kinds of
failure.

Credentials come from the environment only (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
`AWS_REGION`, `AWS_ENDPOINT_URL` and so on, or the machine's role); they are never part of an
address or of a message.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import from_url

SCHEMES = ("s3", "gs", "az")
_PIECE_BYTES = 1 << 20
# A transfer may take long as long as bytes arrive.
_CLIENT: dict[str, Any] = {"connect_timeout": "5s", "read_timeout": "30s", "timeout": "1h"}
_RETRIES: dict[str, Any] = {"max_retries": 3, "retry_timeout": timedelta(seconds=60)}
_YES = ("1", "true", "yes", "on")


class StorageError(RuntimeError):
    """The object storage cannot be used as requested; the message contains no secret."""


class StorageDownError(StorageError):
    """The storage did not respond, or refused: its content is unknown."""


class ConflictError(StorageError):
    """Another process wrote the object first."""


def is_storage_url(text: str) -> bool:
    """Return whether a setting names object storage and not a folder."""
    return "://" in text


def url_fault(url: str) -> str | None:
    """Return the fault of an object storage address, without repeating it; None if it is valid."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        return f"an address of object storage begins with {', '.join(f'{s}://' for s in SCHEMES)}"
    if "@" in parts.netloc or parts.query or parts.fragment:
        return "credentials belong in the environment, not in the address: scheme://bucket/prefix"
    if not parts.netloc:
        return "the address names no bucket: scheme://bucket/prefix"
    return None


class Bucket:
    """The objects below one address. Every method raises StorageDownError without a response."""

    def __init__(self, url: str) -> None:
        fault = url_fault(url)
        if fault:
            raise StorageError(fault)
        self.url = url.rstrip("/")
        # Plain HTTP only on request: for a storage server on the same machine or network.
        allows_http = os.environ.get("AWS_ALLOW_HTTP", "").lower() in _YES
        try:
            connect: Any = from_url
            self._store: Any = connect(
                self.url,
                client_options={**_CLIENT, "allow_http": allows_http},
                retry_config=_RETRIES,
            )
        except (BaseError, ValueError) as error:
            raise StorageError(f"{self.url}: {_first_line(error)}") from None

    def read(self, path: str, max_bytes: int) -> tuple[bytes, str | None]:
        """Return a small object and its version tag. Raises FileNotFoundError, StorageError if it
        is larger."""
        with _translate_errors(self.url, path):
            response = obstore.get(self._store, path)
            if response.meta["size"] > max_bytes:
                raise StorageError(f"{self.url}/{path} has more than {max_bytes} bytes")
            return bytes(response.bytes()), response.meta["e_tag"]

    def pieces(self, path: str) -> Iterator[memoryview]:
        """Yield the bytes of an object, about a megabyte at a time. Raises FileNotFoundError."""
        with _translate_errors(self.url, path):
            for piece in obstore.get(self._store, path).stream(min_chunk_size=_PIECE_BYTES):
                yield memoryview(piece)

    def write(self, path: str, content: bytes) -> None:
        """Write an object, replacing any other."""
        with _translate_errors(self.url, path):
            obstore.put(self._store, path, content, use_multipart=False)

    def write_file(self, path: str, file: Path) -> None:
        """Write a file as an object, in parts if it is large; it appears whole or not at all."""
        with _translate_errors(self.url, path):
            obstore.put(self._store, path, file, max_concurrency=2)

    def write_new(self, path: str, content: bytes) -> None:
        """Write an object that must not exist yet. Raises ConflictError."""
        with _translate_errors(self.url, path):
            obstore.put(self._store, path, content, mode="create", use_multipart=False)

    def replace(self, path: str, content: bytes, tag: str | None) -> None:
        """Replace version `tag` of an object, or create it. Raises ConflictError if it changed."""
        if tag is None:
            self.write_new(path, content)
            return
        with _translate_errors(self.url, path):
            obstore.put(self._store, path, content, mode={"e_tag": tag}, use_multipart=False)

    def sizes(self, prefix: str) -> dict[str, int]:
        """Return the path and bytes of every object below a prefix."""
        with _translate_errors(self.url, prefix):
            return {
                meta["path"]: meta["size"]
                for page in obstore.list(self._store, prefix)
                for meta in page
            }

    def delete(self, paths: list[str]) -> None:
        """Delete objects, ignoring missing ones."""
        with _translate_errors(self.url, paths[0] if paths else ""):
            for path in paths:
                obstore.delete(self._store, path)


@contextmanager
def _translate_errors(url: str, path: str) -> Iterator[None]:
    """Convert the client's errors to ours: its messages are long, and only the first line is
    useful."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(f"{url}/{path} is not there") from None
    except (AlreadyExistsError, PreconditionError):
        raise ConflictError(f"{url}/{path} was written by another process") from None
    except (BaseError, OSError, ValueError) as error:
        raise StorageDownError(f"{url}/{path}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]
