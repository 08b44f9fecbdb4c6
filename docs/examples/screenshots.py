"""Take the pictures of docs/finder.md from a running service: `python docs/examples/screenshots.py ADDRESS`.

`make screenshots` builds the demo, starts the service and runs this. Needs Chromium.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "images"
PHONE, WIDE = {"width": 360, "height": 640}, {"width": 1100, "height": 700}
PICTURES = {
    "front": ("/", PHONE),
    "results": ("/search?q=10002", PHONE),
    "filters": ("/filters?q=10002", PHONE),
    "open-now": ("/es/urgent?q=10002", PHONE),
    "zip": ("/zip/10002", PHONE),
    "wide": ("/search?q=10002", WIDE),
}


def main() -> None:
    (address,) = sys.argv[1:]
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (path, size) in PICTURES.items():
            page = browser.new_page(viewport=size)
            page.goto(address + path)
            page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=72)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
