"""Apply behaviour rules and confidence to the directory, with what they need to remember."""

from dataclasses import dataclass

import pandas as pd

from assets.directory.behaviour import apply_rules, no_changes, no_observations, observe
from assets.directory.confidence import with_confidence
from assets.directory.places import Directory
from assets.directory.still_true import with_shares
from assets.steps.served import served_table
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.checks import (
    AUTOMATIC_CHANGES,
    PHONE_VALIDATIONS,
    RULE_OBSERVATIONS,
    WEBSITE_PROBES,
)
from schemas.tables.core import ZIPS


@dataclass(frozen=True)
class Judged:
    """The directory as it is published, and the rules' observations and actions."""

    resources: pd.DataFrame
    observations: pd.DataFrame
    changes: pd.DataFrame


def apply_behaviour_rules(
    directory: Directory,
    workspace: Workspace,
    release_id: str,
    closures: pd.DataFrame | None = None,
) -> Judged:
    """Apply the behaviour rules, then the confidence; the served release is their memory."""
    as_of = workspace.as_of_date
    probes = workspace.read(WEBSITE_PROBES.name)
    seen = served_table(workspace, RULE_OBSERVATIONS)
    observations = observe(
        directory.resources,
        workspace.read(ZIPS.name),
        probes,
        no_observations() if seen is None else seen,
        as_of,
    )
    audit = served_table(workspace, AUTOMATIC_CHANGES)
    resources, changes = apply_rules(
        directory.resources,
        observations,
        no_changes() if audit is None else audit,
        as_of,
        release_id,
        closures,
    )
    resources = with_confidence(
        resources,
        directory.record_sources,
        sources(),
        probes,
        workspace.read(PHONE_VALIDATIONS.name),
        observations,
        pd.Timestamp(as_of),
    )
    return Judged(with_shares(resources, pd.Timestamp(as_of)), observations, changes)
