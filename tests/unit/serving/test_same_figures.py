"""A figure that several documents show is the same in all of them."""

import re
from html import unescape

from tests.support.clients import Client


def test_the_leaderboard_page_has_the_states_of_its_json(client: Client) -> None:
    states = client.get("/api/leaderboard.json").json()["states"]
    text = unescape(client.get("/partner/leaderboard").text)
    assert [s["name"] for s in states if s["name"] not in text] == []
    ranked = [s["rank"] for s in states if s["rank"]]
    assert ranked == sorted(ranked)


def test_the_places_of_a_source_are_the_same_everywhere(client: Client) -> None:
    quality = client.get("/api/v1/data-quality.json").json()["top_data_sources"]
    counts = {entry["source"]: entry["count"] for entry in quality}
    documents = client.get("/api/v1/data-sources.json").json()["data_sources"]
    places = {entry["id"]: entry["places"] for entry in documents if entry["places"]}
    assert counts
    assert {name: places.get(name) for name in counts if name in places} == {
        name: count for name, count in counts.items() if name in places
    }
    text = client.get("/llms.txt").text
    titles = {entry["id"]: entry for entry in documents}
    for name, count in places.items():
        line = next((x for x in text.splitlines() if f"[{titles[name]['name']}]" in x), None)
        if line is not None:
            assert re.search(rf"\b{count:,} places", line), line
