"""Documents by state where the data or the release is unusual, and the addresses that documents
name.
"""

import re
from datetime import UTC, datetime

import pytest

from serving.http.per_state import state_of
from serving.reference import surfaces
from tests.support.clients import open_client
from tests.support.declared import declaration
from tests.support.metrics import metrics_of
from tests.support.town import write_town

PATHS = [
    "/atlas.json",
    "/atlas/NY.json",
    "/api/leaderboard.json",
    "/api/v1/coverage.json",
    "/api/v1/data-quality.json",
    "/api/v1/quick-stats.json",
    "/api/v1/cities.json",
    "/snapshot.json",
    "/api/v1/state/NY.json",
]


@pytest.mark.parametrize("path", [*PATHS, "/api/v1/types.json"])
def test_without_a_release(tmp_path, path) -> None:
    with open_client(tmp_path) as empty:
        assert empty.get(path).status_code == 503


@pytest.mark.parametrize(
    "path",
    [
        "/atlas.json",
        "/atlas/WY.json",
        "/snapshot.json",
        "/api/v1/cities.json",
        "/api/v1/data-quality.json",
        "/api/v1/state/WY.json",
    ],
)
def test_a_directory_without_places(tmp_path, path) -> None:
    from tests.support.releases import write_release

    write_release(tmp_path, [])
    with open_client(tmp_path) as empty:
        assert empty.get(path).status_code == 200


def test_documents_name_the_public_address(town) -> None:
    with open_client(town, base_url="https://food.example/") as client:
        for path in ("/atlas/NY.json", "/snapshot.json", "/api/v1/health.json"):
            text = client.get(path).text
            assert "https://food.example/api/" in text
            assert "127.0.0.1" not in text


ANSWERING = [s for s in surfaces.SURFACES.values() if "{" not in s.path]


# A value for every placeholder of the queries that surfaces are usually sent with.
VALUES = {
    "zip": "10002",
    "lat": "40.7",
    "lng": "-73.9",
    "question": "food",
    "state": "NY",
    "q": "New",
    "id": "101",
    "page_url": "http://127.0.0.1:8000/embed/pantry/101",
}


def test_a_surface_that_is_described_answers(tmp_path) -> None:
    """Addresses named in documents either are in the description of this service or come from the
    interface.
    """
    write_town(tmp_path, declarations=[declaration("DR", 1, "NY", datetime.now(UTC).date())])
    with open_client(tmp_path) as client:
        described = set(client.get("/api/openapi.json").json()["paths"])
        plain = [s for s in ANSWERING if s.path in described]
        assert len(plain) >= 12
        for surface in plain:
            address = re.sub(r"\{(\w+)\}", lambda m: VALUES[m[1]], surface.template)
            answer = client.get(address)
            assert answer.status_code == 200, address


def test_the_description_has_one_template_for_all_states(client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert not [path for path in paths if "state_file" in path or "/AL" in path]
    parameter = paths["/atlas/{state}.json"]["get"]["parameters"][0]
    assert (parameter["name"], parameter["in"], len(parameter["schema"]["enum"])) == (
        "state",
        "path",
        56,
    )


@pytest.mark.parametrize("path", ["/atlas/Or.json", "/atlas/XX.json", "/atlas/OR.csv", "/press/GU"])
def test_other_codes_and_files_do_not_exist(client, path) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "path", ["/atlas/or.json", "/atlas/OR.json", "/api/v1/state/OR.json/", "/atlas/OR"]
)
def test_the_state_of_a_path(path) -> None:
    assert state_of({"path": path}) == "OR"


def test_the_metrics_count_all_states_under_one_route(client) -> None:
    for path in ("/atlas/OR.json", "/atlas/ny.json", "/api/v1/state/GU.json"):
        client.get(path)
    metrics = metrics_of(client)
    assert 'route="/atlas/{state}.json"' in metrics
    assert 'route="/api/v1/state/{state}.json"' in metrics
    assert "/atlas/OR.json" not in metrics


def test_the_method_names_thresholds_and_counts(client) -> None:
    document = client.get("/api/v1/coverage.json").json()
    for tier in document["tiers"]:
        assert f"{tier['id']} from {tier['minimum']:g}" in document["methodology"]["tiers"]
    for state in [*document["states"], *document["territories"]]:
        actual = f"{state['population_source']}, for {state['population_date']}"
        assert actual in document["methodology"]["population"]
