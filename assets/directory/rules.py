"""Applies behaviour rules and confidence to the directory, using results of earlier builds."""

from dataclasses import dataclass

import pandas as pd

from assets.directory.behaviour import apply_rules, no_changes, no_observations, observe
from assets.directory.confidence import with_confidence
from assets.directory.places import Directory
from assets.directory.record_dates import PLACE_DATES
from assets.steps.served import read_served_table
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.checks import (
    AUTOMATIC_CHANGES,
    PHONE_VALIDATIONS,
    RULE_OBSERVATIONS,
    WEBSITE_PROBES,
)
from schemas.tables.core import ZIPS
from schemas.vocab.still_true import FACTS, Fact, likelihood


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
    return RuleResult(with_shares(resources, pd.Timestamp(as_of)), observations, changes)


# The field that must be known, and the fields whose newest date is its age.
_FIELDS: dict[Fact, tuple[str, tuple[str, ...]]] = {
    "exists": ("name", PLACE_DATES),
    "phone": ("phone", PLACE_DATES),
    "hours": ("schedules_json", ("hours_date",)),
}


def with_shares(resources: pd.DataFrame, as_of: pd.Timestamp) -> pd.DataFrame:
    """Return resources with `p_exists`, `p_phone` and `p_hours`; missing without evidence."""
    columns = {}
    for fact in FACTS:
        column, dates = _FIELDS[fact]
        newest = resources[list(dates)].apply(pd.to_datetime).max(axis=1)
        days = (as_of - newest).dt.days.where(resources[column].notna())
        # A few thousand combinations occur: each is computed once.
        codes, pairs = pd.factorize(pd.MultiIndex.from_arrays([resources["resource_type"], days]))
        shares = pd.Series([_share(fact, *pair) for pair in pairs], dtype="float64")
        columns[f"p_{fact}"] = shares.take(codes).set_axis(resources.index)
    return resources.assign(**columns)


def _share(fact: Fact, resource_type: str, days: float) -> float | None:
    estimate = None if pd.isna(days) or days < 0 else likelihood(fact, resource_type, int(days))
    return None if estimate is None else estimate.p
