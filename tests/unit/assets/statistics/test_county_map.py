"""The map of counties, drawn from invented squares."""

import numpy as np
import pandas as pd
import pytest
import shapely
from lxml import etree

from assets.geography.model import Boundaries
from assets.statistics.county_map import county_map
from schemas.vocab.food_access import ACCESS_CLASSES

SVG = "{http://www.w3.org/2000/svg}"


def square(lng: float, lat: float, size: float = 1.0) -> shapely.Polygon:
    return shapely.box(lng, lat, lng + size, lat + size)


SHAPES = {
    "41001": square(-120, 44),
    "41003": square(-119, 44),
    "51510": square(-77, 38.8, 0.001),
    "02016": shapely.MultiPolygon([square(-179.9, 51), square(178.9, 51)]),
    "15001": square(-156, 19),
    "72001": square(-66.8, 18.1, 0.2),
    "78010": square(-64.8, 17.7, 0.1),
    "99001": square(-100, 40),
    "53001": square(-119, 46),
}
COUNTIES = pd.DataFrame(
    [
        ("41001", "Baker County", "OR", 3, 0.62),
        ("41003", "Benton & Sons County", "OR", 0, 0.0),
        ("51510", "Alexandria city", "VA", 2, 1.0),
        ("02016", "Aleutians West Census Area", "AK", 1, 0.1),
        ("15001", "Hawaii County", "HI", 1, 0.3),
        ("72001", "Adjuntas Municipio", "PR", 1, np.nan),
    ],
    columns=[
        "county_fips",
        "county_name",
        "state",
        "free_food_count",
        "people_share_within_5_miles",
    ],
)


@pytest.fixture(scope="module")
def drawn() -> etree._Element:
    fips, shapes = (np.array(list(part), dtype=object) for part in (SHAPES, SHAPES.values()))
    text = county_map(Boundaries(fips, shapes, "test"), COUNTIES, "Shares <of> residents")
    assert text == county_map(Boundaries(fips, shapes, "test"), COUNTIES, "Shares <of> residents")
    return etree.fromstring(text.encode())


def test_every_county_is_drawn_in_its_class(drawn: etree._Element) -> None:
    classes = {
        group.get("class"): [title.text for title in group.iter(f"{SVG}title")]
        for group in drawn.iter(f"{SVG}g")
    }
    # Oregon's neighbour is not in the table; islands and codes of no state are not drawn.
    assert classes == {
        "least": ["Aleutians West Census Area, AK: 10%"],
        "less": ["Hawaii, HI: 30%"],
        "more": ["Baker, OR: 62%"],
        "most": ["Alexandria city, VA: 100%"],
        "nothing": ["Benton & Sons, OR: none"],
        "unknown": ["53001: unknown code", "Adjuntas Municipio, PR: ?"],
    }


def test_every_shape_is_inside_the_picture(drawn: etree._Element) -> None:
    _, _, width, height = map(int, drawn.get("viewBox").split())
    starts = [
        path.get("d")[1:].split("l")[0].split("h")[0].split()
        for path in drawn.iter(f"{SVG}path")
        if path.find(f"{SVG}title") is not None
    ]
    assert starts
    assert all(0 <= int(x) <= width and 0 <= int(y) <= height for x, y in starts)


def test_the_legend_names_every_class(drawn: etree._Element) -> None:
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert texts == [*(c.label for c in ACCESS_CLASSES), "Shares <of> residents"]
    assert drawn.find(f"{SVG}title").text == "Shares <of> residents"
