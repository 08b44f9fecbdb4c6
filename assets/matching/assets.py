"""Matches the records of all sources: which of them describe one place.

Records of two states are never one place, but word frequencies and shared telephone numbers are
counted nationwide first: features by state -> candidate pairs -> clusters by state. The states'
intermediate files are scratch; several states run in parallel.
"""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pandas as pd
import pyarrow as pa

from assets.matching.match_features import facts_by_state
from assets.matching.matching import LOCATED_COLUMNS, cluster_state
from assets.matching.profiles import SHARED_BY
from assets.parallel import for_each
from assets.steps.tables import outputs, outs_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import CLUSTERS, DECISIONS, DOUBTFUL_PAIRS, LOCATED
from warehouse.blocking import candidates_by_state
from warehouse.parquet import read_arrow, write_arrow, write_table

_TABLES = (DOUBTFUL_PAIRS, CLUSTERS)
# Rows per batch of features: each call costs a hundredth of a second.
_BATCH_ROWS = 5_000


@dg.multi_asset(
    ins={"located": read(LOCATED, LOCATED_COLUMNS), "decisions": read(DECISIONS)},
    outs=outs_of("matching", *_TABLES),
    can_subset=True,
)
def core_directory_matching(
    context: dg.AssetExecutionContext,
    workspace: Workspace,
    located: pd.DataFrame,
    decisions: pd.DataFrame,
) -> Iterator[dg.Output[pa.Table]]:
    """Put records of one place into clusters, and leave doubtful pairs to a reviewer."""
    by_state = [(str(state), rows) for state, rows in located.groupby("state", sort=True)]
    # The largest first: several states run at once.
    by_state.sort(key=lambda of_state: -len(of_state[1]))
    keys = ["source_id", "source_key"]
    answers = decisions.merge(located[[*keys, "state"]], on=keys)
    answers_by_state = {
        str(state): rows.drop(columns="state") for state, rows in answers.groupby("state")
    }
    with workspace.scratch() as folder:
        batches = ((folder, pd.concat(batch)) for batch in _batches([r for _, r in by_state]))
        for_each(write_facts, batches, rows=len(located), processes=workspace.processes)
        facts = {state: folder / f"{state}.facts" for state, _ in by_state}
        for state, candidates in candidates_by_state(facts, SHARED_BY):
            write_arrow(candidates.pairs, folder / f"{state}.pairs")
            write_arrow(candidates.shared, folder / f"{state}.shared")
        tasks = ((folder, state, rows, answers_by_state.get(state)) for state, rows in by_state)
        for_each(write_matches, tasks, rows=len(located), processes=workspace.processes)
        states = sorted(state for state, _ in by_state)
        tables = {
            table: pa.concat_tables(read_arrow(folder / f"{s}.{table.name}") for s in states)
            for table in _TABLES
        }
    yield from outputs(context, tables)


def _batches(states: list[pd.DataFrame]) -> Iterator[list[pd.DataFrame]]:
    """Yield the states in batches of `_BATCH_ROWS` or more; only the last one has fewer."""
    batch: list[pd.DataFrame] = []
    for rows in states:
        batch.append(rows)
        if sum(map(len, batch)) >= _BATCH_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def write_facts(folder: Path, located: pd.DataFrame) -> None:
    """Write some states' features for nationwide matching, a file for each."""
    for state, facts in facts_by_state(located).items():
        write_arrow(facts, folder / f"{state}.facts")


def write_matches(
    folder: Path, state: str, located: pd.DataFrame, decisions: pd.DataFrame | None
) -> None:
    """Write a state's doubtful pairs and clusters."""
    pairs, shared = (read_arrow(folder / f"{state}.{name}") for name in ("pairs", "shared"))
    matching = cluster_state(located, pairs, shared, decisions)
    for table, frame in zip(_TABLES, (matching.doubtful, matching.clusters), strict=True):
        write_table(frame, table, folder / f"{state}.{table.name}")
