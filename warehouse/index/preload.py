"""A release opened once by a parent process, for the processes that it forks: its memory is shared
by all.

The parent opens the release and leaves it here without its database, whose threads and locks would
not survive a fork; each child opens the database when it first needs it, and has the rest without a
copy. Children that come later than another release open that one by themselves.
"""

from pathlib import Path

from warehouse.index.reader import OpenRelease

_left: OpenRelease | None = None


def leave(release: OpenRelease) -> None:
    """Leave a release to the processes forked from now on; not to be queried here."""
    global _left  # noqa: PLW0603 - what a fork hands on is the state of the process
    release.close()
    _left = release


def take_shared() -> OpenRelease | None:
    """Take the value that was left, if there is one."""
    return _left


def clear() -> None:
    """Leave nothing any more; here, the memory of the objects is free again."""
    global _left  # noqa: PLW0603
    _left = None


def inherit(folder: Path) -> OpenRelease | None:
    """Return the parent's release of this folder, once; None without one."""
    found = _left
    clear()
    return found if found is not None and found.folder == folder else None
