"""The tables of the resources, a range of resource ids at a time.

A resource is made of its own records, so that ranges are independent of each other: memory does not
grow with the directory, and several ranges are made at once.
"""

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import feather

from assets.attributes.service_area import place_names
from assets.directory.edits import Edited, apply_edits
from assets.directory.places import Directory, merge_records, rank_records
from assets.directory.rules import apply_behaviour_rules
from assets.directory.statements import statements
from assets.geography.place_points import locate
from assets.parallel import for_each
from assets.steps.served import read_served_table
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.checks import AUTOMATIC_CHANGES, RULE_OBSERVATIONS
from schemas.tables.core import (
    CITIES,
    LOCATED,
    RECORD_SOURCES,
    RESOURCES,
    STATEMENTS,
    ZIPS,
)
from warehouse.parquet import as_arrow, read_arrow

EDITS_TABLE = sources()["operations_edits"].core_table
# Most records that are merged at a time; bounds memory, changes nothing else.
_RECORDS_AT_ONCE = 100_000
_TABLES = (RESOURCES, RECORD_SOURCES, RULE_OBSERVATIONS, STATEMENTS, AUTOMATIC_CHANGES)


def merge_in_ranges(
    workspace: Workspace,
    release_id: str,
    clusters: pd.DataFrame,
    ids: pd.Series,
    identities: pd.DataFrame,
) -> dict[str, pa.Table]:
    """Return the resources' tables by name; `clusters` and `ids` belong to rows of `LOCATED`."""
    with tempfile.TemporaryDirectory(dir=workspace.root) as scratch:
        ranges = list(ranges_of(ids, _RECORDS_AT_ONCE))
        folders = [Path(scratch, str(number)) for number in range(len(ranges))]
        tasks = (
            (workspace, release_id, rows, clusters.iloc[rows], ids.iloc[rows], identities, folder)
            for rows, folder in zip(ranges, folders, strict=True)
        )
        for_each(write_range, tasks, rows=len(ids))
        parts = {t: [t.arrow_schema().empty_table()] for t in _TABLES}
        served = read_served_table(workspace, AUTOMATIC_CHANGES)
        if served is not None:
            parts[AUTOMATIC_CHANGES].append(as_arrow(served, AUTOMATIC_CHANGES))
        for table, folder in product(_TABLES, filter(Path.exists, folders)):
            parts[table].append(feather.read_table(folder / table.name, memory_map=True))
        return {table.name: pa.concat_tables(parts[table]) for table in _TABLES}


def write_range(
    workspace: Workspace,
    release_id: str,
    rows: NDArray[np.int64],
    clusters: pd.DataFrame,
    ids: pd.Series,
    identities: pd.DataFrame,
    folder: Path,
) -> None:
    """Write the tables of the resources that the records at `rows` of `LOCATED` make, the changes
    of this release alone among them."""
    located = _as_frame(read_arrow(workspace.path(LOCATED.name)).take(pa.array(rows)))
    directory = merge_records(
        located,
        clusters.set_axis(located.index),
        ids.set_axis(located.index),
        rank_records(located, sources()),
        sources(),
        as_of=pd.Timestamp(workspace.as_of_date),
        data_license=workspace.data_license,
        names=place_names(workspace.read(ZIPS.name), workspace.read(CITIES.name)),
    )
    if directory.resources.empty:
        return
    edited = _with_edits(directory, identities, workspace)
    final = apply_behaviour_rules(edited.directory, workspace, release_id, edited.closures)
    behind = edited.directory.record_sources
    stated = statements(behind, located, final.resources)
    frames = (final.resources, behind, final.observations, stated, final.changes)
    folder.mkdir()
    for table, frame in zip(_TABLES, frames, strict=True):
        feather.write_feather(as_arrow(frame, table), folder / table.name, "uncompressed")


def _as_frame(rows: pa.Table) -> pd.DataFrame:
    """Convert rows as `read_frame` does."""
    types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return rows.to_pandas(types_mapper=types.get)


def _with_edits(directory: Directory, identities: pd.DataFrame, workspace: Workspace) -> Edited:
    """Return the directory with the approved submissions."""
    return apply_edits(
        directory,
        workspace.read(EDITS_TABLE),
        identities,
        workspace.as_of_date,
        lambda places: locate(places, workspace.geography())[0],
    )


def ranges_of(ids: pd.Series, size: int) -> Iterator[NDArray[np.int64]]:
    """Yield positions of some `size` records at a time, or a little fewer in each so that all are
    alike, never parting those of one resource id."""
    known = ids.to_numpy(dtype=np.int64)
    size = -(-len(known) // max(-(-len(known) // size), 1))
    places = np.argsort(known, kind="stable")
    known = known[places]
    first = 0
    while first < len(places):
        last = min(first + size, len(places)) - 1
        end = int(np.searchsorted(known, known[last], side="right"))
        yield np.sort(places[first:end])
        first = end
