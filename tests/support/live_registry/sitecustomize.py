"""Points a few living lists at servers on loopback, in every process of a build (PYTHONPATH).

LARDER_TEST_FEEDS has the address of each list by its id, as JSON. Sources that the graph does not
need are left out.
"""

import json
import os
from dataclasses import replace

import msgspec

import warehouse.fetch.settings
from assets.sources import failures
from schemas.sources import registry

NEEDED = {
    "fema_declarations",
    "feeding_america_2026",
    "operations",
    "operations_edits",
    "usda_summer_meals",
    "va_facilities",
}
addresses = json.loads(os.environ["LARDER_TEST_FEEDS"])
read_fetch_settings = warehouse.fetch.settings.read_fetch_settings


def moved(source: registry.Source) -> registry.Source:
    if source.id not in addresses:
        return msgspec.structs.replace(source, live=[])
    (feed,) = source.live
    return msgspec.structs.replace(
        source, live=[msgspec.structs.replace(feed, url=addresses[source.id])]
    )


feeds = {name: moved(feed) for name, feed in registry.feeds().items() if name in addresses}
sources = {name: moved(s) for name, s in registry.sources().items() if name in NEEDED} | feeds
registry.feeds = lambda: feeds
registry.sources = lambda: sources
warehouse.fetch.settings.read_fetch_settings = lambda: replace(
    read_fetch_settings(),
    allow_private=True,
    pause_seconds=0,
    wait_initial_seconds=0.01,
    wait_max_seconds=0.02,
    wait_jitter_seconds=0,
)
failures._FIRST_WAIT_SECONDS = 0
