"""Follows releases in object storage: a local copy that is updated while the service answers
from it."""

import contextlib
from collections.abc import AsyncIterator

from litestar import Litestar

from serving.settings import Settings
from serving.telemetry.logs import make_logger
from warehouse.release.signing import public_keys
from warehouse.storage.bucket import Bucket
from warehouse.storage.replica import Replica
from warehouse.storage.sync import StorageFollower


def make_follower(settings: Settings) -> StorageFollower:
    """Return the follower of the settings' storage. Raises StorageError or KeyFileError when
    they cannot be used."""
    keys = public_keys(settings.release_keys) if settings.release_keys else {}
    replica = Replica(
        Bucket(settings.storage_url),
        settings.data_dir,
        keys,
        keep=settings.storage_keep,
    )
    log = make_logger(settings.log_level)
    return StorageFollower(
        replica, settings.storage_seconds, lambda event, facts: log.info(event, **facts)
    )


@contextlib.asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """Follow the storage during the application's lifetime, if one is set."""
    settings: Settings = app.state["settings"]
    if not settings.storage_url:
        yield
        return
    follower = make_follower(settings)
    app.state["context"].tasks.start("follow_storage", follower.follow)
    try:
        yield
    finally:
        follower.close()


LIFESPANS = [lifespan]
