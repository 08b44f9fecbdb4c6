"""`larder release push` and `pull`: releases to and from object storage."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from pipelines.options import DATA
from warehouse.files import BusyError
from warehouse.release.signing import KeyFileError, public_keys
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.storage.bucket import Bucket, StorageError, is_storage_url
from warehouse.storage.fetching import PullError
from warehouse.storage.publish import describe_push, prune_storage, push
from warehouse.storage.replica import Replica

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
PARALLEL = click.option(
    "--parallel",
    type=click.IntRange(1, 32),
    envvar="LARDER_STORAGE_PARALLEL",
    default=4,
    show_default=True,
    help="Transfers at once.",
)


@click.command("push")
@TO
@DATA
@PARALLEL
@click.option(
    "--again", is_flag=True, help="Send every file again, to repair damage in the storage."
)
@click.option(
    "--keep",
    type=click.IntRange(2),
    help="Then delete all but the newest KEEP releases from the storage.",
)
def push_command(url: str, data_dir: Path, parallel: int, again: bool, keep: int | None) -> None:
    """Publish the served release: its files, then the manifest, then the pointer."""
    with _messages():
        bucket = Bucket(url)
        pushed = push(_store(data_dir), bucket, parallel=parallel, again=again)
        click.echo(describe_push(pushed, bucket.url))
        for release_id in prune_storage(bucket, keep) if keep else []:
            click.echo(f"deleted {release_id} from {bucket.url}")


@click.command("pull")
@TO
@DATA
@PARALLEL
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
def pull_command(url: str, data_dir: Path, parallel: int, key: str | None, keep: int) -> None:
    """Fetch the release that the storage serves, check all of it, and serve it here."""
    with _messages():
        replica = Replica(
            Bucket(url),
            _folder(data_dir),
            public_keys(key) if key else {},
            parallel=parallel,
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


def _folder(data_dir: Path) -> Path:
    if is_storage_url(str(data_dir)) or ":/" in str(data_dir):
        raise ReleaseError(
            "--data is a folder of this machine; the object storage is named by "
            "LARDER_STORAGE_URL or --to"
        )
    return data_dir


def _store(data_dir: Path) -> ReleaseStore:
    return ReleaseStore(_folder(data_dir))


@contextmanager
def _messages() -> Iterator[None]:
    """Turn expected errors into a message and exit status 1."""
    try:
        yield
    except (
        ReleaseError,
        BusyError,
        FileNotFoundError,
        StorageError,
        PullError,
        KeyFileError,
    ) as error:
        raise click.ClickException(str(error)) from error
