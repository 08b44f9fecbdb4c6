"""PostgreSQL connections with client-side timeouts, for servers that hang.

The server's own limits (`statement_timeout`) end long statements while it runs. A stopped or
silently disconnected server leaves connections open; then the client has to give up.
"""

from typing import Any, cast

import psycopg
from sqlalchemy.engine.interfaces import DBAPIConnection


class BoundedConnection(psycopg.Connection[Any]):
    """Closes if a response takes over `max_seconds`: psycopg.OperationalError."""

    max_seconds = 12.0

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, self.max_seconds if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            if timeout is not None:
                raise
            # Its state is unknown: it must not be used again.
            self.pgconn.finish()
            raise psycopg.OperationalError(
                f"the server gave no answer in {self.max_seconds:g} seconds"
            ) from None


def bound_connections(max_seconds: float) -> Any:
    """Return a listener of the event `do_connect` that opens such connections."""

    def connect(_dialect: object, _record: object, arguments: Any, options: Any) -> DBAPIConnection:
        connection = BoundedConnection.connect(*arguments, **options)
        connection.max_seconds = max_seconds
        return cast(DBAPIConnection, connection)

    return connect
