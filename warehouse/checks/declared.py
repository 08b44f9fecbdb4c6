"""Checks derived from the table declarations, run by DuckDB over the Parquet files of a build.

No check is written by hand per table: each declared key, vocabulary, pattern, range and reference
is one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from schemas.table import Table
from warehouse.duckdb import Connection, connect_shared, connection, quote

_SHOWN = 5


@dataclass(frozen=True)
class Finding:
    """Outcome of one rule: number of broken values, and a few examples."""

    rule: str
    broken: int
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.rule}: {self.broken} rows, for example {', '.join(self.examples)}"


def check_table(table: Table, path: Path, others: Mapping[str, Path]) -> list[Finding]:
    """Return the broken rules of a table file; empty if all hold.

    `others` maps table names to files; foreign keys to other tables are not checked.
    """
    with connect_shared() as db:
        db.execute(f"CREATE TEMP VIEW checked AS SELECT * FROM read_parquet({quote(path)})")
        rules = _rules(table) + _references(db, table, others)
        # One pass evaluates all rules; rows are looked up only for broken ones.
        counts = ", ".join(f"count(*) FILTER ({condition})" for _, condition, _ in rules) or "0"
        broken = db.execute(f"SELECT {counts} FROM checked").fetchall()[0]
        findings = []
        for (rule, condition, show), count in zip(rules, broken, strict=False):
            if count:
                values = f"SELECT {show}::VARCHAR FROM checked WHERE {condition} LIMIT {_SHOWN}"
                examples = [str(value) for (value,) in db.execute(values).fetchall()]
                findings.append(Finding(rule, count, tuple(examples)))
        findings.append(_find_repeated_key(db, table))
    return [finding for finding in findings if finding.broken]


def _rules(table: Table) -> list[tuple[str, str, str]]:
    """Return (name, SQL condition of a broken row, column to show) of every rule about one
    value."""
    rules = []
    required = set(table.required_names)
    for field in table.fields:
        column = f'"{field.name}"'
        vocabulary = ", ".join(map(quote, field.values or ()))
        own = (
            (field.name in required, "is required", f"{column} IS NULL"),
            (field.values, "is in its vocabulary", f"{column} NOT IN ({vocabulary})"),
            (
                field.pattern,
                "fits its pattern",
                f"NOT regexp_full_match({column}, {quote(field.pattern or '')})",
            ),
            (
                field.minimum is not None,
                f"is at least {field.minimum}",
                f"{column} < {field.minimum}",
            ),
            (
                field.maximum is not None,
                f"is at most {field.maximum}",
                f"{column} > {field.maximum}",
            ),
            (field.type == "json", "is JSON", f"NOT json_valid({column})"),
        )
        rules += [(f"{field.name} {text}", broken, column) for has, text, broken in own if has]
    return rules


def _references(
    db: Connection, table: Table, others: Mapping[str, Path]
) -> list[tuple[str, str, str]]:
    rules = []
    for number, key in enumerate(table.foreign_keys):
        if key.references in others:
            file, column = quote(others[key.references]), f'"{key.field}"'
            db.execute(f"CREATE TEMP VIEW referenced_{number} AS FROM read_parquet({file})")
            known = f'SELECT "{key.references_field}" FROM referenced_{number}'
            broken = f"{column} IS NOT NULL AND {column} NOT IN ({known})"
            rules.append((f"{key.field} occurs in {key.references}", broken, column))
    return rules


def _find_repeated_key(db: Connection, table: Table) -> Finding:
    if not table.key:
        return Finding("key", 0)
    key = ", ".join(f'"{name}"' for name in table.key)
    count, examples = db.execute(
        f"""SELECT count(*), list(k)[1:{_SHOWN}] FROM (
            SELECT concat_ws(':', {key}) AS k FROM checked GROUP BY {key} HAVING count(*) > 1)"""
    ).fetchall()[0]
    return Finding(f"key ({', '.join(table.key)}) is unique", count, tuple(examples or ()))


@dataclass(frozen=True)
class Drop:
    """A group that shrank from one release to the next."""

    group: str
    before: int
    after: int

    def __str__(self) -> str:
        return f"{self.group}: {self.before} -> {self.after}"


def row_drops(
    path: Path, previous: Path, column: str, limits: Mapping[int, float], where: str = "true"
) -> list[Drop]:
    """Return groups of `column` that lost too many rows since `previous`, counting rows `where`
    (SQL).

    `limits` maps a minimum group size to the share of rows that groups of that size may lose.
    """
    shares = " ".join(
        f"WHEN b.n >= {rows} THEN {limits[rows]}" for rows in sorted(limits, reverse=True)
    )
    with connect_shared() as db:
        rows = db.execute(
            f"""SELECT b.g::VARCHAR, b.n, coalesce(a.n, 0) FROM
              (SELECT "{column}" AS g, count(*) AS n FROM read_parquet({quote(previous)})
                  WHERE {where} GROUP BY 1) b
              LEFT JOIN (SELECT "{column}" AS g, count(*) AS n FROM read_parquet({quote(path)})
                  WHERE {where} GROUP BY 1) a
              USING (g) WHERE coalesce(a.n, 0) < b.n * (1 - CASE {shares} ELSE 1 END) ORDER BY 1"""
        ).fetchall()
    return [Drop(*row) for row in rows]


def select_lost(table: Table, column: str, groups: Iterable[str], where: str = "true") -> str:
    """Return the query for rows `where` (SQL) of these groups in `served` that `made` lacks."""
    columns = (column, *table.key, "name", "data_source")
    names = dict.fromkeys(name for name in columns if name in table.field_names)
    same = ", ".join(f'"{name}"' for name in dict.fromkeys((column, *table.key)))
    return f"""SELECT {", ".join(f'"{name}"' for name in names)}
      FROM (SELECT * FROM served WHERE {where}) AS s
      ANTI JOIN (SELECT * FROM made WHERE {where}) AS m USING ({same})
      WHERE "{column}"::VARCHAR IN ({", ".join(map(quote, groups))})"""


# Runs query checks (`schemas.checks`) over the Parquet files of a build.

MAX_SHOWN_ROWS = 10


class BrokenRows(NamedTuple):
    """Rows returned by a query: `total`, and the first of them with the column names."""

    total: int
    columns: list[str]
    rows: list[tuple[Any, ...]]


def run_query_check(query: str, tables: Mapping[str, Path]) -> BrokenRows:
    """Run a query over tables by name. Raises duckdb.Error for an invalid query."""
    with connection() as db:
        for name, path in tables.items():
            db.execute(f'CREATE VIEW "{name}" AS SELECT * FROM read_parquet({quote(path)})')
        db.execute(f"CREATE TEMP TABLE broken AS ({query})")
        (count,) = db.execute("SELECT count(*) FROM broken").fetchall()[0]
        cursor = db.execute(f"SELECT * FROM broken ORDER BY ALL LIMIT {MAX_SHOWN_ROWS}")
        columns = [column[0] for column in cursor.description or ()]
        return BrokenRows(int(count), columns, cursor.fetchall())
