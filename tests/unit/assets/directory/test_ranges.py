"""Records are merged a range of ids at a time."""

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from assets.directory.ranges import ranges_of

ID = st.integers(0, 12)


@given(ids=st.lists(ID), size=st.integers(1, 5))
def test_parts_hold_every_record_once_and_part_no_resource(ids: list[int], size: int) -> None:
    known = pd.Series(ids, dtype="Int64")
    parts = [part.tolist() for part in ranges_of(known, size)]
    assert sorted(place for part in parts for place in part) == list(range(len(ids)))
    of_parts = [{ids[place] for place in part} for part in parts]
    assert sum(map(len, of_parts)) == len(set(ids))
    assert all(part == sorted(part) for part in parts)


def test_parts_are_alike_so_that_processes_end_together() -> None:
    known = pd.Series(range(326), dtype="Int64")
    assert [len(part) for part in ranges_of(known, 100)] == [82, 82, 82, 80]
