"""Test Dagster's three programs as deployments start them, in a new Dagster home."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import httpx
import pytest

from pipelines.dagster_home import prepare_dagster_home
from tests.support.dated_builds import FIRST, copy_data, share_first
from tests.support.processes import children_of, comes_true
from tests.support.server import ROOT, free_port
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow
SCHEDULE = "build_release_schedule"
DAY = 86_400


@contextmanager
def dagster(*words: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run `larder dagster ...` in the background; SIGTERM must end it."""
    command = [sys.executable, "-m", "pipelines", "dagster", *words]
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command],
            cwd=ROOT,
            env={**os.environ, "LARDER_DEMO_ROWS": "600"},
            stdout=output,
            stderr=output,
        )
    try:
        yield process
        process.terminate()
        process.wait(60)
    finally:
        process.kill()
        process.wait()


def ask(address: str, query: str, **variables: Any) -> dict[str, Any]:
    answer = httpx.post(
        f"{address}/graphql", json={"query": query, "variables": variables}, timeout=30
    )
    return answer.raise_for_status().json()["data"]


def locations(address: str) -> list[str]:
    """Return the code locations that the pages show as loaded; none while nobody answers."""
    query = "{workspaceOrError {... on Workspace {locationEntries {name locationOrLoadError {__typename}}}}}"
    try:
        entries = ask(address, query)["workspaceOrError"]["locationEntries"]
    except httpx.TransportError:
        return []
    return [
        entry["name"]
        for entry in entries
        if (entry["locationOrLoadError"] or {}).get("__typename") == "RepositoryLocation"
    ]


def is_known(instance: dg.DagsterInstance) -> bool:
    """Check whether the daemon has seen the schedule of the nightly build."""
    return any(s.instigator_name == SCHEDULE for s in instance.all_instigator_state())


def miss_a_night(instance: dg.DagsterInstance) -> None:
    """Set the schedule's last tick to yesterday."""
    (state,) = (s for s in instance.all_instigator_state() if s.instigator_name == SCHEDULE)
    missed = state.instigator_data._replace(
        start_timestamp=time.time() - DAY, last_iteration_timestamp=None
    )
    instance.update_instigator_state(state.with_data(missed))


def test_one_code_server_serves_the_pages_and_executes_what_the_schedule_starts(tmp_path: Path):
    port = free_port()
    # Built as of another day: the run has a release to make, and little else.
    data = copy_data(share_first(), tmp_path / "data")
    shutil.rmtree(data / "dagster", ignore_errors=True)
    words = ("--profile", "demo", "--data", str(data))
    with ExitStack() as services:

        def start(*program: str) -> subprocess.Popen[bytes]:
            return services.enter_context(dagster(*program, *words, log=tmp_path / program[0]))

        # In any order, so that none may rely on what another one prepares: the pages come first.
        web = start("web", "--port", str(port))
        waiting = f"Waiting for the code server (larder dagster code) at {data}/dagster/code.sock"
        assert comes_true(lambda: waiting in (tmp_path / "web").read_text(encoding="utf-8"))
        with dagster("daemon", *words, log=tmp_path / "first-daemon"):
            code = start("code")
            address = f"http://127.0.0.1:{port}"
            assert comes_true(lambda: locations(address) == ["pipelines.definitions"], 300, every=1)
            instance = services.enter_context(
                dg.DagsterInstance.from_config(str(prepare_dagster_home(data)))
            )
            assert comes_true(lambda: is_known(instance), 120, every=1)
        miss_a_night(instance)
        daemon = start("daemon")
        assert comes_true(lambda: any(run.is_finished for run in instance.get_runs()), 600, every=1)
        # At nine the schedule starts another one.
        run = next(run for run in instance.get_runs() if run.is_finished)
        assert run.status == dg.DagsterRunStatus.SUCCESS
        assert run.tags["dagster/schedule_name"] == SCHEDULE
        assert ReleaseStore(data).current() not in {None, FIRST}
        # Neither started another code server.
        assert children_of(web.pid) == children_of(daemon.pid) == []
        assert all(process.poll() is None for process in (web, daemon, code))
        for program in ("web", "first-daemon", "daemon"):
            assert "Traceback" not in (tmp_path / program).read_text(encoding="utf-8")
