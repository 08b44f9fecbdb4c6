"""Records sources that could not be fetched or read: the build continues with their last good
tables, and reports them.

`<data>/tables/.failures/<source>.<step>.json` has a `SourceFailure` while its step fails.
"""

import errno
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import dagster as dg
import msgspec

from assets.sources.updates import UpdateHeldError
from assets.steps.workspace import Workspace
from schemas.sources.registry import Source
from warehouse.fetch.errors import FetchError
from warehouse.files import BusyError, replacing
from warehouse.operations.engine import StoreUnavailableError
from warehouse.storage.bucket import StorageError

FETCHING, READING, SERVICE_AREAS = "fetch", "read", "service_areas"
MAX_RETRIES = 2
_FIRST_WAIT_SECONDS = 30
# Not the source's fault, and the next one would fail too: the build ends.
_ENVIRONMENT = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE})
_MAX_REASON = 1_000


class SourceFailure(msgspec.Struct, frozen=True):
    """Reason for the failure of a source's step at its last attempt."""

    source_id: str
    step: str
    reason: str
    failed_at: str
    # Rows for the operator; their values may be an attacker's, and are published nowhere.
    examples: tuple[str, ...] = ()


def is_transient(error: BaseException) -> bool:
    """Return whether another attempt may help: the network, a publisher's server, a lock."""
    return isinstance(error, BusyError | StoreUnavailableError) or (
        isinstance(error, FetchError) and error.is_transient
    )


def raise_unless_of_source(error: Exception, workspace: Workspace) -> None:
    """Re-raise `error` if it is not about a publisher's files: invented ones, and full disks."""
    is_environment = isinstance(error, StorageError) or (
        isinstance(error, OSError) and error.errno in _ENVIRONMENT
    )
    if workspace.is_synthetic or is_environment:
        raise error


def ask_for_retry(error: Exception, retry_number: int) -> NoReturn:
    """Raise RetryRequested, so that Dagster retries a step with growing delays."""
    wait = _FIRST_WAIT_SECONDS * 2**retry_number
    raise dg.RetryRequested(max_retries=MAX_RETRIES, seconds_to_wait=wait) from error


def note_failure(
    source: Source, workspace: Workspace, step: str, error: Exception, warn: Callable[[str], None]
) -> SourceFailure:
    """Record why a source failed, with the known layouts if a file could not be read."""
    reason = (str(error) or type(error).__name__).strip().removeprefix(f"{source.id}: ")
    reason = reason[:_MAX_REASON]
    # If the file was not obtained, or was read, layouts explain nothing.
    if not isinstance(error, FetchError | UpdateHeldError):
        reason += f" (layouts: {', '.join(layout.pattern for layout in source.files)})"
    examples = tuple(error.examples) if isinstance(error, UpdateHeldError) else ()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    failure = SourceFailure(source.id, step, reason, now, examples)
    with replacing(_path(workspace, source.id, step), durably=False) as temporary:
        temporary.write_bytes(msgspec.json.encode(failure))
    warn(f"{source.id}: failed, the tables of an earlier build stay in use. {reason}")
    return failure


def clear_failure(source: Source, workspace: Workspace, step: str) -> None:
    """Delete the failure record of a step that has succeeded."""
    _path(workspace, source.id, step).unlink(missing_ok=True)


def failure_of(
    source: Source, workspace: Workspace, steps: Iterable[str] = (FETCHING, READING, SERVICE_AREAS)
) -> SourceFailure | None:
    """Return the cause of a source's first failed step; None if the last attempts succeeded."""
    for step in steps:
        try:
            content = _path(workspace, source.id, step).read_bytes()
            return msgspec.json.decode(content, type=SourceFailure)
        except FileNotFoundError:
            continue
    return None


def _path(workspace: Workspace, source_id: str, step: str) -> Path:
    return workspace.root / "tables" / ".failures" / f"{source_id}.{step}.json"
