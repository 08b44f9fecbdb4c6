"""The organization of an instance: the shipped example is marked, an operator's file replaces it."""

from typing import get_args

import pytest

from schemas.api.donors import OptionKey
from serving.app import create_app
from serving.reference.organization import organization_head, organization_of
from serving.settings import SettingError, Settings, read_settings
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
