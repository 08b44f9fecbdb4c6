"""Totals of the served release, shared by all documents made from them; `Live` has them for texts
(`{{ live.total_resources | number }}`)."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from schemas.api.reports import Rate
from schemas.api.snapshots import AtlasCounts, CoverageFigures
from schemas.vocab.resource_types import MODES, TYPE_IDS, TYPES_BY_MODE
from schemas.vocab.states import FIFTY_ONE, STATE_CODES, STATES
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import StateTotals, Statistics, read_statistics

DOCUMENT_VERSION = "1.0"


@per_release
def statistics_of(release: OpenRelease) -> Statistics:
    """Return the totals, read once per release. Reads the database the first time: call it in a
    thread."""
    with release.cursor() as db:
        return read_statistics(db)


def list_states(statistics: Statistics) -> list[StateTotals]:
    """Return the 50 states and DC, and territories with data."""
    return [s for s in statistics.states if s.state in FIFTY_ONE or s.resource_count]


def rank_states(statistics: Statistics) -> list[StateTotals]:
    """Return listed states and territories by partner-verified pantries, then by code: the order of
    the leaderboard."""
    return sorted(list_states(statistics), key=lambda s: (-s.partner_verified_pantries, s.state))


def find_listed_state(release: OpenRelease, code: str) -> StateTotals:
    """Return totals of a state or territory. Raises ServiceProblem (404) for a territory without
    data."""
    for totals in list_states(statistics_of(release)):
        if totals.state == code:
            return totals
    raise ServiceProblem("not-found", f"We list no places in {STATES[code].name}.")


def types_by_state(release: OpenRelease) -> dict[str, dict[str, int]]:
    """Return active places by state and type, from the columns in memory."""
    width = len(TYPE_IDS)
    codes = release.state_codes.astype(np.int32) * width + release.type_codes
    counts = np.bincount(codes, minlength=width * len(STATE_CODES)).reshape(-1, width).tolist()
    return {
        code: dict(zip(TYPE_IDS, row, strict=True))
        for code, row in zip(STATE_CODES, counts, strict=True)
    }


def head_of(release: OpenRelease) -> dict[str, Any]:
    """Return the members of `DocumentHead`."""
    manifest = release.manifest
    return {
        "version": DOCUMENT_VERSION,
        "generated_at": manifest.created_at,
        "as_of_date": manifest.as_of_date,
        "release_id": release.release_id,
        "is_synthetic": release.is_synthetic,
        "license": manifest.data_license,
    }


_SUM_FIELDS = (
    "food_pantries",
    "food_banks",
    "soup_kitchens",
    "mobile_pantries",
    "community_fridges",
    "wic_clinics",
    "school_meal_sites",
    "summer_meal_sites",
    "fqhc_health_centers",
    "head_start_centers",
    "snap_retailers",
    "partner_verified",
)


def sum_totals(states: Iterable[StateTotals]) -> dict[str, int]:
    """Return the members of `AtlasCounts` over some states."""
    rows = list(states)
    return {
        "total_resources": sum(s.resource_count for s in rows),
        "food_pantry_class": sum(s.pantry_class_count for s in rows),
        "free_food": sum(s.free_food_count for s in rows),
        **{name: sum(getattr(s, name) for s in rows) for name in _SUM_FIELDS},
    }


def atlas_counts(states: Iterable[StateTotals]) -> AtlasCounts:
    return AtlasCounts(**sum_totals(states))


def rate(count: int, total: int) -> Rate:
    """Return a count and its share in per cent, to two places."""
    return Rate(count, round(100 * count / total, 2) if total else 0.0)


def coverage_figures(release: OpenRelease) -> CoverageFigures:
    """Return the main totals of the directory."""
    statistics, counts = statistics_of(release), release.count_by_type
    states = statistics.states
    pantries = sum(s.pantry_class_count for s in states)
    return CoverageFigures(
        total_resources=len(release),
        food_pantry_class=pantries,
        free_food=sum(s.free_food_count for s in states),
        snap_retailers=counts["snap_retailer"],
        by_mode={mode: sum(counts[t] for t in TYPES_BY_MODE[mode]) for mode in MODES},
        states_and_territories=sum(1 for s in states if s.resource_count),
        cities=len(statistics.cities),
        partner_verified=sum(s.partner_verified for s in states),
        verified=sum(s.verified_count for s in states),
        unverified=sum(s.unverified_count for s in states),
        pantry_hours_known=rate(sum(s.pantry_hours_known_count for s in states), pantries),
        pantry_hours_old=rate(sum(s.pantry_hours_old_count for s in states), pantries),
    )


class Live:
    """Loaded when a text first uses one. Without a release, or with one without totals, `known` is
    false and every figure raises ServiceProblem (503)."""

    def __init__(self, release: OpenRelease | None) -> None:
        self._release = release

    @cached_property
    def _figures(self) -> CoverageFigures:
        if self._release is None:
            raise ServiceProblem(
                "no-release",
                "No release has been promoted yet.",
                headers=((b"retry-after", b"30"),),
            )
        return coverage_figures(self._release)

    @cached_property
    def _states(self) -> dict[str, StateTotals]:
        self._figures  # noqa: B018 - says so when there is no release
        assert self._release is not None
        return {s.state: s for s in statistics_of(self._release).states}

    @cached_property
    def known(self) -> bool:
        try:
            return self._figures is not None
        except ServiceProblem:
            return False

    def __getattr__(self, name: str) -> Any:
        """Return a member of `CoverageFigures`."""
        return getattr(self._figures, name)

    @property
    def by_type(self) -> dict[str, int]:
        """Listed places by type of the catalog."""
        self._figures  # noqa: B018 - says so when there is no release
        assert self._release is not None
        return dict(self._release.count_by_type)

    @property
    def hours_share(self) -> float | None:
        """Share of the pantries whose opening hours are known, 0 to 1."""
        share: Any = self._figures.pantry_hours_known.pct
        return None if share is None else share / 100

    def state(self, code: str) -> StateTotals:
        """Return totals of a state."""
        return self._states[code]
