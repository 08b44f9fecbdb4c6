"""Selects disaster declarations: the release's, or those of the hourly refresh when newer.

First use reads the database, and every refresh a file: call these functions in a thread.
"""

from datetime import date, datetime
from typing import Literal, NamedTuple

from serving.disasters.declarations import DeclaredDisaster, declarations_by_state
from serving.http.errors import ServiceProblem
from serving.http.per_release import per_release
from serving.telemetry.metrics import Numbers
from warehouse.disaster_file import Declarations, SideFile, read_release_declarations
from warehouse.index.reader import OpenRelease


class DeclarationsInUse(NamedTuple):
    """The declarations in use, with the date and origin of their file."""

    declarations: Declarations
    came_with: Literal["release", "refresh"]
    by_state: dict[str, list[DeclaredDisaster]]


def declarations_in_use(release: OpenRelease) -> DeclarationsInUse:
    """Return the newer of the release's declarations and those of the side file.

    Raises ServiceProblem (503) if there are neither.
    """
    side, own = side_file(release).current(), _of_release(release)
    # Invented declarations never replace real ones, nor vice versa.
    if side and side.edition.is_synthetic == release.is_synthetic and _is_newer(side, own):
        return _refresh(release, side)
    if own is None:
        raise ServiceProblem(
            "not-in-release", f"Release {release.release_id} has no disaster declarations."
        )
    return own


def last_checked_at(release: OpenRelease) -> datetime | None:
    """Return when the declarations in use were last compared with the publisher's; None before the
    first request for them.

    Reads no file: uses values cached by requests and the hourly refresh.
    """
    holder = _refreshes.find_known(release) or {}
    in_use = holder.get("newest") or _of_release.find_known(release)
    if in_use is None:
        return None
    edition = in_use.declarations.edition
    return edition.checked_at or edition.retrieved_at


def measure(release: OpenRelease, now: datetime) -> Numbers:
    """Return the age of the declarations in use, in seconds; nothing before their first use."""
    checked_at = last_checked_at(release)
    return (
        {"larder_disasters_age_seconds": [((), (now - checked_at).total_seconds())]}
        if checked_at
        else {}
    )


@per_release
def side_file(release: OpenRelease) -> SideFile:
    """Open the file of the hourly refresh, in the data directory of the release."""
    return SideFile(release.folder.parent.parent)


@per_release
def _refreshes(_: OpenRelease) -> dict[str, DeclarationsInUse]:
    return {}


def _refresh(release: OpenRelease, side: Declarations) -> DeclarationsInUse:
    holder = _refreshes(release)
    newest = holder.get("newest")
    if newest is None or newest.declarations is not side:
        newest = holder["newest"] = DeclarationsInUse(
            side, "refresh", declarations_by_state(side.rows)
        )
    return newest


@per_release
def _of_release(release: OpenRelease) -> DeclarationsInUse | None:
    with release.cursor() as db:
        as_of = date.fromisoformat(release.manifest.as_of_date)
        declarations = read_release_declarations(db, as_of)
    return (
        DeclarationsInUse(declarations, "release", declarations_by_state(declarations.rows))
        if declarations
        else None
    )


def _is_newer(side: Declarations, own: DeclarationsInUse | None) -> bool:
    """Return whether the side file's bytes came no earlier: of the same bytes it knows the later
    check."""
    if own is None or own.declarations.edition.retrieved_at is None:
        return True
    retrieved_at = side.edition.retrieved_at
    return retrieved_at is not None and retrieved_at >= own.declarations.edition.retrieved_at
