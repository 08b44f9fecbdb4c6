"""The pipeline as Dagster sees it: complete, described, owned, scheduled and guarded."""

import pickle
from collections import Counter
from datetime import timedelta
from functools import cache
from typing import Any

import dagster as dg
import pytest

from assets.demo.write import DEMO_SOURCES
from assets.sources.assets import FRESH, UP_TO_DATE, name_located_asset
from assets.sources.contract import rejects_name
from assets.steps.keys import key_of, name_of
from assets.steps.workspace import Workspace
from pipelines.build import build, launchable
from pipelines.jobs import BESIDE_RELEASES
from schemas.checks.registry import query_checks
from schemas.sources.registry import built_sources
from schemas.tables.registry import PUBLISHED

RELEASE = key_of("out_directory__release")


@cache
def definitions() -> dg.Definitions:
    return build()


def graph() -> Any:
    return definitions().resolve_asset_graph()


def test_a_name_and_its_key_are_equivalent() -> None:
    key = key_of("core_usda_snap__located")
    assert key == dg.AssetKey(["core", "usda_snap", "located"])
    assert name_of(key) == "core_usda_snap__located"


def test_no_group_is_larger_than_a_screen() -> None:
    groups = Counter(node.group_name for node in graph().asset_nodes)
    assert max(groups.values()) < 50
    assert len(groups) < 40


def job(name: str) -> dg.JobDefinition:
    return definitions().resolve_job_def(name)


def selected(name: str) -> set[str]:
    layer = job(name).asset_layer
    return {name_of(key) for key in layer.selected_asset_keys}


def test_definitions_load() -> None:
    dg.Definitions.validate_loadable(definitions())


def test_every_asset_has_a_description_and_an_owner() -> None:
    for key in graph().get_all_asset_keys():
        node = graph().get(key)
        for fact in ("description", "owners", "kinds", "group_name"):
            assert getattr(node, fact), f"{name_of(key)} has no {fact}"
        stage, _, family = node.group_name.partition("_")
        assert stage == key.path[0]
        assert family


def test_assets_of_a_source_have_its_tags() -> None:
    for source in built_sources().values():
        for name in (source.raw_table, source.core_table, rejects_name(source)):
            tags = graph().get(key_of(name)).tags
            assert tags["source"] == source.id
            assert tags["authority"] == source.authority
            assert tags["license"] == source.license.id.replace(" ", "-")
            assert "cadence" in tags, source.id


def test_a_release_is_stale_after_two_nights_without_one() -> None:
    policy = graph().get(key_of("out_directory__release")).freshness_policy
    assert (policy.warn_window.to_timedelta(), policy.fail_window.to_timedelta()) == (
        timedelta(hours=26),
        timedelta(hours=50),
    )


def test_columns_are_described_before_any_run() -> None:
    for name in ("core_directory__resources", "raw_usda_snap__retailers"):
        columns = graph().get(key_of(name)).metadata["dagster/column_schema"].columns
        assert columns
        assert all(column.description for column in columns), name


def test_one_setting_alone_starts_a_run(tmp_path) -> None:  # type: ignore[no-untyped-def]
    workspace = Workspace(data_dir=str(tmp_path), profile="demo")
    job = build({"workspace": launchable(workspace)}).resolve_job_def("refresh_diaper_banks")
    config = {"resources": {"workspace": {"config": {"demo_rows": 600}}}}
    run = job.execute_in_process(run_config=config, raise_on_error=False)
    assert run.success
    assert (tmp_path / "tables" / f"{built_sources()['diaper_banks'].core_table}.parquet").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("profile", "folder"),
        ("geocode", "census"),
        ("rights", "facts_only"),
        ("sources_dir", "/a"),
    ],
)
def test_a_run_without_settings_has_those_of_the_daemon(name: str, value: str) -> None:
    """Schedules and sensors pass none, and a daemon of the profile live must not build the demo."""
    settings = []

    @dg.job(resource_defs={"workspace": launchable(Workspace(data_dir="/d", **{name: value}))})
    def shown() -> None:
        @dg.op
        def show(workspace: Workspace) -> None:
            settings.append(pickle.loads(pickle.dumps(workspace)))

        show()

    assert shown.execute_in_process().success
    assert getattr(settings[0], name) == value


def test_every_input_has_an_asset() -> None:
    missing = [
        name_of(k) for k in graph().get_all_asset_keys() if not graph().get(k).is_materializable
    ]
    assert missing == []


def test_a_source_has_its_assets_in_their_order() -> None:
    for source in built_sources().values():
        parents = {
            name: {name_of(k) for k in graph().get(key_of(name)).parent_keys}
            for name in (source.raw_table, source.core_table, rejects_name(source))
        }
        geography = {"core_geography__zips", "core_geography__cities"}
        # Places are invented in the reference geography.
        assert parents[source.raw_table] == (geography if source.id in DEMO_SOURCES else set())
        assert parents[source.core_table] == parents[rejects_name(source)] == {source.raw_table}
        located = key_of(name_located_asset(source))
        if source.yields == "places":
            parent_keys = {name_of(k) for k in graph().get(located).parent_keys}
            assert parent_keys == {source.core_table, *geography}, source.id
            assert located in graph().get(key_of("core_directory__located")).parent_keys
        else:
            assert not graph().has(located)


def test_a_source_is_refreshed_by_itself_at_its_own_pace() -> None:
    for source in built_sources().values():
        name = f"refresh_{source.id}"
        keys = selected(name)
        foreign = {n for n in keys if not n.startswith("core_geography__") and source.id not in n}
        assert foreign == set(BESIDE_RELEASES.get(source.id, ())), source.id
        # Runnable alone: whatever a step reads is made in the job.
        for key in keys:
            assert {name_of(k) for k in graph().get(key_of(key)).parent_keys} <= keys
        schedules = {schedule.name: schedule for schedule in definitions().schedules or ()}
        schedule = schedules.get(f"{name}_schedule")
        # A list that nobody can fetch has nothing to be refreshed from.
        assert (schedule is not None) == bool(source.live), source.id
        if schedule is not None:
            assert (schedule.cron_schedule, schedule.execution_timezone) == (source.cron, "UTC")
            assert schedule.default_status == dg.DefaultScheduleStatus.STOPPED, source.id


def test_old_files_are_noticed_where_newer_ones_are_due() -> None:
    for source in built_sources().values():
        checks = graph().get_check_keys_for_assets({key_of(source.raw_table)})
        goes_on = not source.cadence.startswith(("never again", "retired"))
        assert [key.name for key in checks] == [FRESH] * goes_on, source.id


def test_the_release_is_built_every_night_of_everything() -> None:
    schedule = definitions().resolve_schedule_def("build_release_schedule")
    assert schedule.cron_schedule == "0 9 * * *"
    assert schedule.default_status == dg.DefaultScheduleStatus.RUNNING
    everything = {name_of(k) for k in graph().get_all_asset_keys()}
    assert selected("build_release") == everything


def test_published_tables_have_blocking_checks_before_the_release() -> None:
    for key in (key_of(table.name) for table in PUBLISHED):
        checks = [k for k in graph().get_check_keys_for_assets({key}) if k.name == "declaration"]
        assert len(checks) == 1, key
        assert graph().get(checks[0]).blocking, key
        assert key in graph().get(RELEASE).parent_keys


def test_every_check_blocks_but_for_old_sources_and_hours() -> None:
    checks = graph().get_check_keys_for_assets(graph().get_all_asset_keys())
    assert {"rows_by_state", "rows_by_type", "rows_by_source"} <= {k.name for k in checks}
    warnings = {FRESH, UP_TO_DATE, "current_hours_by_type"}
    warnings |= {c.name for c in query_checks() if c.severity == "warn"}
    assert all(graph().get(key).blocking == (key.name not in warnings) for key in checks)


def test_overrides_replace_resources(tmp_path) -> None:  # type: ignore[no-untyped-def]
    workspace = Workspace(data_dir=str(tmp_path))
    assert build({"workspace": workspace}).resources is not None
    assert build({"workspace": workspace}).resources["workspace"] is workspace


def test_one_table_of_a_step_can_be_selected() -> None:
    zips = dg.AssetSelection.assets(key_of("core_geography__zips"))
    assert zips.resolve(graph()) == {key_of("core_geography__zips")}
    job = definitions().resolve_implicit_global_asset_job_def()
    part = job.get_subset(asset_selection={key_of("core_geography__zips")})
    assert part.asset_layer.selected_asset_keys == {key_of("core_geography__zips")}


def test_each_check_can_be_executed_alone() -> None:
    """No check is a part of the step that makes its table."""
    steps = [a for a in definitions().assets or () if isinstance(a, dg.AssetsDefinition)]
    assert [step.op.name for step in steps if list(step.check_specs)] == []
    job = definitions().resolve_implicit_global_asset_job_def()
    of_sources = dg.AssetCheckKey(key_of("core_usda_snap__places"), UP_TO_DATE)
    of_tables = dg.AssetCheckKey(key_of("core_directory__resources"), "declaration")
    for key in (of_sources, of_tables):
        part = job.get_subset(asset_check_selection={key}, asset_selection=set())
        assert part.asset_layer.selected_asset_keys == set()
        assert len(part.graph.node_dict) == 1, key
