"""Folders filled once in a session, for all its workers."""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

# Tells workers and programs of tests the folder of the session.
_VARIABLE = "TESTS_SHARED"


def shared_root() -> Path:
    """Return the session's folder; the process that created it removes it at its end."""
    if _VARIABLE not in os.environ:
        os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="larder-tests-")
        atexit.register(_remove, Path(os.environ[_VARIABLE]), os.getpid())
    return Path(os.environ[_VARIABLE])


def _remove(root: Path, owner: int) -> None:
    # A forked child of a test must not remove it.
    if os.getpid() == owner:
        shutil.rmtree(root, ignore_errors=True)


def share(name: str, make: Callable[[Path], object]) -> Path:
    """Return the folder that `make` fills at first use. Copy it (`copy_folder`) to change it."""
    root = shared_root()
    folder = root / name
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = root / f".{name}"
            shutil.rmtree(part, ignore_errors=True)  # another worker's `make` may have failed
            make(part)
            part.rename(folder)
    return folder


def copy_folder(template: Path, folder: Path) -> None:
    """Copy a tree with its hard links."""
    copies: dict[int, str] = {}

    def copy(source: str, target: str) -> None:
        first = copies.setdefault(os.stat(source).st_ino, target)
        if first == target:
            shutil.copy2(source, target)
        else:
            os.link(first, target)

    shutil.copytree(template, folder, symlinks=True, dirs_exist_ok=True, copy_function=copy)
