"""Removes impossible points: halves, zeros, and exact points of confidential places.

Swapped pairs, lost signs and Web Mercator metres need the state as evidence; the location step
repairs them.
"""

import numpy as np
import pandas as pd

from schemas.sources.registry import Source


def clean_points(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Set `lat` and `lng` both or neither; a zero is missing, a confidential place has none."""
    lat, lng = places["lat"], places["lng"]
    usable = np.isfinite(lat) & np.isfinite(lng) & (lat != 0) & (lng != 0)
    usable &= ~places["is_confidential"].fillna(False).astype("bool")
    return places.assign(
        lat=lat.where(usable),
        lng=lng.where(usable),
        location_precision=places["location_precision"].where(usable),
    )
