"""`larder veterans`: manual work on the data set of resources for veterans."""

import csv
import io
from pathlib import Path

import click

from pipelines.options import DATA
from schemas.tables.veterans import VETERAN_RESOURCES
from schemas.values.formulas import without_formula
from warehouse.parquet import read_frame
from warehouse.release.store import ReleaseStore


@click.group()
def veterans() -> None:
    """Maintain the data set of resources for veterans."""


@veterans.command("phone-sample")
@DATA
@click.option(
    "--size",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="About how many numbers.",
)
def phone_sample(data_dir: Path, size: int) -> None:
    """Print the served release's sample of telephone numbers to look up, as CSV.

    Fill in looked_up_on (YYYY-MM-DD), result (right, wrong or unclear) and by, save the file as
    phone_lookups.csv in the folder of the publishers' files or in the data directory, and build:
    the data set then states how many numbers were looked up and how many were right. Add later
    samples to the same file.
    """
    from assets.veterans.phone_sample import draw_sample  # noqa: PLC0415 - pandas costs half a second

    store = ReleaseStore(data_dir)
    release_id = store.current()
    if release_id is None:
        raise click.ClickException(f"{data_dir} serves no release; run `larder build` first")
    path = store.folder(release_id) / "exports" / f"{VETERAN_RESOURCES.name}.parquet"
    if not path.is_file():
        raise click.ClickException(
            f"release {release_id} has no data set of resources for veterans"
        )
    sample = draw_sample(read_frame(path), release_id, size)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(sample.columns)
    for row in sample.astype(object).where(sample.notna(), "").itertuples(index=False):
        writer.writerow([without_formula(str(value)) for value in row])
    click.echo(text.getvalue(), nl=False)
