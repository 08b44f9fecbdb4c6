"""Declares assets that are tables, and stores them as Parquet files.

    @dg.asset(ins={"resources": read(RESOURCES, COLUMNS)}, **asset_of(QUALITY, "directory"))
    def out_directory__quality_checks(resources: pd.DataFrame) -> pd.DataFrame: ...

    @dg.multi_asset(ins={...}, outs=outs_of(family, STATES, CITIES), can_subset=True)
    def totals(context, resources: pd.DataFrame) -> Iterator[dg.Output]:
        yield from outputs(context, {STATES: ..., CITIES: ...}, facts)

An input that is annotated as `Path` is the table's file, for DuckDB; as `pa.Table` its rows;
otherwise a frame of the columns that `read` names.
"""

import json
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dagster as dg
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from assets.steps.keys import key_of, keys_of, name_of, place_in_graph
from assets.steps.provenance import (
    FAILED,
    MADE_FROM,
    PASSED_OVER,
    PRODUCT_FOLDERS,
    RUN,
    contents,
    product_note,
    product_note_path,
)
from assets.steps.workspace import Workspace, digest_of
from schemas.table import Table
from warehouse.files import replace_folder, sha256_of_all, write_text
from warehouse.parquet import notes_of, read_arrow, read_frame, take_file, write_table

# Key of the I/O manager among the resources.
TABLES_STORE = "tables"
_PARQUET = frozenset({"pandas", "parquet"})
_PREVIEW_ROWS, _PREVIEW_COLUMNS = 5, 12


@dataclass(frozen=True)
class LastGood:
    """The output of a step that failed for `reason`: the rows of `frame`, else the table of an
    earlier build, which is empty without one."""

    reason: str
    frame: pd.DataFrame | None = None


# ------------------------------------------------------------------ declaring


def read(table: Table | str, columns: Sequence[str] | None = None) -> dg.AssetIn:
    """Declare the columns of a table that a step reads; None for all."""
    name = table if isinstance(table, str) else table.name
    return dg.AssetIn(key=key_of(name), metadata={} if columns is None else {"columns": [*columns]})


def asset_of(
    table: Table, family: str, kinds: Collection[str] = _PARQUET, **more: Any
) -> dict[str, Any]:
    """Return the arguments of `dg.asset` or `dg.AssetOut` for a declared table, and `more`."""
    return {
        **more,
        **place_in_graph(table.name, family),
        "description": table.description,
        "kinds": set(kinds),
        "io_manager_key": TABLES_STORE,
        "code_version": code_version(),
        "metadata": {"dagster/column_schema": column_schema(table), **more.get("metadata", {})},
    }


def outs_of(
    family: str, *tables: Table, kinds: Collection[str] = _PARQUET, **more: Any
) -> dict[str, dg.AssetOut]:
    """Return the outputs of `dg.multi_asset` for declared tables; each can be made alone."""
    return {
        table.name: dg.AssetOut(**asset_of(table, family, kinds, **more), is_required=False)
        for table in tables
    }


def outputs(
    context: dg.AssetExecutionContext,
    frames: Mapping[Table, Any],
    facts: Mapping[str, Any] | None = None,
) -> Iterator[dg.Output[Any]]:
    """Yield the selected ones of a step's tables. `facts` are JSON values to note and show."""
    for table, frame in frames.items():
        if table.name in context.op_execution_context.selected_output_names:
            yield dg.Output(frame, table.name, metadata=show(facts or {}))


def show(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return JSON values as Dagster metadata; Markdown tables are rendered."""
    return {
        name: dg.MetadataValue.md(value)
        if isinstance(value, str) and value.startswith("| ")
        else value
        for name, value in facts.items()
    }


def column_schema(table: Table) -> dg.TableSchema:
    """Return a table's declaration for Dagster's pages."""
    required = set(table.required_names)
    return dg.TableSchema(
        [
            dg.TableColumn(
                f.name,
                f.duckdb_type,
                description=f.description,
                constraints=dg.TableColumnConstraints(nullable=f.name not in required),
            )
            for f in table.fields
        ]
    )


@cache
def code_version() -> str:
    """Return the version of the package, and the revision of a checkout."""
    release, here = version("open-larder"), Path(__file__).parent
    try:
        revision = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607 - git of the developer's path
            cwd=here,
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return release
    return f"{release}+{revision}"


# ------------------------------------------------------------------ storing


class ParquetIOManager(dg.UPathIOManager):
    """Stores each table in `<data>/tables/<asset>.parquet`, typed, ordered and required as its
    declaration says, and notes beside it what it was made from (`assets.steps.provenance`)."""

    extension = ".parquet"

    def __init__(self, base_path: UPath, workspace: Workspace, tables: Mapping[str, Table]):
        super().__init__(base_path)
        self._workspace = workspace
        self._tables = tables

    def get_asset_relative_path(self, context: dg.InputContext | dg.OutputContext) -> UPath:
        """Return the file of a table: its whole name, by which it is published."""
        return UPath(name_of(context.asset_key))

    def dump_to_path(self, context: dg.OutputContext, obj: Any, path: UPath) -> None:
        """Write a frame, Arrow rows, a reader of them, or take over a file. Raises ContractError,
        and OSError."""
        name, file = name_of(context.asset_key), Path(str(path))
        table = self._tables[name]
        notes = {key: value.value for key, value in (context.output_metadata or {}).items()}
        made_from = contents(
            self._workspace, [name_of(dep.asset_key) for dep in context.asset_spec.deps]
        )
        notes |= {RUN: context.run_id, MADE_FROM: made_from}
        if isinstance(obj, LastGood):
            earlier, frame = notes_of(file), obj.frame
            if frame is None and not file.exists():
                frame = pd.DataFrame(columns=table.field_names)
            if frame is not None:
                write_table(frame, table, file, name=name)
                earlier = {"rows_read": len(frame), "files": {}}
            notes = {**earlier, **notes, MADE_FROM: earlier.get(MADE_FROM, {})}
            notes |= {PASSED_OVER: made_from, FAILED: obj.reason}
            obj = file
        if isinstance(obj, Path):
            take_file(obj, file, notes)
        else:
            write_table(obj, table, file, name=name, notes=notes)
        with pq.ParquetFile(file) as written:
            context.add_output_metadata(
                {
                    "dagster/row_count": written.metadata.num_rows,
                    "preview": dg.MetadataValue.md(_preview(written)),
                }
            )

    def load_from_path(self, context: dg.InputContext, path: UPath) -> Any:
        """Read a table as the step's annotation asks. Raises FileNotFoundError."""
        file, wanted = Path(str(path)), context.dagster_type.typing_type
        if wanted is Path:
            return file
        if wanted is pa.Table:
            return read_arrow(file)
        return read_frame(file, (context.definition_metadata or {}).get("columns"))


def _preview(file: pq.ParquetFile) -> str:
    """Render the first rows of a table file as a Markdown table, long texts cut."""
    names = file.schema_arrow.names[:_PREVIEW_COLUMNS]
    first = next(file.iter_batches(_PREVIEW_ROWS, columns=names), None)
    if first is None:
        return "no rows"
    cells = [
        ["" if v is None else str(v).replace("|", "/").replace("\n", " ")[:40] for v in row]
        for row in zip(*first.to_pydict().values(), strict=True)
    ]
    lines = [names, ["---"] * len(names), *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# Products: folders of files that a release has in addition to its tables.
#
#     @dg.asset(ins={...}, **product_of("out_map__base", "statistics", ...))
#     def out_map__base(workspace: Workspace, cities: pd.DataFrame) -> dg.Output[Path]:
#         folder = workspace.scratch("map")
#         ...
#         return dg.Output(folder, metadata=facts)
#
# The step fills a scratch folder, which becomes `<data>/products/<folder>` whole: the files of the
# last run, which a release links, do not change. To add a product, write its asset, name its key
# and folder here, and list the asset in `pipelines.build`.

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
