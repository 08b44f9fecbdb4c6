"""Installs packages from npm: programs that PyPI does not have."""

import shutil
import subprocess
from pathlib import Path

import pytest


def npm_packages(folder: Path, *names: str) -> None:
    """Install packages, by default those of the folder's `package.json`; skip the test without npm."""
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
