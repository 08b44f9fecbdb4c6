"""Preloads modules and the asset graph in the process from which build steps are forked, and the
command, which each of them would import again as its main module."""

from importlib import import_module

from pipelines.definitions import defs
from pipelines.jobs import BUILD_RELEASE

defs.get_repository_def().get_job(BUILD_RELEASE)
import_module("pipelines.cli")
