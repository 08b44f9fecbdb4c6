"""The age of a source is that of the publisher's newest file, however lately it was fetched."""

import shutil
from datetime import date, timedelta
from pathlib import Path

import dagster as dg
import pandas as pd
import pytest

from assets.sources.assets import FRESH, publisher_date, source_assets, source_checks
from assets.sources.files import date_of_header
from assets.steps.workspace import Workspace
from schemas.sources.registry import Source, sources
from tests.support.source_files import FIXTURES, make_source
from tests.support.steps import run_steps

SOURCE = sources()["diaper_banks"]
DAY = date(2026, 3, 4)
DATED = date(2025, 6, 1)


@pytest.mark.parametrize(
    ("header", "day"),
    [("Wed, 04 Mar 2026 23:59:59 GMT", DAY), ("yesterday", None), ("", None), (None, None)],
)
def test_the_day_of_a_header(header: str | None, day: date | None) -> None:
    assert date_of_header(header) == day


@pytest.mark.parametrize(
    ("files", "newest"),
    [
        ({}, None),
        ({"list.csv": None}, None),
        ({"list.csv": DAY}, DAY),
        ({"list-2025-06-01.csv": DAY}, date(2025, 6, 1)),
        ({"list-2025-06-01.csv": None, "other.csv": DAY, "third.csv": None}, DAY),
    ],
)
def test_the_newest_file_counts_by_its_edition_then_by_its_header(
    files: dict[str, date | None], newest: date | None
) -> None:
    rows = pd.DataFrame({"file_name": list(files), "source_updated_date": list(files.values())})
    assert publisher_date(sources()["usda_snap"], rows) == newest


def _fetch(source: Source, data: Path, as_of: date) -> dg.ExecuteInProcessResult:
    """Fetch the files of the source's fixture, the first named as the edition of DATED."""
    shutil.copytree(FIXTURES / source.id, data / source.folders[0], dirs_exist_ok=True)
    path = min((data / source.folders[0]).iterdir())
    path.rename(path.with_name(f"{path.stem.partition('-')[0]}-{DATED}{path.suffix}"))
    workspace = Workspace(
        data_dir=str(data / "data"), profile="folder", sources_dir=str(data), as_of=str(as_of)
    )
    return run_steps([*source_assets(source), source_checks(source)], workspace, source.raw_table)


def test_an_old_file_is_stale_although_it_was_fetched_today(tmp_path: Path) -> None:
    assert SOURCE.freshness_days is not None
    last = DATED + timedelta(days=SOURCE.freshness_days)
    (in_time,) = _fetch(SOURCE, tmp_path / "a", last).get_asset_check_evaluations()
    (late,) = _fetch(SOURCE, tmp_path / "b", last + timedelta(days=1)).get_asset_check_evaluations()
    assert (in_time.check_name, in_time.passed) == (FRESH, True)
    assert (late.check_name, late.passed) == (FRESH, False)
    assert late.severity is dg.AssetCheckSeverity.WARN
    assert f"newest file of {DATED}" in str(late.description)


def test_an_ended_list_is_never_late_and_shows_its_age(tmp_path: Path) -> None:
    source = sources()["seattle_food_banks_2017"]
    result = _fetch(source, tmp_path, DATED + timedelta(days=9_000))
    assert result.get_asset_check_evaluations() == []
    (materialization,) = result.get_asset_materialization_events()
    assert materialization.materialization.metadata["age_days"].value == 9_000


@pytest.mark.parametrize(
    ("newest", "today", "is_late"),
    [
        (date(2026, 7, 1), date(2026, 7, 15), False),
        (date(2026, 7, 1), date(2026, 7, 16), True),
        (date(2026, 9, 16), date(2026, 12, 31), False),
        (date(2026, 9, 16), date(2027, 4, 30), False),
        (date(2026, 9, 15), date(2026, 10, 1), True),
        (date(2025, 9, 20), date(2026, 10, 1), True),
        (date(2026, 9, 20), date(2027, 5, 1), True),
    ],
)
def test_out_of_season_a_list_grows_no_older(newest: date, today: date, is_late: bool) -> None:
    source = make_source(freshness_days=14, season=(5, 9))
    assert source.is_late(newest, today) == is_late


@pytest.mark.parametrize("season", [(9, 5), (0, 3), (5, 13)])
def test_a_season_is_of_one_year(season: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="season"):
        make_source(season=season)


@pytest.mark.parametrize(
    ("cadence", "days"), [("never again", 30), ("retired", 30), ("weekly", None)]
)
def test_only_a_current_cadence_has_freshness_days(cadence: str, days: int | None) -> None:
    with pytest.raises(ValueError, match="freshness_days"):
        make_source(cadence=cadence, freshness_days=days)
