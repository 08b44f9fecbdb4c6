"""Name the changes of a listing between two releases, and the reasons why one ends."""

from typing import Literal

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
