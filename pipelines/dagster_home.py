"""Prepare the home of Dagster's instance."""

import os
from importlib import resources
from pathlib import Path

from warehouse.files import lock


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
