"""Matches one source's places with those of the last build, to find merges and new places."""

import pandas as pd

from assets.matching.matching import LOCATED_COLUMNS, cluster
from assets.steps.workspace import Workspace
from schemas.tables.core import LOCATED, RECORD_SOURCES, RESOURCES
from warehouse.parquet import read_frame

_SHOWN = 5
_KEY = ["source_id", "source_key"]


def match_lines(located: pd.DataFrame, source_id: str, workspace: Workspace) -> list[str]:
    """Return counts and examples of rows of `located` (one source, with points) that would merge
    with the directory of the last build, that are new, and that describe one place."""
    if located.empty or "location_method" not in located:
        return []
    own = located.assign(source_id=source_id)
    others = _rows_of_others(own["state"].dropna().unique().tolist(), source_id, workspace)
    rows = pd.concat([own.reindex(columns=LOCATED_COLUMNS), others], ignore_index=True)
    clusters = cluster(rows).clusters.merge(rows[[*_KEY, "name"]], on=_KEY)
    is_own = clusters["source_id"] == source_id
    places = clusters[is_own].drop_duplicates("cluster_id")
    joins = places["cluster_id"].isin(clusters.loc[~is_own, "cluster_id"])
    lines = [f"Matched: {int(is_own.sum())} rows are {len(places)} places"]
    if others.empty:
        return [*lines, f"  no build in {workspace.root} has other sources in these states"]
    lines.append(f"  join a place of the last build: {int(joins.sum())}")
    lines += [f"    {text}" for text in _examples(places[joins], clusters[~is_own], workspace)]
    lines.append(f"  new: {int((~joins).sum())}")
    lines += [f"    {name}" for name in places.loc[~joins, "name"].head(_SHOWN)]
    return lines


def _rows_of_others(states: list[str], source_id: str, workspace: Workspace) -> pd.DataFrame:
    if not states or not workspace.path(LOCATED.name).exists():
        return pd.DataFrame(columns=LOCATED_COLUMNS)
    rows = read_frame(workspace.path(LOCATED.name), LOCATED_COLUMNS, where={"state": states})
    return rows[rows["source_id"] != source_id]


def _examples(joining: pd.DataFrame, others: pd.DataFrame, workspace: Workspace) -> list[str]:
    """Return "name = id and name in the directory" of the first places that would merge."""
    rows = joining.head(_SHOWN).merge(
        others.drop_duplicates("cluster_id"), on="cluster_id", suffixes=("", "_other")
    )
    links = workspace.read(RECORD_SOURCES.name, ["resource_id", *_KEY])
    names = workspace.read(RESOURCES.name, ["resource_id", "name"])
    listed_records = links.merge(names, on="resource_id").drop_duplicates(_KEY)
    pairs = rows.merge(
        listed_records.rename(columns={"name": "listed"}),
        left_on=["source_id_other", "source_key_other"],
        right_on=_KEY,
        how="left",
        suffixes=("", "_known"),
    )
    return [
        f"{row.name_} = {row.resource_id} {row.listed}"
        if pd.notna(row.resource_id)
        else f"{row.name_} = {row.name_other} ({row.source_id_other}, not published)"
        for row in pairs.rename(columns={"name": "name_"}).itertuples()
    ]
