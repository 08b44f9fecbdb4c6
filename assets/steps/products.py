"""Products: folders of files that a release has in addition to its tables.

    @dg.asset(ins={...}, **product_of("out_map__base", "statistics", ...))
    def out_map__base(workspace: Workspace, cities: pd.DataFrame) -> dg.Output[Path]:
        folder = workspace.scratch("map")
        ...
        return dg.Output(folder, metadata=facts)

The step fills a scratch folder, which becomes `<data>/products/<folder>` whole: the files of the
last run, which a release links, do not change. To add a product, write its asset, name its key and
folder here, and list the asset in `pipelines.build`.
"""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import dagster as dg

from assets.steps.keys import keys_of, name_of, place_in_graph
from assets.steps.provenance import (
    MADE_FROM,
    PRODUCT_FOLDERS,
    RUN,
    contents,
    product_note,
    product_note_path,
)
from assets.steps.tables import code_version
from assets.steps.workspace import Workspace, digest_of
from warehouse.files import replace_folder, sha256_of_all, write_text

PRODUCTS_STORE = "products"


def product_of(
    name: str, family: str, *, kinds: Collection[str], description: str, deps: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the arguments of `dg.asset` for a product."""
    return {
        **place_in_graph(name, family),
        "description": description,
        "kinds": set(kinds),
        "deps": keys_of(deps),
        "io_manager_key": PRODUCTS_STORE,
        "code_version": code_version(),
    }


class FolderIOManager(dg.IOManager):
    """Stores each product as a folder, and notes beside it its files, their digests and what they
    were made from."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def handle_output(self, context: dg.OutputContext, obj: Path) -> None:
        """Move a filled scratch folder to its place. Raises OSError.

        The note is removed first and written last: a killed build leaves a folder without one.
        """
        name = name_of(context.asset_key)
        folder = self._workspace.product(PRODUCT_FOLDERS[name])
        made_from = contents(
            self._workspace, [name_of(dep.asset_key) for dep in context.asset_spec.deps]
        )
        note = product_note_path(folder)
        note.unlink(missing_ok=True)
        replace_folder(obj, folder)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        names = [str(path.relative_to(folder)) for path in paths]
        files = dict(zip(names, sha256_of_all(paths), strict=True))
        facts = {key: value.value for key, value in (context.output_metadata or {}).items()}
        content = digest_of(*(f"{path}:{digest}" for path, digest in files.items()))
        noted = {"content": content, RUN: context.run_id, MADE_FROM: made_from}
        write_text(note, json.dumps({**noted, "files": files, "facts": facts}))
        size = sum(path.stat().st_size for path in paths)
        context.add_output_metadata(
            {"path": dg.MetadataValue.path(str(folder)), "size_mb": round(size / 1e6, 1)}
        )

    def load_input(self, context: dg.InputContext) -> Path:
        """Return the folder of a product."""
        return self._workspace.product(PRODUCT_FOLDERS[name_of(context.asset_key)])


def product_files(workspace: Workspace, folder: str) -> dict[str, str]:
    """Return SHA-256 of a product's files by path; empty without such a product."""
    files: dict[str, str] = product_note(workspace, folder).get("files", {})
    return files


def product_facts(workspace: Workspace, folder: str) -> dict[str, Any]:
    """Return what the step of a product showed; empty without such a product."""
    facts: dict[str, Any] = product_note(workspace, folder).get("facts", {})
    return facts
