"""The age of a source is that of the publisher's newest file, however lately it was fetched."""

import shutil
from datetime import date, timedelta
from pathlib import Path

import dagster as dg
import pandas as pd
import pytest

from assets.sources.assets import FRESH, publisher_date, source_assets
from assets.sources.files import date_of_header
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from tests.support.source_files import FIXTURES

SOURCE = sources()["diaper_banks"]
DAY = date(2026, 3, 4)


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
    listed = pd.DataFrame({"file_name": list(files), "source_updated_date": list(files.values())})
    assert publisher_date(sources()["usda_snap"], listed) == newest


def _check(data: Path, as_of: date) -> dg.AssetCheckEvaluation:
    workspace = Workspace(
        data_dir=str(data / "data"), provider="folder", sources_dir=str(data), as_of=str(as_of)
    )
    with dg.DagsterInstance.ephemeral() as instance:
        raw = source_assets(SOURCE)[0]
        done = dg.materialize([raw], resources={"workspace": workspace}, instance=instance)
    (check,) = done.get_asset_check_evaluations()
    assert check.check_name == FRESH
    return check


def test_an_old_file_is_stale_although_it_was_fetched_today(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / SOURCE.id, tmp_path / SOURCE.folders[0])
    (path,) = (tmp_path / SOURCE.folders[0]).iterdir()
    path.rename(path.with_name("diaper_banks-2025-06-01.csv"))
    dated = date(2025, 6, 1)
    last = dated + timedelta(days=SOURCE.freshness_days)
    assert _check(tmp_path, last).passed
    check = _check(tmp_path, last + timedelta(days=1))
    assert not check.passed
    assert check.severity is dg.AssetCheckSeverity.WARN
    assert f"newest file of {dated}" in str(check.description)
