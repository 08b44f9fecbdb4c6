"""Skip steps whose work is done: one digest of what a step's results are made from.

Only contents count: digests of rows, of files and of source code, never times of files. A date on
which something is judged, and every setting that changes the outcome, belongs into `settings`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import dagster as dg

from assets.defs.code_version import code_digest, root_of
from assets.defs.workspace import Workspace, digest_of
from warehouse.files import replacing, replacing_folder, sha256_of_all, write_text
from warehouse.parquet import columns_digest, content_digest


@dataclass(frozen=True)
class Recipe:
    """What a step's results are made from."""

    digest: str

    @property
    def notes(self) -> dict[str, Any]:
        """What a table must carry to be known again: pass it to `Workspace.write`."""
        return {"input_digest": self.digest}

    @property
    def version(self) -> dg.DataVersion:
        return dg.DataVersion(self.digest[:16])


def recipe_of(
    workspace: Workspace,
    *,
    tables: Iterable[str] = (),
    columns: Mapping[str, Iterable[str]] = MappingProxyType({}),
    products: Iterable[str] = (),
    code: Iterable[Callable[..., object]] = (),
    settings: Iterable[object] = (),
) -> Recipe:
    """The recipe of a step from the names of its inputs.

    `tables` count with their rows, those in `columns` with the named columns only, `products` with
    their files, `code` are the functions that compute the result (`assets.defs.code_version`), and
    `settings` are values whose text is unambiguous. A table that does not exist counts as such.
    """
    return Recipe(
        digest_of(
            *(f"{name}={content_digest(workspace.path(name))}" for name in tables),
            *(
                f"{name}.{','.join(read)}={columns_digest(workspace.path(name), read)}"
                for name, read in columns.items()
            ),
            *(f"{name}/={product_digest(workspace, name)}" for name in products),
            code_digest("warehouse.parquet", *map(root_of, code)),
            *settings,
        )
    )


def is_made(workspace: Workspace, recipe: Recipe, *names: str) -> bool:
    """True when every named table, or product, is on disk and was made by exactly this recipe."""
    return all(
        workspace.is_current(name, recipe.digest)
        or _kept(workspace, name).get("input_digest") == recipe.digest
        for name in names
    )


def remembered(workspace: Workspace, name: str, recipe: Recipe, make: Callable[[], str]) -> str:
    """The text that `make` gives, or that it gave before from the same (the recipe must name all
    that it reads).
    """
    note = workspace.path("any").parent / ".notes" / f"{name}.json"
    kept = _noted(note)
    if kept.get("input_digest") != recipe.digest:
        kept = {"input_digest": recipe.digest, "text": make()}
        _note_down(note, kept)
    return str(kept["text"])


def _noted(note: Path) -> dict[str, Any]:
    """What a small note says; empty when there is none, or a crash has left half of it."""
    try:
        kept: dict[str, Any] = json.loads(note.read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return kept


def _note_down(note: Path, facts: Mapping[str, Any]) -> None:
    with replacing(note, durably=False) as temporary:
        temporary.write_text(json.dumps(facts), encoding="utf-8")


# ------------------------------------------------------------------ products


@contextmanager
def writing_product(
    workspace: Workspace,
    name: str,
    recipe: Recipe,
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A fresh folder that becomes the product `name` when the block ends well, and facts of it.

    The note of what it is made from goes first and comes last: a build that is killed between
    leaves a folder that nobody takes for current.
    """
    note = _note(workspace, name)
    note.unlink(missing_ok=True)
    noted: dict[str, Any] = {}
    with replacing_folder(workspace.product(name)) as folder:
        yield folder, noted
        files = _digests(folder)
    facts = {
        "input_digest": recipe.digest,
        "content_digest": digest_of(*(f"{path}:{digest}" for path, digest in files.items())),
        "listing_digest": _listing(workspace.product(name)),
        "files": files,
        "facts": noted,
    }
    write_text(note, json.dumps(facts))


def product_digest(workspace: Workspace, name: str) -> str | None:
    """Digest of a product's files; None when there is no such product."""
    kept: str | None = _kept(workspace, name).get("content_digest")
    folder = workspace.product(name)
    if kept or not folder.is_dir():
        return kept
    return digest_of(*(f"{path}:{digest}" for path, digest in _digests(folder).items()))


def product_files(workspace: Workspace, name: str) -> dict[str, str]:
    """SHA-256 of a product's files, by path; empty when nothing is known of the product."""
    files: dict[str, str] = _kept(workspace, name).get("files", {})
    return files


def product_facts(workspace: Workspace, name: str) -> dict[str, Any]:
    """Return what the step of a product noted of it; empty when nothing is known of the product."""
    facts: dict[str, Any] = _kept(workspace, name).get("facts", {})
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


def _kept(workspace: Workspace, name: str) -> dict[str, Any]:
    """The note of a product; empty where there is none or the folder is not what it was."""
    folder, kept = workspace.product(name), _noted(_note(workspace, name))
    return kept if folder.is_dir() and kept.get("listing_digest") == _listing(folder) else {}
