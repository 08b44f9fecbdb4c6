"""Pueblo: pantries are places, shops and gardens of the same map are not."""

from tests.support.source_files import fixture_rows

CACHE = "pueblo-pantries-geocode-cache.json"


def test_the_cache_gives_no_rows() -> None:
    assert fixture_rows("pueblo_co_2026", CACHE).empty
