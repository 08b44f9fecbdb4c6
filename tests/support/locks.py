"""Reads the lock files of the checkout."""

import re
from pathlib import Path

_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;]+)", re.M)


def read_lock(lock: Path) -> dict[str, str]:
    """Return the version of every package in a lock file by its normalized name."""
    return {normalize(name): version for name, version in _PIN.findall(lock.read_text("utf-8"))}


def normalize(name: str) -> str:
    """Return a package name in its normalized form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
