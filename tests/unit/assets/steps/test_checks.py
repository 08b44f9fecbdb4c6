"""Checks from declarations and queries, each run by itself."""

from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.steps.checks import ALL, check, declaration_check, drop_check, query_check
from assets.steps.keys import key_of
from assets.steps.workspace import Workspace
from schemas.checks.registry import read_check
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from tests.support.releases import as_table, resource, write_release
from tests.support.steps import run_check, run_steps
from warehouse.parquet import write_table

LISTED = [1, 2, 3]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    space = Workspace(data_dir=str(tmp_path))
    _list(space, LISTED)
    behind = [
        {
            "resource_id": n,
            "source_id": "nyc_pantries_2023",
            "source_key": str(n),
            "is_primary": True,
            "supplied_fields": ["name"],
            "match_reason": "only record",
            "retrieved_at": resource(n)["retrieved_at"],
        }
        for n in LISTED
    ]
    table = as_table(behind, RECORD_SOURCES)
    write_table(table, RECORD_SOURCES, space.path(RECORD_SOURCES.name))
    return space


def _list(workspace: Workspace, ids: list[int], **values: Any) -> None:
    rows = as_table([resource(n, **values) for n in ids], RESOURCES)
    write_table(rows, RESOURCES, workspace.path(RESOURCES.name))


def test_a_reference_to_a_missing_row_is_found(workspace: Workspace) -> None:
    references = declaration_check(RECORD_SOURCES)
    assert run_check(references, workspace).passed
    _list(workspace, LISTED[:-1])
    result = run_check(references, workspace)
    assert not result.passed
    assert "resource_id occurs in core_directory__resources: 1 rows" in str(result.description)
    (fault,) = result.metadata["faults"].records
    assert fault.data["fault"] == result.description


def _is_blocking(definition: dg.AssetChecksDefinition) -> bool:
    (spec,) = definition.check_specs
    return spec.blocking


QUERY = """-- table: core_directory__resources
-- severity: {severity}
-- The youngest age is not above the oldest.
SELECT resource_id, minimum_age FROM core_directory__resources WHERE minimum_age > maximum_age
"""


@pytest.mark.parametrize("severity", ["error", "warn"])
def test_a_query_shows_the_rows_that_it_returns(workspace: Workspace, severity: str) -> None:
    of_ages = query_check(read_check("ages", QUERY.format(severity=severity)))
    assert _is_blocking(of_ages) == (severity == "error")
    assert run_check(of_ages, workspace).passed
    _list(workspace, LISTED, minimum_age=60, maximum_age=18)
    result = run_check(of_ages, workspace)
    assert not result.passed
    assert result.severity.value == severity.upper()
    assert result.metadata["rows"].value == len(LISTED)
    assert result.metadata["examples"].records[0].data == {"resource_id": "1", "minimum_age": "60"}
    _list(workspace, LISTED)
    assert run_check(of_ages, workspace).passed


@pytest.mark.parametrize("is_blocking", [True, False])
def test_a_loss_against_the_served_release_stops_or_warns(
    tmp_path: Path, is_blocking: bool
) -> None:
    """Places remain, but none has hours that can be asserted."""
    hours = '[{"freq":"WEEKLY","byday":"MO","opens_at":"09:00","closes_at":"12:00"}]'
    write_release(tmp_path, [resource(n, schedules_json=hours) for n in LISTED])
    workspace = Workspace(data_dir=str(tmp_path))
    _list(workspace, LISTED, is_hours_current=False)
    loss = drop_check(
        RESOURCES,
        "resource_type",
        "current_hours_by_type",
        where="is_hours_current",
        limits=ALL,
        blocking=is_blocking,
    )
    result = run_check(loss, workspace)
    assert not result.passed
    lost = "food_pantry: 3 -> 0; gone: 3 rows, for example ('food_pantry', 1, 'Example Pantry'"
    assert lost in str(result.description)
    assert result.metadata["rows"].value == 3
    lost_row = result.metadata["examples"].records[0].data
    assert (lost_row["resource_id"], lost_row["name"]) == ("1", "Example Pantry")
    assert ("--accept-drops" in str(result.description)) is is_blocking
    assert _is_blocking(loss) is is_blocking
    is_error = result.severity == dg.AssetCheckSeverity.ERROR
    assert is_error is is_blocking


@pytest.mark.parametrize("is_sound", [True, False])
def test_a_failed_check_stops_later_steps(workspace: Workspace, is_sound: bool) -> None:
    @check(asset="core_town__top", name="sound", description="Is sound.")
    def sound(workspace: Workspace) -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=is_sound, description="rows")

    @dg.asset(key=key_of("core_town__top"))
    def top() -> dg.MaterializeResult:
        return dg.MaterializeResult()

    @dg.asset(key=key_of("core_town__below"), deps=[top])
    def below() -> dg.MaterializeResult:
        return dg.MaterializeResult()

    result = run_steps([top, below, sound], workspace)
    assert result.success is is_sound
    assert len(result.get_asset_materialization_events()) == 1 + is_sound
