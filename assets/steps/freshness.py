"""Skips up-to-date steps: one fingerprint covers all inputs of a step's output.

Only contents count: digests of rows, of files and of source code, never file times. `settings` must
include a reference date for judgements, and every setting that changes the outcome.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assets.steps.code_version import code_digest, root_of
from assets.steps.workspace import FINGERPRINT, Reads, Workspace, digest_of
from warehouse.files import replacing_folder, sha256_of_all, write_text
from warehouse.parquet import columns_digest, content_digest


def fingerprint_of(
    workspace: Workspace,
    reads: Reads = MappingProxyType({}),
    code: Iterable[Callable[..., object]] = (),
    settings: Iterable[object] = (),
) -> str:
    """Return the digest of a step's inputs, code and settings.

    For the tables it `reads`, the named columns count, or all rows (None); a missing table counts
    as missing. `code` are the functions that compute the result (`assets.steps.code_version`),
    `settings` values with unambiguous text.
    """
    contents = (
        f"{name}={content_digest(workspace.path(name))}"
        if columns is None
        else f"{name}.{','.join(columns)}={columns_digest(workspace.path(name), columns)}"
        for name, columns in reads.items()
    )
    return digest_of(*contents, code_digest("warehouse.parquet", *map(root_of, code)), *settings)


def is_up_to_date(workspace: Workspace, fingerprint: str, *names: str) -> bool:
    """Return whether every named table, or product, on disk was made with this fingerprint."""
    return all(
        fingerprint
        in (
            workspace.notes(name).get(FINGERPRINT),
            _product_note(workspace, name).get(FINGERPRINT),
        )
        for name in names
    )


# ------------------------------------------------------------------ products


@contextmanager
def writing_product(
    workspace: Workspace,
    name: str,
    fingerprint: str,
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield a fresh folder that becomes the product `name` when the block succeeds, and a
    dictionary for its facts.

    The note of its inputs is removed first and written last: a killed build leaves a folder that
    counts as outdated.
    """
    note = _note(workspace, name)
    note.unlink(missing_ok=True)
    noted: dict[str, Any] = {}
    with replacing_folder(workspace.product(name)) as folder:
        yield folder, noted
        files = _digests(folder)
    facts = {
        FINGERPRINT: fingerprint,
        "content_digest": digest_of(*(f"{path}:{digest}" for path, digest in files.items())),
        "listing_digest": _listing(workspace.product(name)),
        "files": files,
        "facts": noted,
    }
    write_text(note, json.dumps(facts))


def product_digest(workspace: Workspace, name: str) -> str | None:
    """Digest a product's files; None without such a product."""
    digest: str | None = _product_note(workspace, name).get("content_digest")
    folder = workspace.product(name)
    if digest or not folder.is_dir():
        return digest
    return digest_of(*(f"{path}:{digest}" for path, digest in _digests(folder).items()))


def product_files(workspace: Workspace, name: str) -> dict[str, str]:
    """Return SHA-256 of a product's files by path; empty without a note of the product."""
    files: dict[str, str] = _product_note(workspace, name).get("files", {})
    return files


def product_facts(workspace: Workspace, name: str) -> dict[str, Any]:
    """Return the step's note of a product; empty without one."""
    facts: dict[str, Any] = _product_note(workspace, name).get("facts", {})
    return facts


def _digests(folder: Path) -> dict[str, str]:
    paths = _files(folder)
    names = (str(path.relative_to(folder)) for path in paths)
    return dict(zip(names, sha256_of_all(paths), strict=True))


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file())


def _note(workspace: Workspace, name: str) -> Path:
    folder = workspace.product(name)
    return folder.with_name(f".{folder.name}.json")


def _listing(folder: Path) -> str:
    return digest_of(*(f"{p.relative_to(folder)}:{p.stat().st_size}" for p in _files(folder)))


def _product_note(workspace: Workspace, name: str) -> dict[str, Any]:
    """Return the note of a product; empty if it is missing, truncated by a crash, or the folder has
    other files."""
    folder = workspace.product(name)
    try:
        note: dict[str, Any] = json.loads(_note(workspace, name).read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return note if folder.is_dir() and note.get("listing_digest") == _listing(folder) else {}
