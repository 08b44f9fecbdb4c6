"""Proves that the tables and products of a release were made from each other.

Every table and product has a note beside it: the run that made it, and the content of each asset
that it was made from. Every blocking check leaves its last result and the content that it saw
below `<data>/tables/.checks/`. `mixture_faults` compares these with what is on disk now, so it does
not matter who started which step, when, or in how many runs.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from assets.steps.workspace import Workspace
from warehouse.files import replacing
from warehouse.parquet import columns_digest, content_digest, notes_of
from warehouse.release.manifest import CheckEntry

# Products by asset: the folder in the release.
PRODUCT_FOLDERS: Mapping[str, str] = {
    "out_directory__access": "access",
    "out_directory__bulk": "bulk",
    "out_directory__changes": "changes",
    "out_directory__service_files": "serving",
    "out_hsds__package": "hsds",
    "out_map__base": "map",
    "out_veterans__files": "veterans",
}
# Keys of a note.
RUN, MADE_FROM = "run_id", "made_from"
# Inputs that a failed step could not use: its output is that of an earlier build.
PASSED_OVER, FAILED = "passed_over", "failed"
_SHORT = 12


class CheckRecord(msgspec.Struct, frozen=True):
    """The last result of a blocking check, and the content of the tables that it saw."""

    passed: bool
    detail: str
    seen: dict[str, str]
    checked_at: str


# ------------------------------------------------------------------ content


def content_of(workspace: Workspace, asset: str) -> str:
    """Digest the content of an asset now on disk; "" without any. Raises OSError, and ValueError
    for a damaged file."""
    if asset in PRODUCT_FOLDERS:
        content: str = product_note(workspace, PRODUCT_FOLDERS[asset]).get("content", "")
        return content
    path = workspace.path(asset)
    if asset.startswith("raw_"):
        # The identity of the files, not their fetch time: equal bytes change nothing.
        return columns_digest(path, ["file_name", "sha256"]) or ""
    return content_digest(path) or ""


def contents(workspace: Workspace, assets: Iterable[str]) -> dict[str, str]:
    """Digest the content of several assets. Raises as `content_of`."""
    return {name: content_of(workspace, name) for name in assets}


def product_note_path(folder: Path) -> Path:
    """Return the file of the note on a product's folder."""
    return folder.with_name(f".{folder.name}.json")


def product_note(workspace: Workspace, name: str) -> dict[str, Any]:
    """Return the note on a product; empty if it is missing or truncated by a crash."""
    folder = workspace.product(name)
    try:
        note: dict[str, Any] = json.loads(product_note_path(folder).read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return note if folder.is_dir() else {}


# ------------------------------------------------------------------ checks


def record_check(
    workspace: Workspace, asset: str, name: str, *, passed: bool, detail: str, reads: Sequence[str]
) -> None:
    """Record the result of a check of an asset that also reads other tables."""
    seen = contents(workspace, [asset, *reads])
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with replacing(_check_path(workspace, asset, name), durably=False) as temporary:
        temporary.write_bytes(msgspec.json.encode(CheckRecord(passed, detail, seen, at)))


def _check_path(workspace: Workspace, asset: str, name: str) -> Path:
    return workspace.path(asset).parent / ".checks" / f"{asset}.{name}.json"


def _last_check(workspace: Workspace, asset: str, name: str) -> CheckRecord | None:
    try:
        return msgspec.json.decode(
            _check_path(workspace, asset, name).read_bytes(), type=CheckRecord
        )
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def check_entries(workspace: Workspace, checks: Iterable[tuple[str, str]]) -> list[CheckEntry]:
    """Return the last results of blocking checks, (asset, name), for the manifest. Raises
    LookupError for a missing one."""
    entries = []
    for asset, name in checks:
        record = _last_check(workspace, asset, name)
        if record is None:
            raise LookupError(f"check {name} of {asset}: no result")
        entries.append(
            CheckEntry(
                name=name,
                passed=record.passed,
                detail=record.detail,
                asset=asset,
                digest=record.seen[asset],
                seen={k: v for k, v in record.seen.items() if k != asset},
                checked_at=record.checked_at,
            )
        )
    return entries


# ------------------------------------------------------------------ proving


def mixture_faults(
    workspace: Workspace, assets: Collection[str], checks: Iterable[tuple[str, str]]
) -> list[str]:
    """Return, in words, what keeps some assets and their blocking checks from being one release.

    Each asset must be what its step wrote, from the inputs that are on disk now (or, after a
    failure, with the inputs that it could not use); each check must have passed on what is there
    now. Empty if all do.
    """
    faults: list[str] = []
    now: dict[str, str] = {}

    def content(name: str) -> str:
        if name not in now:
            try:
                now[name] = content_of(workspace, name)
            except (OSError, ValueError):
                faults.append(f"{name} cannot be read")
                now[name] = "unreadable"
        return now[name]

    for asset in sorted(assets):
        is_product = asset in PRODUCT_FOLDERS
        note = (
            product_note(workspace, PRODUCT_FOLDERS[asset])
            if is_product
            else notes_of(workspace.path(asset))
        )
        if not content(asset) or RUN not in note:
            # Notes belong to the rows with which they were written.
            faults.append(f"{asset}: no record of how it was made")
            continue
        for name, digest in note[MADE_FROM].items():
            if content(name) not in (digest, note.get(PASSED_OVER, {}).get(name)):
                faults.append(
                    f"{asset} was made from {name} {_short(digest)}; {_short(now[name])} is there "
                    "now"
                )
    for asset, name in checks:
        record = _last_check(workspace, asset, name)
        if record is None:
            faults.append(f"check {name} of {asset}: no result")
        elif not record.passed:
            faults.append(f"check {name} of {asset} failed: {record.detail}")
        else:
            faults += [
                f"check {name} of {asset} saw {seen} {_short(digest)}; {_short(content(seen))} is "
                "there now"
                for seen, digest in record.seen.items()
                if content(seen) != digest
            ]
    return faults


def _short(digest: str) -> str:
    return digest[:_SHORT] or "(nothing)"
