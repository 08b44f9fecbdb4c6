"""Shares a release that a parent process opened with the processes it forks.

The parent opens the release without its database, whose threads and locks would not survive a fork;
each child opens the database on first use, and has the rest without a copy. Children forked after a
newer release open that one themselves.
"""

from pathlib import Path

from warehouse.index.reader import OpenRelease

_left: OpenRelease | None = None


def leave(release: OpenRelease) -> None:
    """Share a release with the processes forked from now on; do not query it here."""
    global _left  # noqa: PLW0603 - what a fork hands on is the state of the process
    release.close()
    _left = release


def take_shared() -> OpenRelease | None:
    """Take the shared value, if any."""
    return _left


def clear() -> None:
    """Stop sharing; frees the memory of the objects here."""
    global _left  # noqa: PLW0603
    _left = None


def inherit(folder: Path) -> OpenRelease | None:
    """Return the parent's release of this folder, once; None without one."""
    release = _left
    clear()
    return release if release is not None and release.folder == folder else None
