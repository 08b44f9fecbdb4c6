"""Computes what searches need of a release before the first request."""

from __future__ import annotations

from serving.map.view import grids_of
from serving.search.suggest_index import suggest_index_of
from warehouse.index.reader import OpenRelease


def warm(release: OpenRelease) -> None:
    """Build suggestions and the map: 0.3 s for 330,000 places."""
    grids_of(release)
    suggest_index_of(release)
