"""Sources of a release log to verify: a data folder, or an instance over HTTP."""

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import httpx
import msgspec

from schemas.api.history import LogEntry
from warehouse.release.history import HISTORY_NAME
from warehouse.release.manifest import MANIFEST_NAME
from warehouse.release.store import ReleaseStore
from warehouse.release.verify_log import LogSource

_SECONDS = 60.0
_ATTEMPTS, _PAUSE_SECONDS = 3, 2.0


class UnreachableError(RuntimeError):
    """The response is not that of an instance; the message describes it."""


def log_of_folder(data_dir: Path) -> LogSource:
    """Return the log of a data folder, including a torn end, with all copies of the manifests."""
    store = ReleaseStore(data_dir)

    def manifests(release_id: str) -> Iterator[bytes]:
        for folder in (store.root / release_id, store.root / HISTORY_NAME / release_id):
            if (folder / MANIFEST_NAME).is_file():
                yield (folder / MANIFEST_NAME).read_bytes()

    content = store.log.path.read_bytes() if store.log.path.exists() else b""
    return LogSource(content, manifests, store.current(), store.log.checkpoint())


def log_of_instance(base_url: str) -> LogSource:
    """Return the log of a running instance. Raises UnreachableError."""
    base = base_url.rstrip("/")

    def get(path: str) -> bytes | None:
        try:
            answer = httpx.get(base + path, timeout=_SECONDS, follow_redirects=True)
        except httpx.HTTPError as error:
            raise UnreachableError(f"{base}{path}: {error}") from error
        if answer.status_code in {404, 410}:
            return None
        if answer.status_code != 200:
            raise UnreachableError(f"{base}{path}: status {answer.status_code}")
        return answer.content

    @cache
    def manifests(release_id: str) -> tuple[bytes, ...]:
        content = get(f"/api/releases/{release_id}/manifest.json")
        return () if content is None else (content,)

    content, checkpoint = b"", None
    current: str | None = None
    for attempt in range(_ATTEMPTS):
        # The checkpoint first: a log that grows meanwhile still contains it.
        newer, answer = get("/log/checkpoint"), get("/api/releases/log?format=ndjson")
        if answer is None:
            raise UnreachableError(f"{base} has no release log")
        content, checkpoint = answer, newer
        current = _open_served_release(base)
        # A service follows a promotion within seconds: only a lasting difference is a finding.
        if current is None or _last_release(content) == current:
            break
        if attempt + 1 < _ATTEMPTS:
            time.sleep(_PAUSE_SECONDS)
    return LogSource(content, manifests, current, checkpoint)


def _last_release(content: bytes) -> str | None:
    """Return the release of the last line, even if other lines are invalid."""
    try:
        return msgspec.json.decode(content.splitlines()[-1], type=LogEntry).release_id
    except (IndexError, msgspec.DecodeError):
        return None


def _open_served_release(base: str) -> str | None:
    try:
        release_id: str | None = httpx.get(f"{base}/api/health", timeout=_SECONDS).headers.get(
            "x-release"
        )
        return release_id
    except httpx.HTTPError as error:
        raise UnreachableError(f"{base}/api/health: {error}") from error
