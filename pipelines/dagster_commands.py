"""`larder dagster`: Dagster's web server and daemon on the data folder of the builds."""

import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from pipelines.dagster_home import write_dagster_home
from pipelines.options import DATA, PROFILE, SOURCES, VARIABLES, require_profile

_DEFINITIONS = ("-m", "pipelines.definitions")
_HOST = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
_PORT = click.option("--port", type=int, default=3000, show_default=True, help="Port to listen on.")


@click.group()
def dagster() -> None:
    """Run Dagster: the asset graph, runs, checks, schedules and sensors (docs/dagster.md)."""


@dagster.command()
@DATA
@PROFILE
@SOURCES
def daemon(data_dir: Path, profile: str | None, sources_dir: str | None) -> None:
    """Run schedules and sensors: the nightly build, and builds after approved writes."""
    _run(data_dir, profile, sources_dir, "dagster-daemon", "run")


@dagster.command()
@DATA
@PROFILE
@SOURCES
@_HOST
@_PORT
def web(data_dir: Path, profile: str | None, sources_dir: str | None, host: str, port: int) -> None:
    """Serve Dagster's pages. They have no sign-in: keep them on loopback or behind a proxy that has."""
    _run(data_dir, profile, sources_dir, "dagster-webserver", "-h", host, "-p", str(port))


@dagster.command()
@DATA
@PROFILE
@SOURCES
@_HOST
@_PORT
def dev(data_dir: Path, profile: str | None, sources_dir: str | None, host: str, port: int) -> None:
    """Run both in one process group, to try and to change the code."""
    _run(data_dir, profile, sources_dir, "dagster", "dev", "-h", host, "-p", str(port))


def _run(
    data_dir: Path, profile: str | None, sources_dir: str | None, program: str, *arguments: str
) -> NoReturn:
    """Replace this process by one of Dagster's programs, which lie next to Python."""
    require_profile(profile, sources_dir, data_dir)
    os.environ |= {
        "DAGSTER_HOME": str(write_dagster_home(data_dir.resolve())),
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "DIRECTORY_DATA_DIR": str(data_dir.resolve()),
        VARIABLES["profile"]: profile or "",
        VARIABLES["sources_dir"]: sources_dir or "",
        # `dagster dev` does what we want of it, whatever it would rather be called.
        "PYTHONWARNINGS": "ignore:Function `dev_command`",
    }
    command = Path(sys.executable).with_name(program)
    os.execv(command, [program, *arguments, *_DEFINITIONS])  # noqa: S606 - no shell, own arguments
