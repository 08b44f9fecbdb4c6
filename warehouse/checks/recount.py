"""Compares the figures of a table with counts by DuckDB."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from warehouse.checks.declared import Finding
from warehouse.duckdb import Connection, connection, quote

SHOWN = 5


@contextmanager
def views(resources: Path, **tables: Path) -> Iterator[Connection]:
    """Open a connection with a view of each table, of `resources`, and of the `active`
    resources."""
    with connection() as db:
        for name, path in {"resources": resources, **tables}.items():
            db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({quote(path)})")
        db.execute("CREATE VIEW active AS SELECT * FROM resources WHERE is_active")
        yield db


def is_one_of(types: tuple[str, ...]) -> str:
    """Return an SQL condition for a resource of one of the types."""
    return f"resource_type IN ({', '.join(map(quote, types))})"


def differing(db: Connection, rule: str, stated: str, recount: str) -> Finding:
    """Find groups whose stated figure differs from the count; a missing figure counts as 0."""
    query = f"""SELECT g, coalesce(a.n, 0) AS said, coalesce(b.n, 0) AS truth
        FROM ({stated}) a(g, n) FULL JOIN ({recount}) b(g, n) USING (g)"""
    return at_fault(db, f"{rule} agrees with the resources", query, "said <> truth")


def differing_columns(
    db: Connection, place: str, key: str, counts: Mapping[str, str]
) -> list[Finding]:
    """Compare columns of `totals` with counts of the active resources, both SQL, by `key`."""
    return [
        differing(
            db,
            f"{column} by {place}",
            f"SELECT {key}, {column} FROM totals",
            f"SELECT {key}, {count} FROM active WHERE {key} IS NOT NULL GROUP BY 1",
        )
        for column, count in counts.items()
    ]


def count_where(rules: Mapping[str, str]) -> dict[str, str]:
    """Return SQL that counts the resources meeting each rule."""
    return {column: f"count(*) FILTER ({rule})" for column, rule in rules.items()}


def at_fault(db: Connection, rule: str, query: str, fault: str) -> Finding:
    """Find faulty rows of a query (name, said, truth, ...)."""
    rows = db.execute(f"SELECT * FROM ({query}) WHERE {fault} ORDER BY 1").fetchall()
    examples = tuple(f"{name}: {stated} for {truth}" for name, stated, truth, *_ in rows[:SHOWN])
    return Finding(rule, len(rows), examples)
