"""Preloads modules and the list of ZIP codes in the process that forks parts of large steps."""

from importlib import import_module

from assets.matching.towns import records_by_zip

for module in (
    "assets.directory.ranges",
    "assets.matching.by_state",
    # Of the processes that read sources, and the program that starts them.
    "assets.sources.assemble",
    "assets.sources.mapping",
    "pipelines.cli",
):
    import_module(module)
records_by_zip()
