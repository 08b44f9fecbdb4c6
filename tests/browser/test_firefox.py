"""Test pages in Firefox: one origin, no faults, no sideways scrolling, working scripts."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.test_pages import PAGES
from tests.support.npm import npm_packages

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


@pytest.mark.slow
def test_pages_in_firefox(service, tmp_path) -> None:
    if FIREFOX is None:
        pytest.skip("no Firefox on this machine")
    npm_packages(tmp_path, "puppeteer-core")
    script = Path(__file__).with_name("firefox.mjs")
    process = subprocess.run(
        ["node", script, FIREFOX, service, tmp_path, *PAGES],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    report = json.loads(process.stdout)
    assert report["foreign"] == []
    # Firefox logs error statuses, and icons of a page that was left before they arrived.
    noise = re.compile(r"404|/static/icon-")
    assert [fault for fault in report["faults"] if not noise.search(fault)] == []
    assert len(report["pages"]) == 2 * len(PAGES)
    for name, page in report["pages"].items():
        width, path = name.split(" ")
        assert page["wide"] <= int(width), name
        assert (page["status"] == 404) == (path == "/zip/00000"), name
        assert page["title"], name
        assert page["h1"] == 1, name
        # From the second page on the service worker answers.
        assert page["worker"] or (width, path) in {("320", PAGES[0]), ("320", PAGES[1])}, name
    assert report["suggested"] == "Salem, OR"
    assert report["saved"] == "Abierto según el horario publicado"
