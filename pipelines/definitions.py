"""Definitions that `dagster dev -m pipelines.definitions` loads."""

from pipelines.infrequent_gc import infrequent_gc

# Modules are permanent: collecting them repeatedly would be a quarter of the startup time.
with infrequent_gc():
    from pipelines.build import build

    defs = build()
