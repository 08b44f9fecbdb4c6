"""Matches one state's records, from files to files, several states in parallel."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from assets.matching.match_features import facts_by_state
from assets.matching.matching import cluster_state
from schemas.tables.core import CLUSTERS, DOUBTFUL_PAIRS
from warehouse.parquet import read_arrow, write_arrow, write_table

Notes = Mapping[str, Any]


def write_facts(located: pd.DataFrame, files: Mapping[str, tuple[Path, Notes]]) -> None:
    """Write some states' features for nationwide matching, a file for each."""
    for state, facts in facts_by_state(located).items():
        write_arrow(facts, *files[state])


def write_matches(
    located: pd.DataFrame,
    candidates: tuple[Path, Path],
    decisions: pd.DataFrame | None,
    paths: tuple[Path, Path],
    notes: Notes,
) -> None:
    """Write a state's doubtful pairs and clusters into the two files of `paths`."""
    pairs, shared = map(read_arrow, candidates)
    matching = cluster_state(located, pairs, shared, decisions)
    # The clusters last: their digest vouches for both.
    tables = ((DOUBTFUL_PAIRS, matching.doubtful), (CLUSTERS, matching.clusters))
    for (table, frame), path in zip(tables, paths, strict=True):
        write_table(frame, table, path, notes=notes)
