"""Name the stages of a build: the groups of the asset graph, in the order of the data, and their owners."""

SOURCES = "sources"
# Group -> owner, as Dagster shows and alerts them.
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
