"""The stored ratios of the benchmark: compared in one run, replaced only without a large drop."""

import json

import pytest

from bench.ratios import check, list_falls

STORED = {"nearby": 0.4, "search_new": 0.3}


@pytest.mark.parametrize(
    ("measured", "lost"),
    [
        ({"nearby": 0.4, "search_new": 0.3}, []),
        ({"nearby": 0.31, "search_new": 0.5}, []),
        ({"nearby": 0.29, "search_new": 0.3}, ["nearby"]),
        ({"nearby": 0.1, "search_new": 0.2}, ["nearby", "search_new"]),
        ({"search_new": 0.3, "counts": 0.01}, []),
    ],
    ids=["the same", "a quarter less", "more than a quarter less", "both", "one gone, one new"],
)
def test_a_ratio_may_fall_by_a_quarter(measured, lost):
    assert list(list_falls(STORED, measured)) == lost


def test_the_file_is_replaced_unless_a_ratio_fell(tmp_path):
    path = tmp_path / "build" / "ratios.json"
    check(STORED, path)
    assert json.loads(path.read_bytes()) == STORED
    with pytest.raises(SystemExit, match="nearby: 50% of its stored ratio is left"):
        check({"nearby": 0.2, "search_new": 0.3}, path)
    assert json.loads(path.read_bytes()) == STORED
    check({"nearby": 0.39, "search_new": 0.4}, path)
    assert json.loads(path.read_bytes())["search_new"] == 0.4
