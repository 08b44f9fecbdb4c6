"""The wheels of the images, installed outside the checkout, build a directory from files and serve
it.

Each wheel is made of exactly the files that its stage of the Containerfile copies.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from datetime import date
from pathlib import Path

import httpx
import pytest

from assets.demo.write import write_demo
from assets.geography.packages import cities_from_packages, zips_from_packages
from tests.support.server import ROOT, free_port, wait_for
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow
AS_OF = date(2026, 11, 1)
_UV = [sys.executable, "-m", "uv", "--quiet"]


def _copied(stage: str) -> list[str]:
    """What a stage of the Containerfile copies out of the checkout, but for its lock."""
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    body = re.split(r"^FROM ", text.split(f" AS {stage}\n")[1], flags=re.M)[0]
    sources = [s for line in re.findall(r"^COPY (.+)$", body, re.M) for s in line.split()[:-1]]
    return [source for source in sources if not source.endswith(".lock")]


def _installed(stage: str, folder: Path) -> Path:
    """`bin` of a fresh environment that has our packages from the wheel, and all others as they are
    here.
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
    _run([*_UV, "venv", "--no-project", "--python", sys.executable, str(environment)], folder)
    _run(
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
    _run([*_UV, "pip", "install", "--no-deps", "--python", str(python), str(wheel)], folder)
    # A folder on the path, and no site directory: the checkout's own link (a .pth file) does not
    # count.
    (own,) = (environment / "lib").glob("python*/site-packages")
    (own / "locked.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return environment / "bin"


def _run(command: list[str], folder: Path) -> str:
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
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that the builder's wheel has built from files, with the profile `folder`."""
    folder = tmp_path_factory.mktemp("builder")
    zips = zips_from_packages()
    write_demo(folder / "files", 300, 1, zips, cities_from_packages(zips), AS_OF)
    larder = _installed("builder-packages", folder) / "larder"
    where = _run(
        [str(larder.with_name("python")), "-c", "import pipelines.run as p; print(p.__file__)"],
        folder,
    )
    assert str(folder) in where
    data = folder / "data"
    report = _run(
        [
            str(larder),
            "build",
            "--profile",
            "folder",
            "--sources",
            str(folder / "files"),
            "--as-of",
            AS_OF.isoformat(),
            "--data",
            str(data),
        ],
        folder,
    )
    assert "Served: release" in report
    return data


def test_the_builders_wheel_builds_a_release_from_files(built: Path) -> None:
    store = ReleaseStore(built)
    current = store.current()
    assert current is not None
    manifest = store.verify(current)
    assert not manifest.is_synthetic
    assert manifest.table("core_directory__resources").rows > 100
    # The settings of Dagster's instance came with the package.
    assert "freshness" in (built / "dagster" / "dagster.yaml").read_text(encoding="utf-8")


def test_the_services_wheel_answers_from_it(
    built: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("service")
    serve = _installed("service-packages", folder) / "larder-serve"
    port = free_port()
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    variables |= {"LARDER_DATA": str(built), "LARDER_PORT": str(port), "LARDER_SIBLING_PORT": "0"}
    log = folder / "service.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [str(serve)], cwd=folder, env=variables, stdout=output, stderr=output
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, process, log)
            assert httpx.get(f"{address}/api/resources/search?zip=10002&limit=1").status_code == 200
            # Templates, style sheet, words in two languages, documents.
            for path in ("/", "/es/", "/releases", "/about", "/api/openapi.json", "/llms.txt"):
                answer = httpx.get(address + path)
                assert answer.status_code == 200, f"{path}: {answer.text[:300]}"
        finally:
            process.terminate()
            process.wait(timeout=20)
