"""Packages from npm, where tests need a program that PyPI does not have."""

import shutil
import subprocess
from pathlib import Path

import pytest


def npm_packages(folder: Path, *names: str) -> None:
    """Install packages from npm into a folder, without names those of its `package.json`; skip the
    test where that cannot be done.
    """
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine")
    process = subprocess.run(
        [npm, "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock", *names],
        cwd=folder,
        capture_output=True,
        timeout=120,
        check=False,
    )
    if process.returncode:
        pytest.skip(f"{' '.join(names) or 'packages'} could not be fetched from npm")
