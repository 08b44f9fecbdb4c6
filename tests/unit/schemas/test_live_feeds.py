"""Valid live feeds; every declared one has a layout of its source."""

import msgspec
import pytest

from schemas.sources.registry import LiveFeed, reference_sources, sources
from tests.support.cases import labelled

COMMON = "url: https://bank.example/\nfile_name: list.json\n"


@labelled("facts, message")
def test_faults_are_named(facts: str, message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.yaml.decode(f"{COMMON}{facts}\n", type=LiveFeed)


LIVE = {name: each for name, each in {**sources(), **reference_sources()}.items() if each.live}


@pytest.mark.parametrize("source_id", LIVE)
def test_every_feed_has_a_layout_and_a_host_of_its_own(source_id: str) -> None:
    source = LIVE[source_id]
    names = [feed.file_name for feed in source.live]
    assert len(set(names)) == len(names)
    for feed in source.live:
        assert source.layout_of(feed.file_name) is not None, feed.file_name
        assert feed.url.startswith("https://")
