"""Figures of the release for texts: `{{ live.total_resources | number }}`."""

from functools import cached_property
from typing import Any

from schemas.api.snapshots import CoverageFigures
from serving.http.errors import ServiceProblem
from serving.reference.totals import coverage_figures, statistics_of
from warehouse.index.reader import OpenRelease
from warehouse.index.statistics import StateTotals


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
        self._figures  # noqa: B018 - says so when there is no release
        assert self._release is not None
        return next(s for s in statistics_of(self._release).states if s.state == code)
