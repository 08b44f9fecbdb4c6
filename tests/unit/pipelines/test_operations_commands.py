"""`larder operations`: the link for an administrator leads to the service."""

import pytest
from click.testing import CliRunner

from pipelines.cli import main


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({}, "http://localhost:8000/admin/enrol#"),
        ({"LARDER_PORT": "8123"}, "http://localhost:8123/admin/enrol#"),
        (
            {"LARDER_PORT": "8123", "LARDER_BASE_URL": "https://food.example/"},
            "https://food.example/admin/enrol#",
        ),
    ],
)
def test_the_link_has_the_address_that_serves(tmp_path, monkeypatch, environment, address) -> None:
    for name in ("LARDER_PORT", "LARDER_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    command = ["operations", "add-admin", "ann", "--data", str(tmp_path)]
    run = CliRunner().invoke(main, command, env=environment)
    assert run.exit_code == 0, run.output
    assert run.output.split()[-1].startswith(address)
