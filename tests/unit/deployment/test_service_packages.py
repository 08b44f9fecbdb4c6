"""Every environment has the packages that are imported in it when a program starts."""

import subprocess
import sys
from importlib.metadata import packages_distributions

import pytest

from tests.support.locks import normalize, read_lock
from tests.support.server import ROOT

# SQLAlchemy uses it where it is installed, and does without.
_OPTIONAL = {"greenlet"}
# Imported when they are first needed.
_LATER = (
    "duckdb",
    "freetype",
    "icalendar",
    "psycopg",
    "warehouse.checks.release_totals",
    "webauthn",
)
_LIST = "import sys, {}; print(*{{n.partition('.')[0] for n, m in sys.modules.items() if 'site-packages' in (getattr(m, '__file__', None) or '')}})"


def imported_by(*modules: str) -> set[str]:
    """Return the installed packages that a fresh process has imported after these modules."""
    process = subprocess.run(
        [sys.executable, "-c", _LIST.format(", ".join(modules))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return set(process.stdout.split())


@pytest.fixture(scope="module")
def imported() -> set[str]:
    return imported_by("serving.asgi", "serving.sibling.asgi", *_LATER)


def test_the_service_needs_no_package_of_builds_and_no_sdk_of_mcp(imported: set[str]) -> None:
    """The SDK takes 0.4 s to import, and most instances get HTTP requests only."""
    assert imported & {"pandas", "geopandas", "dagster", "mcp", "mcp_types"} == set()


def test_the_command_line_needs_dagster_and_pandas_for_builds_alone() -> None:
    """They take three seconds to import; `larder release list` must take less."""
    assert imported_by("pipelines.cli") & {"pandas", "geopandas", "dagster"} == set()


def test_the_image_has_the_imports_of_the_service(imported: set[str]) -> None:
    assert missing_of(imported, "deploy/requirements-service.lock") <= _OPTIONAL


def test_make_serve_installs_its_imports() -> None:
    """It installs neither PostgreSQL nor Dagster's servers, unlike the tests' environment."""
    later = set(_LATER) - {"psycopg"}
    imported = imported_by("serving.asgi", "serving.sibling.asgi", "pipelines.run", *later)
    assert {"dagster", "pandas", "pdfplumber"} <= imported
    assert missing_of(imported, "requirements.lock") <= _OPTIONAL


def missing_of(imported: set[str], lock: str) -> set[str]:
    """Return the imported packages that a lock file does not have."""
    locked = read_lock(ROOT / lock).keys()
    owners = packages_distributions()
    missing = {
        module
        for module in imported
        if owners.get(module) and locked.isdisjoint(map(normalize, owners[module]))
    }
    return {module for module in missing if not module.startswith("__editable__")}
