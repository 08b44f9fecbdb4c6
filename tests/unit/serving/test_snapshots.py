"""Documents by state where the data is unusual, and figures that several documents show."""

import re
from html import unescape

from tests.support.clients import Client, open_client
from tests.support.releases import write_release


def test_a_directory_without_places(tmp_path) -> None:
    write_release(tmp_path, [])
    paths = ["/atlas.json", "/atlas/WY.json", "/snapshot.json", "/api/v1/cities.json"]
    with open_client(tmp_path) as empty:
        for path in [*paths, "/api/v1/data-quality.json", "/api/v1/state/WY.json"]:
            assert empty.get(path).status_code == 200, path


def test_documents_name_the_public_address(town) -> None:
    with open_client(town, base_url="https://food.example/") as client:
        for path in ("/atlas/NY.json", "/snapshot.json", "/api/v1/health.json"):
            text = client.get(path).text
            assert "https://food.example/api/" in text
            assert "127.0.0.1" not in text


def test_the_description_has_one_template_for_all_states(client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert not [path for path in paths if "state_file" in path or "/AL" in path]
    parameter = paths["/atlas/{state}.json"]["get"]["parameters"][0]
    assert (parameter["name"], parameter["in"], len(parameter["schema"]["enum"])) == (
        "state",
        "path",
        56,
    )


def test_the_method_names_thresholds_and_counts(client) -> None:
    document = client.get("/api/v1/coverage.json").json()
    for tier in document["tiers"]:
        assert f"{tier['id']} from {tier['minimum']:g}" in document["methodology"]["tiers"]
    for state in [*document["states"], *document["territories"]]:
        actual = f"{state['population_source']}, for {state['population_date']}"
        assert actual in document["methodology"]["population"]


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
