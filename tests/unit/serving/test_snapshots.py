"""Documents by state where the data or the release is unusual, and the addresses that documents
name.
"""

from tests.support.clients import open_client
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
