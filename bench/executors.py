"""Measure a build in one process, in several and on Celery workers that share no folder, over
PostgreSQL and object storage.

    python -m bench.executors FOLDER --rows 20000 [--redis redis-server]

Starts a PostgreSQL server for runs and events, and a local S3 server for releases and the tables of
Celery workers. Needs the optional packages (`[scale]`) and, for Celery, a Redis server. Prints a
Markdown table: wall seconds of the run, CPU seconds of all its processes including workers, and the
number of published table files with the same bytes as those of the build in one process. Exits with
status 1 when the content of a table differs, or when the storage does not serve the release.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bench.pipeline import adopt_orphans, cpu_of_children
from tests.support.server import ROOT, free_port
from tests.support.storage import S3Server, s3_server
from tests.support.stores import new_database, postgresql_server
from warehouse.files import sha256_of
from warehouse.release.manifest import Manifest
from warehouse.release.store import ReleaseStore
from warehouse.storage.bucket import Bucket
from warehouse.storage.publish import read_pointer
from warehouse.storage.replica import Replica
from warehouse.storage.shared_files import FOLDER as SHARED
from warehouse.storage.shared_files import SharedFiles

# Time for a fork server to notice the end of its build and exit.
_ORPHAN_SECONDS = 2.0
_NAMES = ("one", "processes", "celery")
_BIN = Path(sys.executable).parent
_JOB = [_BIN / "dagster", "job", "execute", "-m", "pipelines.definitions", "-j", "build_release"]


def environment_of(folder: Path, postgres: str, executor: str, rows: int) -> dict[str, str]:
    """Make a fresh data folder and a fresh Dagster home, with its history in a separate
    database."""
    home = folder / "dagster"
    home.mkdir(parents=True)
    shutil.copyfile(ROOT / "deploy" / "dagster" / "dagster.yaml", home / "dagster.yaml")
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PATH": f"{_BIN}{os.pathsep}{os.environ['PATH']}",
        "DAGSTER_HOME": str(home),
        # SQLAlchemy's default driver is psycopg 3, which cannot run the statements of Dagster's
        # storage.
        "DAGSTER_POSTGRES_URL": new_database(postgres).replace(
            "postgresql:", "postgresql+psycopg2:"
        ),
        "DIRECTORY_DATA_DIR": str(folder / "data"),
        "LARDER_PROFILE": "demo",
        "LARDER_DEMO_ROWS": str(rows),
        "LARDER_EXECUTOR": "celery" if executor == "celery" else "processes",
    }


@contextmanager
def redis(program: str) -> Iterator[int]:
    """Run a Redis server on the loopback without persistence; yield its port."""
    port = free_port()
    command = [
        program,
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def celery_worker(environment: dict[str, str], name: str) -> Iterator[None]:
    """Run a Celery worker of one process, as deploy/dagster/celery.yaml sets it up, with a
    separate, empty data folder.
    """
    home = Path(environment["DAGSTER_HOME"]).parent / name / "dagster"
    home.mkdir(parents=True)
    shutil.copyfile(Path(environment["DAGSTER_HOME"]) / "dagster.yaml", home / "dagster.yaml")
    environment = {
        **environment,
        "DAGSTER_HOME": str(home),
        "DIRECTORY_DATA_DIR": str(home.parent / "data"),
    }
    config = str(ROOT / "deploy" / "dagster" / "celery.yaml")
    command = [
        _BIN / "dagster-celery",
        "worker",
        "start",
        "-A",
        "dagster_celery.app",
        "-y",
        config,
        "--name",
        name,
        "--",
        "--concurrency",
        "1",
    ]
    with (home / "worker.log").open("w") as log:
        # The command starts the worker as a separate process that outlives it.
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
            _wait_for_group(process.pid, 60)


def _wait_for_group(group: int, seconds: float) -> None:
    """Wait until all processes of a group have ended. Raises TimeoutError."""
    latest = time.monotonic() + seconds
    while time.monotonic() < latest:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        with suppress(ChildProcessError):
            os.waitpid(-group, os.WNOHANG)
        time.sleep(0.1)
    raise TimeoutError(f"processes of group {group} did not end within {seconds:g} s")


def cpu_seconds() -> float:
    """Return CPU time of all child processes that have ended, including orphans."""
    time.sleep(_ORPHAN_SECONDS)
    while os.waitpid(-1, os.WNOHANG)[0]:  # running servers are children as well
        pass
    return cpu_of_children()


def run_timed(
    folder: Path, environment: dict[str, str], workers: int, command: Sequence[str | Path] = _JOB
) -> tuple[float, float]:
    """Return wall and CPU seconds of one build or another Dagster command. Raises
    RuntimeError when it fails."""
    before = cpu_seconds()
    with ExitStack() as stack:
        if environment["LARDER_EXECUTOR"] == "celery":
            for number in range(workers):
                stack.enter_context(celery_worker(environment, f"worker-{number + 1}"))
        start = time.perf_counter()
        with (folder / "run.log").open("w") as log:
            process = subprocess.run(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log, check=False
            )
        wall = time.perf_counter() - start
    if process.returncode != 0:
        raise RuntimeError(
            f"the build with {environment['LARDER_EXECUTOR']} failed: {folder / 'run.log'}"
        )
    return wall, cpu_seconds() - before


def gather(data: Path, bucket: Bucket) -> None:
    """Fetch release and tables of a build whose workers share no folder, as another worker
    would."""
    Replica(bucket, data, {}).pull()
    files = SharedFiles(bucket, data)
    prefix = f"{SHARED}/units/"
    for path in bucket.sizes(prefix):
        files.fetch(path.removeprefix(prefix).removesuffix(".json"))


def read_served(data: Path, bucket: Bucket) -> Manifest:
    """Return the manifest of the release. Raises RuntimeError if the storage does not serve it."""
    store = ReleaseStore(data)
    current, pointer = store.current(), read_pointer(bucket)
    if current is None or pointer is None or pointer[0].release_id != current:
        raise RuntimeError(
            f"{data} serves {current}, the storage {pointer and pointer[0].release_id}"
        )
    return store.verify(current)


def tables_of(data: Path) -> dict[str, str]:
    """Return SHA-256 by name of every Parquet file that steps pass to each other."""
    return {file.stem: sha256_of(file) for file in sorted((data / "tables").glob("*.parquet"))}


def find_differences(
    first: tuple[Manifest, dict[str, str]], other: tuple[Manifest, dict[str, str]]
) -> list[str]:
    """Return differences from the build in one process: tables and file bytes."""
    before, after = ({t.name: t.digest for t in build[0].tables} for build in (first, other))
    content = sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))
    own, others = first[1], other[1]
    files = sorted(n for n in own.keys() | others.keys() if own.get(n) != others.get(n))
    return [*(f"content of {n}" for n in content), *(f"bytes of {n}" for n in files)]


def one(
    name: str, options: argparse.Namespace, postgres: str, port: int, s3: S3Server
) -> tuple[str, tuple[Manifest, dict[str, str]]]:
    """Return a line of the table, and the build's result."""
    folder = options.folder.resolve() / name
    shutil.rmtree(folder, ignore_errors=True)
    os.environ.update(s3.environment)
    s3.new_bucket()
    environment = {
        **environment_of(folder, postgres, name, options.rows),
        **s3.environment,
        "LARDER_STORAGE_URL": s3.url,
        "LARDER_PROCESSES": "1" if name == "one" else str(options.processes),
        "LARDER_CELERY_BROKER": f"redis://127.0.0.1:{port}/0",
        "LARDER_CELERY_BACKEND": f"redis://127.0.0.1:{port}/1",
    }
    wall, cpu = run_timed(folder, environment, options.processes)
    data = folder / "data"
    if name == "celery":
        gather(data, s3.bucket())
    return f"| {name} | {wall:,.1f} | {cpu:,.1f}", (read_served(data, s3.bucket()), tables_of(data))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--redis", help="The redis-server program; no Celery without.")
    parser.add_argument(
        "--executors",
        nargs="+",
        choices=_NAMES,
        help="Only these; the first is what others are compared with.",
    )
    options = parser.parse_args()
    names = options.executors or _NAMES[: None if options.redis else 2]
    adopt_orphans()
    print(f"{options.rows:,} synthetic rows, {options.processes} processes, {os.cpu_count()} cores")
    print(
        "| executor | wall seconds | CPU seconds | the same bytes |\n| --- | ---: | ---: | ---: |"
    )
    first: tuple[Manifest, dict[str, str]] | None = None
    differing: list[str] = []
    with postgresql_server() as postgres, s3_server() as s3, ExitStack() as stack:
        port = stack.enter_context(redis(options.redis)) if options.redis else 0
        for name in names:
            line, build = one(name, options, postgres, port, s3)
            first = first or build
            differences = find_differences(first, build)
            same = len(build[1]) - sum(f.startswith("bytes") for f in differences)
            differing += [f"{name}: {f}" for f in differences]
            print(f"{line} | {same} of {len(build[1])} |", flush=True)
    print("\n".join(differing) or "nothing differs")
    return 1 if any(": content" in d for d in differing) else 0


if __name__ == "__main__":
    sys.exit(main())
