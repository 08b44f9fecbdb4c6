"""The organization of an instance, its EIN, and the contacts that answers name."""

from typing import get_args

import pytest

from schemas.api.donors import OptionKey
from serving.app import create_app
from serving.reference.organization import organization_head, organization_of
from serving.settings import SettingError, Settings, read_settings
from tests.support.clients import Client
from tests.support.organizations import OWN


def test_the_shipped_organization_is_marked_as_an_example() -> None:
    organization = organization_of(Settings())
    numbers = [organization.ein, *(sister.ein for sister in organization.sisters)]
    assert len(set(numbers)) == 3
    # The IRS issues no number that begins with 00.
    assert all(number.startswith("00-") for number in numbers)
    head = organization_head(Settings(base_url="https://food.example/"))
    assert head.is_fictional
    assert head.note
    assert "does not exist" in head.note
    assert head.url == "https://food.example"


def test_the_operators_file_replaces_it(tmp_path) -> None:
    (tmp_path / "own.yaml").write_text(OWN)
    settings = read_settings({"LARDER_ORGANIZATION_FILE": str(tmp_path / "own.yaml")})
    head = organization_head(settings)
    assert (head.name, head.ein, head.is_fictional, head.note) == (
        "Quince Food",
        "12-3456789",
        False,
        None,
    )


WRONG = {
    "no such file": (None, "No such file"),
    "not an EIN": (OWN.replace("12-3456789", "123456789"), "ein"),
    "a ZIP code that lost its zero": (OWN.replace('"97000"', "7000"), "zip"),
    "a fact too many": (OWN + "founder: nobody\n", "founder"),
    "a fact too few": (OWN.replace("email: office@quincefood.us\n", ""), "email"),
    "no YAML": ("a: [", "LARDER_ORGANIZATION_FILE"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_stops_the_start(tmp_path, text, message) -> None:
    path = tmp_path / "own.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SettingError, match="LARDER_ORGANIZATION_FILE") as error:
        create_app(Settings(data_dir=tmp_path, organization_file=str(path)))
    assert message in str(error.value)


def test_ways_of_giving_are_those_of_the_interface() -> None:
    """The donor answers look a channel up by the key of its option."""
    channels = {channel.id for channel in organization_of(Settings()).donation_channels}
    assert channels <= set(get_args(OptionKey))
    assert not any(channel.is_open for channel in organization_of(Settings()).donation_channels)


def test_an_organization_that_does_not_exist_claims_nothing() -> None:
    shipped = organization_of(Settings())
    assert not shipped.accepts_donations
    assert not shipped.is_tax_exempt
    assert all(rating.rating is None for rating in shipped.ratings)
    assert all(policy.adopted_date is None for policy in shipped.policies)
    assert not shipped.sponsors


# ---------------------------------------------------------------- whose EIN it is

KNOWN = {
    "the primary": ("00-0000000", True, "Open Larder Example Organization"),
    "without the hyphen": ("000000000", True, "Open Larder Example Organization"),
    "a sister": ("00-0000001", False, "Example Veterans Resource Organization"),
}


@pytest.mark.parametrize(("ein", "is_primary", "name"), KNOWN.values(), ids=KNOWN)
def test_a_known_ein(client: Client, ein: str, is_primary: bool, name: str) -> None:
    answer = client.get(f"/api/v1/verify/{ein}")
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
