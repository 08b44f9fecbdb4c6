"""Check that docs/security.md reviews every writing address and names existing files."""

import re
from pathlib import Path

import pytest
from litestar.routes import HTTPRoute

from schemas.languages import PUBLISHED, language_of_path, languages
from serving.app import create_app
from serving.settings import Settings
from serving.sibling.app import create_sibling_app

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "security.md").read_text()
ROW = re.compile(r"^\| `([A-Z]+) (/[^`]*)` \|(.+)\|$", re.M)
# Plain ASGI: Litestar does not know its methods.
ASGI_ROUTES = {("POST", "/mcp/v1")}


def english_path(path: str) -> str:
    language = language_of_path(path)
    return path if language in PUBLISHED else path.removeprefix(languages()[language].prefix)


def list_writes(app) -> set[tuple[str, str]]:
    """Return method and path of every writing route. Pages of draft languages share the handlers of
    English ones (docs/content.md).
    """
    routes = [route for route in app.routes if isinstance(route, HTTPRoute)]
    return {
        (method, english_path(route.path))
        for route in routes
        for method in route.methods
        if method not in {"GET", "HEAD", "OPTIONS"}
    }


@pytest.fixture(scope="module")
def endpoints(tmp_path_factory) -> set[tuple[str, str]]:
    folder = tmp_path_factory.mktemp("security")
    settings = Settings(
        data_dir=folder, operations_file=str(folder / "o.sqlite"), log_level="critical"
    )
    apps = create_app(settings), create_sibling_app(settings)
    return set().union(ASGI_ROUTES, *map(list_writes, apps))


def test_every_writing_address_is_reviewed(endpoints):
    reviews = [(method, path) for method, path, _ in ROW.findall(TEXT)]
    assert sorted(reviews) == sorted(set(reviews)), "twice"
    assert endpoints - set(reviews) == set(), "not reviewed"
    assert set(reviews) - endpoints == set(), "removed"


def test_every_review_is_complete():
    for method, path, rest in ROW.findall(TEXT):
        cells = [cell.strip() for cell in rest.split("|")]
        assert len(cells) == 5, (method, path)
        assert all(cells), (method, path)


def test_every_named_test_exists():
    names = set(re.findall(r"`(?:[\w/]+/)?(test_\w+\.py)`", TEXT))
    assert len(names) > 20
    files = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert sorted(names - files) == []
    for folder in set(re.findall(r"`(tests/[\w/]+)`", TEXT)):
        assert (ROOT / folder).is_dir(), folder


def test_every_named_file_exists():
    names = re.findall(r"`((?:serving|warehouse|assets|schemas|deploy)/[\w/]+\.\w+)`", TEXT)
    assert names
    assert [path for path in names if not (ROOT / path).exists()] == []
