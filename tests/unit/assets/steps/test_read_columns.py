"""Steps that read few columns of large tables are done again when one of these changed, and only
then.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.matching.review_assets import out_directory__doubtful_pairs
from assets.probes.assets import core_directory__phone_validations
from assets.statistics.quality_assets import out_directory__quality_checks
from assets.steps.workspace import Workspace
from schemas.table import Table
from schemas.tables.checks import PHONE_VALIDATIONS
from schemas.tables.core import (
    DOUBTFUL_PAIRS,
    IDENTITIES,
    LOCATED,
    RECORD_SOURCES,
    RESOURCES,
    STATEMENTS,
    ZIPS,
)
from schemas.tables.out import DOUBTFUL, QUALITY
from tests.support.releases import RETRIEVED, as_table, resource
from tests.support.steps import run_step
from warehouse.parquet import read_frame, write_table

LATER = datetime(2026, 11, 8, 6, tzinfo=UTC)
KEYS = [{"source_id": "nyc_pantries_2023", "source_key": str(n)} for n in (1, 2)]


def _write(workspace: Workspace, table: Table, rows: list[dict[str, Any]]) -> None:
    write_table(as_table(rows, table), table, workspace.path(table.name))


def _list(workspace: Workspace, **second: Any) -> None:
    """Two places, the second with other values."""
    places = [resource(1), resource(2) | second]
    _write(workspace, RESOURCES, places)
    located = {"is_public": True, "source_row": 1, "file_name": "list.csv"}
    rows = [place | located | key for place, key in zip(places, KEYS, strict=True)]
    _write(workspace, LOCATED, rows)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    found = Workspace(data_dir=str(tmp_path), as_of="2026-11-01")
    _list(found, phone_e164="+12122345678")
    _write(found, ZIPS, [])
    _write(found, STATEMENTS, [])
    _write(
        found,
        IDENTITIES,
        [
            {"resource_id": n, "id_status": "active", "first_release_id": "r"} | key
            for n, key in enumerate(KEYS, 1)
        ],
    )
    _write(
        found,
        RECORD_SOURCES,
        [
            {
                "resource_id": n,
                "is_primary": True,
                "supplied_fields": ["name"],
                "match_reason": "only record",
                "retrieved_at": RETRIEVED,
            }
            | key
            for n, key in enumerate(KEYS, 1)
        ],
    )
    pair = KEYS[0] | {f"other_{name}": value for name, value in KEYS[1].items()}
    _write(found, DOUBTFUL_PAIRS, [pair | {"doubt_reason": "names", "name_similarity": 0.8}])
    return found


STEPS: dict[str, tuple[Any, Table, dict[str, Any], dict[str, Any]]] = {
    "quality": (
        out_directory__quality_checks,
        QUALITY,
        {"retrieved_at": LATER},
        {"website": "https://example.org"},
    ),
    "doubtful pairs": (
        out_directory__doubtful_pairs,
        DOUBTFUL,
        {"name": "Renamed"},
        {"is_active": False},
    ),
    "telephones": (
        core_directory__phone_validations,
        PHONE_VALIDATIONS,
        {"name": "Renamed"},
        {"phone_e164": "+13122345678"},
    ),
}


@pytest.mark.parametrize(("step", "table", "unread", "read"), STEPS.values(), ids=STEPS)
def test_only_what_is_read_counts(
    workspace: Workspace,
    step: dg.AssetsDefinition,
    table: Table,
    unread: dict[str, Any],
    read: dict[str, Any],
) -> None:
    def is_reused() -> bool:
        return "reused" in run_step(step, workspace)[table.name]

    assert not is_reused()
    before = workspace.path(table.name).read_bytes()
    _list(workspace, **{"phone_e164": "+12122345678"} | unread)
    assert is_reused()
    _list(workspace, **{"phone_e164": "+12122345678"} | read)
    assert not is_reused()
    assert workspace.path(table.name).read_bytes() != before


def test_on_another_day_the_findings_about_telephones_keep_their_dates(
    tmp_path: Path, workspace: Workspace
) -> None:
    """Whether the step is left alone, or done again for another number."""
    run_step(core_directory__phone_validations, workspace)
    later = Workspace(data_dir=str(tmp_path), as_of="2026-11-08")
    run_step(core_directory__phone_validations, later)
    assert _dates(later) == {"+12122345678": date(2026, 11, 1)}
    _list(later, phone_e164="+13122345678")
    run_step(core_directory__phone_validations, later)
    assert _dates(later) == {"+13122345678": date(2026, 11, 8)}


def _dates(workspace: Workspace) -> dict[str, date]:
    found = read_frame(workspace.path(PHONE_VALIDATIONS.name))
    return dict(zip(found["phone_e164"], found["validated_on"], strict=True))
