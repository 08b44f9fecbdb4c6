"""Definitions that `dagster dev -m pipelines.definitions` loads."""

from pipelines.infrequent_gc import infrequent_gc

# Modules stay: looking through them again and again would be a quarter of the start.
with infrequent_gc():
    from pipelines.build import build

    defs = build()
