"""`larder dagster`: Dagster's programs on the data folder of the builds.

One code server loads the graph and starts the runs. Without it the daemon and the web server would
each start another one every minute to check for changed code.
"""

import os
import signal
import socket
import sys
import time
from importlib import resources
from pathlib import Path
from typing import NoReturn

import click

from pipelines.dagster_home import prepare_dagster_home
from pipelines.options import DATA, PROFILE, SOURCES, VARIABLES

_DEFINITIONS = ("-m", "pipelines.definitions")
_WORKSPACE = str(resources.files("pipelines").joinpath("workspace.yaml"))
# The path of a socket is limited to 108 bytes on Linux, 104 on macOS, including a final zero.
_MAX_SOCKET_PATH = 103
_POLL_SECONDS = 0.5
_HOST = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
_PORT = click.option("--port", type=int, default=3000, show_default=True, help="Port to listen on.")


@click.group()
def dagster() -> None:
    """Run Dagster: the asset graph, runs, checks, schedules and sensors (docs/dagster.md)."""


@dagster.command()
@DATA
@PROFILE
@SOURCES
def code(data_dir: Path, profile: str | None, sources_dir: str | None) -> None:
    """Load the asset graph for daemon and web, and execute the runs that they start."""
    path = _socket_path(data_dir)
    environment = _prepare(data_dir, profile, sources_dir)
    # Not `dagster code-server start`, a second process to load changed code: installed code does
    # not change.
    _execute(environment, "dagster", "api", "grpc", "--socket", path, *_DEFINITIONS)


@dagster.command()
@DATA
@PROFILE
@SOURCES
def daemon(data_dir: Path, profile: str | None, sources_dir: str | None) -> None:
    """Run schedules and sensors: the nightly build, and builds after approved writes."""
    environment = _prepare(data_dir, profile, sources_dir)
    _wait_for_code(environment, data_dir)
    _execute(environment, "dagster-daemon", "run", "-w", _WORKSPACE)


@dagster.command()
@DATA
@PROFILE
@SOURCES
@_HOST
@_PORT
def web(data_dir: Path, profile: str | None, sources_dir: str | None, host: str, port: int) -> None:
    """Serve Dagster's pages. They have no sign-in: keep them on loopback or behind a proxy that
    has."""
    environment = _prepare(data_dir, profile, sources_dir)
    _wait_for_code(environment, data_dir)
    _execute(environment, "dagster-webserver", "-w", _WORKSPACE, "-h", host, "-p", str(port))


@dagster.command()
@DATA
@PROFILE
@SOURCES
@_HOST
@_PORT
def dev(data_dir: Path, profile: str | None, sources_dir: str | None, host: str, port: int) -> None:
    """Run all three in one process group, for trials and development."""
    # The pages would show a traceback only.
    if sources_dir and not Path(sources_dir).is_dir():
        raise click.UsageError(
            f"there is no folder {sources_dir}; --sources names that of publishers' files"
        )
    environment = _prepare(data_dir, profile, sources_dir)
    _execute(environment, "dagster", "dev", "-h", host, "-p", str(port), *_DEFINITIONS)


def _prepare(data_dir: Path, profile: str | None, sources_dir: str | None) -> dict[str, str]:
    """Prepare Dagster's home, and return the environment of its programs."""
    home = prepare_dagster_home(data_dir.resolve())
    return {
        **os.environ,
        "DAGSTER_HOME": str(home),
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "DIRECTORY_DATA_DIR": str(data_dir.resolve()),
        VARIABLES["profile"]: profile or "",
        VARIABLES["sources_dir"]: sources_dir or "",
        # `dagster dev` does what we need, despite its recommendation of another name.
        "PYTHONWARNINGS": "ignore:Function `dev_command`",
    }


def _socket_path(data_dir: Path) -> str:
    """Return the socket path of the code server.

    It is in the data folder, accessible to its owner only: through a port anyone on the machine
    could run code. Raises UsageError.
    """
    path = str(data_dir.resolve() / "dagster" / "code.sock")
    if len(os.fsencode(path)) > _MAX_SOCKET_PATH:
        raise click.UsageError(
            f"the path of the data folder is too long for a socket in it, {path}: "
            f"{_MAX_SOCKET_PATH} bytes at most"
        )
    return path


def _wait_for_code(environment: dict[str, str], data_dir: Path) -> None:
    """Wait until the code server listens, to which workspace.yaml refers by a variable.

    Dagster's daemon and web server would report an error until then.
    """
    path = environment["LARDER_CODE_SOCKET"] = _socket_path(data_dir)
    if not _listens(path):
        click.echo(f"Waiting for the code server (larder dagster code) at {path}", err=True)
    while not _listens(path):
        time.sleep(_POLL_SECONDS)


def _listens(path: str) -> bool:
    """Check whether a server listens at a socket; one that crashed leaves the file behind."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        return client.connect_ex(path) == 0


def _execute(environment: dict[str, str], program: str, *arguments: str) -> NoReturn:
    """Replace this process by one of Dagster's programs, installed next to Python."""
    # A shell starts background jobs with SIGINT ignored; Dagster would then ignore SIGTERM, too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    command = Path(sys.executable).with_name(program)
    os.execve(command, [program, *arguments], environment)  # noqa: S606 - no shell, own arguments
