"""`larder operations`: manages the store of user submissions, and its reviewers."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click
import msgspec

from pipelines.options import DATA
from warehouse.operations import audit
from warehouse.operations import claims as claim_store
from warehouse.operations.administrators import CODE_FOR, disable, end_sessions, invite, names
from warehouse.operations.backup import BackupError, backup, restore
from warehouse.operations.engine import (
    Store,
    StoreUnavailableError,
    StoreURLError,
    head,
    open_store,
    version_of,
)
from warehouse.operations.location import default_file
from warehouse.operations.passkeys import passkeys_of, remove_passkey
from warehouse.operations.personal_data import erase_person, export_person, retain

_URL = click.option(
    "--url",
    envvar="LARDER_OPERATIONS_URL",
    default="",
    help=(
        "Database of the store (also from LARDER_OPERATIONS_URL); the data directory's SQLite "
        "file when empty."
    ),
)
_FILE = click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path),
    envvar="LARDER_OPERATIONS_FILE",
    help="SQLite file of the store, where there is no URL.",
)
_BY = click.option("--by", "who", required=True, help="Your name, for the audit log.")
_CLAIM = click.argument("claim_id", type=int)


@click.group()
def operations() -> None:
    """Manage the store of user submissions: upgrade, backup, restore, retention, claims, admins."""


@contextmanager
def _open_store(url: str, file: Path | None, data_dir: Path) -> Iterator[Store]:
    try:
        store = open_store(url or file or default_file(data_dir))
        try:
            yield store
        finally:
            store.close()
    except (StoreUnavailableError, StoreURLError, BackupError, FileNotFoundError) as error:
        raise click.ClickException(f"operations store: {error}") from error
    except claim_store.UnknownTokenError as error:
        raise click.ClickException("there is no such claim") from error


def _command(
    name: str, group: click.Group = operations
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command from a function of an open store, with the options that locate the store.
    Errors of the store end it with a message."""

    def decorate(function: Callable[..., None]) -> click.Command:
        @group.command(name)
        @_URL
        @_FILE
        @DATA
        @wraps(function)
        def run(url: str, file: Path | None, data_dir: Path, **arguments: Any) -> None:
            with _open_store(url, file, data_dir) as store:
                function(store, **arguments)

        return run

    return decorate


@_command("upgrade")
def upgrade_store(store: Store) -> None:
    """Migrate the tables to this version. The service does so itself unless
    LARDER_OPERATIONS_UPGRADE=off."""
    with store.read() as db:
        click.echo(f"version {version_of(db)} of {head()}")


@_command("backup")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
def backup_store(store: Store, path: Path) -> None:
    """Write the whole store to PATH, a SQLite file, while the service runs. It contains e-mail
    addresses: keep it safe."""
    click.echo(_counts(backup(store, path)))


@_command("restore")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Discard the store's present contents.")
def restore_store(store: Store, path: Path, replace: bool) -> None:
    """Restore a backup into the store, all or nothing: into SQLite or PostgreSQL, from either."""
    click.echo(_counts(restore(store, path, replace=replace)))


@_command("retention")
def delete_old(store: Store) -> None:
    """Delete expired records. The service does so every day."""
    with store.write() as db:
        click.echo(_counts(retain(db, datetime.now(UTC))))


@_command("claims")
@click.option("--place", "resource_id", type=int, help="Only claims on this place.")
@click.option("--network", help="Only claims from this network, a hash as listed.")
@click.option("--all", "shows_all", is_flag=True, help="All pages, not only the newest claims.")
def list_claims(
    store: Store, resource_id: int | None, network: str | None, shows_all: bool
) -> None:
    """List claims that await an administrator, the newest first."""
    after: int | None = None
    with store.read() as db:
        while True:
            page = claim_store.claims_to_review(db, after, resource_id=resource_id, network=network)
            for claim in page.rows:
                proven = "address proven" if claim.email_proven_at else "address not proven"
                click.echo(
                    f"{claim.claim_id}  resource {claim.resource_id}  {claim.state}  "
                    f"{claim.operator_email!r} ({proven})  {claim.operator_name or ''!r} "
                    f"{claim.operator_phone or ''!r}  network {claim.network or 'unknown'}"
                )
            after = page.next_key
            if after is None or not shows_all:
                break
    if after is not None:
        click.echo(f"more claims are older than {after}: --all lists them")


@_command("discard-claims")
@click.argument("network")
@_BY
def discard_claims(store: Store, network: str, who: str) -> None:
    """End all undecided claims from one network, by its hash as `claims` lists it."""
    with store.write() as db:
        count = claim_store.revoke_network(db, network, f"administrator {who}", datetime.now(UTC))
    click.echo(f"ended {count} claims")


@_command("confirm-claim")
@_CLAIM
@_BY
def confirm_claim(store: Store, claim_id: int, who: str) -> None:
    """Confirm a claim after verifying the claimant's identity."""
    by = f"administrator {who}"
    with store.write() as db:
        if claim_store.claim_by_id(db, claim_id).state == "revoked":
            raise click.ClickException("the claim was revoked")
        claim_store.confirm(db, claim_id, "administrator", by, datetime.now(UTC))
    click.echo(f"claim {claim_id} is confirmed")


@_command("revoke-claim")
@_CLAIM
@_BY
def revoke_claim(store: Store, claim_id: int, who: str) -> None:
    """Revoke a claim; its reports are no longer shown."""
    with store.write() as db:
        claim_store.revoke(db, claim_id, f"administrator {who}", datetime.now(UTC))
    click.echo(f"claim {claim_id} is revoked")


@_command("verify-audit")
def verify_audit(store: Store) -> None:
    """Check that no row of the audit log was changed or removed since it was written."""
    with store.read() as db:
        broken = audit.find_break(db)
    if broken is not None:
        raise click.ClickException(f"the audit log is broken at row {broken}")
    click.echo("the audit log is whole")


@operations.group()
def person() -> None:
    """Hand out or erase what the store has of one person, by e-mail address or telephone."""


@_command("export", person)
@click.argument("contact")
def export_data(store: Store, contact: str) -> None:
    """Write everything that the store has of CONTACT as JSON."""
    with store.read() as db:
        rows = export_person(db, contact)
    click.echo(msgspec.json.format(msgspec.json.encode(rows, enc_hook=str)).decode())


@_command("erase", person)
@click.argument("contact")
@_BY
def erase_data(store: Store, contact: str, who: str) -> None:
    """Erase the personal data of CONTACT, end their claims and discard their messages."""
    with store.write() as db:
        counts = erase_person(db, contact, f"administrator {who}", datetime.now(UTC))
    click.echo(_counts(counts) or "nothing is stored")


@_command("add-admin")
@click.argument("name")
@click.option(
    "--base-url",
    envvar="LARDER_BASE_URL",
    help="Public address of the service (also from LARDER_BASE_URL); without one, localhost and "
    "LARDER_PORT, where a service without a public address takes passkeys.",
)
def add_admin(store: Store, name: str, base_url: str | None) -> None:
    """Add an administrator, or let a known one add a passkey, with a one-time link."""
    try:
        code, is_new = invite(store, name, datetime.now(UTC))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    hours = CODE_FOR.total_seconds() / 3600
    click.echo(f"{'added' if is_new else 'new link for'} {name}; within {hours:.0f} hours, once:")
    base_url = base_url or f"http://localhost:{os.environ.get('LARDER_PORT') or 8000}"
    click.echo(f"{base_url.rstrip('/')}/admin/enrol#{code}")


@_command("disable-admin")
@click.argument("name")
def disable_admin(store: Store, name: str) -> None:
    """End an administrator's access, passkeys and sessions; the log still lists their decisions."""
    if not disable(store, name, datetime.now(UTC)):
        raise click.UsageError(f"there is no administrator {name}")
    click.echo(f"disabled {name}")


@_command("admins")
def list_admins(store: Store) -> None:
    """List administrators who may sign in."""
    with store.read() as db:
        for name in names(db):
            click.echo(name)


@_command("passkeys")
def list_passkeys(store: Store) -> None:
    """List passkeys: number, administrator, name, when added and last used."""
    with store.read() as db:
        for key in passkeys_of(db):
            last_use = f"used {key.used_at:%Y-%m-%d}" if key.used_at else "never used"
            click.echo(
                f"{key.passkey_id}  {key.name}  {key.label}  added {key.created_at:%Y-%m-%d}  "
                f"{last_use}"
            )


@_command("remove-passkey")
@click.argument("number", type=int)
def remove_lost_passkey(store: Store, number: int) -> None:
    """Remove a passkey that was lost, and end the sessions of its owner."""
    with store.write() as db:
        owner = remove_passkey(db, number, "command line", datetime.now(UTC))
        if owner is None:
            raise click.UsageError(f"there is no passkey {number}")
        end_sessions(db, owner)
    click.echo(f"removed passkey {number}")


def _counts(counts: dict[str, int]) -> str:
    return "\n".join(f"{rows:>9,}  {name}" for name, rows in counts.items())
