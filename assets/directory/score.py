"""Scores completeness by the facts that a visitor needs, and lists the missing ones."""

from collections.abc import Callable

import numpy as np
import pandas as pd

# Part, weight, test. Weights add up to 100: facts that prevent a wasted trip weigh most.
_Part = tuple[str, int, Callable[[pd.DataFrame], pd.Series]]


def _share_known(*names: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda rows: rows[list(names)].notna().any(axis=1)


PARTS: tuple[_Part, ...] = (
    ("hours", 30, _share_known("schedules_json", "hours_text")),
    ("address", 20, _share_known("address")),
    ("phone", 20, _share_known("phone")),
    ("exact_point", 10, lambda rows: rows["location_precision"].isin(["rooftop", "street"])),
    ("website", 10, _share_known("website")),
    (
        "services_or_requirements",
        10,
        _share_known("services_text", "requirements_text", "eligibility_text"),
    ),
)


def completeness(rows: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return each row's `completeness_score` (0 to 100) and `completeness_missing` (names)."""
    has_part = np.column_stack([test(rows).to_numpy(bool) for _, _, test in PARTS])
    weights = np.array([weight for _, weight, _ in PARTS])
    names = [name for name, _, _ in PARTS]
    # Only 2^6 combinations exist: each list is created once and looked up.
    pattern = has_part @ (1 << np.arange(len(PARTS)))
    lists = [
        [n for i, n in enumerate(names) if not code >> i & 1] for code in range(1 << len(PARTS))
    ]
    score = pd.Series(has_part @ weights, index=rows.index, dtype="Int64")
    missing = pd.Series([lists[code] for code in pattern], index=rows.index, dtype=object)
    return score, missing
