"""Totals that do not agree with the resources are found, each by its own rule, and the check then
blocks.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from assets.statistics.atlas import ATLAS_COLUMNS
from assets.statistics.totals_assets import (
    FIGURES_READ,
    city_totals_agree,
    figures_agree,
    state_totals_agree,
)
from assets.steps.workspace import Workspace
from schemas.table import Table
from schemas.tables.atlas import CITY_TOTALS, FIGURES, STATE_TOTALS
from schemas.tables.core import RESOURCES
from tests.support.town import write_town
from warehouse.parquet import read_frame, write_table

CHECKS: dict[str, Any] = {
    STATE_TOTALS.name: state_totals_agree,
    CITY_TOTALS.name: city_totals_agree,
    FIGURES.name: figures_agree,
}
Spoil = Callable[[pd.DataFrame], pd.DataFrame]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the town as a build leaves them."""
    folder = tmp_path_factory.mktemp("town")
    write_town(folder)
    return folder / "tables"


@pytest.fixture
def workspace(tables: Path, tmp_path: Path) -> Workspace:
    """A copy of the tables, to be spoilt."""
    shutil.copytree(tables, tmp_path / "tables")
    return Workspace(data_dir=str(tmp_path))


@pytest.mark.parametrize("name", CHECKS)
def test_totals_as_they_were_made_agree(workspace: Workspace, name: str) -> None:
    result = CHECKS[name](workspace)
    assert result.passed, result.description


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_reads_no_column_that_its_version_leaves_out(
    workspace: Workspace, name: str
) -> None:
    """Else it would be taken for passed although something that it reads has changed."""
    read = FIGURES_READ if name == FIGURES.name else {RESOURCES.name: ATLAS_COLUMNS}
    for table, columns in read.items():
        path = workspace.path(table)
        pq.write_table(pq.read_table(path, columns=columns), path)
    assert CHECKS[name](workspace).passed


def _more(column: str) -> Spoil:
    """One more in the row that has most."""

    def spoilt(frame: pd.DataFrame) -> pd.DataFrame:
        worst = frame[column].idxmax()
        return frame.assign(**{column: frame[column].mask(frame.index == worst, frame[column] + 1)})

    return spoilt


def _without(column: str, value: str) -> Spoil:
    return lambda frame: frame[frame[column] != value].reset_index(drop=True)


def _figure(name: str, group: str) -> Spoil:
    def spoilt(frame: pd.DataFrame) -> pd.DataFrame:
        here = (frame["figure_id"] == name) & (frame["figure_group"] == group)
        assert here.sum() == 1
        return frame.assign(figure=frame["figure"].mask(here, frame["figure"] + 1))

    return spoilt


COUNTS = [name for name in STATE_TOTALS.required_names if name != "state"]
FAULTS: list[tuple[Table, Spoil, str]] = [
    *((STATE_TOTALS, _more(name), f"{name} by state agrees with the resources") for name in COUNTS),
    (STATE_TOTALS, _without("state", "NY"), "resource_count by state"),
    (
        STATE_TOTALS,
        _without("state", "VT"),
        "every state and territory has a row: 1 rows, for example VT",
    ),
    *(
        (CITY_TOTALS, _more(name), f"{name} by city")
        for name in ("resource_count", "pantry_class_count", "free_food_count")
    ),
    (
        CITY_TOTALS,
        _without("city", "Adak"),
        "resource_count by city agrees with the resources: 1 rows, for example AK:adak: 0 for 1",
    ),
    (FIGURES, _figure("known_phone", "pantry_class"), "known_phone agrees"),
    (FIGURES, _figure("places", "all"), "places agrees"),
    (FIGURES, _figure("places_led_by_source", "nyc_pantries_2023"), "places_led_by_source agrees"),
    (
        FIGURES,
        _figure("snap_retailers_led_by_source", "nyc_pantries_2023"),
        "snap_retailers_led_by_source agrees",
    ),
    (FIGURES, _figure("records_by_match_reason", "only record"), "match reasons: 133 for 132"),
    (FIGURES, _figure("merging", "merged_records"), "merged_records: 1 for 0"),
    (
        FIGURES,
        _without("figure_id", "places_by_last_verified_date"),
        "places_by_last_verified_date agrees",
    ),
]


@pytest.mark.parametrize(("table", "spoil", "told"), FAULTS, ids=[told for _, _, told in FAULTS])
def test_a_wrong_total_is_found(
    workspace: Workspace, table: Table, spoil: Spoil, told: str
) -> None:
    path = workspace.path(table.name)
    write_table(spoil(read_frame(path)), table, path)
    result = CHECKS[table.name](workspace)
    assert not result.passed
    assert told in result.description
