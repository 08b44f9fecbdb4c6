"""Reads the places of all counties from the database of a release."""

import numpy as np
from numpy.typing import NDArray

from schemas.tables.core import RESOURCES
from warehouse.duckdb import Connection, quote_name

_QUERY = (
    f"SELECT county_fips, resource_id FROM {quote_name(RESOURCES.name)}"
    " WHERE is_active AND county_fips IS NOT NULL ORDER BY 1, 2"
)


def read_county_ids(db: Connection) -> dict[str, NDArray[np.int64]]:
    """Read the ids of the active places of each county (FIPS code), ascending."""
    columns = db.execute(_QUERY).fetchnumpy()
    counties, starts = np.unique(columns["county_fips"].astype(str), return_index=True)
    ids = np.split(columns["resource_id"].astype(np.int64), starts[1:])
    return dict(zip(counties.tolist(), ids, strict=True)) if len(counties) else {}
