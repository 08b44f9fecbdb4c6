"""Permanent ids: issued once for a source record, kept for ever.

An id is 52 bits of the SHA-256 of "source:key" of the record it was first issued for. It therefore
depends on nothing but that record: a rebuild from nothing gives the same ids, and a new record changes
no other. 52 bits fit a JSON number exactly; among 330,000 records the chance of any collision is about
one in 80,000, and a collision is resolved by the next digest of the same key, never by moving an id.

Records that are later found to describe one place share the id that was issued first; the other ids
become `merged` and name their successor. Records that vanish keep their id as `retired`; should they come
back, so does the id.
"""

from __future__ import annotations

import hashlib

import pandas as pd

_BITS = 52


def issue_id(source_id: str, source_key: str, attempt: int = 0) -> int:
    """The id for a source record; `attempt` counts collisions (0 nearly always)."""
    text = f"{source_id}:{source_key}" + (f"#{attempt}" if attempt else "")
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> (64 - _BITS)
    return number or 1


def assign_ids(
    clusters: pd.DataFrame, ranks: pd.Series, previous: pd.DataFrame | None, release_id: str
) -> tuple[pd.Series, pd.DataFrame]:
    """Ids for this release's clusters, and the registry of all ids ever issued.

    `clusters` has source_id, source_key, cluster_id; `ranks` orders the members of a cluster (smallest
    leads, aligned with `clusters`); `previous` is the last release's registry or None. Returns the
    resource id of every row of `clusters`, and `core_directory__identities`.
    """
    rows = clusters[["source_id", "source_key", "cluster_id"]].assign(rank=ranks)
    history = _history(rows, previous)
    rows["own_id"] = _own_ids(rows, history["own_id"], previous)
    rows["first_release_id"] = history["first_release_id"].fillna(release_id)
    rows["claim"] = history["published_id"].fillna(rows["own_id"])
    resource_id = _settle_claims(rows)
    registry = _registry(rows, resource_id)
    return resource_id, _with_vanished(registry, previous)


def _settle_claims(rows: pd.DataFrame) -> pd.Series:
    """One id per cluster: the one its leading record was published under.

    When a cluster has split and two parts claim one id, the part that holds the record the id was issued
    for keeps it; the other takes the id of its own leading record.
    """
    # Most clusters have one record, which leads it: only the others are put in order.
    is_shared = rows["cluster_id"].duplicated(keep=False)
    ordered = rows[is_shared].sort_values(
        ["cluster_id", "first_release_id", "rank", "source_id", "source_key"], kind="stable"
    )
    leaders = pd.concat([rows[~is_shared], ordered.drop_duplicates("cluster_id")])
    settled = leaders.set_index("cluster_id")["claim"]
    contested = leaders[leaders["claim"].duplicated(keep=False)]
    home = rows.loc[rows["own_id"].isin(contested["claim"])].set_index("own_id")["cluster_id"]
    holds_origin = contested["claim"].map(home).eq(contested["cluster_id"])
    ranked = contested.assign(origin=~holds_origin).sort_values(
        ["claim", "origin", "cluster_id"], kind="stable"
    )
    losers = ranked[ranked.duplicated("claim", keep="first")]
    settled[losers["cluster_id"]] = losers["own_id"].to_numpy()
    return rows["cluster_id"].map(settled).astype("Int64")


def _registry(rows: pd.DataFrame, resource_id: pd.Series) -> pd.DataFrame:
    is_active = rows["own_id"].isin(set(resource_id))
    return pd.DataFrame(
        {
            "source_id": rows["source_id"],
            "source_key": rows["source_key"],
            "resource_id": rows["own_id"],
            "id_status": pd.Series("merged", rows.index, dtype="str").mask(is_active, "active"),
            "successor_id": resource_id.mask(is_active),
            "first_release_id": rows["first_release_id"],
        }
    )


def _own_ids(rows: pd.DataFrame, registered: pd.Series, previous: pd.DataFrame | None) -> pd.Series:
    """The id of each record itself: the registered one, else a new one that no other record has."""
    is_new = registered.isna()
    if not is_new.any():
        return registered
    taken = set() if previous is None else set(previous["resource_id"])
    keys = list(zip(rows.loc[is_new, "source_id"], rows.loc[is_new, "source_key"], strict=True))
    issued: dict[tuple[str, str], int] = {}
    # New ids are given in key order, so that the outcome of a collision does not depend on row order.
    for key in sorted(set(keys)):
        attempt = 0
        while (candidate := issue_id(*key, attempt)) in taken:
            attempt += 1
        issued[key] = candidate
        taken.add(candidate)
    own = registered.copy()
    own[is_new] = [issued[key] for key in keys]
    return own


def _history(rows: pd.DataFrame, previous: pd.DataFrame | None) -> pd.DataFrame:
    """What is registered of each row's record: its own id, its first release, the id it was last published under.

    Missing for new ones.
    """
    if previous is None or previous.empty:
        nothing = pd.Series(pd.NA, rows.index, dtype="Int64")
        first = pd.Series(None, rows.index, dtype="str")
        return pd.DataFrame({"own_id": nothing, "first_release_id": first, "published_id": nothing})
    known = previous[["source_id", "source_key", "first_release_id"]].assign(
        own_id=previous["resource_id"].astype("Int64"),
        published_id=previous["successor_id"].fillna(previous["resource_id"]),
    )
    joined = rows[["source_id", "source_key"]].merge(
        known, how="left", on=["source_id", "source_key"]
    )
    return joined[["own_id", "first_release_id", "published_id"]].set_axis(rows.index)


def _with_vanished(registry: pd.DataFrame, previous: pd.DataFrame | None) -> pd.DataFrame:
    """Add the records of earlier releases that are gone.

    Their ids stay active while another record of the place is published under them, merged while a
    successor is, and are retired otherwise.
    """
    if previous is None or previous.empty:
        return registry
    keys = registry.set_index(["source_id", "source_key"]).index
    gone = previous[~previous.set_index(["source_id", "source_key"]).index.isin(keys)].copy()
    merged_now = registry.loc[registry["id_status"] == "merged"].set_index("resource_id")[
        "successor_id"
    ]
    active = set(registry.loc[registry["id_status"] == "active", "resource_id"]) | set(merged_now)
    successor = gone["successor_id"].map(merged_now).fillna(gone["successor_id"])
    is_active = gone["resource_id"].isin(active)
    is_merged = ~is_active & successor.isin(active)
    gone["id_status"] = (
        pd.Series("retired", gone.index, dtype="str")
        .mask(is_merged, "merged")
        .mask(is_active, "active")
    )
    gone["successor_id"] = successor.where(is_merged)
    return pd.concat([registry, gone], ignore_index=True)
