"""Definitions that `dagster dev -m pipelines.definitions` loads."""

from pipelines.build import build

defs = build()
