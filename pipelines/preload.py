"""Preloads modules and the asset graph in the process that forks build steps."""

from pipelines.definitions import defs
from pipelines.jobs import BUILD_RELEASE

defs.get_repository_def().get_job(BUILD_RELEASE)
