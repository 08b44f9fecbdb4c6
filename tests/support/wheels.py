"""Builds the wheels of the images and installs them outside the checkout with locked packages."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections import defaultdict
from importlib.metadata import distributions
from pathlib import Path

from tests.support.locks import normalize, read_lock
from tests.support.server import ROOT

_UV = [sys.executable, "-m", "uv", "--quiet"]


def _copied(stage: str) -> list[str]:
    """List the files and folders that a stage of the Containerfile copies out of the checkout."""
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    body = re.split(r"^FROM ", text.split(f" AS {stage}\n")[1], flags=re.M)[0]
    return [s for line in re.findall(r"^COPY (.+)$", body, re.M) for s in line.split()[:-1]]


def link_packages(lock: Path, site: Path) -> None:
    """Link the installed files of the packages of a lock file into a folder for packages."""
    locked = read_lock(lock).keys()
    owners: dict[Path, set[str]] = defaultdict(set)
    for package in distributions():
        name = normalize(package.name)
        for file in package.files or ():
            if ".." not in file.parts:
                for path in (Path(file), *Path(file).parents[:-1]):
                    owners[path].add(name)
    installed, linked = Path(sysconfig.get_path("purelib")), set[Path]()
    for path, names in sorted(owners.items()):
        if not names & locked or not linked.isdisjoint(path.parents):
            continue
        if names <= locked or not (installed / path).is_dir():
            (site / path).symlink_to(installed / path)
            linked.add(path)
        else:  # a name space, shared with a package that the lock does not have
            (site / path).mkdir()


def install_wheel(stage: str, folder: Path) -> Path:
    """Return `bin` of a new environment with the wheel of a stage of the Containerfile.

    Other packages are those of the stage's lock, as installed here.
    """
    source = folder / "source"
    (lock,) = (name for name in _copied(stage) if name.endswith(".lock"))
    for name in _copied(stage):
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, target, symlinks=True, ignore=ignored)
        else:
            shutil.copyfile(ROOT / name, target)
    environment = folder / "environment"
    python = environment / "bin" / "python"
    run_apart([*_UV, "venv", "--no-project", "--python", sys.executable, str(environment)], folder)
    run_apart(
        [
            *_UV,
            "build",
            "--wheel",
            "--no-build-isolation",
            "--python",
            sys.executable,
            "--out-dir",
            str(folder),
            str(source),
        ],
        folder,
    )
    shutil.rmtree(source)
    (wheel,) = folder.glob("*.whl")
    run_apart([*_UV, "pip", "install", "--no-deps", "--python", str(python), str(wheel)], folder)
    (site,) = (environment / "lib").glob("python*/site-packages")
    link_packages(ROOT / lock, site)
    return environment / "bin"


def run_apart(command: list[str], folder: Path) -> str:
    """Return the output of a command that runs without access to the checkout."""
    variables = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LARDER", "VIRTUAL_ENV"))
    }
    process = subprocess.run(
        command,
        cwd=folder,
        env={**variables, "DAGSTER_DISABLE_TELEMETRY": "1", "MPLCONFIGDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout + process.stderr
