"""Builds the tables of the resources, a range of resource ids at a time.

A resource depends only on its own records, so ranges are independent: memory does not grow with the
directory, and several ranges are processed in parallel.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pyarrow import feather

from assets.directory.automatic_changes import apply_rules, no_changes, no_observations, observe
from assets.directory.edits import apply_edits
from assets.directory.places import merge_records, rank_values
from assets.directory.scores import with_confidence
from assets.directory.statements import statements
from assets.geography.place_points import locate
from assets.parallel import for_each
from assets.steps.workspace import Workspace, read_served_table
from schemas.sources.registry import built_sources
from schemas.table import Table
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    LOCATED,
    PHONE_VALIDATIONS,
    RECORD_SOURCES,
    RESOURCES,
    RULE_OBSERVATIONS,
    STATEMENTS,
    WEBSITE_PROBES,
    ZIPS,
)
from warehouse.parquet import as_arrow

EDITS_TABLE = built_sources()["operations_edits"].core_table
# Maximum records merged at a time; limits memory without changing the result.
_RECORDS_AT_ONCE = 100_000
_TABLES = (RESOURCES, RECORD_SOURCES, RULE_OBSERVATIONS, STATEMENTS, AUTOMATIC_CHANGES)
_RECORDS = "records"  # the file of a range's records


def merge_in_ranges(
    workspace: Workspace, release_id: str, merged: pd.DataFrame, edits: pd.DataFrame
) -> dict[str, Any]:
    """Return the resources' tables by name; tables ordered by id as readers of files.

    `merged` has `resource_id` and `match_reason` of the rows of `LOCATED`; `edits` come from
    `target_edits`.
    """
    with workspace.scratch() as scratch:
        folders = _part_records(workspace, merged, scratch)
        tasks = ((workspace, release_id, edits, folder) for folder in folders)
        for_each(write_range, tasks, rows=len(merged), processes=workspace.processes)
        tables = {table.name: _follow(table, folders) for table in _TABLES}
    # Changes of earlier releases are interleaved with those of this one.
    earlier = read_served_table(workspace, AUTOMATIC_CHANGES)
    if earlier is not None:
        new_changes = tables[AUTOMATIC_CHANGES.name].read_all()
        both = pa.concat_tables([as_arrow(earlier, AUTOMATIC_CHANGES), new_changes])
        return {**tables, AUTOMATIC_CHANGES.name: both}
    return tables


def _part_records(workspace: Workspace, merged: pd.DataFrame, scratch: Path) -> list[Path]:
    """Write the records of each range into a separate folder, in one pass over `LOCATED`."""
    range_of_row = np.empty(len(merged), dtype=np.int64)
    folders = []
    for number, rows in enumerate(ranges_of(merged["resource_id"], _RECORDS_AT_ONCE)):
        range_of_row[rows] = number
        folders.append(scratch / str(number))
        folders[-1].mkdir()
    merged_table = pa.Table.from_pandas(merged, preserve_index=False)
    start = 0
    with pq.ParquetFile(workspace.path(LOCATED.name)) as located, ExitStack() as stack:
        schema = pa.schema([*located.schema_arrow, *merged_table.schema]).remove_metadata()
        writers = [
            stack.enter_context(pa.ipc.new_file(str(folder / _RECORDS), schema))
            for folder in folders
        ]
        for batch in located.iter_batches():
            size = len(batch)
            part = merged_table.slice(start, size).combine_chunks().to_batches()[0]
            ranges = range_of_row[start : start + size]
            order = np.argsort(ranges, kind="stable")
            whole = pa.record_batch([*batch.columns, *part.columns], schema=schema).take(order)
            starts = np.searchsorted(ranges[order], np.arange(len(folders) + 1))
            for writer, (first, end) in zip(writers, pairwise(starts), strict=True):
                writer.write_batch(whole.slice(first, end - first))
            start += size
    return folders


def _follow(table: Table, folders: list[Path]) -> pa.RecordBatchReader:
    """Return a reader of the rows of ranges, which stay on disk until read."""
    parts = deque(
        feather.read_table(folder / table.name, memory_map=True)
        for folder in folders
        if (folder / table.name).exists()
    )

    def batches() -> Iterator[pa.RecordBatch]:
        # Only one part is mapped at a time.
        while parts:
            yield from parts.popleft().to_batches()

    return pa.RecordBatchReader.from_batches(table.arrow_schema(), batches())


def write_range(workspace: Workspace, release_id: str, edits: pd.DataFrame, folder: Path) -> None:
    """Write the resource tables from a folder's records, with the changes of this release only."""
    # The types that `read_frame` gives.
    types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    located = (
        feather.read_table(folder / _RECORDS).combine_chunks().to_pandas(types_mapper=types.get)
    )
    merged = located[["resource_id", "match_reason"]]
    located = located.drop(columns=merged.columns)
    directory = merge_records(
        located,
        merged,
        merged["resource_id"],
        rank_values(located, built_sources()),
        built_sources(),
        as_of=pd.Timestamp(workspace.as_of_date),
        data_license=workspace.data_license,
    )
    if directory.resources.empty:
        return
    edited = apply_edits(
        directory,
        edits,
        workspace.as_of_date,
        lambda places: locate(places, workspace.geography())[0],
    )
    # Results of earlier builds come from the served release.
    probes = workspace.read(WEBSITE_PROBES.name)
    seen = read_served_table(workspace, RULE_OBSERVATIONS)
    observations = observe(
        edited.directory.resources,
        workspace.read(ZIPS.name),
        probes,
        no_observations() if seen is None else seen,
        workspace.as_of_date,
    )
    audit = read_served_table(workspace, AUTOMATIC_CHANGES)
    resources, changes = apply_rules(
        edited.directory.resources,
        observations,
        no_changes() if audit is None else audit,
        workspace.as_of_date,
        release_id,
        edited.closures,
    )
    behind = edited.directory.record_sources
    resources = with_confidence(
        resources,
        behind,
        built_sources(),
        probes,
        workspace.read(PHONE_VALIDATIONS.name),
        observations,
        pd.Timestamp(workspace.as_of_date),
    )
    statement_rows = statements(behind, located, resources)
    frames = (resources, behind, observations, statement_rows, changes)
    for table, frame in zip(_TABLES, frames, strict=True):
        feather.write_feather(as_arrow(frame, table), folder / table.name, "uncompressed")


def ranges_of(ids: pd.Series, size: int) -> Iterator[NDArray[np.int64]]:
    """Yield positions of about `size` records at a time, evenly divided, without splitting a
    resource id."""
    values = ids.to_numpy(dtype=np.int64)
    size = -(-len(values) // max(-(-len(values) // size), 1))
    places = np.argsort(values, kind="stable")
    values = values[places]
    first = 0
    while first < len(places):
        last = min(first + size, len(places)) - 1
        end = int(np.searchsorted(values, values[last], side="right"))
        yield np.sort(places[first:end])
        first = end
