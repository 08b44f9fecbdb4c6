"""What a build costs in one process, in several and on Celery workers, with runs kept in PostgreSQL.

    python -m tests.performance.executors FOLDER --rows 20000 [--redis redis-server]

Needs the optional packages (`[scale]`), a PostgreSQL server to start and, for Celery, a Redis server.
Prints a Markdown table: wall seconds of the run, CPU seconds of all its processes, workers included.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.server import ROOT, free_port
from tests.support.stores import new_database, postgresql_server
from warehouse.release import ReleaseStore

_BIN = Path(sys.executable).parent
_JOB = [_BIN / "dagster", "job", "execute", "-m", "pipelines.definitions", "-j", "build_release"]


def environment_of(folder: Path, postgres: str, executor: str, rows: int) -> dict[str, str]:
    """A fresh data folder and a fresh Dagster home, whose history lies in a database of its own."""
    home = folder / "dagster"
    home.mkdir(parents=True)
    shutil.copyfile(ROOT / "deploy" / "dagster" / "dagster.yaml", home / "dagster.yaml")
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PATH": f"{_BIN}{os.pathsep}{os.environ['PATH']}",
        "DAGSTER_HOME": str(home),
        # SQLAlchemy's own choice of driver is psycopg 3, which cannot send what Dagster's storage asks of it.
        "DAGSTER_POSTGRES_URL": new_database(postgres).replace(
            "postgresql:", "postgresql+psycopg2:"
        ),
        "DIRECTORY_DATA_DIR": str(folder / "data"),
        "LARDER_PROFILE": "demo",
        "LARDER_DEMO_ROWS": str(rows),
        "LARDER_EXECUTOR": executor,
    }


@contextmanager
def redis(program: str) -> Iterator[int]:
    """A Redis server on the loopback that keeps nothing on disk; yields its port."""
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def celery_workers(environment: dict[str, str], processes: int) -> Iterator[None]:
    """A Celery worker of so many processes, as deploy/dagster/celery.yaml sets it up."""
    config = str(ROOT / "deploy" / "dagster" / "celery.yaml")
    command = [_BIN / "dagster-celery", "worker", "start", "-A", "dagster_celery.app", "-y", config, "--", "--concurrency", str(processes)]  # fmt: skip
    with (Path(environment["DAGSTER_HOME"]) / "worker.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait(60)


def cpu_seconds() -> float:
    """CPU time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(folder: Path, environment: dict[str, str], workers: int) -> tuple[float, float, str]:
    """Wall and CPU seconds of one build, and the digest of the content of its release."""
    before = cpu_seconds()
    with ExitStack() as stack:
        if environment["LARDER_EXECUTOR"] == "celery":
            stack.enter_context(celery_workers(environment, workers))
        started = time.perf_counter()
        with (folder / "run.log").open("w") as log:
            done = subprocess.run(_JOB, cwd=ROOT, env=environment, stdout=log, stderr=log, check=False)  # fmt: skip
        wall = time.perf_counter() - started
    store = ReleaseStore(folder / "data")
    current = store.current()
    if done.returncode != 0 or current is None:
        raise RuntimeError(f"the build with {environment['LARDER_EXECUTOR']} failed: {folder / 'run.log'}")  # fmt: skip
    return wall, cpu_seconds() - before, store.manifest(current).content_digest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--redis", help="The redis-server program; no Celery without.")
    chosen = parser.parse_args()
    names = ["in_process", "multiprocess", *(["celery"] if chosen.redis else [])]
    print(f"{chosen.rows:,} synthetic rows, {chosen.processes} processes, {os.cpu_count()} cores")
    print("| executor | wall seconds | CPU seconds | content |\n| --- | ---: | ---: | --- |")
    with postgresql_server() as postgres, ExitStack() as stack:
        port = stack.enter_context(redis(chosen.redis)) if chosen.redis else 0
        for name in names:
            folder = chosen.folder.resolve() / name
            shutil.rmtree(folder, ignore_errors=True)
            environment = environment_of(folder, postgres, name, chosen.rows)
            environment["LARDER_MAX_PROCESSES"] = str(chosen.processes)
            environment["LARDER_CELERY_BROKER"] = f"redis://127.0.0.1:{port}/0"
            environment["LARDER_CELERY_BACKEND"] = f"redis://127.0.0.1:{port}/1"
            wall, cpu, digest = measured(folder, environment, chosen.processes)
            print(f"| {name} | {wall:,.1f} | {cpu:,.1f} | {digest[:12]} |", flush=True)


if __name__ == "__main__":
    main()
