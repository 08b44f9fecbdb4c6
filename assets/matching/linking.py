"""Groups pairs without chaining: two groups join only if every record of one is compatible with
every record of the other."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Rows = NDArray[np.int32]
Pairs = tuple[Rows, Rows]

# In a larger component only known pairs are compared: all others count as apart.
_LARGEST_COMPLETED = 120


def group(
    count: int,
    links: Pairs,
    strengths: NDArray[np.int64],
    may_join: Callable[[Rows, Rows], NDArray[np.bool_]],
) -> Rows:
    """Return each record's smallest group row; `may_join(a, b)` limits groups, not links."""
    root = np.arange(count, dtype=np.int32)
    a, b = links
    if not len(a):
        return root
    component = connected_components(
        coo_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(count, count)), directed=False
    )[1]
    size = np.bincount(component)
    is_pair = size[component[a]] == 2
    root[np.maximum(a, b)[is_pair]] = np.minimum(a, b)[is_pair]
    other_links = np.flatnonzero(~is_pair)
    order = other_links[np.lexsort((b[other_links], a[other_links], -strengths[other_links]))]
    allowed_pairs = _allow(a[other_links], b[other_links], component, size, may_join)
    _join(root, list(zip(a[order].tolist(), b[order].tolist(), strict=True)), allowed_pairs)
    return root


def _allow(
    a: Rows,
    b: Rows,
    component: Rows,
    size: NDArray[np.int64],
    may_join: Callable[[Rows, Rows], NDArray[np.bool_]],
) -> set[tuple[int, int]]:
    """Return pairs in components of three or more that may be one group, smaller row first."""
    pairs = set(zip(np.minimum(a, b).tolist(), np.maximum(a, b).tolist(), strict=True))
    rows = np.unique(np.concatenate([a, b]))
    rows = rows[size[component[rows]] <= _LARGEST_COMPLETED]
    rows = rows[np.argsort(component[rows], kind="stable")]
    if not len(rows):
        return pairs
    starts = np.flatnonzero(np.r_[True, np.diff(component[rows]) != 0])
    parts = np.split(rows, starts[1:])
    indices = [np.triu_indices(len(part), 1) for part in parts]
    x = np.concatenate([part[i] for part, (i, _) in zip(parts, indices, strict=True)])
    y = np.concatenate([part[j] for part, (_, j) in zip(parts, indices, strict=True)])
    is_allowed = may_join(x, y)
    pairs.update(zip(x[is_allowed].tolist(), y[is_allowed].tolist(), strict=True))
    return pairs


def _join(root: Rows, links: list[tuple[int, int]], allowed_pairs: set[tuple[int, int]]) -> None:
    members: dict[int, list[int]] = {}
    for a, b in links:
        one, other = int(root[a]), int(root[b])
        if one == other:
            continue
        mine, theirs = members.get(one, [one]), members.get(other, [other])
        if all((min(x, y), max(x, y)) in allowed_pairs for x in mine for y in theirs):
            rows = sorted(mine + theirs)
            for row in rows:
                root[row] = rows[0]
            members[rows[0]] = rows
