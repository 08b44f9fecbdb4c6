"""`larder`: builds and manages releases from the command line."""

import errno
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

import click
import msgspec
from click.core import ParameterSource

from pipelines.dagster_commands import dagster
from pipelines.docs_commands import docs
from pipelines.operations_commands import operations
from pipelines.options import (
    DATA,
    JSON,
    PROFILE,
    SOURCES,
    VARIABLES,
    complete_source,
    errors_as_messages,
)
from pipelines.organization_commands import organization
from pipelines.release_commands import release
from pipelines.source_authoring import check as check_source
from pipelines.source_authoring import new as new_source
from pipelines.source_commands import source_command
from schemas.update_limits import UPDATE_LIMITS
from warehouse.release.signing import signing_key
from warehouse.release.store import ReleaseError
from warehouse.storage.bucket import StorageError
from warehouse.storage.publish import storage_of

if TYPE_CHECKING:
    from assets.steps.workspace import Workspace


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="open-larder", prog_name="larder")
def main() -> None:
    """Open Larder: an open, reproducible directory of food assistance in the United States."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    logging.getLogger("larder").setLevel(logging.INFO)


main.add_command(organization)
main.add_command(dagster)
main.add_command(docs)
main.add_command(source_command)
source_command.add_command(new_source)
source_command.add_command(check_source)


@main.command()
@PROFILE
@SOURCES
@click.option(
    "--geography",
    "geography_dir",
    envvar=VARIABLES["geography_dir"],
    help="Folder of official reference geography files.",
)
@click.option(
    "--rows",
    "demo_rows",
    type=click.IntRange(100, 5_000_000),
    envvar=VARIABLES["demo_rows"],
    help="Rows of the demo (profile demo; also from LARDER_DEMO_ROWS).",
)
@click.option("--seed", "demo_seed", type=int, help="Seed of the demo (profile demo).")
@click.option(
    "--geocode",
    type=click.Choice(["off", "census"]),
    envvar=VARIABLES["geocode"],
    help="census sends public addresses without a point to the Census Bureau; off is the default.",
)
@click.option(
    "--probe-urls/--no-probe-urls",
    default=None,
    envvar=VARIABLES["probe_urls"],
    help="Probe listed websites; on by default in the profile live.",
)
@click.option(
    "--rights",
    type=click.Choice(["withhold", "facts_only", "match_only"]),
    envvar=VARIABLES["rights"],
    help="Use of lists whose publisher states no license, instead of the policy's rule.",
)
@click.option(
    "--licenses-file",
    envvar=VARIABLES["licenses_file"],
    help=(
        "Your policy of licenses and permissions (docs/licences.md); the shipped one unless given."
    ),
)
@click.option("--as-of", help="Date on which freshness is judged, YYYY-MM-DD; today unless given.")
@click.option(
    "--only",
    multiple=True,
    metavar="SOURCE",
    shell_complete=complete_source,
    help="Refresh only this source, and others with --only again; no release is built.",
)
@click.option(
    "--json",
    "json_file",
    type=click.File("wb", lazy=True),
    help="Also write the outcome as JSON to this file; - prints it instead of the report.",
)
@click.option(
    "--quiet",
    is_flag=True,
    help="Only the id of the served release; errors and failed sources on standard error.",
)
@click.option(
    "--accept-drops",
    is_flag=True,
    default=None,
    help="Release although a source or state lost many rows.",
)
@click.option(
    "--accept",
    multiple=True,
    metavar="SOURCE:FIELD",
    help=(
        "Take an update of a source that was held back because this field changed in too many "
        "rows; others with --accept again."
    ),
)
@click.option(
    "--change-profile",
    is_flag=True,
    default=None,
    help="Replace a release of publishers' files by one of another profile.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    envvar=VARIABLES["processes"],
    help="Processes among which large steps divide their work; one per core unless given.",
)
@DATA
def build(
    profile: str | None,
    sources_dir: str | None,
    data_dir: Path,
    only: tuple[str, ...],
    json_file: IO[bytes] | None,
    quiet: bool,
    accept: tuple[str, ...],
    **settings: object,
) -> None:
    """Build a release from a profile's files and serve it.

    Every step reports its progress; the final report accounts for every row. If anything fails, the
    exit status is 1, the report gives the reason, and the last good release stays in service. A
    source that cannot be fetched or read is named with the reason; the others continue, and its
    last good tables stay in use. With LARDER_STORAGE_URL the last step publishes the release to
    that object storage.
    """
    from pipelines.build import (  # noqa: PLC0415 - Dagster costs seconds
        ProfileError,
        require_files,
        workspace_for,
    )
    from pipelines.report import build_report, list_failures  # noqa: PLC0415
    from pipelines.run import run_build  # noqa: PLC0415

    _require_sources(only)
    _require_fields(accept)
    try:
        # An invalid key or address would otherwise be found only at the end.
        signing_key(), storage_of()
        workspace = workspace_for(
            profile, data_dir, sources_dir=sources_dir, accept=list(accept), **settings
        )
        source_of = click.get_current_context().get_parameter_source
        for option, name in (("--rows", "demo_rows"), ("--seed", "demo_seed")):
            if workspace.profile != "demo" and source_of(name) == ParameterSource.COMMANDLINE:
                raise click.UsageError(
                    f"{option} is only for the demo; the profile is {workspace.profile}"
                )
        require_files(workspace)
        workspace.require_served_profile()
    except (ProfileError, ReleaseError, StorageError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    if workspace.profile == "live":
        _ask_about_terms(workspace)
        if os.environ.get(VARIABLES["profile"]) != "live":
            # The graph has steps for every living list: a process has to know its profile first.
            again = [sys.executable, "-m", "pipelines", *sys.argv[1:]]
            environment = {**os.environ, VARIABLES["profile"]: "live"}
            done = subprocess.run(again, env=environment, check=False)  # noqa: S603 - this command
            sys.exit(done.returncode)
    if quiet:
        logging.getLogger("larder").setLevel(logging.WARNING)
    try:
        outcome = run_build(workspace, only)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise click.ClickException(f"{error}. The last good release remains current.") from error
    if json_file:
        json_file.write(msgspec.json.encode(outcome))
    if quiet:
        for failure in list_failures(outcome):
            click.echo(failure, err=True)
    if not (json_file and json_file.name == "-"):
        click.echo(outcome.release_id if quiet else build_report(outcome, workspace))
    sys.exit(0 if outcome.is_success else 1)


def _ask_about_terms(workspace: "Workspace") -> None:
    """Ask once, in a terminal, about the lists whose publishers state no terms."""
    from pipelines.permissions import record_permission, undecided_lists  # noqa: PLC0415

    undecided = undecided_lists(workspace)
    if not undecided or not sys.stdin.isatty():
        return
    click.echo(
        f"The publishers of {len(undecided)} living lists state no terms of use. Open Larder can "
        "publish name, address, telephone and hours of their places, with a link to the publisher."
    )
    if click.confirm("Publish them? (Ask the food banks first if you can.)"):
        by = click.prompt("Your name and office, for the record")
        today = workspace.as_of_date
        record_permission(Path(workspace.root), None, by=by, day=today, words="", use="facts_only")


def _require_sources(ids: tuple[str, ...]) -> None:
    """Raise BadParameter for ids that no source has."""
    from schemas.sources.registry import sources  # noqa: PLC0415 - see `build`

    if unknown := [source for source in ids if source not in sources()]:
        raise click.BadParameter(
            f"no source {', '.join(unknown)}; docs/sources.md lists them", param_hint="--only"
        )


def _require_fields(accepted: tuple[str, ...]) -> None:
    """Raise BadParameter for an acceptance that is not SOURCE:FIELD."""
    from schemas.sources.registry import sources  # noqa: PLC0415 - see `build`

    for text in accepted:
        source, _, field = text.partition(":")
        if source not in sources() or field not in UPDATE_LIMITS.fields:
            raise click.BadParameter(
                f"{text!r} is not SOURCE:FIELD; fields are {', '.join(UPDATE_LIMITS.fields)}, and "
                "docs/sources.md lists the sources",
                param_hint="--accept",
            )


main.add_command(operations)
main.add_command(release)


@main.command()
@click.argument("texts", type=click.File("r", encoding="utf-8", errors="replace"), default="-")
@click.option(
    "--unread",
    is_flag=True,
    help=(
        "Read nothing; show the commonest patterns of hours that are not read, and by source how "
        "many clauses of the texts of the last build nothing reads."
    ),
)
@DATA
def hours(texts: TextIO, unread: bool, data_dir: Path) -> None:
    """Read opening hours, one text per line; print one JSON array of schedules (or null) per
    line."""
    from assets.hours.columns import hours_lines  # noqa: PLC0415

    if unread:
        from pipelines.hours_report import report_unread  # noqa: PLC0415

        with errors_as_messages():
            click.echo(report_unread(data_dir))
        return
    for line in hours_lines(texts):
        click.echo(line)


@main.command()
@click.argument("records", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("output", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option(
    "--reasons", is_flag=True, help="Add a column that says why a record belongs to its cluster."
)
@JSON
def match(records: Path, output: Path | None, reasons: bool, as_json: bool) -> None:
    """Find the rows of a CSV file that describe one place.

    RECORDS has the columns id, name, address, city, state, zip, phone, website, lat, lng; any but
    id may be empty or missing. OUTPUT (default: <RECORDS>.clusters.csv) gets id and cluster_id.
    """
    from assets.matching.match_csv import RecordsError, match_records  # noqa: PLC0415

    target = output or records.with_suffix(".clusters.csv")
    try:
        report = match_records(records, target, reasons)
    except RecordsError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        counts = {
            "records": report.records,
            "clusters": report.clusters,
            "merged_records": report.merged_records,
            "doubtful_pairs": len(report.doubtful),
            "output": str(target),
        }
        click.echo(msgspec.json.encode(counts))
        return
    click.echo(
        f"{report.records:,} records, {report.clusters:,} places, {report.merged_records:,} "
        f"records merged, {len(report.doubtful):,} pairs doubtful: {target}"
    )
