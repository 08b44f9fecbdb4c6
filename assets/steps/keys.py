"""Keys, groups and owners of the assets.

The name of a table or product consists of a stage, a family and a noun. The asset of
`core_directory__resources` has the key `core/directory/resources`. Its group is its stage with a
family of steps, such as `out_statistics` or `raw_registry` (sources by their authority).
"""

from collections.abc import Iterable
from typing import Any

import dagster as dg

_OWNERS = {
    "matching": "team:directory",
    "directory": "team:directory",
    "probes": "team:directory",
    "statistics": "team:products",
    "hsds": "team:products",
    "veterans": "team:products",
    "release": "team:release",
}


def key_of(name: str) -> dg.AssetKey:
    """Return the key of a table or product. Raises ValueError for a name of another form."""
    front, noun = name.split("__")
    stage, family = front.split("_", maxsplit=1)
    return dg.AssetKey([stage, family, noun])


def keys_of(names: Iterable[str]) -> list[dg.AssetKey]:
    """Return the keys of several tables or products."""
    return [key_of(name) for name in names]


def name_of(key: dg.AssetKey) -> str:
    """Return the name of the table or product with a key."""
    stage, family, noun = key.path
    return f"{stage}_{family}__{noun}"


def place_in_graph(name: str, family: str) -> dict[str, Any]:
    """Return key, group and owners of an asset."""
    key = key_of(name)
    return {
        "key": key,
        "group_name": f"{key.path[0]}_{family}",
        "owners": [_OWNERS.get(family, "team:sources")],
    }
