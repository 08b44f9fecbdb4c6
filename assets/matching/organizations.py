"""Groups records of one organization. Separate from places: one organization runs many, and two
food banks of one town share a word or two and nothing else.

Evidence is an EIN, or the very same name together with something that only one organization has:
the publisher's own list in one state, a website, a telephone number. Names are never compared by
likeness here.
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
    missing where a record names none. Records with different EINs never share one, whatever their
    names.
    """
    name = encode_column(places["organization"], _telling_name).codes
    ein = np.full(len(places), -1, dtype=np.int32)
    if "ein" in places:
        ein = encode_column(places["ein"].str.replace("-", "")).codes
    label = _by_name(places, name)
    label = _split_by_ein(label, ein)
    is_named = (name >= 0) | (ein >= 0)
    key = _smallest(places["source_id"] + ":" + places["source_key"], label).where(is_named)
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


def _smallest(keys: pd.Series, label: Labels) -> pd.Series:
    """Return for each record the smallest key of its group; texts are sorted once, not by group."""
    order = keys.argsort().to_numpy()
    rank = np.empty(len(keys), dtype=np.int64)
    rank[order] = np.arange(len(keys))
    least = pd.Series(rank).groupby(label).transform("min").to_numpy()
    return keys.iloc[order[least]].set_axis(keys.index)


def _telling_name(organization: str) -> str | None:
    """Return a name for comparison; "Food Bank" and "Community Church" name nobody."""
    name = comparable_name(organization)
    return name if any(word not in WEAK for word in name.split()) else None


def _by_name(places: pd.DataFrame, name: NDArray[np.int32]) -> Labels:
    """Return records of one name linked by list and state, website or telephone."""
    evidence = {
        "list": encode_column(places["source_id"] + "\x1f" + places["state"]).codes,
        "website": encode_column(places["website"], website_host).codes,
        "phone": encode_column(places["phone_e164"]).codes,
    }
    links = []
    for codes in evidence.values():
        rows = np.flatnonzero((name >= 0) & (codes >= 0))
        group = name[rows].astype(np.int64) << 32 | codes[rows]
        first = pd.Series(rows).groupby(group).transform("first").to_numpy(np.int64)
        links.append((first, rows))
    a = np.concatenate([first for first, _ in links])
    b = np.concatenate([rows for _, rows in links])
    return components(len(places), a, b).astype(np.int64)


def _split_by_ein(label: Labels, ein: NDArray[np.int32]) -> Labels:
    """Return one organization per EIN; others stay with their name unless it has several."""
    frame = pd.DataFrame({"label": label, "ein": pd.Series(ein).mask(ein < 0)})
    eins = frame.groupby("label")["ein"].agg(["nunique", "first"])
    own_ein = frame["ein"].fillna(frame["label"].map(eins["first"].where(eins["nunique"] == 1)))
    # Without any EIN the group goes by its label; one name with several EINs proves nothing for the
    # rest.
    is_torn = frame["label"].map(eins["nunique"]).gt(1) & own_ein.isna()
    row_if_torn = pd.Series(np.arange(len(frame)), frame.index).where(is_torn, -1)
    bare_label = frame["label"].where(own_ein.isna(), -1)
    keys = pd.DataFrame({"ein": own_ein.fillna(-1), "label": bare_label, "alone": row_if_torn})
    labels: Labels = keys.groupby(["ein", "label", "alone"], sort=False).ngroup().to_numpy(np.int64)
    return labels
