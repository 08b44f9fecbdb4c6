"""`larder release`: list, verify, promote, roll back, prune, compare and sample releases."""

import csv
import io
from pathlib import Path

import click
import msgspec

from pipelines.options import DATA, JSON, complete_release, errors_as_messages
from schemas.tables.veterans import VETERAN_RESOURCES
from schemas.values.formulas import without_formula
from warehouse.parquet import read_frame
from warehouse.release.manifest import Manifest
from warehouse.release.signing import KEY_VARIABLE, public_keys, write_new_key
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.storage.bucket import Bucket, is_storage_url
from warehouse.storage.publish import describe_push, prune_storage, push
from warehouse.storage.replica import Replica

_DIGEST = 12  # characters by which a reader can distinguish digests


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
def keygen(path: Path) -> None:
    """Make a key that signs the release log: PATH (keep it secret) and PATH.pub (publish it)."""
    try:
        public = write_new_key(path)
    except FileExistsError as error:
        raise click.ClickException(f"{path} exists and is not replaced") from error
    (key_id,) = public_keys(str(public))
    click.echo(
        f"key {key_id}\nprivate: {path}: set {KEY_VARIABLE} to this path where releases are "
        "promoted"
    )
    click.echo(f"public:  {public}: set LARDER_RELEASE_KEYS to this path where the service runs")


# ---------------------------------------------------------------- releases as text


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest for a terminal: time, inputs, and results of the checks."""
    rows = sum(table.rows for table in manifest.tables)
    lines = [
        f"{manifest.release_id}{', synthetic' if manifest.is_synthetic else ''}",
        (
            f"made {manifest.created_at}, data as of {manifest.as_of_date}, after "
            f"{manifest.parent or 'nothing'}"
        ),
        (
            f"{len(manifest.tables)} tables with {rows:,} rows, {len(manifest.files):,} files, "
            f"content {manifest.content_digest[:_DIGEST]}"
        ),
        f"{len(manifest.checks)} checks:",
    ]
    for check in manifest.checks:
        what = f"{check.name} of {check.asset}" if check.asset else check.name
        digest = f" on {check.digest[:_DIGEST]}, {check.checked_at}" if check.digest else ""
        lines.append(f"  {'passed' if check.passed else 'FAILED'}  {what}{digest}: {check.detail}")
    return "\n".join(lines)


# `larder release push` and `pull`: releases to and from object storage.

TO = click.option(
    "--to",
    "--from",
    "url",
    envvar="LARDER_STORAGE_URL",
    required=True,
    help=(
        "Object storage, `s3://bucket/prefix` (also from LARDER_STORAGE_URL). Credentials come "
        "from AWS_* variables."
    ),
)


@click.command("push")
@TO
@DATA
@click.option(
    "--again", is_flag=True, help="Send every file again, to repair damage in the storage."
)
@click.option(
    "--keep",
    type=click.IntRange(2),
    help="Then delete all but the newest KEEP releases from the storage.",
)
def push_command(url: str, data_dir: Path, again: bool, keep: int | None) -> None:
    """Publish the served release: its files, then the manifest, then the pointer."""
    with errors_as_messages():
        bucket = Bucket(url)
        pushed = push(ReleaseStore(_data_dir(data_dir)), bucket, again=again)
        click.echo(describe_push(pushed, bucket.url))
        for release_id in prune_storage(bucket, keep) if keep else []:
            click.echo(f"deleted {release_id} from {bucket.url}")


@click.command("pull")
@TO
@DATA
@click.option(
    "--key",
    envvar="LARDER_RELEASE_KEYS",
    help="Public key that the release log must be signed with (also from LARDER_RELEASE_KEYS).",
)
@click.option(
    "--keep",
    type=click.IntRange(2),
    default=2,
    show_default=True,
    help="Number of releases to retain here.",
)
def pull_command(url: str, data_dir: Path, key: str | None, keep: int) -> None:
    """Fetch the release that the storage serves, check all of it, and serve it here."""
    with errors_as_messages():
        replica = Replica(
            Bucket(url),
            _data_dir(data_dir),
            public_keys(key) if key else {},
            keep=keep,
        )
        pulled = replica.pull()
        if not pulled.is_moved:
            click.echo(f"{pulled.release_id} is served already")
            return
        click.echo(
            f"{pulled.release_id} is served: {pulled.files_fetched} files fetched "
            f"({pulled.bytes_fetched / 1e6:,.1f} MB), {pulled.files_linked} carried over from "
            "earlier releases"
        )
        if not key:
            click.echo("signatures were not checked: no key was given (--key)")


def _data_dir(data_dir: Path) -> Path:
    if is_storage_url(str(data_dir)) or ":/" in str(data_dir):
        raise ReleaseError(
            "--data is a folder of this machine; the object storage is named by "
            "LARDER_STORAGE_URL or --to"
        )
    return data_dir


_ID = click.argument("release_id", required=False, shell_complete=complete_release)


@click.group()
def release() -> None:
    """List, verify, promote, roll back, prune and compare releases; make the key of their log."""


@release.command("list")
@JSON
@DATA
def list_releases(as_json: bool, data_dir: Path) -> None:
    """List all releases, oldest first; the served one is marked with a star."""
    store = ReleaseStore(data_dir)
    current = store.current()
    releases = []
    for release_id in store.ids():
        manifest = store.manifest(release_id)
        rows = manifest.table("core_directory__resources").rows
        kind = " synthetic" if manifest.is_synthetic else ""
        mark = "*" if release_id == current else " "
        if not as_json:
            click.echo(
                f"{mark} {release_id}  {rows:>9,} resources{kind}  built {manifest.created_at}"
            )
        releases.append(
            {
                "release_id": release_id,
                "is_served": release_id == current,
                "resources": rows,
                "is_synthetic": manifest.is_synthetic,
                "created_at": manifest.created_at,
            }
        )
    if as_json:
        click.echo(msgspec.json.encode(releases))
    elif not releases:
        click.echo(f"no release in {store.root}; build one with `larder build`")


@release.command()
@_ID
@click.option(
    "--key",
    "key_texts",
    multiple=True,
    metavar="PUB",
    help="Trusted public key, PEM file or 32 bytes in base64: also check the signed release log."
    " May be repeated.",
)
@JSON
@DATA
def verify(
    release_id: str | None, key_texts: tuple[str, ...], as_json: bool, data_dir: Path
) -> None:
    """Check a release (by default the served one): every file against its manifest, and the totals
    of its parts.

    The tables that the checks read are also compared with those of the release, and the manifests
    of all releases with the release log.
    """
    with errors_as_messages():
        store = ReleaseStore(data_dir)
        manifest = store.verify(release_id or _current(store))
        store.check_log({i: k for text in key_texts for i, k in public_keys(text).items()})
    size = sum(f.size_bytes for f in manifest.stored_files)
    proved = sum(bool(check.digest) for check in manifest.checks)
    files = len(manifest.stored_files)
    if as_json:
        report = {
            "release_id": manifest.release_id,
            "files": files,
            "bytes": size,
            "checks": proved,
        }
        click.echo(msgspec.json.encode(report))
        return
    click.echo(
        f"{manifest.release_id}: {files} files, {size / 1e6:,.1f} MB, all as in the manifest;"
        f" {proved} checks passed on these tables; the totals of all parts agree"
    )


@release.command()
@_ID
@JSON
@DATA
def show(release_id: str | None, as_json: bool, data_dir: Path) -> None:
    """Show the inputs and every check result of a release (by default the served one)."""
    with errors_as_messages():
        store = ReleaseStore(data_dir)
        manifest = store.manifest(release_id or _current(store))
    click.echo(msgspec.json.encode(manifest) if as_json else manifest_text(manifest))


@release.command()
@click.argument("release_id", shell_complete=complete_release)
@DATA
def promote(release_id: str, data_dir: Path) -> None:
    """Verify a release and serve it."""
    with errors_as_messages():
        ReleaseStore(data_dir).promote(release_id)
        click.echo(f"{release_id} is served")


@release.command()
@DATA
def rollback(data_dir: Path) -> None:
    """Serve the newest good release older than the current one."""
    with errors_as_messages():
        click.echo(f"{ReleaseStore(data_dir).rollback()} is served")


@release.command()
@click.argument("release_id", shell_complete=complete_release)
@click.option("--why", required=True, help="Reason, for the log that everyone can read.")
@DATA
def withdraw(release_id: str, why: str, data_dir: Path) -> None:
    """Never serve a release again: no fallback, rollback, promotion, pull or replica does.

    If it is served now, the release before it is. `larder release push` tells the object storage,
    `larder release prune` deletes the files.
    """
    with errors_as_messages():
        served = ReleaseStore(data_dir).withdraw(release_id, why)
        click.echo(f"{release_id} is withdrawn; {served} is served")


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
    """Delete old releases, except the served one; log, manifests and reports of all stay."""
    with errors_as_messages():
        deleted_ids = ReleaseStore(data_dir).prune(keep)
        click.echo(
            "\n".join(f"deleted {release_id}" for release_id in deleted_ids) or "nothing to delete"
        )


@release.command()
@click.argument("older", shell_complete=complete_release)
@click.argument("newer", required=False, shell_complete=complete_release)
@click.option("--json", "form", flag_value="json", help="As JSON.")
@click.option("--markdown", "form", flag_value="markdown", help="As a comment on a pull request.")
@DATA
def diff(older: str, newer: str | None, form: str | None, data_dir: Path) -> None:
    """Show the changes of places between two releases, by source and state, with examples.

    OLDER and NEWER are ids of releases, or data directories with a served release. NEWER defaults
    to the served release of --data.
    """
    from pipelines.release_review import review_markdown, review_text  # noqa: PLC0415
    from warehouse.release.review import review_releases  # noqa: PLC0415

    with errors_as_messages():
        store = ReleaseStore(data_dir)
        review = review_releases(_folder(store, older), _folder(store, newer))
    if form == "json":
        click.echo(msgspec.json.encode(review))
    else:
        click.echo(review_markdown(review) if form else review_text(review), nl=False)


def _folder(store: ReleaseStore, name: str | None) -> Path:
    """Return the folder of a release by its id, or of the served one in a data directory."""
    if name is None or not Path(name).is_dir():
        if name and Path(name).name != name:
            raise ReleaseError(f"there is no data directory {name}")
        return store.folder(name or _current(store))
    other = ReleaseStore(Path(name))
    return other.folder(_current(other))


def _current(store: ReleaseStore) -> str:
    current = store.current()
    if current is None:
        raise ReleaseError(
            f"nothing is served yet in {store.root}; build a release with `larder build`"
        )
    return current


release.add_command(keygen)
release.add_command(push_command)
release.add_command(pull_command)


@release.command("phone-sample")
@DATA
@click.option(
    "--size",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="About how many numbers.",
)
def phone_sample(data_dir: Path, size: int) -> None:
    """Print a sample of the served telephone numbers for veterans, to look up, as CSV.

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
