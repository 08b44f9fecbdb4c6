"""Decides whether a point is in its state: by polygons, else by the ZIP codes around it."""

from functools import lru_cache

import numpy as np
import pandas as pd

from assets.geography.model import Geography
from assets.geography.points import Bools, Floats, PointIndex, Texts

# A ZIP of the state within this distance shows that the point is in the state ...
NEAR_MILES = 15.0
# ... and so does the nearest ZIP of any state within this one: ZIP points are far apart in the West
# and Alaska.
NEAREST_MILES = 40.0


class StateEvidence:
    """Tests of points against states; indexes are built once."""

    def __init__(self, geography: Geography) -> None:
        zips = geography.zips
        usable = zips["lat"].notna() & zips["state"].notna()
        self._zips = zips.loc[usable, ["zip", "state", "zip_kind", "place_name", "lat", "lng"]]
        self._boundaries = geography.boundaries
        self._by_state: dict[str, PointIndex] = {}
        self._all = self._index(self._zips)
        self._states = self._zips["state"].to_numpy(dtype=object)

    @staticmethod
    def _index(zips: pd.DataFrame) -> PointIndex:
        return PointIndex(zips["lat"].to_numpy(float), zips["lng"].to_numpy(float))

    def _of_state(self, state: str) -> PointIndex | None:
        if state not in self._by_state:
            own = self._zips[self._zips["state"].eq(state)]
            if own.empty:
                return None
            self._by_state[state] = self._index(own)
        return self._by_state[state]

    def nearest_zip_states(self, lat: Floats, lng: Floats) -> tuple[Texts, Floats]:
        """Return (state of the nearest ZIP point, miles to it) for every point."""
        miles, row = self._all.nearest(lat, lng)
        return self._states[row[:, 0].astype(int)], miles[:, 0]

    def is_near_zip_of(self, lat: Floats, lng: Floats, state: Texts) -> Bools:
        """Return whether the ZIP codes around a point place it in its state."""
        near = np.zeros(len(lat), dtype=bool)
        for code in pd.unique(state):
            index = self._of_state(code)
            mine = np.flatnonzero(state == code)
            if index is not None:
                near[mine] = index.nearest(lat[mine], lng[mine])[0][:, 0] <= NEAR_MILES
        far = np.flatnonzero(~near)
        if len(far):
            nearest, miles = self.nearest_zip_states(lat[far], lng[far])
            near[far] = (nearest == state[far]) & (miles <= NEAREST_MILES)
        return near

    def is_inside(self, lat: Floats, lng: Floats, state: Texts) -> Bools:
        """Return whether every point is in its state; False for missing and impossible points.

        A point in another state's polygon is inside only within the tolerance of the simplified
        border; a point in no polygon (a pier, an island too small for the map) is judged by ZIP
        codes.
        """
        possible = np.flatnonzero((np.abs(lat) <= 90) & (np.abs(lng) <= 180))
        inside = np.zeros(len(lat), dtype=bool)
        if len(possible):
            inside[possible] = self._judge(lat[possible], lng[possible], state[possible])
        return inside

    def _judge(self, lat: Floats, lng: Floats, state: Texts) -> Bools:
        if self._boundaries is None:
            return self.is_near_zip_of(lat, lng, state)
        states = self._boundaries.state_of(lat, lng)
        inside = np.asarray(states == state, dtype=bool)
        nowhere = pd.isna(states)
        for doubtful, judge in (
            (np.flatnonzero(nowhere), self.is_near_zip_of),
            (np.flatnonzero(~inside & ~nowhere), self._boundaries.is_beside),
        ):
            if len(doubtful):
                inside[doubtful] = judge(lat[doubtful], lng[doubtful], state[doubtful])
        return inside

    def sure_zip(self, lat: Floats, lng: Floats) -> pd.DataFrame:
        """Return `zip`, `state`, `place_name` of the nearest standard ZIP; missing if the second is
        hardly farther.

        A ZIP's point is not its area: only a point at most half as far from it as from the next ZIP
        counts.
        """
        standard = self._zips[self._zips["zip_kind"].eq("standard")]
        miles, row = self._index(standard).nearest(lat, lng, count=2)
        sure = (miles[:, 0] <= NEAR_MILES) & (miles[:, 0] <= miles[:, 1] / 2)
        zips = standard.iloc[row[:, 0].astype(int)][["zip", "state", "place_name"]]
        return zips.reset_index(drop=True).where(pd.Series(sure), axis=0)


@lru_cache(maxsize=2)
def evidence_of(geography: Geography) -> StateEvidence:
    """Return the evidence of a geography, indexed once for all sources."""
    return StateEvidence(geography)
