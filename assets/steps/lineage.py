"""Proves the chain of content behind a release: the inputs of each table and of each check.

Every step and every blocking check, in any process, leaves a record below
`<data>/tables/.lineage/`:

    <asset>.json                    `AssetRecord`: digests of its content and of each input
    checks/<asset>.<check>.json     `CheckRecord`: its result, and the digests of its inputs

A skipped step leaves one as well: its output on disk is valid for these inputs too. `chain_faults`
compares the records with the content now on disk. Only content counts, so it does not matter who
started which step, when, or in how many runs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import dagster as dg
import msgspec

from assets.steps.freshness import product_digest
from assets.steps.products import FOLDERS_BY_STATE, PRODUCTS
from assets.steps.workspace import Workspace, digest_of
from warehouse.files import replacing
from warehouse.parquet import columns_digest, content_digest
from warehouse.release.manifest import CheckEntry

# The input of a step that continues the served release: ids, instants, observations.
SERVED_RELEASE = "served release"
# Metadata of a step that left its asset as an earlier build made it: the reason.
FAILED = "failed"
_NONE_SERVED = "none"
_UNREADABLE = "unreadable"
_PRODUCT_FOLDERS = {product.asset: product.folder for product in PRODUCTS}
_MAX_SHOWN = 12
_SHORT = 12

Record = TypeVar("Record", bound=msgspec.Struct)


class AssetRecord(msgspec.Struct, frozen=True):
    """The record of an asset. Digests are those of `content_of`."""

    content: str
    made_from: dict[str, str]
    recorded_at: str
    # Inputs that the last attempt could not use, so that the content does not include them.
    passed_over: dict[str, str] = {}


class CheckRecord(msgspec.Struct, frozen=True):
    """The record of a check's last result."""

    passed: bool
    detail: str
    seen: dict[str, str]
    checked_at: str = ""
    # Digest of all inputs of the check and of its code; "" for one that always runs.
    version: str = ""


@dataclass(frozen=True)
class Chain:
    """Requirements of a proof: `inputs` of every step that leads to a release, and (asset, name) of
    its checks."""

    inputs: Mapping[str, Sequence[str]]
    checks: Sequence[tuple[str, str]]


# ------------------------------------------------------------------ content


def content_of(workspace: Workspace, asset: str) -> str | None:
    """Digest the content of an asset now on disk; None without any.

    Unreadable files get a unique digest, which no record has.
    """
    try:
        return _content_of(workspace, asset)
    except (ValueError, OSError):
        return _UNREADABLE


def content_version(workspace: Workspace, asset: str) -> dg.DataVersion:
    """Return the digest of an asset's content for Dagster's comparison."""
    return dg.DataVersion((content_of(workspace, asset) or "none")[:16])


def _content_of(workspace: Workspace, asset: str) -> str | None:
    if asset == SERVED_RELEASE:
        return workspace.releases.current() or _NONE_SERVED
    if asset in _PRODUCT_FOLDERS:
        return product_digest(workspace, _PRODUCT_FOLDERS[asset])
    if asset in FOLDERS_BY_STATE:
        return _content_by_state(workspace, FOLDERS_BY_STATE[asset])
    path = workspace.path(asset)
    if asset.startswith("raw_"):
        # The identity of the files, not their fetch time: equal bytes change nothing.
        return columns_digest(path, ["file_name", "sha256"])
    beside = content_digest(workspace.path(f"{asset}_rejects"))
    own = content_digest(path)
    return digest_of(own, beside) if own and beside else own


def _content_by_state(workspace: Workspace, folders: Iterable[str]) -> str | None:
    files = [
        p for f in folders for p in sorted(workspace.path(f).with_suffix("").glob("*.parquet"))
    ]
    parts = [f"{path.parent.name}/{path.stem}={content_digest(path)}" for path in files]
    return digest_of(*parts) if parts else None


def contents(workspace: Workspace, assets: Iterable[str]) -> dict[str, str]:
    """Digest each asset's content; "" for a missing one."""
    return {name: content_of(workspace, name) or "" for name in assets}


# ------------------------------------------------------------------ recording


@contextmanager
def recording(workspace: Workspace, continues_served: bool) -> Iterator[list[Any]]:
    """Record the lineage of each asset of the running step at the end of the block.

    Yields a list for the results of the step: a result with the metadata FAILED left its asset
    unchanged. `continues_served`: the step also reads the state of the served release. Assets that
    the step itself makes and reads count with their final content. The step fails if another input
    changes while it runs: its output would then match neither content.
    """
    results: list[dg.MaterializeResult] = []
    asset = dg.AssetExecutionContext.get().assets_def
    releases = [SERVED_RELEASE] if continues_served else []
    inputs = {
        key.to_user_string(): [*(dep.to_user_string() for dep in asset.asset_deps[key]), *releases]
        for key in asset.keys
    }
    before = contents(
        workspace, sorted({n for names in inputs.values() for n in names} - {*inputs})
    )
    yield results
    after = contents(workspace, before)
    changed_inputs = [name for name in before if before[name] != after[name]]
    if changed_inputs:
        raise RuntimeError(
            f"{', '.join(changed_inputs)} changed while {', '.join(inputs)} was made: run it again"
        )
    now = after | contents(workspace, inputs)
    failed = {_name_of(result) for result in results if FAILED in (result.metadata or {})}
    for name, names in inputs.items():
        record = AssetRecord(now[name], {n: now[n] for n in names}, _now())
        if name in failed:
            last = _read(_path_of(workspace, name), AssetRecord)
            record = AssetRecord(
                now[name], last.made_from if last else {}, _now(), passed_over=record.made_from
            )
        _write(_path_of(workspace, name), record)


def _name_of(result: dg.MaterializeResult) -> str:
    return result.asset_key.to_user_string() if result.asset_key else ""


def last_check(workspace: Workspace, asset: str, name: str) -> CheckRecord | None:
    """Return the record of a check's last result; None without one."""
    return _read(_path_of_checks(workspace, asset, name), CheckRecord)


def forget_check(workspace: Workspace, asset: str, name: str) -> None:
    """Delete the record of a check's last result."""
    _path_of_checks(workspace, asset, name).unlink(missing_ok=True)


def record_check(workspace: Workspace, asset: str, name: str, result: CheckRecord) -> None:
    """Record the result of a check with this instant."""
    _write(
        _path_of_checks(workspace, asset, name),
        msgspec.structs.replace(result, checked_at=_now()),
    )


def _write(path: Path, record: msgspec.Struct) -> None:
    with replacing(path, durably=False) as temporary:
        temporary.write_bytes(msgspec.json.encode(record))


def _read(path: Path, kind: type[Record]) -> Record | None:
    """Return a record; None if it is missing or truncated by a crash."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _path_of(workspace: Workspace, asset: str) -> Path:
    return workspace.path(asset).parent / ".lineage" / f"{asset}.json"


def _path_of_checks(workspace: Workspace, asset: str, name: str) -> Path:
    return workspace.path(asset).parent / ".lineage" / "checks" / f"{asset}.{name}.json"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


# ------------------------------------------------------------------ proving


def chain_of(assets: Iterable[dg.AssetsDefinition]) -> Chain:
    """Return the chain of some assets, all of which lead to a release, and of their blocking
    checks."""
    all_assets = list(assets)
    inputs = {
        key.to_user_string(): [dep.to_user_string() for dep in deps]
        for asset in all_assets
        for key, deps in asset.asset_deps.items()
    }
    blocking = [
        (spec.asset_key.to_user_string(), spec.name)
        for asset in all_assets
        for spec in asset.check_specs
        if spec.blocking
    ]
    return Chain(inputs, blocking)


def chain_faults(workspace: Workspace, chain: Chain) -> list[str]:
    """Return the gaps in the chain from sources to release, in words; empty when it is proved."""
    names = {SERVED_RELEASE, *chain.inputs, *(n for deps in chain.inputs.values() for n in deps)}
    now = contents(workspace, sorted(names))
    faults = [f"{name} cannot be read" for name in sorted(now) if now[name] == _UNREADABLE]
    faults += [
        f
        for asset, deps in chain.inputs.items()
        for f in _asset_faults(workspace, asset, deps, now)
    ]
    return faults + [f for key in chain.checks for f in _check_faults(workspace, *key, now)]


def _asset_faults(
    workspace: Workspace, asset: str, deps: Sequence[str], now: Mapping[str, str]
) -> Iterator[str]:
    record = _read(_path_of(workspace, asset), AssetRecord)
    if record is None or not now[asset]:
        yield f"{asset}: no record of how it was made"
        return
    if record.content != now[asset]:
        yield f"{asset} is {_short(now[asset])}, but its step wrote {_short(record.content)}"
    for name in sorted({*deps, *record.made_from}):
        digest, expected = record.made_from.get(name, ""), now.get(name, "")
        if digest != expected and record.passed_over.get(name) != expected:
            yield f"{asset} was made from {name} {_short(digest)}; {_short(expected)} is there now"


def _check_faults(
    workspace: Workspace, asset: str, name: str, now: Mapping[str, str]
) -> Iterator[str]:
    record = last_check(workspace, asset, name)
    if record is None:
        yield f"check {name} of {asset}: no result"
        return
    if not record.passed:
        yield f"check {name} of {asset} failed: {record.detail}"
    for input_name, saw in record.seen.items():
        current = now.get(input_name, "")
        if saw != current:
            yield (
                f"check {name} of {asset} saw {input_name} {_short(saw)}; {_short(current)} is "
                "there now"
            )


def _short(digest: str) -> str:
    """Return the first characters of a digest; for a release the whole id."""
    if not digest:
        return "(nothing)"
    return digest if "-" in digest or digest == _NONE_SERVED else digest[:_SHORT]


def faults_text(faults: Sequence[str]) -> str:
    """Return the first faults as one text."""
    more = len(faults) - _MAX_SHOWN
    text = "; ".join(faults[:_MAX_SHOWN])
    return f"{text}; and {more} more" if more > 0 else text


def check_entries(workspace: Workspace, chain: Chain) -> list[CheckEntry]:
    """Return the last results of all blocking checks for the manifest. Raises LookupError for a
    missing one."""
    entries = []
    for asset, name in chain.checks:
        record = last_check(workspace, asset, name)
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
