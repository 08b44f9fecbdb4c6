"""`larder source infer` and `check`: draft a source from a file, and check one source alone."""

import sys
from pathlib import Path

import click

from pipelines.options import DATA, complete_source


@click.command()
@click.argument("file_or_url")
@click.option("--id", "source_id", help="Id of the source; of the file's name unless given.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("draft"),
    show_default=True,
    help="Folder for the YAML file, the fixture, the test and the map.",
)
def infer(file_or_url: str, source_id: str | None, out: Path) -> None:
    """Propose a source for a file: its columns, with a confidence for each, and five samples.

    Writes <id>.yaml, an invented fixture of the same shape, a test with named cases and a map. Read
    them, correct them, and move them to schemas/sources and tests/unit/assets/sources.
    """
    from assets.sources.contract import UnreadableFileError  # noqa: PLC0415 - pandas costs a second
    from pipelines.source_drafts import draft_source, fetch  # noqa: PLC0415
    from warehouse.fetch.errors import FetchError  # noqa: PLC0415

    try:
        path = fetch(file_or_url, out)
        draft = draft_source(path, source_id, file_or_url, out)
    except (UnreadableFileError, FetchError, OSError, ValueError) as error:
        click.echo(f"larder source infer: {error}", err=True)
        sys.exit(1)
    click.echo(draft)


@click.command()
@click.argument("source_id", shell_complete=complete_source)
@click.option(
    "--files",
    type=click.Path(path_type=Path, exists=True),
    help="A file or folder of files; otherwise the files of the last build.",
)
@click.option(
    "--yaml",
    "yaml_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A draft of the source outside schemas/sources.",
)
@click.option("--map", "map_file", type=click.Path(path_type=Path), help="Write a map (HTML).")
@DATA
def check(
    source_id: str,
    files: Path | None,
    yaml_file: Path | None,
    map_file: Path | None,
    data_dir: Path,
) -> None:
    """Read, clean, locate and match one source alone, and report the figures for a reviewer.

    Counts, rejects with examples, how many rows have each field, unused columns, and the
    differences from the edition of the last build. Exit status 1 if a file cannot be read or too
    many rows are unusable.
    """
    from pipelines.source_review import SourceReviewError, review_source  # noqa: PLC0415

    try:
        report, is_sound = review_source(source_id, files, yaml_file, map_file, data_dir)
    except SourceReviewError as error:
        click.echo(f"larder source check: {error}", err=True)
        sys.exit(1)
    click.echo(report)
    sys.exit(0 if is_sound else 1)
