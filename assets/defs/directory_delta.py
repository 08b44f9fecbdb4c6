"""Making only those resources of the directory again of which a record has changed.

A resource is made of its records, of tables that hold for all (`Delta.common`: geography, probes, validations,
the date, the code) and of what the served release remembers. While the latter two are as they were, a resource
whose records are the same comes out the same, and its rows are taken from the tables on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.defs.workspace import Workspace
from schemas.table import Table
from schemas.tables.core import CLUSTERS, LOCATED
from warehouse.parquet import read_arrow, write_arrow
from warehouse.reuse import member_digests

INPUTS = "_core_directory__resource_inputs"
# With more changed resources than this share, all are made again: taking over costs as well.
_MOST_CHANGED = 0.3


@dataclass(frozen=True)
class Delta:
    """What must be made again: `changed` are resource ids, None for all; `kept` those that are taken over."""

    inputs: pa.Table
    changed: frozenset[int] | None
    kept: pa.Array

    def is_needed(self, ids: pd.Series) -> pd.Series:
        """For the resource id of each record, whether its resource is made again."""
        if self.changed is None:
            return pd.Series(True, ids.index)
        return ids.isin(self.changed).astype(bool)

    def whole(self, workspace: Workspace, table: Table, made: pa.Table | None) -> pa.Table:
        """The rows that were made and those that are taken over from the table on disk."""
        if self.changed is None:
            assert made is not None
            return made
        before = read_arrow(workspace.path(table.name))
        kept = before.filter(pc.is_in(before["resource_id"], value_set=self.kept))
        if made is None or not made.num_rows:
            return kept
        return pa.concat_tables([kept, made])


def parts_of(ids: pd.Series, rows: pd.Series, size: int) -> Iterator[NDArray[np.int64]]:
    """Places of the chosen rows, some `size` at a time, by ranges of ids: those of one id are never parted."""
    places = np.flatnonzero(rows.to_numpy(dtype=bool))
    known = ids.to_numpy(dtype=np.int64)[places]
    order = np.argsort(known, kind="stable")
    places, known = places[order], known[order]
    first = 0
    while first < len(places):
        last = min(first + size, len(places)) - 1
        end = int(np.searchsorted(known, known[last], side="right"))
        yield np.sort(places[first:end])
        first = end


def delta_of(
    workspace: Workspace, located: pd.DataFrame, ids: pd.Series, base: str | None
) -> Delta:
    """What has changed since the tables on disk were made under the note `base_digest` = `base`.

    `ids` is the resource id of every located record; `base` is None when nothing on disk can be taken over.
    """
    members = pa.table(
        {
            "source_id": pa.array(located["source_id"], pa.string()),
            "source_key": pa.array(located["source_key"], pa.string()),
            "resource_id": pa.array(ids, pa.int64()),
        }
    )
    located_file, clusters_file = (workspace.path(t.name) for t in (LOCATED, CLUSTERS))
    now = member_digests(located_file, clusters_file, members, list(LOCATED.field_names))
    everything = Delta(now, None, pa.array([], pa.int64()))
    if base is None or workspace.notes(INPUTS).get("base_digest") != base:
        return everything
    before = read_arrow(workspace.path(INPUTS))
    then = dict(zip(before["resource_id"].to_pylist(), before["digest"].to_pylist(), strict=True))
    pairs = zip(now["resource_id"].to_pylist(), now["digest"].to_pylist(), strict=True)
    changed = frozenset(i for i, digest in pairs if then.get(i) != digest)
    if len(changed) > _MOST_CHANGED * now.num_rows:
        return everything
    is_changed = pc.is_in(now["resource_id"], value_set=pa.array(sorted(changed), pa.int64()))
    return Delta(now, changed, now["resource_id"].filter(pc.invert(is_changed)).combine_chunks())


def write_inputs(workspace: Workspace, delta: Delta, base: str) -> None:
    """Remember what the resources are made of; to be written before the resources themselves."""
    write_arrow(delta.inputs, workspace.path(INPUTS), {"base_digest": base})


def common_note(notes: Callable[[str], dict[str, str]], names: list[str], key: str) -> str | None:
    """What all named tables say under a key; None when they disagree or one says nothing."""
    said = {notes(name).get(key) for name in names}
    return said.pop() if len(said) == 1 else None
