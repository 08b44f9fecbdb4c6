"""Whole addresses: every part of the text ends in exactly one column."""

import pandas as pd

from assets.sources.whole_addresses import Parts, address_parts, split_address
from tests.support.cases import labelled


@labelled("text, state, expected")
def test_parts(text: str, state: str | None, expected: list[str | None]) -> None:
    assert split_address(text, state) == Parts(*expected)


def test_a_column() -> None:
    column = pd.Series(["1 A St, Salem, MA 01970", None], index=[7, 9], dtype="str")
    parts = address_parts(column, "MA")
    assert list(parts.index) == [7, 9]
    assert parts.loc[7].tolist() == ["1 A St", "Salem", "MA", "01970"]
    assert parts.loc[9].isna().all()
