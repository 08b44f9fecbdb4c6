"""Digests the code of a step: its import closure, read from source, and its locked packages.

Modules are parsed, not imported. A module counts whole, with all its imports, the data files of its
folder and each package named in a string. Modules that import Dagster contain steps: only the
definitions used by a step count, and no classes, which configure how a build runs and not its
results. Third-party packages count with the locked versions of those in the closure, directly or
through requirements of others; Dagster's do not.
"""

from __future__ import annotations

import ast
import hashlib
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from typing import NamedTuple, TypeGuard

_OURS = frozenset({"assets", "content", "pipelines", "schemas", "serving", "warehouse", "web"})
_RUNNER = "dagster"
_DATA = frozenset({".json", ".sql", ".yaml"})
_ROOT = Path(__file__).resolve().parents[2]
_LOCK = "requirements.lock"
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
_REQUIRED = re.compile(r"[A-Za-z0-9._-]+")


class Part(NamedTuple):
    """A module (`name` None) or one of its definitions."""

    module: str
    name: str | None = None


class Closure(NamedTuple):
    """The code of a step: parts of our modules and top-level names of third-party packages."""

    parts: frozenset[Part]
    packages: frozenset[str]


class CodeTree:
    """Our packages below a folder, and the lock of the third-party ones.

    Without a lock, as in an installed wheel, the installed versions count.
    """

    def __init__(self, root: Path = _ROOT, lock: Path | None = None) -> None:
        self._root = root
        self.lock = lock or root / _LOCK
        self._modules: dict[str, _Module | None] = {}
        self._versions: dict[tuple[str, ...], str] = {}
        # Most parts are in many closures: each is walked once.
        self._used: dict[Part, frozenset[Part]] = {}
        self._digests: dict[Part, bytes] = {}

    def version(self, *roots: str) -> str:
        """Digest of the closure of modules, packages or definitions ("module:name")."""
        if roots not in self._versions:
            self._versions[roots] = self._version(roots)
        return self._versions[roots]

    def closure(self, *roots: str) -> Closure:
        """Return the closure of some modules, packages or definitions. Raises LookupError."""
        parts: set[Part] = set()
        packages: set[str] = set()
        waiting = [part for root in roots for part in self._parts_of(root)]
        while waiting:
            part = waiting.pop()
            if part in parts:
                continue
            parts.add(part)
            if part not in self._used:
                self._used[part] = frozenset(self._module(part.module).names_used(part.name))
            for reference in self._used[part]:
                top = reference.module.partition(".")[0]
                if top not in _OURS:
                    packages.add(top)
                elif (reached := self._resolve(part.module, reference)) is not None:
                    waiting.append(reached)
        return Closure(frozenset(parts), frozenset(packages - sys.stdlib_module_names))

    def _version(self, roots: tuple[str, ...]) -> str:
        parts, packages = self.closure(*roots)
        digest = hashlib.sha256(platform.python_version().encode())
        for part in sorted(parts, key=lambda p: (p.module, p.name or "")):
            digest.update(f"\n{part.module}:{part.name}:".encode())
            if part not in self._digests:
                self._digests[part] = self._module(part.module).digest(part.name)
            digest.update(self._digests[part])
        for name, version in sorted(self._read_lock(packages).items()):
            digest.update(f"\n{name}=={version}".encode())
        return digest.hexdigest()

    def _parts_of(self, root: str) -> Iterator[Part]:
        module, _, name = root.partition(":")
        folder = self._root / module.replace(".", "/")
        if name or not folder.is_dir():
            yield Part(module, name or None)
            return
        for path in sorted(folder.rglob("*.py")):
            names = path.relative_to(self._root).with_suffix("").parts
            yield Part(".".join(names[:-1] if names[-1] == "__init__" else names))

    def _resolve(self, module: str, reference: Part) -> Part | None:
        """Return the part that a name in a module refers to; None if it does not count."""
        if reference.name and self._find(f"{reference.module}.{reference.name}"):
            return Part(f"{reference.module}.{reference.name}")
        target = self._find(reference.module)
        if target is None or (target.is_of_steps and target.has_class(reference.name)):
            return None
        is_by_definition = reference.module == module or target.is_of_steps
        return Part(reference.module, reference.name if is_by_definition else None)

    def _module(self, name: str) -> _Module:
        module = self._find(name)
        if module is None:
            raise LookupError(f"there is no module {name}")
        return module

    def _find(self, name: str) -> _Module | None:
        if name not in self._modules:
            base = self._root / name.replace(".", "/")
            paths = (base.with_name(f"{base.name}.py"), base / "__init__.py")
            path = next((p for p in paths if p.is_file()), None)
            self._modules[name] = _Module.of(name, path) if path else None
        return self._modules[name]

    def _read_lock(self, packages: Iterable[str]) -> dict[str, str]:
        """Return versions of the distributions that import packages need, in one text."""
        pinned = self._pinned
        waiting = [_canonical(d) for p in packages for d in _distributions().get(p, [p])]
        versions: dict[str, str] = {}
        while waiting:
            name = waiting.pop()
            if name not in versions and not name.startswith(_RUNNER):
                versions[name] = pinned.get(name) or _find_version(name)
                waiting += _requirements(name)
        return {name: version for name, version in versions.items() if version}

    @cached_property
    def _pinned(self) -> dict[str, str]:
        """Return versions by distribution; several if they depend on Python's version."""
        text = self.lock.read_text(encoding="utf-8") if self.lock.is_file() else ""
        versions: dict[str, str] = {}
        for name, version in sorted(_PIN.findall(text)):
            canonical = _canonical(name)
            versions[canonical] = (
                f"{versions[canonical]} {version}" if canonical in versions else version
            )
        return versions


@dataclass
class _Uses:
    """The names in some source, the strings that name our modules, and its imports by bound
    name."""

    names: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    imports: dict[str, set[Part]] = field(default_factory=dict)

    def read(self, *tops: ast.AST) -> None:
        """Add the names, strings and imports of nodes and their descendants."""
        waiting = list(tops)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name):
                self.names.add(node.id)
            elif isinstance(node, ast.Constant):
                if _is_module_name(node.value):
                    self.modules.add(node.value)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                for alias, part in _import_parts(node):
                    # `import a.b` binds `a`.
                    name = alias.asname or alias.name.partition(".")[0]
                    self.imports.setdefault(name, set()).add(part)
            else:
                waiting += _children(node)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for value in vars(node).values():
        if type(value) is list:
            yield from (each for each in value if isinstance(each, ast.AST))
        elif isinstance(value, ast.AST):
            yield value


@dataclass(frozen=True, eq=False)
class _Module:
    name: str
    path: Path
    text: str
    tree: ast.Module

    @classmethod
    def of(cls, name: str, path: Path) -> _Module:
        text = path.read_text(encoding="utf-8")
        return cls(name, path, text, ast.parse(text))

    @cached_property
    def _uses(self) -> _Uses:
        uses = _Uses()
        uses.read(*self.tree.body)
        return uses

    @cached_property
    def is_of_steps(self) -> bool:
        return any(p.module == _RUNNER for parts in self._uses.imports.values() for p in parts)

    @cached_property
    def _definitions(self) -> Mapping[str, list[ast.stmt]]:
        definitions: dict[str, list[ast.stmt]] = {}
        for node in self.tree.body:
            for name in _bound_names(node):
                definitions.setdefault(name, []).append(node)
        return definitions

    def has_class(self, name: str | None) -> bool:
        return any(isinstance(n, ast.ClassDef) for n in self._definitions.get(name or "", ()))

    def names_used(self, definition: str | None) -> Iterator[Part]:
        """Yield the external names that the module, or a definition, refers to. Raises
        LookupError."""
        uses = self._uses if definition is None else self._uses_of(definition)
        # The import may be anywhere in the module.
        imports = self._uses.imports
        for name in uses.names:
            if name in imports:
                yield from imports[name]
            elif definition and name in self._definitions and name != definition:
                yield Part(self.name, name)
        yield from (Part(name) for name in uses.modules)

    def _uses_of(self, definition: str) -> _Uses:
        """Read a definition. Function decorators are ignored: they configure how it runs."""
        uses = _Uses()
        for node in self._definitions_of(definition):
            left_out = getattr(node, "decorator_list", []) if _is_function(node) else []
            uses.read(*(each for each in _children(node) if each not in left_out))
        return uses

    def _definitions_of(self, name: str) -> list[ast.stmt]:
        if name in self._definitions:
            return self._definitions[name]
        if name in self._uses.imports:  # another module imports it from there
            return []
        raise LookupError(f"{self.name} does not define {name}")

    def digest(self, definition: str | None) -> bytes:
        """Digest the source; for a whole module also the data files of its folder."""
        if definition is None:
            return hashlib.sha256(self.text.encode() + _data_digest(self.path.parent)).digest()
        sources = [self._source_of(node) for node in self._definitions_of(definition)]
        return hashlib.sha256(b"\n".join(sources)).digest()

    def _source_of(self, node: ast.stmt) -> bytes:
        """Return a statement like `ast.get_source_segment`, which splits the whole module each
        time."""
        lines = self._lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        return b"\n".join(lines)[node.col_offset :]

    @cached_property
    def _lines(self) -> list[bytes]:
        return self.text.encode().split(b"\n")


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _import_parts(node: ast.Import | ast.ImportFrom) -> list[tuple[ast.alias, Part]]:
    if isinstance(node, ast.Import):
        return [(alias, Part(alias.name)) for alias in node.names]
    return [(alias, Part(node.module or "", alias.name)) for alias in node.names]


def _bound_names(node: ast.stmt) -> list[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    return [
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]


def _is_module_name(value: object) -> TypeGuard[str]:
    return (
        isinstance(value, str)
        and value.partition(".")[0] in _OURS
        and "." in value
        and all(part.isidentifier() for part in value.split("."))
    )


def _data_digest(folder: Path) -> bytes:
    paths = sorted(path for path in folder.iterdir() if path.suffix in _DATA)
    return hashlib.sha256(b"".join(p.name.encode() + p.read_bytes() for p in paths)).digest()


@cache
def _distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


@cache
def _requirements(name: str) -> list[str]:
    """Return the requirements of a distribution, without extras."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    matches = [_REQUIRED.match(line) for line in lines if "extra ==" not in line]
    return [_canonical(match[0]) for match in matches if match]


@cache
def _find_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


_TREE = CodeTree()


def code_digest(*roots: str) -> str:
    """Digest the closure of modules, packages or definitions ("module:name")."""
    return _TREE.version(*sorted(roots))


@cache
def tree_digest(*packages: str) -> str:
    """Digest all source and data files of some packages, and the lock."""
    digest = hashlib.sha256(_TREE.lock.read_bytes() if _TREE.lock.is_file() else b"")
    for name in packages:
        for path in sorted((_ROOT / name).rglob("*")):
            if path.suffix in {".py", *_DATA}:
                digest.update(f"{path.relative_to(_ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def root_of(function: Callable[..., object]) -> str:
    """Return a function as a root of `code_digest`: the top-level definition that contains it."""
    return f"{function.__module__}:{function.__qualname__.partition('.')[0]}"
