"""Check that `serving/` is divided by capability, each with its routes, logic and templates."""

import ast
from collections.abc import Iterator
from pathlib import Path

SERVING = Path(__file__).resolve().parents[2] / "serving"
# Independent of capabilities: every package may import them.
GROUND = {"http", "telemetry", "processes", "render", "reference"}
# Beneath the other capabilities.
BENEATH = {"search", "places"}
# Present answers of other capabilities.
PRESENTING = {"documents", "forms", "health", "mcp", "sibling", "sms"}
# Imports between capabilities that remain. The list may only shrink.
CROSSING = {("search", "disasters")}
MAX_LOOSE_FILES = 6


def _package(module: str) -> str | None:
    """Return the package below `serving` that a module is in; None for a loose file."""
    name = module.split(".")[1]
    return name if (SERVING / name).is_dir() else None


def _imports(path: Path) -> Iterator[str]:
    """Yield modules of `serving` that a file imports, also late or for types."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("serving."):
            yield str(node.module)
        elif isinstance(node, ast.ImportFrom) and node.module == "serving":
            yield from (f"serving.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("serving."))


def _crossing() -> dict[tuple[str, str], set[str]]:
    imports: dict[tuple[str, str], set[str]] = {}
    for path in sorted(SERVING.glob("*/**/*.py")):
        own = path.relative_to(SERVING).parts[0]
        for module in _imports(path):
            other = _package(module)
            if other is None or other == own or other in GROUND:
                continue
            if own not in GROUND and (other in BENEATH or own in PRESENTING):
                continue
            line = f"{path.relative_to(SERVING.parent)}: {module}"
            imports.setdefault((own, other), set()).add(line)
    return imports


def test_a_capability_imports_no_other() -> None:
    imports = _crossing()
    assert {pair: imports[pair] for pair in imports.keys() - CROSSING} == {}
    assert CROSSING - imports.keys() == set(), "no longer crossing: remove them from the list"


def test_few_files_are_loose() -> None:
    loose = [path.name for path in SERVING.glob("*.py") if path.name != "__init__.py"]
    assert len(loose) <= MAX_LOOSE_FILES, loose


def test_every_template_has_one_name() -> None:
    names = [path.name for path in SERVING.rglob("*.html")]
    assert sorted(names) == sorted(set(names))
