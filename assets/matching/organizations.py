"""Groups the records of one organization, which may run many places.

Evidence is an EIN, or the same name with something that only one organization has: the publisher's
own list in one state, a website, a telephone number. Similar names are no evidence: two food banks
in one town may share a word or two and nothing else.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from assets.matching.names import comparable_name
from assets.matching.profiles import components, encode_column, website_host
from assets.matching.words import WEAK

Labels = NDArray[np.int64]

BY_EIN = "same EIN"
BY_NAME = "same name, with the same list and state, website or telephone"
ALONE = "named by this record only"


def resolve_organizations(places: pd.DataFrame) -> pd.DataFrame:
    """Return the organization of every record: `source_id`, `source_key`, `organization_key`,
    `evidence`.

    `places` has source_id, source_key, organization, state, website, phone_e164 and may have `ein`
    (nine digits). `organization_key` is the smallest "source:key" of the organization's records,
    missing if a record names no organization. Records with different EINs never share one.
    """

    def telling_name(organization: str) -> str | None:
        name = comparable_name(organization)
        # "Food Bank" and "Community Church" identify no organization.
        return name if any(word not in WEAK for word in name.split()) else None

    name = encode_column(places["organization"], telling_name).codes
    ein = np.full(len(places), -1, dtype=np.int32)
    if "ein" in places:
        ein = encode_column(places["ein"].str.replace("-", "")).codes
    label = _by_name(places, name)
    label = _split_by_ein(label, ein)
    is_named = (name >= 0) | (ein >= 0)
    # Texts are sorted once, not by group.
    keys = places["source_id"] + ":" + places["source_key"]
    order = keys.argsort().to_numpy()
    rank = np.empty(len(keys), dtype=np.int64)
    rank[order] = np.arange(len(keys))
    smallest = order[pd.Series(rank).groupby(label).transform("min").to_numpy()]
    key = keys.iloc[smallest].set_axis(keys.index).where(is_named)
    size = np.bincount(label, minlength=int(label.max(initial=-1)) + 1)[label]
    evidence = pd.Series(BY_NAME, places.index, dtype="str").mask(ein >= 0, BY_EIN)
    evidence = evidence.mask(size == 1, ALONE).where(is_named)
    return pd.DataFrame(
        {
            "source_id": places["source_id"],
            "source_key": places["source_key"],
            "organization_key": key,
            "evidence": evidence,
        }
    )


def _by_name(places: pd.DataFrame, name: NDArray[np.int32]) -> Labels:
    """Return labels of records with one name that share list and state, website or telephone."""
    evidence = (
        encode_column(places["source_id"] + "\x1f" + places["state"]).codes,
        encode_column(places["website"], website_host).codes,
        encode_column(places["phone_e164"]).codes,
    )
    links = []
    for codes in evidence:
        rows = np.flatnonzero((name >= 0) & (codes >= 0))
        group = name[rows].astype(np.int64) << 32 | codes[rows]
        first = pd.Series(rows).groupby(group).transform("first").to_numpy(np.int64)
        links.append((first, rows))
    a = np.concatenate([first for first, _ in links])
    b = np.concatenate([rows for _, rows in links])
    return components(len(places), a, b).astype(np.int64)


def _split_by_ein(label: Labels, ein: NDArray[np.int32]) -> Labels:
    """Return labels with one group per EIN; records without an EIN join that of their name, if it
    has only one."""
    frame = pd.DataFrame({"label": label, "ein": pd.Series(ein).mask(ein < 0)})
    eins = frame.groupby("label")["ein"].agg(["nunique", "first"])
    own_ein = frame["ein"].fillna(frame["label"].map(eins["first"].where(eins["nunique"] == 1)))
    # If a name has several EINs, each of its records without an EIN stays alone.
    is_torn = frame["label"].map(eins["nunique"]).gt(1) & own_ein.isna()
    row_if_torn = pd.Series(np.arange(len(frame)), frame.index).where(is_torn, -1)
    bare_label = frame["label"].where(own_ein.isna(), -1)
    keys = pd.DataFrame({"ein": own_ein.fillna(-1), "label": bare_label, "alone": row_if_torn})
    labels: Labels = keys.groupby(["ein", "label", "alone"], sort=False).ngroup().to_numpy(np.int64)
    return labels
