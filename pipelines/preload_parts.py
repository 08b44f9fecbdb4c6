"""Preloads what parts of large steps need in the process from which they are forked: modules, the list
of ZIP codes, and the command, which each of them would import again as its main module."""

from importlib import import_module

from assets.matching.towns import records_by_zip

for module in ("assets.directory.ranges", "assets.matching.by_state", "pipelines.cli"):
    import_module(module)
records_by_zip()
