"""Crosswalk from ids of the directory to identifiers of other registers, by the sources' keys."""

import re

import pandas as pd

from schemas.sources.registry import Identifier, sources
from schemas.tables.core import CROSSWALK

Schemes = dict[str, list[Identifier]]


def crosswalk(resources: pd.DataFrame, records: pd.DataFrame, identifiers: Schemes) -> pd.DataFrame:
    """Return identifiers of listed, public places in columns of CROSSWALK, except those shared by
    two places."""
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
    """Return the records whose whole key matches the pattern; its group, if any, is the
    identifier."""
    pattern = re.compile(identifier.pattern)
    fits = [pattern.fullmatch(key) for key in records["source_key"]]
    texts = [None if fit is None else fit[fit.lastindex or 0] for fit in fits]
    with_scheme = records.assign(identifier_scheme=identifier.scheme, identifier=texts)
    return with_scheme.dropna(subset="identifier")[CROSSWALK.field_names]


def list_identifiers() -> Schemes:
    """Return the identifiers that keys of the sources' records contain, by source."""
    return {s.id: s.identifiers for s in sources().values() if s.identifiers}
