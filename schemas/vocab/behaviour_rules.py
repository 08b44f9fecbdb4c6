"""Rules of automatic changes, as data: condition, limit and field.

Every change of a listing that a rule of the release makes is a row of
`core_directory__automatic_changes`.
"""

from pathlib import Path
from typing import Literal

import msgspec

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
