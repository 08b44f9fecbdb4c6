"""The base map: borders that fit each other, the largest towns, each town once."""

import numpy as np
import pandas as pd
import shapely

from assets.geography.assets import base_map
from assets.geography.model import Boundaries

TOWNS = pd.DataFrame(
    [
        ("Old Harbor", "ME", "OLD HARBOR", 44.5, -68.5, 900),
        ("Port Ames", "ME", "PORT AMES", 44.1, -69.2, 12_000),
        ("Amesport", "ME", "AMESPORT", 44.1, -69.2, 12_000),
        ("Elm Falls", "VT", "ELM FALLS", 44.3, -72.7, 40_000),
        ("Ghost", "VT", "GHOST", 44.0, -72.0, None),
    ],
    columns=["place_name", "state", "search_name", "lat", "lng", "population"],
)
BOUNDARIES = Boundaries(
    np.array(["23001", "23003", "50001"], dtype=object),
    np.array([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1), shapely.box(2, 0, 3, 1)]),
    "drawn",
)


def _names(features) -> list[str]:
    return [f["properties"]["name"] for f in features["features"] if f["properties"]]


def _lines(features) -> shapely.MultiLineString:
    (borders,) = (f for f in features["features"] if not f["properties"])
    return shapely.MultiLineString(borders["geometry"]["coordinates"])


def test_towns_are_ranked_and_named_once() -> None:
    layers = base_map(None, TOWNS)
    assert _names(layers["US"]) == ["Elm Falls", "Amesport", "Old Harbor"]
    assert _names(layers["ME"]) == ["Amesport", "Old Harbor"]
    assert _names(layers["VT"]) == ["Elm Falls"]


def test_a_state_has_its_counties_and_the_nation_its_states() -> None:
    layers = base_map(BOUNDARIES, TOWNS)
    # Two unit squares share a side of length 1: around both, and between them.
    assert _lines(layers["ME"]).length == 7
    assert _lines(layers["VT"]).length == 4
    assert _lines(layers["US"]).length == 9
