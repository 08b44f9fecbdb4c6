"""`larder source new` and `check`: write a source from a file, and check one source alone."""

import sys
import tempfile
from pathlib import Path

import click

from pipelines.options import DATA, VARIABLES, complete_source


@click.command("new")
@click.argument("file_or_url")
@click.option("--id", "source_id", help="Id of the source; of the file's name unless given.")
@click.option("--publisher", default="TODO", help="Who publishes the list.")
@click.option("--homepage", default="TODO", help="Page on which the list is.")
@click.option(
    "--license",
    "license_id",
    default="TODO",
    help="Id of the license (schemas/vocab/licenses.yaml), or none-stated.",
)
@click.option("--title", help="Title of the list; it may tell the type of all rows.")
@click.option("--type", "default_type", help="Type of rows whose own type is not stated.")
@click.option("--state", help="State of all rows, for example OH.")
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Checkout to write to; the one that runs unless given.",
)
def new(
    file_or_url: str,
    source_id: str | None,
    publisher: str,
    homepage: str,
    license_id: str,
    title: str | None,
    default_type: str | None,
    state: str | None,
    root: Path | None,
) -> None:
    """Write a new source from a file or an address.

    Writes its YAML, an invented fixture, the records expected of it, and a copy of the file, in
    their places. Prints what each column is taken for and why, ten rows as they would be published,
    and the open questions. Answer each TODO in the YAML, then run `larder source check`.
    """
    from assets.sources.contract import UnreadableFileError  # noqa: PLC0415 - pandas costs a second
    from pipelines.source_drafts import ROOT, Facts, fetch, write_source  # noqa: PLC0415
    from warehouse.fetch.errors import FetchError  # noqa: PLC0415

    is_address = file_or_url.startswith(("http://", "https://"))
    facts = Facts(
        publisher,
        file_or_url if is_address and homepage == "TODO" else homepage,
        license_id,
        title,
        default_type,
        state.upper() if state else None,
    )
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = fetch(file_or_url, Path(folder))
            report = write_source(path, source_id, facts, root or ROOT)
    except (UnreadableFileError, FetchError, OSError, ValueError) as error:
        click.echo(f"larder source new: {error}", err=True)
        sys.exit(1)
    click.echo(report)


@click.command()
@click.argument("source_id", shell_complete=complete_source)
@click.option(
    "--files",
    type=click.Path(path_type=Path, exists=True),
    help="A file or folder of files; otherwise those in files/sources/ID, or of the last build.",
)
@click.option(
    "--yaml",
    "yaml_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A draft of the source outside schemas/sources.",
)
@click.option(
    "--rights",
    envvar=VARIABLES["rights"],
    type=click.Choice(["withhold", "facts_only", "match_only"]),
    help="Rule for lists without a stated license (also from LARDER_RIGHTS).",
)
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Checkout that has the draft; the one that runs unless given.",
)
@DATA
def check(
    source_id: str,
    files: Path | None,
    yaml_file: Path | None,
    rights: str | None,
    root: Path | None,
    data_dir: Path,
) -> None:
    """Read, clean, locate and match one source alone, and report the figures for a reviewer.

    Counts, rejects with examples, how many rows have each field, whether the list is plausible,
    unused columns, and the differences from the edition of the last build. The last line is the
    verdict. Exit status 1 if a TODO remains, a file cannot be read, too many rows are unusable, the
    list is not plausible, or nothing would be published.
    """
    from pipelines.source_drafts import ROOT  # noqa: PLC0415
    from pipelines.source_review import SourceReviewError, review_source  # noqa: PLC0415

    try:
        report, is_sound = review_source(
            source_id, files, yaml_file, data_dir, rights, root or ROOT
        )
    except SourceReviewError as error:
        click.echo(f"larder source check: {error}", err=True)
        sys.exit(1)
    click.echo(report)
    sys.exit(0 if is_sound else 1)
