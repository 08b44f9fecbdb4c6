"""The rights table: what the release may use of each source."""

from assets.sources.rights import rights_table
from assets.steps.decorators import table_asset
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.core import RIGHTS


def _rights(workspace: Workspace) -> dict[str, object]:
    return {"rights": workspace.rights_of(*sources().values())}


core_sources__rights = table_asset(RIGHTS, reads={}, group="directory", settings=_rights)(
    rights_table
)
