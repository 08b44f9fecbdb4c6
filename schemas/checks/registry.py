"""Checks that an analyst adds: each file of this folder is a query that must return no rows.

    -- table: core_directory__resources
    -- severity: error
    -- A place that is open to everyone has no age limits.
    SELECT resource_id, minimum_age FROM core_directory__resources WHERE ...

`severity` is `error` (nothing is promoted) or `warn` (the build says so and goes on). The query may
read any declared table of a build that is made before, or together with, `table`, by its name.
"""

import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Literal, NamedTuple

from schemas.tables.registry import TABLES

SEVERITIES = ("error", "warn")
_HEAD = re.compile(r"-- table: (\S+)\n-- severity: (\S+)\n((?:-- .+\n)+)((?:.|\n)+)")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class QueryCheck(NamedTuple):
    """A check of a table by a query; `reads` are the declared tables that it names."""

    name: str
    table: str
    severity: Literal["error", "warn"]
    description: str
    query: str
    reads: tuple[str, ...]


def read_check(name: str, text: str) -> QueryCheck:
    """Read one file. Raises ValueError naming the file and the rule."""
    match = _HEAD.fullmatch(text)
    if not _NAME.fullmatch(name) or match is None:
        raise ValueError(
            f"{name}.sql: needs a name in small letters and the lines table, severity, "
            "description, query"
        )
    table, severity, about, query = match.groups()
    if table not in TABLES:
        raise ValueError(f"{name}.sql: there is no table {table!r}")
    if severity not in SEVERITIES:
        raise ValueError(f"{name}.sql: severity {severity!r} is not one of {', '.join(SEVERITIES)}")
    words = set(re.findall(r"\w+", query))
    if table not in words:
        raise ValueError(f"{name}.sql: the query does not read {table}")
    description = " ".join(line.removeprefix("-- ") for line in about.splitlines())
    reads = tuple(table_name for table_name in TABLES if table_name in words)
    return QueryCheck(
        name,
        table,
        "error" if severity == "error" else "warn",
        description,
        query.strip().rstrip(";"),
        reads,
    )


def read_checks(folder: Traversable) -> tuple[QueryCheck, ...]:
    """Read every `*.sql` of a folder, by name. Raises ValueError."""
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple(read_check(f.name.removesuffix(".sql"), f.read_text("utf-8")) for f in files)


@cache
def query_checks() -> tuple[QueryCheck, ...]:
    """Return the checks of this package."""
    return read_checks(resources.files(__package__))
