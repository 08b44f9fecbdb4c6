"""Decides how a release may use a source: its license, a permission, or the instance's rule.

The operator owns the policy, `content/licences.yaml` or the file named by LARDER_LICENSES_FILE. It
has permissions granted by publishers, withdrawals, and one rule for lists whose publisher states no
license. A source's own license is in its entry of the registry.
"""

from datetime import date
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

import msgspec

from schemas.sources.registry import Source, sources
from schemas.vocab.statuses import USES, Basis, Use


class Permission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Permission of a publisher beyond its stated license, with its proof.

    `words` are the publisher's own. The permission is valid from `granted_date` through `until`
    (without it, until withdrawn) and ends on `withdrawn_date`.
    """

    source: str
    use: Literal["publish", "facts_only", "match_only"]
    granted_by: str
    granted_date: date
    words: str
    until: date | None = None
    withdrawn_date: date | None = None

    def __post_init__(self) -> None:
        for name in ("granted_by", "words"):
            if not getattr(self, name).strip():
                raise ValueError(f"permission of {self.source}: {name} is empty")
        for name in ("until", "withdrawn_date"):
            end = getattr(self, name)
            if end is not None and end < self.granted_date:
                raise ValueError(f"permission of {self.source}: {name} is before granted_date")

    def holds_on(self, day: date) -> bool:
        """Return whether the permission is valid on a day."""
        if self.withdrawn_date is not None and day >= self.withdrawn_date:
            return False
        return self.granted_date <= day and (self.until is None or day <= self.until)


class Withdrawal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A publisher's request to be excluded, regardless of its license: from `date` on."""

    source: str
    date: date
    reason: str


class RightsPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The instance's policy. Raises ValueError for a source that the registry does not know.

    `decided_by` and `decided_date` say who chose the rule for lists without a stated license.
    """

    no_stated_license: Literal["withhold", "facts_only", "match_only"] = "withhold"
    decided_by: str | None = None
    decided_date: date | None = None
    permissions: list[Permission] = []
    withdrawals: list[Withdrawal] = []

    def __post_init__(self) -> None:
        source_ids = [*(p.source for p in self.permissions), *(w.source for w in self.withdrawals)]
        if unknown := sorted(set(source_ids) - set(sources())):
            raise ValueError(f"source: {', '.join(unknown)}: not in the registry")


class Right(msgspec.Struct, frozen=True):
    """Permitted use of a source, with the reason as one sentence with names and dates."""

    use: Use
    basis: Basis
    reason: str


# What `larder source allow` records, below the data folder.
RECORDED = "permissions.yaml"


def read_policy(file: Path | None = None, recorded: Path | None = None) -> RightsPolicy:
    """Return the operator's policy, the shipped one without a file, with the permissions recorded
    in the data folder `recorded`.

    Raises ValueError that names the file and the rule when it is missing or wrong.
    """
    policy = read_policy_file(file or resources.files("content") / "licences.yaml")
    path = recorded / RECORDED if recorded else None
    if path is None or not path.exists():
        return policy
    own = read_policy_file(path)
    decision = own if own.decided_by else policy
    return msgspec.structs.replace(
        policy,
        no_stated_license=decision.no_stated_license,
        decided_by=decision.decided_by,
        decided_date=decision.decided_date,
        permissions=[*policy.permissions, *own.permissions],
        withdrawals=[*policy.withdrawals, *own.withdrawals],
    )


def waits_for(source: Source, policy: RightsPolicy, day: date) -> str:
    """Return what the operator has to do before a list may be fetched; empty if it may be."""
    right = right_of(source, policy, day)
    if source.needs == "permission" and right.basis != "permission":
        return (
            "needs the publisher's permission: ask, then record it with "
            f'`larder source allow {source.id} --by NAME --on YYYY-MM-DD --words "..."`'
        )
    return ""


def read_policy_file(path: Path | Traversable) -> RightsPolicy:
    """Return the policy in a file. Raises ValueError that names the file and the rule."""
    try:
        return msgspec.yaml.decode(path.read_bytes(), type=RightsPolicy)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def right_of(source: Source, policy: RightsPolicy, day: date) -> Right:
    """Return the use of a source on `day`: withdrawal, license, permission, then the rule."""
    for withdrawal in policy.withdrawals:
        if withdrawal.source == source.id and withdrawal.date <= day:
            return Right(
                "withhold", "withdrawal", f"Withdrawn on {withdrawal.date}: {withdrawal.reason}"
            )
    if source.license.is_republishable:
        return Right("publish", "licence", source.license.name)
    permissions = [p for p in policy.permissions if p.source == source.id and p.holds_on(day)]
    if permissions:
        best = min(permissions, key=lambda p: USES.index(p.use))
        reason = f"Permission of {best.granted_by}, {best.granted_date}: {best.words}"
        return Right(best.use, "permission", reason)
    return Right(policy.no_stated_license, "rule", source.license.name)
