"""Declarations as disasters: the rows of FEMA's two files put together, and how one touches a
place. The declarations in use are those of the release, or of the hourly refresh if newer.

The first call of `declarations_in_use` reads the database, and every refresh a file: call it in a
thread.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Literal, NamedTuple

from schemas.api.disasters import AreaKind, DisasterArea, Match
from schemas.values.disasters import Because, active_until, why_active
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem
from serving.telemetry.metrics import Numbers
from warehouse.disaster_file import Declaration, Declarations, SideFile, read_release_declarations
from warehouse.index.reader import OpenRelease

_SMALL_WORDS = frozenset(["and", "at", "by", "for", "from", "in", "of", "on", "the", "to", "with"])
_KINDS_OF_AREA = (
    "County",
    "Parish",
    "Borough",
    "Municipio",
    "Municipality",
    "Census Area",
    "Island",
    "District",
)


@dataclass(frozen=True)
class DeclaredDisaster:
    """One disaster in one state. `areas` are its rows by area; empty if only the whole is known."""

    kind: str
    number: int
    state: str
    title: str
    incident_type: str | None
    declaration_date: date
    begin_date: date | None
    end_date: date | None
    closeout_date: date | None
    individual: bool | None
    public: bool | None
    hazard: bool | None
    areas: tuple[Declaration, ...]

    @property
    def name(self) -> str:
        """FEMA's declaration string: `DR-4834-FL`."""
        return f"{self.kind}-{self.number}-{self.state}"

    def until(self, areas: Sequence[Declaration]) -> date:
        """Return the last day on which it counts as active for these areas."""
        return active_until(
            self.kind, self.declaration_date, self.begin_date, self.end_date, last_filing(areas)
        )

    def why_active(self, on: date, areas: Sequence[Declaration]) -> Because | None:
        """Return why it is active on a day for these areas; None when it is not."""
        filing = last_filing(areas)
        until = self.until(areas)
        return why_active(
            on,
            until,
            self.declaration_date,
            self.begin_date,
            self.end_date,
            self.closeout_date,
            filing,
        )

    def find_last_day(self, areas: Sequence[Declaration]) -> date:
        """Return `until`, or the day before the closeout when that comes earlier."""
        until = self.until(areas)
        return min(until, self.closeout_date - timedelta(days=1)) if self.closeout_date else until


def last_filing(areas: Sequence[Declaration]) -> date | None:
    """Return the latest deadline to file for individual assistance."""
    return max((a.last_ia_filing_date for a in areas if a.last_ia_filing_date), default=None)


def declarations_by_state(rows: Iterable[Declaration]) -> dict[str, list[DeclaredDisaster]]:
    """Return disasters by state, in order of number, from rows in any order."""
    ordered = sorted(rows, key=_key)
    by_state: dict[str, list[DeclaredDisaster]] = {}
    for (state, _, _), group in groupby(ordered, key=_key):
        by_state.setdefault(state, []).append(_merge_rows(list(group)))
    return by_state


def _key(row: Declaration) -> tuple[str, int, str]:
    return row.state, row.disaster_number, row.declaration_type


def _merge_rows(rows: list[Declaration]) -> DeclaredDisaster:
    """Merge the rows of a disaster: the row of the whole leads, the areas fill its gaps.

    The two files have different dates: a last day or closeout in either counts.
    """
    rows = [r for r in rows if not r.designated_area] + [r for r in rows if r.designated_area]
    first = rows[0]
    areas = sorted(
        (r for r in rows if r.designated_area),
        key=lambda r: (r.designated_area, r.county_fips or ""),
    )
    return DeclaredDisaster(
        kind=first.declaration_type,
        number=first.disaster_number,
        state=first.state,
        title=plain_title(first.title),
        incident_type=next((r.incident_type for r in rows if r.incident_type), None),
        declaration_date=first.declaration_date,
        begin_date=min(
            (r.incident_begin_date for r in rows if r.incident_begin_date), default=None
        ),
        end_date=max((r.incident_end_date for r in rows if r.incident_end_date), default=None),
        closeout_date=next((r.closeout_date for r in rows if r.closeout_date), None),
        individual=_any(r.has_individual_assistance for r in rows),
        public=_any(r.has_public_assistance for r in rows),
        hazard=_any(r.has_hazard_mitigation for r in rows),
        areas=tuple(areas),
    )


def _any(flags: Iterable[bool | None]) -> bool | None:
    """Return whether any flag is true; None if all are unknown."""
    values = [flag for flag in flags if flag is not None]
    return any(values) if values else None


# ---------------------------------------------------------------- areas


def area_kind(row: Declaration) -> AreaKind:
    """Return the kind of an area. Statewide declarations have FEMA's county code 000, which is
    no FIPS code here."""
    if row.county_fips:
        return "county"
    if (row.designated_area or "").casefold().startswith("statewide"):
        return "statewide"
    return "tribal_area" if row.is_tribal_area else "other"


def area_of(row: Declaration) -> DisasterArea:
    """Return the area as it is shown."""
    return DisasterArea(
        name=area_name(row.designated_area or ""),
        kind=area_kind(row),
        county_fips=row.county_fips,
        has_individual_assistance=row.has_individual_assistance,
        last_ia_filing_date=row.last_ia_filing_date,
    )


def match_of(
    disaster: DeclaredDisaster, counties: frozenset[str]
) -> tuple[Match | None, tuple[Declaration, ...]]:
    """Return how a disaster affects a ZIP code of these counties, and by which of its areas; None
    if it does not.

    Areas that are in no county of the file cannot be compared with a ZIP code: they are listed, not
    guessed.
    """
    if not disaster.areas:
        return "areas_unknown", ()
    by_kind = {
        kind: tuple(a for a in disaster.areas if area_kind(a) == kind)
        for kind in ("county", "statewide", "other", "tribal_area")
    }
    here = tuple(a for a in by_kind["county"] if a.county_fips in counties)
    if here:
        return "county", here + by_kind["statewide"]
    if by_kind["statewide"]:
        return "statewide", by_kind["statewide"]
    if by_kind["other"]:
        return "areas_unknown", by_kind["other"]
    return ("tribal_area", by_kind["tribal_area"]) if by_kind["tribal_area"] else (None, ())


def area_name(text: str) -> str:
    """Return `Cleveland (County)` -> `Cleveland County`; other words in brackets stay there."""
    name, bracket, rest = text.partition(" (")
    kind = rest.partition(")")[0]
    if bracket and any(kind.startswith(word) for word in _KINDS_OF_AREA):
        return f"{name} {kind}"
    return text


def plain_title(text: str) -> str:
    """Return a title that is all capitals in title case; others unchanged."""
    if text != text.upper():
        return text
    words = text.lower().split()
    for at, word in enumerate(words):
        if word.startswith("covid"):
            words[at] = word.upper()
        elif not at or word not in _SMALL_WORDS:
            # `straight-line` -> `Straight-Line`
            words[at] = "-".join(part[:1].upper() + part[1:] for part in word.split("-"))
    return " ".join(words)


# ---------------------------------------------------------------- declarations in use


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
    if side and side.edition.is_synthetic == release.is_synthetic:
        retrieved_at = side.edition.retrieved_at
        own_retrieved_at = own and own.declarations.edition.retrieved_at
        # Of equal data, the side file has the later check.
        if own_retrieved_at is None or (retrieved_at and retrieved_at >= own_retrieved_at):
            holder = _refreshes(release)
            newest = holder.get("newest")
            if newest is None or newest.declarations is not side:
                newest = DeclarationsInUse(side, "refresh", declarations_by_state(side.rows))
                holder["newest"] = newest
            return newest
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
    if checked_at is None:
        return {}
    return {"larder_disasters_age_seconds": [((), (now - checked_at).total_seconds())]}


@per_release
def side_file(release: OpenRelease) -> SideFile:
    """Open the file of the hourly refresh, in the data directory of the release."""
    return SideFile(release.folder.parent.parent)


@per_release
def _refreshes(_: OpenRelease) -> dict[str, DeclarationsInUse]:
    return {}


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
