"""SQLite files that stay open, for callers that use one at a time."""

from sqlalchemy import Engine, StaticPool, create_engine, event


def keep_open(address: str, wait_seconds: float) -> Engine:
    """Return an engine of one connection for all threads, one after another, and no syncs but at
    checkpoints: power loss can cost the last commits, not the file. It waits for other writers.
    """
    engine = create_engine(
        address,
        poolclass=StaticPool,
        connect_args={"timeout": wait_seconds, "check_same_thread": False},
    )
    event.listen(engine, "connect", lambda dbapi, _: dbapi.execute("PRAGMA synchronous=NORMAL"))
    return engine
