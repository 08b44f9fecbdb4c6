"""Preloads modules, the list of ZIP codes and the command in the process that forks parts of large
steps, which would otherwise import them again."""

from importlib import import_module

from assets.matching.towns import records_by_zip

for module in ("assets.directory.ranges", "assets.matching.by_state", "pipelines.cli"):
    import_module(module)
records_by_zip()
