"""Run the quick faults of `make faults`; nothing may be lost."""

import pytest

from faults.table import all_faults, run_fault
from tests.support.town import write_town

_QUICK = [each for each in all_faults() if each.is_quick]


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town")
    write_town(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("fault", _QUICK, ids=[each.name for each in _QUICK])
def test_nothing_is_lost(fault, town, tmp_path):
    outcome = run_fault(fault, tmp_path / "ground", town)
    if outcome.not_run:
        pytest.skip(outcome.not_run)
    assert not outcome.is_lost, outcome
