"""`larder operations`: look after the store of what people write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from warehouse.operations import claims as claim_store
from warehouse.operations.backup import BackupError, backup, restore
from warehouse.operations.engine import Store, StoreUnavailableError, StoreURLError, open_store
from warehouse.operations.retention import retain
from warehouse.operations.upgrade import head, version_of

STORE = click.option(
    "--url",
    envvar="LARDER_OPERATIONS_URL",
    default="",
    help="Database of the store (also from LARDER_OPERATIONS_URL); the data directory's SQLite file when empty.",
)
FILE = click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path),
    envvar="LARDER_OPERATIONS_FILE",
    help="SQLite file of the store, where there is no URL.",
)
DATA = click.option(
    "--data",
    "data_dir",
    type=click.Path(path_type=Path),
    envvar="DIRECTORY_DATA_DIR",
    default=Path("data"),
    show_default=True,
    help="Data directory.",
)


@click.group()
def operations() -> None:
    """Manage the store of user submissions: upgrade, backup, restore, retention, claims."""


@contextmanager
def _open_store(
    url: str, file: Path | None, data_dir: Path, *, upgrades: bool = True
) -> Iterator[Store]:
    try:
        store = open_store(url or file or data_dir / "operations.sqlite", upgrades=upgrades)
        try:
            yield store
        finally:
            store.close()
    except (StoreUnavailableError, StoreURLError, BackupError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    except claim_store.UnknownTokenError as error:
        raise click.ClickException("there is no such claim") from error


@operations.command("upgrade")
@STORE
@FILE
@DATA
def upgrade_store(url: str, file: Path | None, data_dir: Path) -> None:
    """Bring the tables to this version. The service does so itself unless
    LARDER_OPERATIONS_UPGRADE=off.
    """
    with _open_store(url, file, data_dir) as store, store.read() as db:
        click.echo(f"version {version_of(db)} of {head()}")


@operations.command("backup")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@STORE
@FILE
@DATA
def backup_store(path: Path, url: str, file: Path | None, data_dir: Path) -> None:
    """Write the whole store to PATH, while the service runs. The file holds e-mail addresses: keep
    it safe.
    """
    with _open_store(url, file, data_dir) as store:
        click.echo(_counts(backup(store, path)))


@operations.command("restore")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Discard the store's present contents.")
@STORE
@FILE
@DATA
def restore_store(path: Path, replace: bool, url: str, file: Path | None, data_dir: Path) -> None:
    """Restore a backup into the store, all or nothing; also from SQLite into PostgreSQL and
    back."""
    with _open_store(url, file, data_dir) as store:
        click.echo(_counts(restore(store, path, replace=replace)))


@operations.command("retention")
@STORE
@FILE
@DATA
def delete_old(url: str, file: Path | None, data_dir: Path) -> None:
    """Delete what is past its time. The service does so every day."""
    with _open_store(url, file, data_dir) as store, store.write() as db:
        click.echo(_counts(retain(db, datetime.now(UTC))))


@operations.command("claims")
@STORE
@FILE
@DATA
def list_claims(url: str, file: Path | None, data_dir: Path) -> None:
    """List claims that await an administrator."""
    with _open_store(url, file, data_dir) as store, store.read() as db:
        for claim in claim_store.claims_to_review(db):
            proven = "address proven" if claim.email_proven_at else "address not proven"
            click.echo(
                f"{claim.claim_id}  resource {claim.resource_id}  {claim.state}  {claim.operator_email} ({proven})  {claim.operator_name or ''} {claim.operator_phone or ''}"
            )


@operations.command("confirm-claim")
@click.argument("claim_id", type=int)
@click.option("--by", "who", required=True, help="Your name, for the audit log.")
@STORE
@FILE
@DATA
def confirm_claim(claim_id: int, who: str, url: str, file: Path | None, data_dir: Path) -> None:
    """Confirm a claim after verifying the claimant's identity."""
    with _open_store(url, file, data_dir) as store, store.write() as db:
        claim = claim_store.claim_by_id(db, claim_id)
        if claim.state == "revoked":
            raise click.ClickException("the claim was revoked")
        claim_store.confirm(
            db, claim_id, "administrator", f"administrator {who}", datetime.now(UTC)
        )
    click.echo(f"claim {claim_id} is confirmed")


@operations.command("revoke-claim")
@click.argument("claim_id", type=int)
@click.option("--by", "who", required=True, help="Your name, for the audit log.")
@STORE
@FILE
@DATA
def revoke_claim(claim_id: int, who: str, url: str, file: Path | None, data_dir: Path) -> None:
    """Revoke a claim; its reports are no longer shown."""
    with _open_store(url, file, data_dir) as store, store.write() as db:
        claim_store.revoke(db, claim_id, f"administrator {who}", datetime.now(UTC))
    click.echo(f"claim {claim_id} is revoked")


def _counts(counts: dict[str, int]) -> str:
    return "\n".join(f"{rows:>9,}  {name}" for name, rows in counts.items())
