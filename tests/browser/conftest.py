"""A real browser, the running service, and another site on a port of its own."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.npm import npm_packages
from tests.support.other_site import OtherSite, running_other_site
from tests.support.server import running_service
from tests.support.town import write_town

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


@pytest.fixture(scope="session")
def service_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data folder of the service: the invented town and `operations.sqlite`."""
    folder = tmp_path_factory.mktemp("browser")
    write_town(folder)
    return folder


@pytest.fixture(scope="session")
def service(service_folder: Path) -> Iterator[str]:
    """Address of a running service of the invented town."""
    with running_service(
        service_folder,
        LARDER_OPERATIONS_FILE=str(service_folder / "operations.sqlite"),
        LARDER_TRUSTED_PROXIES="127.0.0.1/32",
        LARDER_BASEMAP="none",
    ) as address:
        yield address


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[OtherSite]:
    with running_other_site(tmp_path) as site:
        yield site


# Not of the session: its event loop runs while it is open, and no other can run.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium through Playwright."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a page in a new context with options; closed after the test."""
    contexts: list[Any] = []

    def open_one(**options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        return contexts[-1].new_page()

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Source of the accessibility checker axe-core, from npm or the file AXE_CORE."""
    axe_file = os.environ.get("AXE_CORE")
    if axe_file:
        return Path(axe_file).read_text(encoding="utf-8")
    folder = tmp_path_factory.mktemp("axe")
    npm_packages(folder, "axe-core@4")
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
