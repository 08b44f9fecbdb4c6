"""Pages in Firefox: nothing of another origin, no fault, nothing too wide, what scripts add works."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.test_pages import PAGES
from tests.support.npm import npm_packages

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


def test_pages_in_firefox(service, tmp_path) -> None:
    if FIREFOX is None:
        pytest.skip("no Firefox on this machine")
    npm_packages(tmp_path, "puppeteer-core")
    script = Path(__file__).with_name("firefox.mjs")
    done = subprocess.run(
        ["node", script, FIREFOX, service, tmp_path, *PAGES],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["foreign"] == []
    # Firefox logs an answer with an error status, and an icon of a page that is left before it came.
    expected = re.compile(r"404|/static/icon-")
    assert [fault for fault in seen["faults"] if not expected.search(fault)] == []
    assert len(seen["pages"]) == 2 * len(PAGES)
    for name, page in seen["pages"].items():
        width, path = name.split(" ")
        assert page["wide"] <= int(width), name
        assert (page["status"] == 404) == (path == "/zip/00000"), name
        assert page["title"], name
        assert page["h1"] == 1, name
        # From the second page on the worker answers.
        assert page["worker"] or (width, path) in {("320", PAGES[0]), ("320", PAGES[1])}, name
    assert seen["suggested"] == "Salem, OR"
    assert seen["saved"] == "Abierto según el horario publicado"
