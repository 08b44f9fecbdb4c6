"""Operations stores to test on: an SQLite file, or a database of a real PostgreSQL server of our own."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

_SETTINGS = {"listen_addresses": "", "max_connections": "60", "dynamic_shared_memory_type": "posix"}
_NUMBERS = itertools.count(1)


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return found[-1].parent if found else None


def missing_postgresql() -> str | None:
    """Why no PostgreSQL server can run here; None when one can."""
    if _programs() is None:
        return "no PostgreSQL server: apt-get install postgresql"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL refuses to run as root, and setpriv is not here"
    return None


@contextmanager
def postgresql_server() -> Iterator[str]:
    """A private server on a socket in a temporary folder; yields the folder.

    The server refuses to run as root: then it runs as the user `postgres` of Debian's package.
    """
    programs = _programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="larder-postgresql-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        shutil.chown(folder, "postgres", "postgres")
    subprocess.run(
        [*as_user, programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "larder", "-E", "UTF8", "--no-sync"],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    options = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    process = subprocess.Popen(
        [*as_user, programs / "postgres", "-D", folder / "data", "-k", folder, *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait(programs, folder, process)
        yield str(folder)
    finally:
        process.send_signal(2)  # SIGINT: do not wait for open connections
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(programs: Path, folder: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        command = [programs / "pg_isready", "-h", folder, "-q"]
        if subprocess.run(command, check=False, timeout=10).returncode == 0:
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError("the private PostgreSQL server did not start")


def new_database(folder: str) -> str:
    """URL of a fresh, empty database on the server of a folder."""
    name = f"larder_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(f"postgresql://larder@/postgres?host={folder}", autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
    return f"postgresql://larder@/{name}?host={folder}"
