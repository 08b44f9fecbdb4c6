"""Which assets are rebuilt after a source has changed."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.sources.assets import name_located_asset
from assets.sources.contract import rejects_name
from pipelines.build import build
from pipelines.dagster_home import prepare_dagster_home
from schemas.sources.registry import sources

pytestmark = pytest.mark.slow
SNAP = sources()["usda_snap"]
FEMA = sources()["fema_declarations"]
CHECK = ("core_directory__resources", "rows_by_state")
DIRECTORY = {
    "_core_directory__located",
    "_core_directory__clusters",
    "core_directory__resources",
    "core_directory__record_sources",
    "core_directory__identities",
    "core_directory__rejects",
    "out_directory__type_counts",
    "out_directory__release",
}
OF_SNAP = {SNAP.core_table, rejects_name(SNAP), name_located_asset(SNAP)}


@cache
def _definitions() -> dg.Definitions:
    return build()


class Day:
    """A pipeline in an instance of Dagster, and the requests of automation since `cursor`."""

    def __init__(self, instance: dg.DagsterInstance, cursor: Any = None) -> None:
        self.definitions = _definitions()
        self.instance = instance
        self.cursor = cursor

    def made_all(self) -> None:
        graph = self.definitions.resolve_asset_graph()
        for key in graph.get_all_asset_keys():
            self.made(key.to_user_string(), "1")
        for check in graph.get_check_keys_for_assets(graph.get_all_asset_keys()):
            self.checked(check.asset_key.to_user_string(), check.name, passed=True)

    def made(self, name: str, data_version: str) -> None:
        tags = {"dagster/data_version": data_version}
        self.instance.report_runless_asset_event(dg.AssetMaterialization(name, tags=tags))

    def checked(self, name: str, check: str, *, passed: bool) -> None:
        self.instance.report_runless_asset_event(
            dg.AssetCheckEvaluation(asset_key=dg.AssetKey(name), check_name=check, passed=passed)
        )

    def asked_for(self) -> set[str]:
        requests = dg.evaluate_automation_conditions(
            defs=self.definitions,
            instance=self.instance,
            cursor=self.cursor,
            asset_selection=dg.AssetSelection.all(),
        )
        self.cursor = requests.cursor
        return {
            result.key.to_user_string()
            for result in requests.results
            if isinstance(result.key, dg.AssetKey) and requests.get_num_requested(result.key)
        }


@pytest.fixture(scope="module")
def yesterday(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Data folder with an instance in which everything was built once, and the cursor of
    automation.
    """
    data = tmp_path_factory.mktemp("yesterday")
    with _open_instance(data) as instance:
        day = Day(instance)
        day.made_all()
        day.asked_for()
        return data, day.cursor


@pytest.fixture
def today(yesterday: tuple[Path, Any], tmp_path: Path) -> Iterator[Day]:
    data, cursor = yesterday
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    with _open_instance(tmp_path) as instance:
        yield Day(instance, cursor)


@contextmanager
def _open_instance(data: Path) -> Iterator[dg.DagsterInstance]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", "")  # put back at the end
        with dg.DagsterInstance.from_config(str(prepare_dagster_home(data))) as instance:
            yield instance


def test_the_same_bytes_move_nothing(today: Day) -> None:
    today.made(SNAP.raw_table, "1")
    assert today.asked_for() == set()


def test_a_changed_source_moves_its_own_tables_and_the_directory(today: Day) -> None:
    today.made(SNAP.raw_table, "2")
    requests = today.asked_for()
    assert requests >= OF_SNAP | DIRECTORY
    of_others = {
        name
        for s in sources().values()
        if s is not SNAP
        for name in (s.raw_table, s.core_table, rejects_name(s), name_located_asset(s))
    }
    assert requests & of_others == set()
    assert today.asked_for() == set(), "once is enough"


def test_disasters_move_the_release_but_no_place(today: Day) -> None:
    today.made(FEMA.raw_table, "2")
    requests = today.asked_for()
    assert {FEMA.core_table, rejects_name(FEMA), "out_directory__release"} <= requests
    assert "_core_directory__located" not in requests
    assert "core_directory__resources" not in requests


def test_geography_moves_every_located_table(today: Day) -> None:
    today.made("core_geography__zips", "2")
    requests = today.asked_for()
    places = {name_located_asset(s) for s in sources().values() if s.yields == "places"}
    assert requests >= places | DIRECTORY - {"core_directory__rejects"}
    assert SNAP.raw_table not in requests, "nothing is fetched"


def test_a_failed_check_blocks_the_release(today: Day) -> None:
    today.checked(*CHECK, passed=False)
    today.made(FEMA.raw_table, "2")
    requests = today.asked_for()
    assert FEMA.core_table in requests
    assert "out_directory__release" not in requests
