"""Applies behaviour rules and confidence to the directory, using results of earlier builds."""

from dataclasses import dataclass

import pandas as pd

from assets.directory.behaviour import apply_rules, no_changes, no_observations, observe
from assets.directory.confidence import with_confidence
from assets.directory.places import Directory
from assets.steps.served import read_served_table
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    PHONE_VALIDATIONS,
    RULE_OBSERVATIONS,
    WEBSITE_PROBES,
    ZIPS,
)


@dataclass(frozen=True)
class RuleResult:
    """The published directory, and the rules' observations and actions."""

    resources: pd.DataFrame
    observations: pd.DataFrame
    changes: pd.DataFrame


def apply_behaviour_rules(
    directory: Directory,
    workspace: Workspace,
    release_id: str,
    closures: pd.DataFrame | None = None,
) -> RuleResult:
    """Apply the behaviour rules, then the confidence; earlier results come from the served
    release."""
    as_of = workspace.as_of_date
    probes = workspace.read(WEBSITE_PROBES.name)
    earlier = read_served_table(workspace, RULE_OBSERVATIONS)
    observations = observe(
        directory.resources,
        workspace.read(ZIPS.name),
        probes,
        no_observations() if earlier is None else earlier,
        as_of,
    )
    audit = read_served_table(workspace, AUTOMATIC_CHANGES)
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
    return RuleResult(resources, observations, changes)
