"""The rooms of the house and who may call on whom (docs: CONTRIBUTING.md, "Rooms")."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {
    "schemas": set(),
    "warehouse": {"schemas"},
    "assets": {"schemas", "warehouse"},
    "pipelines": {"schemas", "warehouse", "assets"},
    "serving": {"schemas", "warehouse", "content", "web"},
    "content": set(),
    "web": set(),
}
# Library -> rooms that may import it.
BELONGS_TO = {
    "dagster": {"assets", "pipelines"},
    "pandas": {"assets", "pipelines"},
    "geopandas": {"assets"},
    "litestar": {"serving"},
    "granian": {"serving"},
    "duckdb": {"warehouse"},
    "rtree": {"warehouse"},
    "sqlalchemy": {"warehouse"},
    "httpx": {"warehouse"},
}
# Type annotations only, never at run time.
TYPE_ONLY = {("warehouse/parquet.py", "pandas")}


def _modules() -> list[Path]:
    return sorted(p for room in MAY_IMPORT for p in (ROOT / room).rglob("*.py"))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            yield node.lineno, node.module or ""


@pytest.mark.parametrize("path", _modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    room = name.split("/", 1)[0]
    for line, module in _imports(path):
        top = module.split(".", 1)[0]
        if top in MAY_IMPORT and top != room:
            assert top in MAY_IMPORT[room], f"{name}:{line}: {room} may not import {top}"
        if top in BELONGS_TO and (name, top) not in TYPE_ONLY:
            assert room in BELONGS_TO[top], f"{name}:{line}: {top} does not belong in {room}"


def test_package_files_stay_empty() -> None:
    full = [
        p for room in MAY_IMPORT for p in (ROOT / room).rglob("__init__.py") if p.stat().st_size
    ]
    assert not full


def test_there_is_no_cycle_between_modules() -> None:
    """Imports at module level form no cycle (imports inside functions are late on purpose)."""
    names = {str(p.relative_to(ROOT).with_suffix("")).replace("/", "."): p for p in _modules()}
    edges = {name: _top_level_imports(path) & names.keys() for name, path in names.items()}
    done: set[str] = set()
    open_: list[str] = []

    def visit(name: str) -> None:
        assert name not in open_, f"cycle: {' -> '.join([*open_, name])}"
        if name in done:
            return
        open_.append(name)
        for target in sorted(edges[name]):
            visit(target)
        open_.pop()
        done.add(name)

    for name in names:
        visit(name)


def _top_level_imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_the_service_starts_without_the_batch_side() -> None:
    """Importing the application loads neither Dagster nor pandas nor geopandas."""
    code = "import sys, serving.app; print(*{'dagster', 'pandas', 'geopandas'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_the_lock_file_names_no_host() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if "://" in line]
    assert all("--hash=sha256:" in line or "==" in line for line in lines if line.strip())
