"""Wheels of the images: made of exactly the files that a stage of the Containerfile copies, and
installed outside the checkout.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.support.server import ROOT

_UV = [sys.executable, "-m", "uv", "--quiet"]


def _copied(stage: str) -> list[str]:
    """List what a stage of the Containerfile copies out of the checkout, but for its lock."""
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    body = re.split(r"^FROM ", text.split(f" AS {stage}\n")[1], flags=re.M)[0]
    sources = [s for line in re.findall(r"^COPY (.+)$", body, re.M) for s in line.split()[:-1]]
    return [source for source in sources if not source.endswith(".lock")]


def install_wheel(stage: str, folder: Path) -> Path:
    """Return `bin` of a fresh environment that has our packages from the wheel, and all others as
    they are here.
    """
    source = folder / "source"
    for name in _copied(stage):
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target, ignore=shutil.ignore_patterns("__pycache__"))
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
    # A folder on the path, and no site directory: the checkout's own link (a .pth file) does not
    # count.
    (own,) = (environment / "lib").glob("python*/site-packages")
    (own / "locked.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return environment / "bin"


def run_apart(command: list[str], folder: Path) -> str:
    """Return everything that a command says which sees nothing of the checkout."""
    variables = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LARDER", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env={**variables, "DAGSTER_DISABLE_TELEMETRY": "1", "MPLCONFIGDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
