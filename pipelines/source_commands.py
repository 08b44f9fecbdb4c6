"""`larder source`: works on one source without a build."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click
import msgspec

from pipelines.options import DATA, JSON, complete_source, rows_text
from schemas.sources.registry import Source, feeds, reference_sources, sources
from schemas.sources.rights import read_policy, waits_for
from schemas.tables.core import FOOD_BANKS, RECORD_SOURCES, RESOURCES
from warehouse.fetch.comparing import Outline, outline_of
from warehouse.fetch.errors import FetchError
from warehouse.fetch.live import fetch_live
from warehouse.fetch.settings import read_fetch_settings
from warehouse.files import BusyError
from warehouse.gzip_files import MAX_UNPACKED_BYTES, DamagedFileError
from warehouse.parquet import read_frame
from warehouse.raw_store import RawFile, RawStore, utc_now


@click.group("source")
def source_command() -> None:
    """Draft, fetch and check one source alone (docs/new-source.md, docs/live-sources.md)."""


@source_command.command("fetch")
@click.argument("source_id", metavar="[ID]", required=False, shell_complete=complete_source)
@DATA
@JSON
@click.option("--quiet", is_flag=True, help="Only errors.")
@click.option(
    "--probe",
    is_flag=True,
    help="Ask every living list once (or ID) and print what it would give; keep nothing.",
)
@click.option(
    "--accept-changes",
    is_flag=True,
    help="Take the files even if most of their records or columns are gone.",
)
def fetch(
    source_id: str | None,
    data_dir: Path,
    *,
    as_json: bool,
    quiet: bool,
    probe: bool,
    accept_changes: bool,
) -> None:
    """Fetch the live files of source ID and compare them with the previous ones.

    The next build reads them. After a failure the last good files stay in use, and the exit status
    is 1.
    """
    if probe:
        _probe(source_id, data_dir, as_json=as_json)
        return
    if source_id is None:
        raise click.UsageError("Missing argument 'ID' (or --probe for all living lists).")
    source = _source_of(source_id)
    if reason := waits_for(source, read_policy(recorded=data_dir), utc_now().date()):
        raise click.ClickException(f"{source_id} {reason}")
    store = RawStore(data_dir)
    try:
        settings = read_fetch_settings()
        try:
            before: Sequence[RawFile] = store.files(source.id)
        except DamagedFileError:
            before = ()
        say = (lambda text: None) if quiet or as_json else click.echo
        if settings.user_agent.endswith(")"):
            say(f"asking as {settings.user_agent}")
        else:
            say("no contact is set: publishers cannot reach you (LARDER_FETCH_CONTACT)")
        files = fetch_live(settings, source, store, say, accept_changes=accept_changes)
    except (FetchError, BusyError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    if not quiet:
        click.echo(report_of(before, files, as_json=as_json))


def _probe(source_id: str | None, data_dir: Path, *, as_json: bool) -> None:
    """Print a line for each living list, then what failed; exit with 1 if nothing answered."""
    from pipelines.source_probe import probe_feeds, probe_row  # noqa: PLC0415 - pandas costs a second

    chosen = [_source_of(source_id)] if source_id else list(feeds().values())
    policy, today = read_policy(recorded=data_dir), utc_now().date()
    waiting = {s.id: why for s in chosen if (why := waits_for(s, policy, today))}
    asked = [source for source in chosen if source.id not in waiting]
    try:
        settings = read_fetch_settings()
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    probes = []
    for at, found in enumerate(probe_feeds(asked, settings), start=1):
        probes.append(found)
        click.echo(f"{at} of {len(asked)}: {found.source.id}", err=True)
    headings = ["states", "list", "answer", "rows", "used", "hours read", "columns", "license"]
    click.echo(rows_text(headings, [probe_row(each) for each in probes], as_json))
    if not as_json:
        for each in probes:
            if each.failure:
                click.echo(f"{each.source.id}: {each.failure}")
        for name, why in waiting.items():
            click.echo(f"{name} {why}")
    answered = sum(not each.failure for each in probes)
    click.echo(f"{answered} of {len(asked)} lists answer", err=True)
    if asked and not answered:
        raise click.exceptions.Exit(1)


@source_command.command("allow")
@click.argument("source_id", metavar="[ID]", required=False, shell_complete=complete_source)
@DATA
@click.option("--by", required=True, help="Who permitted it, with the office.")
@click.option("--on", "day", type=click.DateTime(["%Y-%m-%d"]), required=True, help="On which day.")
@click.option("--words", default="", help="The publisher's own words.")
@click.option(
    "--use",
    type=click.Choice(["publish", "facts_only", "match_only"]),
    default="facts_only",
    show_default=True,
)
@click.option(
    "--terms-not-stated",
    is_flag=True,
    help="Decide once for all lists whose publishers state no terms, instead of ID.",
)
def allow(
    source_id: str | None,
    data_dir: Path,
    *,
    by: str,
    day: datetime,
    words: str,
    use: str,
    terms_not_stated: bool,
) -> None:
    """Record who permitted the use of list ID, and when.

    The record is kept in the data folder (permissions.yaml). A list that needs a permission is
    fetched from then on; the build report and /about name the permission.
    """
    from pipelines.permissions import record_permission  # noqa: PLC0415 - Dagster costs seconds

    if (source_id is None) == (not terms_not_stated):
        raise click.UsageError("Name a list, or use --terms-not-stated for all of them.")
    if source_id is not None and not words.strip():
        raise click.UsageError("--words: record the publisher's own words.")
    try:
        record_permission(data_dir, source_id, by=by, day=day.date(), words=words, use=use)
    except (msgspec.ValidationError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{source_id or 'all lists without stated terms'}: {use}, by {by}, {day:%Y-%m-%d}")


@source_command.command("gaps")
@DATA
@JSON
@click.option("--state", help="Only food banks of this state, for example OH.")
def gaps(data_dir: Path, as_json: bool, state: str | None) -> None:
    """List the network's food banks with and without a live source of places in their area.

    Reads the tables of the last build. The network's list is quoted, never published as a table.
    """
    from assets.release.publish import source_gaps  # noqa: PLC0415 - pandas costs a second

    try:
        food_banks, resources, record_sources = (
            read_frame(data_dir / "tables" / f"{t.name}.parquet", columns)
            for t, columns in (
                (FOOD_BANKS, ["name", "state", "served_zips"]),
                (RESOURCES, ["resource_id", "resource_type", "zip", "is_active"]),
                (RECORD_SOURCES, ["resource_id", "source_id"]),
            )
        )
    except FileNotFoundError as error:
        raise click.ClickException(f"{error.filename}: build a release first") from error
    food_bank_rows = source_gaps(food_banks, resources, record_sources, sources())
    if state:
        food_bank_rows = food_bank_rows[food_bank_rows["state"] == state.upper()]
    rows = [
        [
            row.state,
            row.name,
            row.zips,
            row.zips_with_free_food,
            row.free_food_places,
            row.living_sources or "-",
        ]
        for row in food_bank_rows.itertuples(index=False)
    ]
    click.echo(
        rows_text(
            ["state", "food bank", "ZIP codes", "with free food", "places", "living sources"],
            rows,
            as_json,
        )
    )
    if as_json:
        return
    policy, today = read_policy(recorded=data_dir), utc_now().date()
    for feed in feeds().values():
        if (not state or state.upper() in feed.states) and waits_for(feed, policy, today):
            click.echo(f"{','.join(feed.states)}: {feed.id} is declared and needs a permission")
    without = int((food_bank_rows["living_sources"] == "").sum())
    click.echo(
        f"{len(food_bank_rows):,} food banks, {without:,} without a living source in their area"
    )


def _source_of(source_id: str) -> Source:
    by_id = {**sources(), **reference_sources()}
    source = by_id.get(source_id)
    if source is None:
        live = ", ".join(sorted(name for name, each in by_id.items() if each.live))
        raise click.ClickException(f"there is no source {source_id}. With a live feed: {live}")
    if not source.live:
        raise click.ClickException(
            f"{source_id} has no live feed: save its files from {source.homepage} into a folder"
        )
    return source


def report_of(before: Sequence[RawFile], after: Sequence[RawFile], *, as_json: bool = False) -> str:
    """Return a table (or JSON) of the files with their present and previous contents."""
    last = {file.file_name: file for file in before}
    rows = [_row(last.get(file.file_name), file) for file in after]
    return rows_text(["file", "now", "before", "columns", "result"], rows, as_json)


def _row(last: RawFile | None, file: RawFile) -> tuple[str, ...]:
    now = _outline(file)
    if last is None:
        return (file.file_name, _size(now), "-", _columns(now, None), "new")
    then = _outline(last)
    result = "unchanged" if last.sha256 == file.sha256 else "changed"
    return (file.file_name, _size(now), _size(then), _columns(now, then), result)


def _outline(file: RawFile) -> Outline:
    return outline_of(file.path, file.media_type, MAX_UNPACKED_BYTES)


def _size(outline: Outline) -> str:
    return f"{outline.size:,} {outline.unit}"


def _columns(now: Outline, then: Outline | None) -> str:
    if then is None:
        return str(len(now.names)) if now.names else "-"
    gone = [f"-{name}" for name in sorted(then.names - now.names)]
    new = [f"+{name}" for name in sorted(now.names - then.names)]
    return " ".join([*gone, *new]) or "the same"
