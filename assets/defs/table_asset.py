"""Define the steps that make tables: pure functions from frames to a frame, under one decorator.

    @table_asset(QUALITY, reads={RESOURCES.name: COLUMNS}, group="directory")
    def out_directory__quality_checks(resources: pd.DataFrame) -> pd.DataFrame: ...

A step runs when the columns that it reads, its settings, the declaration of its table or the
closure of its function have changed, and then makes the whole table; otherwise it is skipped and
shows what it showed. Writing checks the declaration. The lineage of both is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import dagster as dg
import pandas as pd

from assets.defs.code_version import code_digest, root_of
from assets.defs.freshness import is_made, recipe_of, reused
from assets.defs.lineage import Reads, recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, measured
from schemas.table import Table

Facts = Mapping[str, Any]


def table_asset(
    table: Table,
    *,
    reads: Reads,
    group: str,
    settings: Callable[[Workspace], Facts] = lambda workspace: {},
    describe: Callable[[pd.DataFrame], Facts] = lambda frame: {},
    kinds: Collection[str] = ("pandas", "parquet"),
) -> Callable[[Callable[..., pd.DataFrame]], dg.AssetsDefinition]:
    """Make the step of a table from a function of the frames that it `reads`, in this order.

    `reads` names the columns of each table, None for all. `settings` are keyword arguments of the
    function whose text is unambiguous; `describe` gives JSON values to show of the frame.
    """

    def decorate(function: Callable[..., pd.DataFrame]) -> dg.AssetsDefinition:

        @dg.asset(
            name=table.name,
            group_name=group,
            kinds=set(kinds),
            owners=OWNERS,
            description=table.description,
            deps=list(reads),
            code_version=code_digest(root_of(function))[:16],
        )
        @recorded()
        def step(workspace: Workspace) -> dg.MaterializeResult:
            given = settings(workspace)
            recipe = recipe_of(
                workspace,
                tables=[name for name, columns in reads.items() if columns is None],
                columns={name: columns for name, columns in reads.items() if columns is not None},
                code=[function],
                settings=[table, *given.items()],
            )
            if is_made(workspace, recipe, table.name):
                return reused(workspace, recipe, table.name, table=table)
            with measured() as cost:
                frames = [
                    workspace.read(name, None if columns is None else list(columns))
                    for name, columns in reads.items()
                ]
                frame = function(*frames, **given)
            facts = {**describe(frame), **cost.metadata()}
            shown = workspace.write(table.name, frame, table, {**recipe.notes, **facts})
            return dg.MaterializeResult(metadata={**shown, **facts}, data_version=recipe.version)

        return step

    return decorate
