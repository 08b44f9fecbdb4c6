"""Assigns permanent organization numbers to resources.

Two food banks never share an organization (`assets.matching.organizations` defines the proof). A
resource whose source names none is its own organization. Numbers are issued like those of resources
(`assets.directory.identity`): for the first source record, once, and retained from release to
release.
"""

import pandas as pd

from assets.directory.identity import assign_ids
from assets.matching.organizations import resolve_organizations

OWN = "the place itself: its source names no organization"


def organization_registry(
    resources: pd.DataFrame,
    identities: pd.DataFrame,
    previous: pd.DataFrame | None,
    release_id: str,
) -> pd.DataFrame:
    """Return `core_directory__organizations`.

    `resources` has resource_id, data_source, organization, state, website, phone_e164, is_active,
    maybe ein; `identities` maps each resource id to the source record it was issued for; `previous`
    is the table of the last release.
    """
    origin = identities[["resource_id", "source_id", "source_key"]]
    rows = resources[resources["is_active"].astype(bool)].merge(
        origin, on="resource_id", validate="one_to_one"
    )
    groups = resolve_organizations(_as_listed(rows))
    own_key = rows["source_id"] + ":" + rows["source_key"]
    group = groups["organization_key"].fillna(own_key)
    clusters = rows[["source_id", "source_key"]].assign(cluster_id=group)
    order = clusters.sort_values(["source_id", "source_key"]).index
    ranks = pd.Series(range(len(order)), index=order).reindex(clusters.index)
    registered = None if previous is None else previous.rename(columns=_AS_IDENTITY)
    _, registry = assign_ids(clusters, ranks, registered, release_id)
    facts = rows[["source_id", "source_key", "organization"]].assign(
        ein=rows["ein"].str.replace("-", "")
        if "ein" in rows
        else pd.Series(None, rows.index, dtype="str"),
        organization_evidence=groups["evidence"].fillna(OWN),
    )
    registry = registry[list(_AS_IDENTITY.values()) + _KEPT]
    with_names = registry.merge(
        facts, how="left", on=["source_id", "source_key"], validate="one_to_one"
    )
    return with_names.rename(columns={new: old for old, new in _AS_IDENTITY.items()})


_AS_IDENTITY = {"organization_number": "resource_id", "successor_number": "successor_id"}
_KEPT = ["source_id", "source_key", "id_status", "first_release_id"]


def _as_listed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as those of the list that leads each: one name in one list and state is
    one."""
    columns = ["source_key", "organization", "state", "website", "phone_e164"]
    columns += ["ein"] if "ein" in rows else []
    result = rows[columns].copy()
    result["source_key"] = rows["source_id"] + ":" + rows["source_key"]
    result.insert(0, "source_id", rows["data_source"])
    return result
