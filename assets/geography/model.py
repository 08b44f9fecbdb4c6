"""The reference geography that locating and the demonstration data work with."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from assets.geography.boundaries import Boundaries


@dataclass(frozen=True, eq=False)
class Geography:
    """ZIP codes and cities (`schemas.tables.core.ZIPS`, `CITIES`), polygons where there are any.

    `notes` say which official files were missing, `vintage` what the rest is of.
    """

    zips: pd.DataFrame
    cities: pd.DataFrame
    boundaries: Boundaries | None = None
    notes: tuple[str, ...] = ()
    vintage: str = ""
