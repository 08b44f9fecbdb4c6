"""Test the TypeScript client: generated, type-checked and run against the service."""

import json
import os
import re
import shutil
import subprocess

import pytest

from serving.app import create_app
from serving.http.openapi import document
from serving.settings import Settings
from tests.support.npm import npm_packages
from tests.support.server import ROOT, running_service
from tests.support.town import write_town

CLIENT = ROOT / "clients" / "typescript"
# Files that a build leaves in the folder.
BUILD_FILES = shutil.ignore_patterns("node_modules", "dist", "description.json", "schema.ts")
EXAMPLE = re.compile(r"```(?:ts|typescript)\n(.*?)```", re.DOTALL)
GUIDES = (CLIENT / "README.md", ROOT / "docs" / "api.md")


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("client")
    write_town(folder, bulk=True, hsds=True)
    return folder


@pytest.fixture(scope="module")
def package(town, tmp_path_factory):
    """The client as `make client` builds it, with the examples of the guides beside its tests."""
    folder = tmp_path_factory.mktemp("package") / "typescript"
    shutil.copytree(CLIENT, folder, ignore=BUILD_FILES)
    description = document(create_app(Settings(data_dir=town, log_level="critical")))
    (folder / "description.json").write_bytes(description)
    for guide in GUIDES:
        (example,) = EXAMPLE.findall(guide.read_text("utf-8"))
        text = example.replace('"open-larder-client"', '"../src/index.js"')
        text = text.replace('"http://127.0.0.1:8000"', 'process.env["LARDER_URL"]!')
        (folder / "test" / f"{guide.stem}.ts").write_text(text)
    npm_packages(folder)
    _run(folder, ["npm", "run", "--silent", "build"])
    return folder


def _run(folder, command, **environment):
    process = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert process.returncode == 0, process.stdout[-4000:] + process.stderr[-4000:]
    return process.stdout


@pytest.mark.slow
def test_the_client_answers_and_the_examples_run(town, package):
    with running_service(town, LARDER_LOG_LEVEL="critical") as address:
        output = _run(package, ["npm", "test"], LARDER_URL=address)
        assert int(re.findall(r"pass (\d+)", output)[0]) >= 7
        outputs = [
            _run(package, ["node", f"dist/test/{guide.stem}.js"], LARDER_URL=address)
            for guide in GUIDES
        ]
    assert "404 unknown-place" in outputs[0]
    assert outputs[1]


@pytest.mark.slow
def test_a_wrong_parameter_does_not_compile(package):
    """Types follow the description, which refuses a number here."""
    wrong = package / "test" / "wrong.ts"
    wrong.write_text(
        'import { createLarder } from "../src/index.js";\n'
        'createLarder("http://larder.example").GET("/api/resources/search", '
        "{ params: { query: { zip: 10002 } } });\n"
    )
    process = subprocess.run(
        ["node_modules/.bin/tsc", "--noEmit"],
        cwd=package,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    wrong.unlink()
    assert "error TS2322" in process.stdout


@pytest.mark.slow
def test_the_package_has_the_files_it_exports(package):
    packages = json.loads(_run(package, ["npm", "pack", "--dry-run", "--json"]))
    names = {file["path"] for file in packages[0]["files"]}
    assert {"dist/src/index.js", "dist/src/index.d.ts", "dist/src/schema.d.ts"} <= names
    assert not [name for name in names if name.startswith("dist/test")]
