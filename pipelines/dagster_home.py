"""Prepare the home of Dagster's instance."""

import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import resources
from pathlib import Path

from warehouse.files import BusyError, lock

_LOG = logging.getLogger("larder.build")


def prepare_dagster_home(root: Path) -> Path:
    """Return the folder of Dagster's instance below a data folder, DAGSTER_HOME from now on.

    The first process writes our settings and opens the instance before others do: of two that
    create its databases at once Dagster marks one as of an older version, and opens it never again.
    """
    home = root / "dagster"
    settings = home / "dagster.yaml"
    # Settings of the instance refer to it.
    os.environ["DAGSTER_HOME"] = str(home)
    with lock(home / ".lock", "first use of Dagster", waits=True):
        # Operators may have put their own there: PostgreSQL, other run launchers.
        if not settings.exists():
            from dagster import DagsterInstance  # noqa: PLC0415 - Dagster costs seconds

            settings.write_bytes(resources.files("pipelines").joinpath("dagster.yaml").read_bytes())
            DagsterInstance.from_config(str(home)).dispose()
    return home


@contextmanager
def exclude_other_runs(home: Path) -> Iterator[None]:
    """Wait until no other run of this machine writes into the data folder; the next one waits.

    The queue of Dagster's daemon holds one run back for another, but not `larder build`. Tables of
    two builds at once are a mixture, which no release is made of.
    """
    path = home / ".run.lock"
    with ExitStack() as stack:
        try:
            stack.enter_context(lock(path, "run"))
        except BusyError:
            _LOG.info(
                "Another run is at work in this data folder; waiting until it ends (%s)", path
            )
            stack.enter_context(lock(path, "run", waits=True))
        yield
