"""A step's code version changes with its import closure and its locked packages, with nothing else."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.steps.code_version import CodeTree

ROOT = Path(__file__).resolve().parents[4]
STEPS = {
    "matches": "assets.matching.by_state:write_matches",
    "quality": "assets.statistics.quality:quality_checks",
    "organizations": "assets.hsds.organizations:organization_registry",
    "telephones": "assets.probes.phone_validation:validate_phones",
    "reading": "assets.sources.assemble:assemble",
    "one source": "assets.sources.acf_head_start",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of our packages and of the lock."""
    for name in ("assets", "schemas", "warehouse"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "requirements.lock", tmp_path)
    return tmp_path


def _line_of_code(path: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        with (root / path).open("a", encoding="utf-8") as file:
            file.write("\n_ANOTHER = 1\n")

    return change


def _line_of_yaml(root: Path) -> None:
    path = root / "schemas/sources/acf_head_start.yaml"
    path.write_text(path.read_text() + "\n# seen again\n")


def _version_of(package: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        path = root / "requirements.lock"
        text, count = re.subn(rf"(?m)^{package}==\S+", f"{package}==99.0", path.read_text())
        assert count
        path.write_text(text)

    return change


CHANGES: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "a module deep in the closure of matching": (
        _line_of_code("assets/cleaning/keys.py"),
        {"matches", "organizations", "quality"},
    ),
    "a module of every table": (_line_of_code("schemas/fields.py"), set(STEPS) - {"organizations"}),
    "the module of another source": (
        _line_of_code("assets/sources/nces_schools.py"),
        set(),
    ),
    "the module of a source": (
        _line_of_code("assets/sources/acf_head_start.py"),
        {"one source"},
    ),
    "a definition nobody uses in a module of steps": (
        _line_of_code("assets/steps/workspace.py"),
        set(),
    ),
    "the facts of a source": (_line_of_yaml, {"reading", "one source"}),
    "a package that matching imports": (
        _version_of("rapidfuzz"),
        {"matches", "organizations", "quality"},
    ),
    "a package": (_version_of("phonenumbers"), {"telephones", "reading"}),
    "a package behind a package": (_version_of("numpy"), set(STEPS)),
    "a package that no step runs": (_version_of("litestar"), set()),
    "the runner of steps": (_version_of("dagster"), set()),
}


def _versions(root: Path) -> dict[str, str]:
    tree = CodeTree(root)
    return {name: tree.version(step) for name, step in STEPS.items()}


@pytest.fixture(scope="module")
def unchanged() -> dict[str, str]:
    """Versions of the code as it is."""
    return _versions(ROOT)


@pytest.mark.parametrize(("change", "expected"), CHANGES.values(), ids=CHANGES)
def test_exactly_the_steps_that_run_it_become_stale(
    unchanged: dict[str, str], root: Path, change: Callable[[Path], None], expected: set[str]
) -> None:
    change(root)
    versions = _versions(root)
    assert {name for name in STEPS if unchanged[name] != versions[name]} == expected


@pytest.mark.parametrize(
    ("lines", "is_reached"),
    [
        ("from assets.deep import f\ndef step(): return f()", True),
        ("def step():\n    from assets.deep import f\n    return f()", True),
        ("import assets.deep\ndef step(): return assets.deep.f()", True),
        ("from assets import deep\ndef step(): return deep.f()", True),
        ("from assets.deep import T\ndef step(t: T): return t.run()", True),
        ("from importlib import import_module as i\ndef step(): i('assets.deep').f()", True),
        ("from assets.deep import f\ndef other(): f()\ndef step(): other()", True),
        ("from assets.deep import f\ndef other(): f()\ndef step(): pass", False),
        ("from assets.deep import f\n@f\ndef step(): pass", False),
    ],
)
def test_imported_code_counts_for_a_step(tmp_path: Path, lines: str, is_reached: bool) -> None:
    (tmp_path / "assets").mkdir()
    for name, text in {"__init__": "", "deep": "def f(): ...\n", "steps": lines}.items():
        (tmp_path / "assets" / f"{name}.py").write_text(
            f"import dagster\n{text}" if name == "steps" else text
        )
    parts, _ = CodeTree(tmp_path).closure("assets.steps:step")
    assert ("assets.deep" in {part.module for part in parts}) is is_reached
