"""`larder organization check` lists the remaining tasks of an adopting organization."""

from importlib import resources
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from pipelines.cli import main
from schemas.api.organization import Organization
from schemas.values.organization_check import examples_left, facts_missing
from tests.support.organizations import OWN


def _shipped() -> Organization:
    return msgspec.yaml.decode(
        (resources.files("content") / "organization.yaml").read_bytes(), type=Organization
    )


def test_the_shipped_file_is_all_example() -> None:
    result = CliRunner().invoke(
        main, ["organization", "check"], env={"LARDER_ORGANIZATION_FILE": ""}
    )
    assert result.exit_code == 1
    paths = {finding.path for finding in examples_left(_shipped())}
    assert {
        "is_fictional",
        "legal_name",
        "ein",
        "zip",
        "phone",
        "email",
        "domain",
        "sisters[0].ein",
        "founder.name",
        "board[0].name",
        "contacts[0].email",
    } <= paths
    assert all(path in result.output for path in paths)


@pytest.mark.parametrize("member", ["board", "sisters", "contacts", "founder"])
def test_every_person_and_every_address_of_the_shipped_file_is_listed(member: str) -> None:
    values = getattr(_shipped(), member)
    count = len(values) if isinstance(values, list) else 1
    actual = {f.path.split("].")[0] for f in examples_left(_shipped()) if f.path.startswith(member)}
    assert len({path.partition(".")[0] for path in actual}) == count


def test_an_own_file_without_gaps_passes(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(OWN)
    result = CliRunner().invoke(main, ["organization", "check", "--file", str(file)])
    assert result.exit_code == 0
    assert "Nothing of the example is left." in result.output
    assert "board: name the members of the board" in result.output


def test_one_forgotten_fact_is_found(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(OWN.replace("office@quincefood.us", "contact@example.org"))
    result = CliRunner().invoke(main, ["organization", "check", "--file", str(file)])
    assert result.exit_code == 1
    assert "email: 'contact@example.org': this domain is reserved for examples" in result.output


def test_gifts_need_an_open_way_of_giving() -> None:
    own = msgspec.yaml.decode(
        OWN.replace("domain:", "accepts_donations: true\ndomain:"), type=Organization
    )
    actual = {finding.path: finding.why for finding in facts_missing(own)}
    assert "no way of giving is open" in actual["donation_channels"]
    assert "not deductible" in actual["is_tax_exempt"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main, ["organization", "check", "--file", str(tmp_path / "none.yaml")]
    )
    assert result.exit_code == 1
    assert "none.yaml" in result.output
