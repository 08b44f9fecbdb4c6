"""The order of states by pantries that a partner vouches for."""

import pandas as pd


def leaderboard_ranks(partner_verified_pantries: pd.Series) -> pd.Series:
    """Return ranks, 1 for the most; equal numbers share the better rank and the next is left out
    (1, 2, 2, 4).

    A state without a partner-verified pantry has no rank.
    """
    some = partner_verified_pantries.where(partner_verified_pantries > 0)
    return some.rank(method="min", ascending=False).astype("Int64")
