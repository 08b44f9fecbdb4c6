"""Preloads what parts of large steps need in the process from which they are forked: modules, names
of towns, and the command, which each of them would import again as its main module."""

from importlib import import_module

from assets.matching.towns import names_by_zip

for module in ("assets.directory.ranges", "assets.matching.by_state", "pipelines.cli"):
    import_module(module)
names_by_zip()
