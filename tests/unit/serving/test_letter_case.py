"""Values of closed vocabularies are accepted in either case."""

import pytest

from serving.http.policy import in_declared_case
from tests.support.cases import cases
from tests.support.clients import Client


@cases(
    "query, declared",
    {
        "state": (b"state=ny&zip=10002", b"state=NY&zip=10002"),
        "format": (b"page=1&format=CSV", b"page=1&format=csv"),
        "several types": (b"type=Food_Pantry,SOUP_KITCHEN", b"type=food_pantry,soup_kitchen"),
        "a state's name is a text": (b"state=Ohio", b"state=Ohio"),
        "other parameters keep theirs": (b"q=NY&substate=ny", b"q=NY&substate=ny"),
        "nothing": (b"", b""),
    },
)
def test_the_query_in_its_declared_case(query: bytes, declared: bytes) -> None:
    assert in_declared_case(query) == declared


@pytest.mark.parametrize(
    ("path", "declared"),
    [
        ("/api/resources/bulk?state=ny", "/api/resources/bulk?state=NY"),
        ("/api/resources/search?zip=10002&mode=FREE", "/api/resources/search?zip=10002&mode=free"),
        ("/atlas/ny.json", "/atlas/NY.json"),
    ],
)
def test_either_case_has_one_answer(client: Client, path: str, declared: str) -> None:
    assert client.get(declared).status_code == 200
    assert client.get(path).content == client.get(declared).content
