"""The image of the service has every package that the service imports when it starts."""

import re
import subprocess
import sys
from importlib.metadata import packages_distributions

import pytest

from tests.support.server import ROOT

# Used where they happen to be, by SQLAlchemy and icalendar; neither needs them.
_OPTIONAL = {"greenlet", "pytz"}
# Imported when they are first needed.
_LATER = (
    "duckdb",
    "icalendar",
    "mapbox_vector_tile",
    "psycopg",
    "warehouse.checks.release_totals",
    "webauthn",
)
_LIST = "import sys, {}; print(*{{n.partition('.')[0] for n, m in sys.modules.items() if 'site-packages' in (getattr(m, '__file__', None) or '')}})"


def imported_by(*modules: str) -> set[str]:
    """Return the installed packages that a fresh process has imported after these modules."""
    done = subprocess.run(
        [sys.executable, "-c", _LIST.format(", ".join(modules))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def imported() -> set[str]:
    return imported_by("serving.asgi", "serving.sibling.asgi", *_LATER)


def test_the_service_needs_no_package_of_builds_and_no_sdk_of_mcp(imported: set[str]) -> None:
    """The SDK takes 0.4 s to import, and most instances are asked over HTTP alone."""
    assert imported & {"pandas", "geopandas", "dagster", "mcp", "mcp_types"} == set()


def test_the_command_line_needs_dagster_and_pandas_for_builds_alone() -> None:
    """They take three seconds to import: `larder release list` is to take less."""
    assert imported_by("pipelines.cli") & {"pandas", "geopandas", "dagster"} == set()


def test_what_is_imported_is_installed(imported: set[str]) -> None:
    locked = set(
        re.findall(
            r"^([a-z0-9._-]+)(?:\[[^]]*\])?==",
            (ROOT / "deploy" / "requirements-service.lock").read_text(),
            re.M,
        )
    )
    owners = packages_distributions()
    missing = {
        module
        for module in imported
        if owners.get(module)
        and not {re.sub(r"[-_.]+", "-", d).lower() for d in owners[module]}
        & {re.sub(r"[-_.]+", "-", p) for p in locked}
    }
    assert {m for m in missing if not m.startswith("__editable__")} <= _OPTIONAL
