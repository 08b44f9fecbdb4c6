"""During a build the garbage collector runs seldom, and afterwards as it did."""

import gc

import pytest

from pipelines.infrequent_gc import infrequent_gc


def test_the_collector_runs_seldom_in_a_build_and_then_as_before() -> None:
    thresholds = gc.get_threshold()
    before = (700, *thresholds[1:])  # Python's own
    gc.set_threshold(*before)
    within: list[int] = []

    @infrequent_gc()
    def building() -> None:
        within.append(gc.get_threshold()[0])
        raise ValueError

    try:
        for _ in range(2):
            with pytest.raises(ValueError):
                building()
            assert gc.get_threshold() == before
    finally:
        gc.set_threshold(*thresholds)
    assert min(within) > 10 * before[0]
