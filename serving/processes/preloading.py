"""Preloads shared data in the process that forks the workers."""

import contextlib
import gc
import importlib
import threading
from collections.abc import Iterator

from serving.app import warm
from serving.http.openapi import describe
from serving.processes.memory import settle
from serving.settings import Settings
from warehouse.index import preload as inheritance
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

_LOOK_SECONDS = 1.0


@contextlib.contextmanager
def share_with_workers(settings: Settings) -> Iterator[None]:
    """Share the application and the current release with workers forked in the block.

    Workers report a release that cannot be opened here. When another release becomes current, each
    worker opens it itself, and this process drops the first.
    """
    # A worker that described its application itself would read every handler: counting references
    # writes to their pages, 30 MB that it would no longer share.
    describe(importlib.import_module("serving.asgi").app)
    store, stop_event = ReleaseStore(settings.data_dir), threading.Event()
    with contextlib.suppress(Exception):
        if (current := store.current()) is not None:
            release = OpenRelease(store.folder(current))
            warm(release)
            inheritance.leave(release)
    gc.collect()
    settle()
    watcher = threading.Thread(target=_clear_when_swapped, args=(store, stop_event), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop_event.set()
        watcher.join()
        inheritance.clear()
        gc.unfreeze()  # else libraries report unfreed memory at the end


def _clear_when_swapped(store: ReleaseStore, stop_event: threading.Event) -> None:
    while (release := inheritance.take_shared()) is not None and not stop_event.wait(_LOOK_SECONDS):
        with contextlib.suppress(Exception):  # a pointer that cannot be read now is read later
            if store.current() != release.release_id:
                inheritance.clear()
