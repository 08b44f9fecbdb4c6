"""What the processes of a build are forked from: everything imported, and the graph put together
once.
"""

from pipelines.definitions import defs
from pipelines.jobs import BUILD_RELEASE

defs.get_repository_def().get_job(BUILD_RELEASE)
