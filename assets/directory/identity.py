"""Permanent ids, issued once for a source record and never changed, and their crosswalk to other
registers.

An id is 52 bits of the SHA-256 of "source:key" of the record it was first issued for. It depends
only on that record: a clean rebuild gives the same ids, and a new record changes no other. 52 bits
fit a JSON number exactly; among 330,000 records the chance of any collision is about one in 80,000,
and a collision is resolved by the next digest of the same key, never by moving an id.

Records later found to describe one place share the id issued first; the other ids become `merged`
and name their successor. Records that disappear leave their id as `retired`; if they return, so
does the id.
"""

import hashlib
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from schemas.sources.registry import Identifier
from schemas.tables.core import CROSSWALK

_BITS = 52


def issue_id(source_id: str, source_key: str, attempt: int = 0) -> int:
    """Return the id for a source record; `attempt` counts collisions (0 nearly always)."""
    text = f"{source_id}:{source_key}" + (f"#{attempt}" if attempt else "")
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> (64 - _BITS)
    return number or 1


def assign_ids(
    clusters: pd.DataFrame, ranks: pd.Series, previous: pd.DataFrame | None, release_id: str
) -> tuple[pd.Series, pd.DataFrame]:
    """Return ids for this release's clusters, and the registry of all ids ever issued.

    `clusters` has source_id, source_key, cluster_id; `ranks` orders the members of a cluster
    (smallest leads, aligned with `clusters`); `previous` is the last release's registry or None.
    Returns the resource id of every row of `clusters`, and `core_directory__identities`.
    """
    rows = clusters[["source_id", "source_key", "cluster_id"]].assign(rank=ranks)
    # Each row's position in the registry; -1 for new records.
    places = np.full(len(rows), -1)
    if previous is not None:
        positions = pc.index_in(_keys(rows), value_set=_keys(previous))
        places = np.asarray(pc.fill_null(positions, -1), dtype=np.int64)
    history = _history(rows.index, places, previous)
    rows["own_id"] = _own_ids(rows, history["own_id"], previous)
    rows["first_release_id"] = history["first_release_id"].fillna(release_id)
    rows["claim"] = history["published_id"].fillna(rows["own_id"])
    resource_id = _settle_claims(rows)
    is_active = rows["own_id"].isin(resource_id)
    registry = pd.DataFrame(
        {
            "source_id": rows["source_id"],
            "source_key": rows["source_key"],
            "resource_id": rows["own_id"],
            "id_status": pd.Series("merged", rows.index, dtype="str").mask(is_active, "active"),
            "successor_id": resource_id.mask(is_active),
            "first_release_id": rows["first_release_id"],
        }
    )
    return resource_id, _with_vanished(registry, previous, places)


def _settle_claims(rows: pd.DataFrame) -> pd.Series:
    """Return one id per cluster: the one its leading record was published under.

    If a cluster has split and two parts claim one id, the part with the record that the id was
    issued for keeps it; the other takes the id of its own leading record.
    """
    # Most clusters have a single record: only the others are sorted.
    is_shared = rows["cluster_id"].duplicated(keep=False)
    in_order = rows[is_shared].sort_values(
        ["cluster_id", "first_release_id", "rank", "source_id", "source_key"], kind="stable"
    )
    others = in_order.drop_duplicates("cluster_id")
    settled = pd.concat([rows.loc[~is_shared, "claim"], others["claim"]])
    is_contested = settled.duplicated(keep=False)
    if is_contested.any():
        contested = rows.loc[settled.index[is_contested]]
        home = rows.loc[rows["own_id"].isin(contested["claim"])].set_index("own_id")["cluster_id"]
        holds_origin = contested["claim"].map(home).eq(contested["cluster_id"])
        ranked = contested.assign(is_guest=~holds_origin).sort_values(
            ["claim", "is_guest", "cluster_id"], kind="stable"
        )
        losers = ranked[ranked.duplicated("claim", keep="first")]
        settled[losers.index] = losers["own_id"]
    members = rows.loc[is_shared, "cluster_id"]
    led = pd.Series(settled[others.index].to_numpy(), others["cluster_id"])
    settled = pd.concat([settled.drop(others.index), members.map(led)])
    return settled.reindex(rows.index).astype("Int64")


def _own_ids(rows: pd.DataFrame, registered: pd.Series, previous: pd.DataFrame | None) -> pd.Series:
    """Return each record's own id: the registered one, else a new one."""
    is_new = registered.isna()
    if not is_new.any():
        return registered
    issued_ids = set() if previous is None else set(previous["resource_id"])
    # New ids are issued in key order, so that collisions do not depend on row order.
    new = rows.loc[is_new, ["source_id", "source_key"]].sort_values(["source_id", "source_key"])
    issued: list[int] = []
    last = None
    for key in zip(new["source_id"], new["source_key"], strict=True):
        if key != last:
            attempt = 0
            while (candidate := issue_id(*key, attempt)) in issued_ids:
                attempt += 1
            issued_ids.add(candidate)
            last = key
        issued.append(candidate)
    own = registered.copy()
    own[new.index] = issued
    return own


def _keys(rows: pd.DataFrame) -> pa.Array:
    """Return each record's two-part key as one text."""
    parts = [pa.array(rows[name], pa.string()) for name in ("source_id", "source_key")]
    parts = [p.combine_chunks() if isinstance(p, pa.ChunkedArray) else p for p in parts]
    # The length separates keys whose concatenations are equal.
    length = pc.utf8_length(parts[0]).cast(pa.string())
    return pc.binary_join_element_wise(length, *parts, ":")


def _history(
    index: pd.Index, places: NDArray[np.int64], previous: pd.DataFrame | None
) -> pd.DataFrame:
    """Return each row's registered id, first release and last published id, if any."""
    if previous is None or previous.empty:
        nothing = pd.Series(pd.NA, index, dtype="Int64")
        first = pd.Series(None, index, dtype="str")
        return pd.DataFrame({"own_id": nothing, "first_release_id": first, "published_id": nothing})
    table = pd.DataFrame(
        {
            "own_id": previous["resource_id"].astype("Int64"),
            "first_release_id": previous["first_release_id"],
            "published_id": previous["successor_id"].fillna(previous["resource_id"]),
        }
    )
    # No row is labelled -1.
    return table.reset_index(drop=True).reindex(places).set_axis(index)


def _with_vanished(
    registry: pd.DataFrame, previous: pd.DataFrame | None, places: NDArray[np.int64]
) -> pd.DataFrame:
    """Add the records of earlier releases that are gone, those whose position is not in `places`.

    An id stays active while another record of the place is published under it, is merged while its
    successor is published, and is retired otherwise.
    """
    if previous is None or previous.empty:
        return registry
    is_gone = np.ones(len(previous), dtype=bool)
    is_gone[places[places >= 0]] = False
    vanished = previous[is_gone].copy()
    is_merged_now = registry["id_status"].eq("merged")
    merged_now = registry[is_merged_now].set_index("resource_id")["successor_id"]
    active = pd.concat([registry.loc[~is_merged_now, "resource_id"], merged_now])
    successor = vanished["successor_id"].map(merged_now).fillna(vanished["successor_id"])
    is_active = vanished["resource_id"].isin(active)
    is_merged = ~is_active & successor.isin(active)
    vanished["id_status"] = (
        pd.Series("retired", vanished.index, dtype="str")
        .mask(is_merged, "merged")
        .mask(is_active, "active")
    )
    vanished["successor_id"] = successor.where(is_merged)
    return pd.concat([registry, vanished], ignore_index=True)


def crosswalk(
    resources: pd.DataFrame, records: pd.DataFrame, identifiers: dict[str, list[Identifier]]
) -> pd.DataFrame:
    """Return identifiers of listed, public places in columns of CROSSWALK, except those shared by
    two places. `identifiers` are those in the keys of records, by source."""
    is_listed = resources["is_active"] & ~resources["is_confidential"]
    listed_ids = resources.loc[is_listed, "resource_id"]
    parts = [
        _with_identifier(records[records["source_id"] == source_id], identifier)
        for source_id, of_source in sorted(identifiers.items())
        for identifier in of_source
    ]
    identified = pd.concat([records.iloc[:0].reindex(columns=CROSSWALK.field_names), *parts])
    # One row per place and identifier: a duplicate identifier is shared by two places.
    identified = identified.sort_values([*CROSSWALK.key, "source_id"]).drop_duplicates(
        list(CROSSWALK.key)
    )
    is_shared = identified.duplicated(["identifier_scheme", "identifier"], keep=False)
    identified = identified[~is_shared & identified["resource_id"].isin(listed_ids)]
    return identified.reset_index(drop=True)[CROSSWALK.field_names]


def _with_identifier(records: pd.DataFrame, identifier: Identifier) -> pd.DataFrame:
    """Return the records whose whole key matches the pattern, with the pattern's group, or else the
    key, as identifier."""
    pattern = re.compile(identifier.pattern)
    fits = [pattern.fullmatch(key) for key in records["source_key"]]
    texts = [None if fit is None else fit[fit.lastindex or 0] for fit in fits]
    with_scheme = records.assign(identifier_scheme=identifier.scheme, identifier=texts)
    return with_scheme.dropna(subset="identifier")[CROSSWALK.field_names]
