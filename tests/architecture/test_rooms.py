"""Check which packages may import which (CONTRIBUTING.md, "Packages")."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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


@cache
def _statements(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """Return all imports of a module, also late ones."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in _statements(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        else:
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            yield node.lineno, node.module or ""


def test_modules_import_only_allowed_rooms() -> None:
    wrong = []
    for path in _modules():
        name = str(path.relative_to(ROOT))
        room = name.split("/", 1)[0]
        for line, module in _imports(path):
            top = module.split(".", 1)[0]
            if top in MAY_IMPORT and top != room and top not in MAY_IMPORT[room]:
                wrong.append(f"{name}:{line}: {room} may not import {top}")
            if room not in BELONGS_TO.get(top, {room}) and (name, top) not in TYPE_ONLY:
                wrong.append(f"{name}:{line}: {top} does not belong in {room}")
    assert not wrong


def test_modules_of_every_step_import_no_asset() -> None:
    """Only the geography is excepted, which is read once for all steps."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {module}"
        for path in sorted((ROOT / "assets" / "steps").glob("*.py"))
        for line, module in _imports(path)
        if module.startswith("assets.") and module.split(".")[1] not in {"steps", "geography"}
    ]
    assert not wrong


def test_package_files_stay_empty() -> None:
    full = [
        p for room in MAY_IMPORT for p in (ROOT / room).rglob("__init__.py") if p.stat().st_size
    ]
    assert not full


def test_no_modules_import_one_another() -> None:
    """Late imports and those for type annotations count as well."""
    assert not _circles(_graph())


def _graph() -> dict[str, set[str]]:
    """Return the imports of each module."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in _modules()}
    return {name: _targets(path) & names.keys() - {name} for name, path in names.items()}


def _targets(path: Path) -> set[str]:
    targets: set[str] = set()
    for node in _statements(path):
        if isinstance(node, ast.Import):
            targets |= {alias.name for alias in node.names}
        elif node.module:
            targets |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return targets


def _circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """Return groups of modules that import one another in a circle."""
    reach: dict[str, set[str]] = {}
    for start in graph:
        reachable: set[str] = set()
        ahead = [start]
        while ahead:
            new = graph[ahead.pop()] - reachable
            reachable |= new
            ahead += new
        reach[start] = reachable
    return {
        frozenset(other for other in reach[name] if name in reach[other])
        for name in graph
        if name in reach[name]
    }
