"""Options that several commands share, completion of ids in the shell, and tables as text."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import msgspec

from schemas.languages import PUBLISHED, languages
from warehouse.files import BusyError
from warehouse.release.signing import KeyFileError
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.storage.bucket import StorageError
from warehouse.storage.replica import PullError

DATA = click.option(
    "--data",
    "data_dir",
    type=click.Path(path_type=Path),
    envvar="DIRECTORY_DATA_DIR",
    default=Path("data"),
    show_default=True,
    help="Data directory (also from DIRECTORY_DATA_DIR).",
)
PROFILES = ("demo", "folder", "live")
# Dagster's processes, which do not have our options, read this too (`pipelines.build`).
VARIABLES = {
    "profile": "LARDER_PROFILE",
    "sources_dir": "LARDER_SOURCES",
    "geography_dir": "LARDER_GEOGRAPHY",
    "demo_rows": "LARDER_DEMO_ROWS",
    "geocode": "LARDER_GEOCODE",
    "probe_urls": "LARDER_PROBE_URLS",
    "rights": "LARDER_RIGHTS",
    "licenses_file": "LARDER_LICENSES_FILE",
    "processes": "LARDER_PROCESSES",
}
PROFILE = click.option(
    "--profile",
    type=click.Choice(PROFILES),
    envvar=VARIABLES["profile"],
    help=(
        "Where builds take their files from (also from LARDER_PROFILE); demo unless given, folder "
        "with --sources."
    ),
)
SOURCES = click.option(
    "--sources",
    "sources_dir",
    envvar=VARIABLES["sources_dir"],
    help="Folder of publishers' files (profile folder; also from LARDER_SOURCES).",
)
JSON = click.option("--json", "as_json", is_flag=True, help="As JSON.")


def complete_release(context: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return ids of releases in the data directory of the command, the newest first."""
    data_dir = context.params.get("data_dir") or context.lookup_default("data_dir") or Path("data")
    return [i for i in reversed(ReleaseStore(data_dir).ids()) if i.startswith(incomplete)]


def complete_source(context: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return ids of sources, including reference sources."""
    from schemas.sources.registry import reference_sources, sources  # noqa: PLC0415 - reads 60 files

    source_ids = sorted({**sources(), **reference_sources()})
    return [source for source in source_ids if source.startswith(incomplete)]


def complete_language(context: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return codes of the languages that have a catalogue."""
    return [code for code in languages() if code not in PUBLISHED and code.startswith(incomplete)]


_EXPECTED = (ReleaseError, BusyError, KeyFileError, FileNotFoundError, StorageError, PullError)


class errors_as_messages:
    """End the command with a message and status 1, without a traceback, on expected errors."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, _EXPECTED):
            raise click.ClickException(str(error)) from error


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as aligned text; numbers to the right."""
    cells = [[f"{v:,}" if isinstance(v, int) else str(v) for v in row] for row in rows]
    widths = [max(len(str(c)) for c in column) for column in zip(headings, *cells, strict=True)]
    lines = [_line(headings, widths), _line(["-" * w for w in widths], widths)]
    return "\n".join([*lines, *(_line(row, widths) for row in cells)])


def rows_text(headings: Sequence[str], rows: Iterable[Sequence[object]], as_json: bool) -> str:
    """Return rows as aligned text, or as a JSON array of objects by heading (spaces as `_`)."""
    if not as_json:
        return table(headings, rows)
    keys = [heading.replace(" ", "_") for heading in headings]
    return msgspec.json.encode([dict(zip(keys, row, strict=True)) for row in rows]).decode()


def _line(values: Sequence[str], widths: Sequence[int]) -> str:
    is_number = [v.replace(",", "").replace(".", "").isdigit() for v in values]
    padded = [
        v.rjust(w) if number else v.ljust(w)
        for v, w, number in zip(values, widths, is_number, strict=True)
    ]
    return "  ".join(padded).rstrip()
