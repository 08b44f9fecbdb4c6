"""Records what the operator decided about lists (`permissions.yaml` in the data folder)."""

from datetime import date
from pathlib import Path

import msgspec

from assets.steps.workspace import Workspace
from schemas.sources.registry import feeds
from schemas.sources.rights import RECORDED, RightsPolicy, read_policy_file, waits_for
from warehouse.files import write_bytes


def record_permission(
    data_dir: Path, source_id: str | None, *, by: str, day: date, words: str, use: str
) -> None:
    """Add a permission; without a source, the rule for all lists whose publishers state no
    license. Raises ValueError for an unknown source."""
    path = data_dir / RECORDED
    own = read_policy_file(path) if path.exists() else RightsPolicy()
    facts = msgspec.to_builtins(own)
    if source_id is None:
        facts |= {"no_stated_license": use, "decided_by": by, "decided_date": day}
    else:
        granted = {"use": use, "granted_by": by, "granted_date": day, "words": words}
        facts["permissions"].append({"source": source_id, **granted})
    policy = msgspec.convert(facts, RightsPolicy)
    data_dir.mkdir(parents=True, exist_ok=True)
    write_bytes(path, msgspec.yaml.encode(policy))


def undecided_lists(workspace: Workspace) -> list[str]:
    """Return the living lists that are withheld because their publishers state no terms and the
    operator has not decided."""
    rights = workspace.rights_of(*(feed for feed in feeds().values() if feed.needs is None))
    return [name for name, right in rights.items() if right.use == "withhold"]


def waiting_lists(workspace: Workspace) -> list[str]:
    """Return the living lists that are not fetched before somebody permits it."""
    policy, today = workspace.rights_policy(), workspace.as_of_date
    return [name for name, feed in feeds().items() if waits_for(feed, policy, today)]
