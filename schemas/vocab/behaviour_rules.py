"""Rules of automatic changes, as data: condition, limit and field.

Every change of a listing that a rule of the release makes is a row of
`core_directory__automatic_changes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schemas.vocab.resource_types import PANTRY_CLASS

# Who applies a rule: the build of a release, the service on answering, or the store of people's
# reports.
AppliedBy = Literal["release", "service", "operations"]


@dataclass(frozen=True)
class BehaviourRule:
    """`threshold` is in `unit`. `observations` is how often, on different days, the condition
    must be seen without a break before the effect. `types` empty: all types."""

    id: str
    condition: str
    threshold: float
    unit: str
    observations: int
    field: str
    effect: str
    applied_by: AppliedBy
    source: str
    types: tuple[str, ...] = ()


_ORIGIN = "behaviour of the directory this one is compatible with"

_RULES: tuple[BehaviourRule, ...] = (
    BehaviourRule(
        "website_failing", "The website failed in probes in a row, each on another day.",
        3, "probes", 1, "website", "The address is cleared; it returns when a probe succeeds.", "release", _ORIGIN,
    ),
    BehaviourRule(
        "point_far_from_zip", "The point is farther from the middle of its ZIP code than the "
                              "threshold.",
        0.8, "degrees of arc", 2, "is_active", "Flagged at once, no longer listed after the second observation.",
        "release", _ORIGIN,
    ),
    BehaviourRule(
        "dead_end",
        "Unverified, without telephone and website, and (our refinement) without hours, house number and exact"
        " point: a visitor has nothing to go by. A fridge with a street number is no dead end.",
        0, "ways to reach it", 1, "is_active", "No longer listed, until a source adds details.", "release", _ORIGIN,
        PANTRY_CLASS,
    ),
    BehaviourRule(
        "hours_stale", "The hours are older than the threshold.",
        180, "days", 1, "hours_status", "The opening state is `unknown`; helpful feedback "
                                        "restarts the count.",
        "service", _ORIGIN,
    ),
    BehaviourRule(
        "feedback_wrong_info", "Different visitors said `wrong_info` within 30 days.",
        2, "visitors", 1, "doubt", "Marked as doubted; an administrator decides. It stays listed.",
        "operations", "decision of this directory",
    ),
    BehaviourRule(
        "feedback_closed", "Different visitors said `closed` within 180 days.",
        2, "visitors", 1, "doubt", "Marked as doubted; an administrator decides. It stays listed.",
        "operations", "decision of this directory",
    ),
    BehaviourRule(
        "closed_by_review", "An administrator decided that the place is closed or no listing.",
        1, "decisions", 1, "is_active", "No longer listed; at once on answering, in the next release for good.",
        "operations", "decision of this directory",
    ),
)  # fmt: skip

BEHAVIOUR_RULES: dict[str, BehaviourRule] = {rule.id: rule for rule in _RULES}
RULE_IDS: tuple[str, ...] = tuple(BEHAVIOUR_RULES)
