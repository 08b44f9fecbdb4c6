"""Preloads modules, the asset graph and the command in the process that forks build steps, which
would otherwise import them again."""

from importlib import import_module

from pipelines.definitions import defs
from pipelines.jobs import BUILD_RELEASE

defs.get_repository_def().get_job(BUILD_RELEASE)
import_module("pipelines.cli")
