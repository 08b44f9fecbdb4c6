"""Prepare the home of Dagster's instance."""

from importlib import resources
from pathlib import Path


def write_dagster_home(root: Path) -> Path:
    """Return the folder of Dagster's instance below a data folder, with our settings in it."""
    home = root / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    settings = home / "dagster.yaml"
    # Operators may have put their own there: PostgreSQL, other run launchers.
    if not settings.exists():
        settings.write_bytes(resources.files("pipelines").joinpath("dagster.yaml").read_bytes())
    return home
