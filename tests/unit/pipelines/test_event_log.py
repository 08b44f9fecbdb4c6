"""The events of runs: Dagster's log reads our files, and few of them stay open."""

from pathlib import Path

import dagster as dg
from dagster._core.storage.event_log import SqliteEventLogStorage

from pipelines.dagster_home import prepare_dagster_home


@dg.asset
def pantries():
    return dg.MaterializeResult(metadata={"dagster/row_count": 2})


def test_dagster_reads_the_events_and_the_files_of_past_runs_are_closed(tmp_path, monkeypatch):
    home = prepare_dagster_home(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    with dg.DagsterInstance.from_config(str(home)) as instance:
        runs = [dg.materialize([pantries], instance=instance).run_id for _ in range(3)]
        logged = [[e.message for e in instance.all_logs(run)] for run in runs]
        instance.all_logs(runs[0])
        folder = home / "history" / "runs"
        assert _open_files(folder) == {"index.db", f"{runs[0]}.db"}
        dagsters = SqliteEventLogStorage(str(folder))
        dagsters.register_instance(instance)
        assert [[e.message for e in dagsters.get_logs_for_run(run)] for run in runs] == logged
        assert all(len(messages) > 5 for messages in logged)
        (latest,) = dagsters.fetch_materializations(pantries.key, limit=1).records
        assert latest.run_id == runs[-1]
        assert latest.asset_materialization.metadata["dagster/row_count"].value == 2
        dagsters.dispose()
    assert _open_files(folder) == set()
    assert [*folder.glob("*.db-*")] == []


def _open_files(folder: Path) -> set[str]:
    """Return the databases of a folder that this process has open."""
    links = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return {path.name for path in links if path.parent == folder and path.suffix == ".db"}
