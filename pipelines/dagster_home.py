"""Prepares the home of Dagster's instance."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import resources
from pathlib import Path

from warehouse.files import BusyError, lock

_LOG = logging.getLogger("larder.build")


def prepare_dagster_home(root: Path) -> Path:
    """Return the folder of Dagster's instance below a data folder.

    The first process writes our settings and opens the instance before others do: if two create its
    databases concurrently, Dagster marks one as an older version and never opens it again.
    """
    home = root / "dagster"
    settings = home / "dagster.yaml"
    with lock(home / ".lock", "first use of Dagster", waits=True):
        # Operators may have put their own settings there: PostgreSQL, other run launchers.
        if not settings.exists():
            from dagster import DagsterInstance  # noqa: PLC0415 - Dagster costs seconds

            settings.write_bytes(resources.files("pipelines").joinpath("dagster.yaml").read_bytes())
            DagsterInstance.from_config(str(home)).dispose()
    return home


@contextmanager
def exclude_other_runs(home: Path) -> Iterator[None]:
    """Wait until no other run on this machine writes into the data folder.

    The queue of Dagster's daemon serializes its runs, but not `larder build` and `dagster job
    execute`. Tables of two concurrent builds would be a mixture, from which no release is made.
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
