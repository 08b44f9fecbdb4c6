"""Runs a private PostgreSQL server for operations stores."""

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.processes import children_of

_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "60",
    "dynamic_shared_memory_type": "posix",
    # A killed server loses nothing that it wrote: the kernel has it.
    "fsync": "off",
}
_NUMBERS = itertools.count(1)


def _programs() -> Path | None:
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return programs[-1].parent if programs else None


def missing_postgresql() -> str | None:
    """Return why no PostgreSQL server can run here; None if one can."""
    if _programs() is None:
        return "no PostgreSQL server: apt-get install postgresql"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL refuses to run as root, and setpriv is not here"
    return None


class PostgresServer:
    """A private server on a socket in a temporary folder, which can stop, crash, restart and hang.

    The server refuses to run as root; instead it runs as Debian's user `postgres`.
    """

    def __init__(self) -> None:
        programs = _programs()
        assert programs is not None
        self._programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="larder-postgresql-"))
        self._as_user: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            self._as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(self.folder, "postgres", "postgres")
        subprocess.run(
            [
                *self._as_user,
                programs / "initdb",
                "-D",
                self.folder / "data",
                "-A",
                "trust",
                "-U",
                "larder",
                "-E",
                "UTF8",
                "--no-sync",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        options = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        self._process = subprocess.Popen(
            [
                *self._as_user,
                self._programs / "postgres",
                "-D",
                self.folder / "data",
                "-k",
                self.folder,
                *options,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()

    def processes(self) -> list[int]:
        """Return the server's process and its children, among them one for each connection."""
        assert self._process is not None
        return [self._process.pid, *children_of(self._process.pid)]

    def end(self, number: signal.Signals) -> None:
        """Stop with a signal. SIGINT does not wait for open connections, SIGQUIT does not clean up."""
        if self._process is not None:
            self._process.send_signal(number)
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:  # a busy machine
                self._process.send_signal(signal.SIGQUIT)
                self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Stop all its processes; connections stay open without an answer."""
        for pid in self.processes():
            os.kill(pid, signal.SIGSTOP)

    def resume(self) -> None:
        for pid in self.processes():
            os.kill(pid, signal.SIGCONT)

    def _wait(self) -> None:
        assert self._process is not None
        for _ in range(300):
            command = [self._programs / "pg_isready", "-h", self.folder, "-q"]
            if subprocess.run(command, check=False, timeout=10).returncode == 0:
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError("the private PostgreSQL server did not start")


@contextmanager
def running_postgresql() -> Iterator[PostgresServer]:
    """Run a private server."""
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.end(signal.SIGINT)
        shutil.rmtree(server.folder, ignore_errors=True)


@contextmanager
def postgresql_server() -> Iterator[str]:
    """Run a private server; yield the folder of its socket."""
    with running_postgresql() as server:
        yield str(server.folder)


def new_database(folder: str, template: str = "template1") -> str:
    """Copy a database, by default an empty one, on the server of a folder; return its URL."""
    name = f"larder_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(f"postgresql://larder@/postgres?host={folder}", autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name} TEMPLATE {template}")  # type: ignore[call-overload]
    return f"postgresql://larder@/{name}?host={folder}"
