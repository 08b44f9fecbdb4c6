"""Preloads modules and the asset graph in the process from which build steps are forked."""

from pipelines.definitions import defs
from pipelines.jobs import BUILD_RELEASE

defs.get_repository_def().get_job(BUILD_RELEASE)
