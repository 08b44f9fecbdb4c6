"""Making only those resources of the directory again of which a record has changed.

A resource is made of its records, of tables that hold for all (`Delta.common`: geography, probes,
validations,
the date, the code) and of what the served release remembers. While the latter two are as they were,
a resource
whose records are the same comes out the same, and its rows are taken from the tables on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from assets.defs.workspace import Workspace
from schemas.table import Table
from schemas.tables.core import CLUSTERS, LOCATED
from warehouse.parquet import read_arrow, write_arrow
from warehouse.reuse import member_digests

INPUTS = "_core_directory__resource_inputs"
# With more changed resources than this share, all are made again: taking over costs as well.
_MOST_CHANGED = 0.3
# With more rows to be put in or left out, all are put in order: cheaper than so many small pieces.
_MOST_SPLICES = 10_000


@dataclass(frozen=True)
class Delta:
    """What must be made again: `changed` are resource ids, None for all; `kept` those that are
    taken over.
    """

    inputs: pa.Table
    changed: pa.Array | None
    kept: pa.Array

    def is_needed(self, ids: pd.Series) -> NDArray[np.bool_]:
        """For the resource id of each record, whether its resource is made again."""
        if self.changed is None:
            return np.ones(len(ids), dtype=bool)
        return np.asarray(ids.isin(self.changed.to_numpy()), dtype=bool)

    def whole(self, workspace: Workspace, table: Table, made: pa.Table | None) -> pa.Table:
        """The rows that were made and those that are taken over from the table on disk."""
        if self.changed is None:
            assert made is not None
            return made
        before = read_arrow(workspace.path(table.name))
        is_kept = pc.is_in(before["resource_id"], value_set=self.kept)
        return spliced(before, is_kept, before.slice(0, 0) if made is None else made)


def spliced(before: pa.Table, is_kept: pa.ChunkedArray, made: pa.Table) -> pa.Table:
    """The rows of `before` that are kept with those of `made`, both in order of resource_id, and so
    is the result.

    No resource is in both.
    """
    keep = is_kept.to_numpy()
    places = np.searchsorted(before["resource_id"].to_numpy(), made["resource_id"].to_numpy())
    gaps = np.flatnonzero(~keep)
    if not len(gaps) and not len(places):
        return before
    if len(gaps) + len(places) > _MOST_SPLICES:
        return pa.concat_tables([before.filter(is_kept), made])
    # Between two cuts the rows lie side by side in one of the tables: they are copied as they are.
    cuts = np.unique(np.concatenate([[0], gaps, gaps + 1, places, [before.num_rows]]))
    parts = [before.slice(0, 0)]
    for first, end in zip(cuts, [*cuts[1:], before.num_rows], strict=True):
        new, after = np.searchsorted(places, [first, first + 1])
        if new < after:
            parts.append(made.slice(new, after - new))
        if first < end and keep[first]:
            parts.append(before.slice(first, end - first))
    return pa.concat_tables(parts).combine_chunks()


def records_at(path: Path, places: NDArray[np.int64]) -> pa.Table:
    """The rows of a table file at some places, which ascend. Of the file only those pieces are read
    that hold one.
    """
    with pq.ParquetFile(path) as file:
        groups = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        if len(places) == sum(groups):
            return file.read().replace_schema_metadata()
        ends = np.cumsum(groups)
        parts = [file.schema_arrow.empty_table()]
        for number, (end, rows) in enumerate(zip(ends, groups, strict=True)):
            first, last = np.searchsorted(places, [end - rows, end])
            if first < last:
                found = file.read_row_group(number)
                parts.append(found.take(pa.array(places[first:last] - (end - rows))))
    return pa.concat_tables(parts).replace_schema_metadata()


def as_frame(rows: pa.Table) -> pd.DataFrame:
    """Rows as `read_frame` gives them."""
    types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return rows.to_pandas(types_mapper=types.get)


def parts_of(ids: pd.Series, size: int) -> Iterator[NDArray[np.int64]]:
    """Places of the records, some `size` at a time, by ranges of resource ids: those of one id are
    never parted.
    """
    known = ids.to_numpy(dtype=np.int64)
    places = np.argsort(known, kind="stable")
    known = known[places]
    first = 0
    while first < len(places):
        last = min(first + size, len(places)) - 1
        end = int(np.searchsorted(known, known[last], side="right"))
        yield np.sort(places[first:end])
        first = end


def delta_of(
    workspace: Workspace, records: pd.DataFrame, ids: pd.Series, base: str | None
) -> Delta:
    """What has changed since the tables on disk were made under the note `base_digest` = `base`.

    `ids` is the resource id of every one of the `records` (source_id, source_key); `base` is None
    when nothing
    on disk can be taken over.
    """
    members = pa.table(
        {
            "source_id": pa.array(records["source_id"], pa.string()),
            "source_key": pa.array(records["source_key"], pa.string()),
            "resource_id": pa.array(ids, pa.int64()),
        }
    )
    located_file, clusters_file = (workspace.path(t.name) for t in (LOCATED, CLUSTERS))
    now = member_digests(located_file, clusters_file, members, list(LOCATED.field_names))
    everything = Delta(now, None, pa.array([], pa.int64()))
    if base is None or workspace.notes(INPUTS).get("base_digest") != base:
        return everything
    before = read_arrow(workspace.path(INPUTS))
    # Of a resource that is new, nothing was there before: it has changed.
    place = pc.index_in(now["resource_id"], value_set=before["resource_id"])
    is_same = pc.fill_null(pc.equal(now["digest"], before["digest"].take(place)), False)
    changed = now["resource_id"].filter(pc.invert(is_same)).combine_chunks()
    if len(changed) > _MOST_CHANGED * now.num_rows:
        return everything
    return Delta(now, changed, now["resource_id"].filter(is_same).combine_chunks())


def write_inputs(workspace: Workspace, delta: Delta, base: str) -> None:
    """Remember what the resources are made of; to be written before the resources themselves."""
    write_arrow(delta.inputs, workspace.path(INPUTS), {"base_digest": base})


def common_note(notes: Callable[[str], dict[str, str]], names: list[str], key: str) -> str | None:
    """What all named tables say under a key; None when they disagree or one says nothing."""
    said = {notes(name).get(key) for name in names}
    return said.pop() if len(said) == 1 else None
