"""`larder`: build releases and look after them, from the command line."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TextIO

import click
import msgspec

from pipelines.dagster_commands import dagster
from pipelines.history_commands import (
    keygen,
    manifest_text,
    verify_log_command,
)
from pipelines.infrequent_gc import infrequent_gc
from pipelines.language_commands import language
from pipelines.operations_commands import operations
from pipelines.options import DATA
from pipelines.organization_commands import organization
from pipelines.source_authoring import check as check_source
from pipelines.source_authoring import infer as infer_source
from pipelines.source_commands import source_command
from pipelines.storage_commands import pull_command, push_command
from pipelines.veteran_commands import veterans
from warehouse.files import BusyError
from warehouse.release.signing import signing_key
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.storage.bucket import StorageError
from warehouse.storage.publish import storage_of, transfers_of


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="open-larder", prog_name="larder")
def main() -> None:
    """Open Larder: an open, reproducible directory of food assistance in the United States."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    logging.getLogger("larder").setLevel(logging.INFO)


main.add_command(organization)
main.add_command(dagster)
main.add_command(language)
main.add_command(source_command)
source_command.add_command(infer_source)
source_command.add_command(check_source)


@main.command()
@click.option("--profile", default="demo", show_default=True, help="demo, folder or live.")
@click.option("--sources", "sources_dir", help="Folder of publishers' files (profile folder).")
@click.option("--geography", "geography_dir", help="Folder of official reference geography files.")
@click.option(
    "--rows",
    "demo_rows",
    type=click.IntRange(100, 5_000_000),
    envvar="LARDER_DEMO_ROWS",
    help="Rows of the demo (profile demo; also from LARDER_DEMO_ROWS).",
)
@click.option("--seed", "demo_seed", type=int, help="Seed of the demo (profile demo).")
@click.option(
    "--geocode",
    type=click.Choice(["off", "census"]),
    envvar="LARDER_GEOCODE",
    help="census sends public addresses without a point to the Census Bureau; off is the default.",
)
@click.option(
    "--probe-urls/--no-probe-urls",
    default=None,
    envvar="LARDER_PROBE_URLS",
    help="Probe listed websites; on by default in the profile live.",
)
@click.option(
    "--rights",
    type=click.Choice(["withhold", "facts_only", "match_only"]),
    help="Use of lists whose publisher states no licence, instead of the policy's rule.",
)
@click.option(
    "--licenses-file",
    envvar="LARDER_LICENSES_FILE",
    help="Your policy of licences and permissions (docs/licences.md); the shipped one unless given.",
)
@click.option("--as-of", help="Date on which freshness is judged, YYYY-MM-DD; today unless given.")
@click.option(
    "--only",
    multiple=True,
    metavar="SOURCE",
    help="Refresh only these sources; no release is built.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    help="Also write the outcome as JSON to this file.",
)
@click.option(
    "--accept-drops",
    is_flag=True,
    default=None,
    help="Release although a source or state lost many rows.",
)
@DATA
@infrequent_gc()
def build(
    profile: str, data_dir: Path, only: tuple[str, ...], json_file: Path | None, **settings: object
) -> None:
    """Build a release from a profile's files and serve it.

    Every step reports as it goes; the report at the end accounts for every row. When anything
    fails, the exit status is 1, the report says why, and the last good release keeps serving. A
    source that cannot be fetched or read is named with the reason; the others go on, and its last
    good tables stay in use. Where LARDER_STORAGE_URL is set the last step publishes the release to
    that object storage.
    """
    from pipelines.profiles.profile import ProfileError, workspace_for  # noqa: PLC0415 - Dagster costs seconds
    from pipelines.report import build_report  # noqa: PLC0415
    from pipelines.run import run_build  # noqa: PLC0415
    from schemas.sources.registry import sources  # noqa: PLC0415

    unknown = [source for source in only if source not in sources()]
    if unknown:
        raise click.BadParameter(
            f"{', '.join(unknown)}; known are {', '.join(sources())}", param_hint="--only"
        )
    try:
        # A key or an address that cannot be used would be noticed only at the end.
        signing_key(), storage_of(), transfers_of()
        workspace = workspace_for(profile, data_dir, **settings)
    except (ProfileError, StorageError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    outcome = run_build(workspace, only)
    click.echo(build_report(outcome, workspace))
    if json_file:
        json_file.write_bytes(msgspec.json.encode(outcome))
    sys.exit(0 if outcome.is_success else 1)


main.add_command(operations)
main.add_command(veterans)


@main.group()
def release() -> None:
    """List, verify, promote, roll back, prune and compare releases; sign and verify their log."""


def _store(data_dir: Path) -> ReleaseStore:
    return ReleaseStore(data_dir)


@release.command("list")
@DATA
def list_releases(data_dir: Path) -> None:
    """List all releases, oldest first; the served one is marked with a star."""
    store = _store(data_dir)
    current = store.current()
    for release_id in store.ids():
        manifest = store.manifest(release_id)
        mark = "*" if release_id == current else " "
        kind = " synthetic" if manifest.is_synthetic else ""
        rows = manifest.table("core_directory__resources").rows
        click.echo(f"{mark} {release_id}  {rows:>9,} resources{kind}  built {manifest.created_at}")
    if not store.ids():
        click.echo(f"no release in {store.root}; build one with `larder build`")


@release.command()
@click.argument("release_id", required=False)
@DATA
def verify(release_id: str | None, data_dir: Path) -> None:
    """Check a release (the served one unless named): every file against its manifest, every part's
    totals.

    The tables that the checks saw are compared with those of the release as well.
    """
    with _errors_as_messages():
        store = _store(data_dir)
        manifest = store.verify(release_id or _current(store))
        size = sum(f.size_bytes for f in manifest.stored_files) / 1e6
        proved = sum(bool(check.digest) for check in manifest.checks)
        click.echo(
            f"{manifest.release_id}: {len(manifest.stored_files)} files, {size:,.1f} MB, all as in the manifest;"
            f" {proved} checks passed on these tables; the totals of all parts agree"
        )


@release.command()
@click.argument("release_id", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON: the whole manifest.")
@DATA
def show(release_id: str | None, as_json: bool, data_dir: Path) -> None:
    """Show the inputs and every check result of a release (the served one unless named)."""
    with _errors_as_messages():
        store = _store(data_dir)
        manifest = store.manifest(release_id or _current(store))
    click.echo(msgspec.json.encode(manifest) if as_json else manifest_text(manifest))


@release.command()
@click.argument("release_id")
@DATA
def promote(release_id: str, data_dir: Path) -> None:
    """Verify a release and serve it."""
    with _errors_as_messages():
        _store(data_dir).promote(release_id)
        click.echo(f"{release_id} is served")


@release.command()
@DATA
def rollback(data_dir: Path) -> None:
    """Serve the newest good release older than the current one."""
    with _errors_as_messages():
        click.echo(f"{_store(data_dir).rollback()} is served")


@release.command()
@click.option(
    "--keep",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="How many newest releases stay.",
)
@DATA
def prune(keep: int, data_dir: Path) -> None:
    """Delete old releases; the served one always stays, and log, manifests and reports of all."""
    with _errors_as_messages():
        gone = _store(data_dir).prune(keep)
        click.echo("\n".join(f"deleted {release_id}" for release_id in gone) or "nothing to delete")


@release.command()
@click.argument("older")
@click.argument("newer", required=False)
@click.option("--json", "form", flag_value="json", help="As JSON.")
@click.option("--markdown", "form", flag_value="markdown", help="As a comment on a pull request.")
@click.option("--html", "form", flag_value="html", help="As one HTML page with a map.")
@DATA
def diff(older: str, newer: str | None, form: str | None, data_dir: Path) -> None:
    """Show what changed for places between two releases, by source and state, with examples.

    OLDER and NEWER are ids of releases, or data directories whose served release is meant. Without
    NEWER it is the served release of --data.
    """
    from pipelines.release_review import review_markdown, review_page, review_text  # noqa: PLC0415
    from warehouse.release.review import review_releases  # noqa: PLC0415

    with _errors_as_messages():
        store = _store(data_dir)
        found = review_releases(_folder(store, older), _folder(store, newer))
    shown = {"markdown": review_markdown, "html": review_page}.get(form or "", review_text)
    click.echo(msgspec.json.encode(found) if form == "json" else shown(found), nl=form == "json")


def _folder(store: ReleaseStore, name: str | None) -> Path:
    """Return the folder of a release by its id, or of the served one of a data directory."""
    if name is None or not Path(name).is_dir():
        return store.folder(name or _current(store))
    other = _store(Path(name))
    return other.folder(_current(other))


release.add_command(keygen)
release.add_command(verify_log_command)
release.add_command(push_command)
release.add_command(pull_command)


@main.command("sources")
def list_sources() -> None:
    """List the sources of the registry with publisher, licence and cadence."""
    from schemas.sources.registry import sources  # noqa: PLC0415

    for source in sources().values():
        click.echo(
            f"{source.id}: {source.title} ({source.publisher}; {source.license.name}; {source.cadence})"
        )


@main.command()
@click.argument("texts", type=click.File("r", encoding="utf-8", errors="replace"), default="-")
@click.option(
    "--coverage",
    is_flag=True,
    help="Read nothing; show by source how many places of the last build have hours that could be read.",
)
@click.option(
    "--unread",
    is_flag=True,
    help="Read nothing; show the commonest patterns of hours that are not read, and by source how many clauses of the texts of the last build nothing reads.",
)
@DATA
def hours(texts: TextIO, coverage: bool, unread: bool, data_dir: Path) -> None:
    """Read opening hours, one text a line; print one JSON array of schedules (or null) a line."""
    from assets.hours.lines import hours_lines  # noqa: PLC0415

    if coverage or unread:
        from pipelines.hours_report import coverage_report, unread_report  # noqa: PLC0415

        with _errors_as_messages():
            click.echo(coverage_report(data_dir) if coverage else unread_report(data_dir))
        return
    for line in hours_lines(texts):
        click.echo(line)


@main.command()
@click.argument("records", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("output", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option(
    "--reasons", is_flag=True, help="Add a column that says why a record belongs to its cluster."
)
def match(records: Path, output: Path | None, reasons: bool) -> None:
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
    click.echo(
        f"{report.records:,} records, {report.clusters:,} places, {report.merged_records:,} records merged, "
        f"{len(report.doubtful):,} pairs doubtful: {target}"
    )


@main.command()
@click.option("--check", is_flag=True, help="Write nothing; fail when the document is out of date.")
def docs(check: bool) -> None:
    """Write the generated documents: docs/data-dictionary.md."""
    from pipelines.documents import write_documents  # noqa: PLC0415

    stale = write_documents(check_only=check)
    for path in stale:
        click.echo(f"{'out of date' if check else 'written'}: {path}")
    sys.exit(1 if check and stale else 0)


def _current(store: ReleaseStore) -> str:
    current = store.current()
    if current is None:
        raise ReleaseError(
            f"nothing is served yet in {store.root}; build a release with `larder build`"
        )
    return current


class _errors_as_messages:
    """Expected errors end the command with a message and status 1, without a traceback."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ReleaseError | BusyError | FileNotFoundError):
            raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
