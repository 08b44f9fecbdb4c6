"""The stages of a build: groups of the asset graph in data order, and their owners."""

SOURCES = "sources"
# Group -> owner, shown and alerted by Dagster.
OWNERS = {
    SOURCES: "team:sources",
    "operations": "team:sources",
    "geography": "team:sources",
    "matching": "team:directory",
    "directory": "team:directory",
    "checks": "team:directory",
    "statistics": "team:products",
    "hsds": "team:products",
    "veterans": "team:products",
    "release": "team:release",
}
