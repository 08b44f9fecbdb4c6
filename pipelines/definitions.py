"""What Dagster's programs load: `[tool.dagster]` in pyproject.toml names this module."""

from pipelines.build import build

defs = build()
