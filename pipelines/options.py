"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

DATA = click.option(
    "--data",
    "data_dir",
    type=click.Path(path_type=Path),
    envvar="DIRECTORY_DATA_DIR",
    default=Path("data"),
    show_default=True,
    help="Data directory (also from DIRECTORY_DATA_DIR).",
)
