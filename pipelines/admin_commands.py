"""Commands of `larder operations` on who may review what the public writes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from warehouse.operations.engine import Store, StoreUnavailableError, StoreURLError
from warehouse.operations.location import store_of

DATA = click.option(
    "--data",
    "data_dir",
    type=click.Path(path_type=Path),
    envvar="DIRECTORY_DATA_DIR",
    default=Path("data"),
    show_default=True,
    help="Data directory; the store is where LARDER_OPERATIONS_URL or _FILE says, else in it.",
)


@contextmanager
def open_store(data_dir: Path) -> Iterator[Store]:
    """Open the operations store; its errors end the command with a message."""
    try:
        store = store_of(data_dir)
        try:
            yield store
        finally:
            store.close()
    except (StoreUnavailableError, StoreURLError) as error:
        raise click.ClickException(f"operations store: {error}") from error


@click.command("add-admin")
@click.argument("name")
@DATA
def add_admin(name: str, data_dir: Path) -> None:
    """Add an administrator, or give one a new password, which ends their sessions and any lock.

    The password is requested twice, or read as one line from standard input when that is no
    terminal.
    """
    from warehouse.operations.administrators import set_password  # noqa: PLC0415

    if sys.stdin.isatty():
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    with open_store(data_dir) as store:
        try:
            is_new = set_password(store, name, password, datetime.now(UTC))
        except ValueError as error:
            raise click.UsageError(str(error)) from error
    click.echo(f"{'added' if is_new else 'new password for'} {name}")


@click.command("disable-admin")
@click.argument("name")
@DATA
def disable_admin(name: str, data_dir: Path) -> None:
    """End an administrator's access and sessions; the log keeps what they did."""
    from warehouse.operations.administrators import disable  # noqa: PLC0415

    with open_store(data_dir) as store:
        if not disable(store, name, datetime.now(UTC)):
            raise click.UsageError(f"there is no administrator {name}")
    click.echo(f"disabled {name}")


@click.command("admins")
@DATA
def list_admins(data_dir: Path) -> None:
    """List administrators who may sign in."""
    from warehouse.operations.administrators import names  # noqa: PLC0415

    with open_store(data_dir) as store, store.read() as db:
        for name in names(db):
            click.echo(name)


ADMIN_COMMANDS = (add_admin, disable_admin, list_admins)
