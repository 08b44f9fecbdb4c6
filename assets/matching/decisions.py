"""Applies reviewers' earlier answers: they overrule the rules, for the pair and in its group."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from assets.matching.profiles import Codes, Flags


@dataclass(frozen=True)
class Decisions:
    """Decided pairs as rows of the profiles, smaller row first; packed ones are sorted."""

    same: tuple[Codes, Codes]
    packed: NDArray[np.int64]
    packed_apart: NDArray[np.int64]

    def are_decided(self, a: Codes, b: Codes) -> Flags:
        return np.isin(_pack(a, b), self.packed)

    def are_apart(self, a: Codes, b: Codes) -> Flags:
        return np.isin(_pack(a, b), self.packed_apart)


def read_decisions(decisions: pd.DataFrame | None, member: pd.Series) -> Decisions:
    """Return decisions on records that still exist; `member` are the sorted keys "source:key".

    Raises ValueError for an answer that is neither "same" nor "different".
    """
    if decisions is None or decisions.empty:
        no_rows = np.array([], dtype=np.int32)
        return Decisions((no_rows, no_rows), no_rows.astype(np.int64), no_rows.astype(np.int64))
    is_unknown = ~decisions["decision"].isin(["same", "different"])
    if is_unknown.any():
        raise ValueError(f"decision {decisions.loc[is_unknown, 'decision'].iloc[0]!r} is unknown")
    index = pd.Index(member)
    a = index.get_indexer(decisions["source_id"] + ":" + decisions["source_key"])
    b = index.get_indexer(decisions["other_source_id"] + ":" + decisions["other_source_key"])
    is_valid = (a >= 0) & (b >= 0) & (a != b)
    low, high = (
        np.minimum(a, b)[is_valid].astype(np.int32),
        np.maximum(a, b)[is_valid].astype(np.int32),
    )
    is_same = decisions["decision"].eq("same").to_numpy()[is_valid]
    keys = _pack(low, high)
    # Contradictory answers on one pair: "different" wins, since a wrong merge is worse.
    apart_keys = np.unique(keys[~is_same])
    same_keys = np.setdiff1d(np.unique(keys[is_same]), apart_keys)
    pairs = (same_keys >> 32).astype(np.int32), (same_keys & 0xFFFFFFFF).astype(np.int32)
    return Decisions(pairs, np.unique(keys), apart_keys)


def _pack(a: Codes, b: Codes) -> NDArray[np.int64]:
    return (np.minimum(a, b).astype(np.int64) << 32) | np.maximum(a, b)
