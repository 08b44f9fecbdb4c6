"""The geocoder of a build, configured by the workspace."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import pandas as pd

from assets.geocode.chain import ASKED_COLUMNS, Geocodes, find_points
from assets.steps.workspace import Workspace
from warehouse.geocoder.cache import GeocodeCache
from warehouse.geocoder.client import CENSUS_URL, CensusBatchClient, GeocoderSettings


def geocode_places(
    places: pd.DataFrame, workspace: Workspace, run_id: str, report: Callable[[str], None]
) -> Geocodes:
    """Return points for places without one, from the cache and, if enabled, the Census geocoder."""
    settings = _settings(workspace)
    cache = GeocodeCache(workspace.root, settings.benchmark, settings.vintage)
    client = _client(settings, run_id) if workspace.geocode == "census" else None
    return find_points(
        places[list(ASKED_COLUMNS)], cache, client, workspace.geocode_max_addresses, report
    )


def _settings(workspace: Workspace) -> GeocoderSettings:
    settings = GeocoderSettings(
        url=workspace.geocode_url or CENSUS_URL,
        benchmark=workspace.geocode_benchmark,
        vintage=workspace.geocode_vintage,
    )
    # A mirror named by the operator may be in a private network.
    is_own = settings.url != CENSUS_URL
    return replace(settings, fetch=replace(settings.fetch, allow_private=is_own))


@lru_cache(maxsize=4)
def _client(settings: GeocoderSettings, run_id: str) -> CensusBatchClient:
    """Return one client for all sources of a run, so that an unavailable service is detected
    once."""
    return CensusBatchClient(settings)
