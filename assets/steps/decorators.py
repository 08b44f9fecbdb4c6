"""Define the steps of a build: decorators that turn pure functions into steps.

    @table_asset(QUALITY, reads={RESOURCES.name: COLUMNS}, group="directory")
    def out_directory__quality_checks(resources: pd.DataFrame) -> pd.DataFrame: ...

    @product_asset("out_hsds__package", "hsds", reads={...}, group="hsds")
    def out_hsds__package(folder: Path, *tables: Path) -> Facts: ...

A step runs when what it reads, its settings, the declarations of its tables or the closure of its
function have changed, and then makes all of its output; otherwise it is skipped. Both ways it shows
rows, a preview and what it showed when it ran, runs the blocking checks of what it makes
(those that have passed on the same are not run again) and records its lineage.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import pandas as pd
import pyarrow as pa

from assets.steps.checks import Check, declaration_check, query_check
from assets.steps.code_version import code_digest, root_of
from assets.steps.exchange import exchanging
from assets.steps.freshness import (
    fingerprint_of,
    is_up_to_date,
    product_facts,
    writing_product,
)
from assets.steps.lineage import FAILED, content_version, recording
from assets.steps.memory import release_memory
from assets.steps.served import is_served
from assets.steps.stages import OWNERS
from assets.steps.workspace import FINGERPRINT, Reads, Workspace, measure
from schemas.checks.registry import query_checks
from schemas.table import Table
from schemas.tables.core import LOCATED
from schemas.tables.published import PUBLISHED
from schemas.tables.registry import TABLES

# More tags would hide a column: all sources share them.
_MAX_ORIGINS = 4
_PUBLISHED = {table.name: table for table in PUBLISHED}

Facts = Mapping[str, Any]
Result = dg.MaterializeResult | dg.AssetCheckResult
Run = Callable[[dg.AssetExecutionContext, Workspace], Iterator[Result]]
# Loads an input: (workspace, name of the table, columns or None for all).
Load = Callable[[Workspace, str, Sequence[str] | None], Any]


@dataclass(frozen=True)
class Output:
    """A step's tables in order, and JSON values to note and show with them."""

    frames: Sequence[pd.DataFrame | pa.Table | pa.RecordBatchReader]
    notes: Facts = field(default_factory=dict)


def load_frame(workspace: Workspace, name: str, columns: Sequence[str] | None) -> pd.DataFrame:
    """Read an input as a frame. Raises FileNotFoundError."""
    return workspace.read(name, None if columns is None else list(columns))


def load_path(workspace: Workspace, name: str, columns: Sequence[str] | None) -> Path:
    """Return the Parquet file of an input."""
    return workspace.path(name)


def no_facts(workspace: Workspace) -> Facts:
    """Return no arguments."""
    return {}


# ------------------------------------------------------------------ any step


def asset_spec(
    table: Table, deps: Collection[str], kinds: Collection[str] = ("pandas", "parquet")
) -> dg.AssetSpec:
    """Return the spec of a table's asset, with the input columns that its columns derive from.

    A quantity has the same name in every table (`schemas/fields.yaml`).
    """
    inputs = {
        name: LOCATED if name.endswith("__located") else TABLES[name]
        for name in deps
        if name.endswith("__located") or name in TABLES
    }
    origins = {
        column: [name for name, other in inputs.items() if column in other.field_names]
        for column in table.field_names
    }
    lineage = {
        column: [dg.TableColumnDep(asset_key=name, column_name=column) for name in names]
        for column, names in origins.items()
    }
    return dg.AssetSpec(
        table.name,
        deps=list(deps),
        kinds=set(kinds),
        description=table.description,
        metadata={
            "dagster/column_schema": column_schema(table, origins),
            "dagster/column_lineage": dg.TableColumnLineage(lineage),
        },
    )


def column_schema(table: Table, origins: Mapping[str, Sequence[str]]) -> dg.TableSchema:
    """Return the declaration for Dagster's UI, each column tagged with its source tables: the open
    web server shows column lineage in no other way."""
    required = set(table.required_names)
    return dg.TableSchema(
        [
            dg.TableColumn(
                f.name,
                f.duckdb_type,
                description=f.description,
                constraints=dg.TableColumnConstraints(nullable=f.name not in required),
                tags=_origin_tags(origins.get(f.name, ())),
            )
            for f in table.fields
        ]
    )


def _origin_tags(names: Sequence[str]) -> dict[str, str]:
    if len(names) > _MAX_ORIGINS:
        return {"from": f"{len(names)}_tables"}
    return dict.fromkeys(names, "")


def step(
    *specs: dg.AssetSpec,
    name: str,
    group: str,
    checks: Sequence[Check] = (),
    warnings: Sequence[dg.AssetCheckSpec] = (),
    continues_served: bool = False,
    **arguments: Any,
) -> Callable[[Run], dg.AssetsDefinition]:
    """Make a step from a function that yields the results of some assets and of its `warnings`.

    After all tables are written, published ones are checked against their declarations, then by
    `checks`. `arguments` are those of `dg.multi_asset`.
    """
    names = [spec.key.to_user_string() for spec in specs]
    tested = [
        *(declaration_check(_PUBLISHED[n]) for n in names if n in _PUBLISHED),
        *checks,
        *(query_check(declaration) for declaration in query_checks() if declaration.table in names),
    ]

    def decorate(function: Run) -> dg.AssetsDefinition:
        @dg.multi_asset(
            name=name,
            group_name=group,
            specs=[spec.replace_attributes(owners=[OWNERS[group]]) for spec in specs],
            check_specs=[*warnings, *(check.spec for check in tested)],
            **arguments,
        )
        def run(context: dg.AssetExecutionContext, workspace: Workspace) -> Iterator[Result]:
            with exchanging(workspace.root, name, names):
                with recording(workspace, continues_served) as results:
                    for result in function(context, workspace):
                        if isinstance(result, dg.MaterializeResult):
                            results.append(result)
                        yield result
                for check in tested:
                    yield check(workspace)
            release_memory()

        return run

    return decorate


# ------------------------------------------------------------------ tables


def make_tables(
    workspace: Workspace,
    fingerprint: str,
    tables: Sequence[Table],
    make: Callable[[], Output],
    *,
    continues_served: bool = False,
) -> Iterator[dg.MaterializeResult]:
    """Write the tables returned by `make`, unless the files on disk have the same fingerprint.

    Tables that continue the served release must also equal the served ones: recomputing them from
    themselves would change nothing.
    """
    names = [table.name for table in tables]
    if is_up_to_date(workspace, fingerprint, *names) and (
        not continues_served or is_served(workspace, *names)
    ):
        for table in tables:
            yield result_of_skip(workspace, table)
        return
    with measure() as cost:
        output = make()
    facts = {**output.notes, **cost.metadata()}
    for table, frame in zip(tables, output.frames, strict=True):
        workspace.write(table.name, frame, table, {FINGERPRINT: fingerprint, **facts})
        yield result_of_table(workspace, table, facts)


def result_of_table(workspace: Workspace, table: Table, facts: Facts) -> dg.MaterializeResult:
    """Return the result of a step for a table on disk: its rows, a preview and `facts`."""
    return dg.MaterializeResult(
        asset_key=table.name,
        metadata={**show(facts), **workspace.show(table.name)},
        data_version=content_version(workspace, table.name),
    )


def result_of_skip(workspace: Workspace, table: Table) -> dg.MaterializeResult:
    """Return the result of a skipped step for a table: the metadata of its last run."""
    return result_of_table(workspace, table, {"reused": True, **workspace.notes(table.name)})


def last_good(workspace: Workspace, table: Table, reason: str) -> dg.MaterializeResult:
    """Return the result of a step that failed for `reason`: the unchanged table of an earlier
    build.

    Without one an empty table is written.
    """
    if not workspace.path(table.name).exists():
        empty = pd.DataFrame(columns=table.field_names)
        workspace.write(table.name, empty, table, {"rows_read": 0, "files": {}})
    return result_of_table(workspace, table, {**workspace.notes(table.name), FAILED: reason})


def show(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return JSON values as Dagster metadata; Markdown tables are rendered."""
    return {
        name: dg.MetadataValue.md(value)
        if isinstance(value, str) and value.startswith("| ")
        else value
        for name, value in facts.items()
    }


def table_asset(
    *tables: Table,
    reads: Reads,
    group: str,
    name: str = "",
    settings: Callable[[Workspace], Facts] = no_facts,
    arguments: Callable[[Workspace], Facts] = no_facts,
    load: Load | None = load_frame,
    describe: Callable[..., Facts] = lambda *frames: {},
    kinds: Collection[str] = ("pandas", "parquet"),
    checks: Sequence[Check] = (),
    continues_served: bool = False,
) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """Make the step of one or more tables from a function of the inputs that it `reads`, in order.

    The function returns a frame, or `Output` for several tables. `reads` names the columns of each
    input, None for all; `load` converts an input for the function (None: it reads them through
    `arguments`). `settings` are keyword arguments with unambiguous text, `arguments` others that
    affect the result only through inputs and settings. `describe` returns JSON values to show about
    the frames.
    """

    def decorate(function: Callable[..., Any]) -> dg.AssetsDefinition:
        def make(workspace: Workspace, values: Facts) -> Output:
            inputs = (
                [load(workspace, table, columns) for table, columns in reads.items()]
                if load
                else []
            )
            output = function(*inputs, **values, **arguments(workspace))
            output = output if isinstance(output, Output) else Output([output])
            return Output(output.frames, {**output.notes, **describe(*output.frames)})

        def run(context: dg.AssetExecutionContext, workspace: Workspace) -> Iterator[Result]:
            values = settings(workspace)
            return make_tables(
                workspace,
                fingerprint_of(workspace, reads, [function], [*tables, *values.items()]),
                tables,
                lambda: make(workspace, values),
                continues_served=continues_served,
            )

        version = code_digest(root_of(function))[:16]
        specs = [asset_spec(table, list(reads), kinds) for table in tables]
        return step(
            *(spec.replace_attributes(code_version=version) for spec in specs),
            name=name or tables[0].name,
            group=group,
            checks=checks,
            continues_served=continues_served,
        )(run)

    return decorate


# ------------------------------------------------------------------ products


def make_product(
    workspace: Workspace, fingerprint: str, name: str, folder: str, make: Callable[[Path], Facts]
) -> dg.MaterializeResult:
    """Have `make` write the product of the asset `name` into a fresh folder, unless the product on
    disk has the same fingerprint. It returns facts to show."""
    reuse: Facts = {"reused": True}
    if not is_up_to_date(workspace, fingerprint, folder):
        reuse = {}
        with writing_product(workspace, folder, fingerprint) as (path, facts):
            with measure() as cost:
                facts.update(make(path))
            facts.update(cost.metadata())
    return dg.MaterializeResult(
        asset_key=name,
        metadata={**reuse, **show(product_facts(workspace, folder))},
        data_version=content_version(workspace, name),
    )


def product_asset(
    name: str,
    folder: str,
    *,
    reads: Reads,
    group: str,
    description: str,
    kinds: Collection[str],
    settings: Callable[[Workspace], Facts] = no_facts,
    arguments: Callable[[Workspace], Facts] = no_facts,
    load: Load = load_path,
    checks: Sequence[Check] = (),
) -> Callable[[Callable[..., Facts]], dg.AssetsDefinition]:
    """Make the step of a product from a function that writes into a folder and returns facts to
    show.

    The function gets the folder, then its inputs as for `table_asset`.
    """

    def decorate(function: Callable[..., Facts]) -> dg.AssetsDefinition:
        def run(context: dg.AssetExecutionContext, workspace: Workspace) -> Iterator[Result]:
            values = settings(workspace)

            def make(path: Path) -> Facts:
                inputs = [load(workspace, table, columns) for table, columns in reads.items()]
                return function(path, *inputs, **values, **arguments(workspace))

            fingerprint = fingerprint_of(workspace, reads, [function], values.items())
            yield make_product(workspace, fingerprint, name, folder, make)

        spec = dg.AssetSpec(
            name,
            deps=[*reads],
            kinds=set(kinds),
            description=description,
            code_version=code_digest(root_of(function))[:16],
        )
        return step(spec, name=name, group=group, checks=checks)(run)

    return decorate
