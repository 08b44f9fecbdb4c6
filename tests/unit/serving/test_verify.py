"""Whose EIN it is: three organizations, with or without hyphen; everything else is distinguished."""

import pytest

from tests.support.clients import Client

KNOWN = {
    "the primary": ("00-0000000", True, "Open Larder Example Organization"),
    "without the hyphen": ("000000000", True, "Open Larder Example Organization"),
    "a sister": ("00-0000001", False, "Example Veterans Resource Organization"),
    "the other sister": ("000000002", False, "Example Donor Information Organization"),
}


@pytest.mark.parametrize(("ein", "is_primary", "name"), KNOWN.values(), ids=KNOWN)
def test_a_known_ein(client: Client, ein: str, is_primary: bool, name: str) -> None:
    answer = client.get(f"/api/v1/verify/{ein}")
    assert answer.headers["cache-control"] == "public, max-age=86400"
    document = answer.json()
    assert document["query"] == {"ein": ein, "ein_normalized": f"{ein[:2]}-{ein[-7:]}"}
    result = document["result"]
    assert (result["is_this_org"], result["is_primary"], result["name"]) == (True, is_primary, name)
    assert result["is_fictional"] is True
    assert result["headquarters"]["city"] == "Exampleville"
    assert all(url.startswith("https://") for url in result["verification_urls"].values())


def test_an_unknown_ein_is_a_problem_with_a_hint(client: Client) -> None:
    answer = client.get("/api/v1/verify/98-2345671")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["result"]["is_this_org"] is False
    assert document["result"]["name"] == ""
    assert document["hint_url"] == "https://apps.irs.gov/app/eos/"
    assert client.get("/problems/unknown-ein").status_code == 200


@pytest.mark.parametrize(
    "ein",
    ["12345", "12-34567890", "abcdefghi", "1-23456789", "123456789 ", "١٢٣٤٥٦٧٨٩", "12--3456789"],
)
def test_an_invalid_ein_is_refused(client: Client, ein: str) -> None:
    answer = client.get(f"/api/v1/verify/{ein}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "ein"
