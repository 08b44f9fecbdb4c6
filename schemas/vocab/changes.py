"""Name the changes of a listing between two releases, and the reasons why one ends."""

from pathlib import Path
from typing import Literal

import msgspec

ChangeKind = Literal["added", "changed", "reactivated", "merged", "retired"]
RetirementReason = Literal["not_in_sources", "rule", "successor_not_listed", "withheld"]

# A listing of the newer release has one of these at most. Lines of one feed never name an id twice.
CHANGES: dict[ChangeKind, str] = {
    "added": "Listed now; its id did not exist before.",
    "changed": "Listed before and now; at least one published field has another value.",
    "reactivated": "Listed now and not before, under an id that had been issued earlier.",
    "merged": (
        "Listed before; it turned out to be the same place as `merged_into`, which is listed."
    ),
    "retired": "No longer listed, and no other listing replaced it.",
}
CHANGE_KINDS: tuple[ChangeKind, ...] = tuple(CHANGES)

RETIREMENT_REASONS: dict[RetirementReason, str] = {
    "not_in_sources": "None of its sources lists it now.",
    "rule": "A behavior rule removed the listing. The detail gives the reason.",
    "successor_not_listed": "It was merged into a place that is not listed itself.",
    "withheld": "Its sources still have it, but it may not be published.",
}


# Rules of automatic changes, as data: condition, limit and field.
#
# Every change of a listing that a rule of the release makes is a row of
# `core_directory__automatic_changes`.

# Who applies a rule: the build of a release, the service on answering, or the store of people's
# reports.
AppliedBy = Literal["release", "service", "operations"]


class BehaviourRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`threshold` is in `unit`. `observations` is how often, on different days, the condition
    must be seen without a break before the effect. `types` empty: all types."""

    id: str
    condition: str
    threshold: int | float
    unit: str
    observations: int
    field: str
    effect: str
    applied_by: AppliedBy
    source: str
    types: tuple[str, ...] = ()


BEHAVIOUR_RULES: dict[str, BehaviourRule] = {
    rule.id: rule
    for rule in msgspec.yaml.decode(
        Path(__file__).with_name("behaviour_rules.yaml").read_bytes(), type=list[BehaviourRule]
    )
}
RULE_IDS: tuple[str, ...] = tuple(BEHAVIOUR_RULES)
