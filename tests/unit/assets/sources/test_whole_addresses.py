"""Whole addresses: every part of the text ends in exactly one column."""

import pandas as pd

from assets.sources.whole_addresses import Parts, address_parts, split_address
from tests.support.cases import cases


@cases(
    "text, state, expected",
    {
        "commas": (
            "945 W 69th St, Chicago, IL 60621",
            None,
            ("945 W 69th St", "Chicago", "IL", "60621"),
        ),
        "ZIP+4": (
            "440 S Nursery Rd #101, Irving, TX 75060-1234",
            None,
            ("440 S Nursery Rd #101", "Irving", "TX", "75060"),
        ),
        "a county behind the state": (
            "4000 North Elm, Charlotte, NC, Mecklenburg",
            None,
            ("4000 North Elm", "Charlotte", "NC", None),
        ),
        "a city and a county": (
            "Charlotte, NC, Mecklenburg",
            None,
            (None, "Charlotte", "NC", None),
        ),
        "two lines": (
            "3334 Columbia Hwy\nLeesville, SC 29070",
            None,
            ("3334 Columbia Hwy", "Leesville", "SC", "29070"),
        ),
        "city of the ZIP": (
            "305 Lake Side Dr Sneads Ferry, NC 28460",
            None,
            ("305 Lake Side Dr", "Sneads Ferry", "NC", "28460"),
        ),
        "the longer name": (
            "285 Maple Street North Berwick, ME 03906",
            None,
            ("285 Maple Street", "North Berwick", "ME", "03906"),
        ),
        "city of the state behind a street": (
            "106 Pleasant Street Auburn, ME ",
            None,
            ("106 Pleasant Street", "Auburn", "ME", None),
        ),
        "city of the state behind no street": (
            "Route 9 Auburn, ME",
            None,
            ("Route 9 Auburn", None, "ME", None),
        ),
        "misspelt city": (
            "24 Industrial St. Presqu Isle, ME 04769",
            None,
            ("24 Industrial St. Presqu Isle", None, "ME", "04769"),
        ),
        "name of the state": (
            "222 North Main Street, Brewer Maine, 04401",
            "ME",
            ("222 North Main Street", "Brewer", "ME", "04401"),
        ),
        "no blank before the state": (
            "1195 Ohio Street, bangorME 04401",
            None,
            ("1195 Ohio Street", "bangor", "ME", "04401"),
        ),
        "dash before the ZIP": (
            "18 Fake St, Winslow, ME -04901",
            None,
            ("18 Fake St", "Winslow", "ME", "04901"),
        ),
        "no state": (
            "350 W 2nd St Garland, 28441",
            "NC",
            ("350 W 2nd St", "Garland", "NC", "28441"),
        ),
        "a building before the city": (
            "180 York Street, First Parish Church York, ME 03909",
            None,
            ("180 York Street, First Parish Church", "York", "ME", "03909"),
        ),
        "no street": ("Manistique, MI 49854", None, (None, "Manistique", "MI", "49854")),
        "a suite is no city": (
            "12 Main St, Suite B",
            "TX",
            ("12 Main St, Suite B", None, "TX", None),
        ),
        "no address": ("Phone only", None, ("Phone only", None, None, None)),
        "no state of that code": (
            "5 Oak Ave, Springfield, ZZ 12345",
            None,
            ("5 Oak Ave, Springfield, ZZ", None, None, "12345"),
        ),
    },
)
def test_parts(text: str, state: str | None, expected: tuple[str | None, ...]) -> None:
    assert split_address(text, state) == Parts(*expected)


def test_a_column() -> None:
    column = pd.Series(["1 A St, Salem, MA 01970", None], index=[7, 9], dtype="str")
    parts = address_parts(column, "MA")
    assert list(parts.index) == [7, 9]
    assert parts.loc[7].tolist() == ["1 A St", "Salem", "MA", "01970"]
    assert parts.loc[9].isna().all()
