"""Which records are worth comparing: pairs that share a key, found by SQL.

A key shared by many (a hot line, a shopping centre, "Food Pantry") would give pairs by the million and
proofs by none: a block over its cap is split by a finer key, and dropped where that is too coarse too.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import pyarrow as pa

from warehouse.duck import connection


@dataclass(frozen=True)
class Rule:
    """Keys from coarse to fine (SQL over `records`) and the size a block may have.

    The first key must not be -1; `tables` joins what the keys need.
    """

    name: str
    keys: tuple[str, ...]
    known: str
    cap: int
    tables: str = "records"


# Two grids of about two kilometres, shifted by half a cell: near points share a cell of one of them.
_CELL = "floor(lat / 0.02), floor(lng / 0.025)"
_SHIFTED_CELL = "floor(lat / 0.02 + 0.5), floor(lng / 0.025 + 0.5)"
_WITH_WORDS = "records JOIN rare_words USING (name)"

RULES = (
    Rule("phone", ("phone", "phone, city, state", "phone, content"), "phone >= 0", 16),
    Rule("address", ("number, core, zip", "number, core, zip, content"), "number >= 0 AND zip >= 0", 40),
    Rule("address_word", ("number, core, zip, word",), "number >= 0 AND zip >= 0", 12, _WITH_WORDS),
    Rule("address_in_city", ("number, core, city, state", "number, core, city, state, content"),
         "number >= 0 AND city >= 0", 20),
    Rule("website", ("website, zip", "website, zip, content"), "website >= 0", 12),
    Rule("name_zip", ("content, zip",), "zip >= 0", 16),
    Rule("name_city", ("content, city, state", "content, city, state, zip"), "city >= 0", 16),
    Rule("word_near", (f"word, {_CELL}",), "is_exact", 10, _WITH_WORDS),
    Rule("word_near_shifted", (f"word, {_SHIFTED_CELL}",), "is_exact", 10, _WITH_WORDS),
    Rule("word_city", ("word, city, state",), "city >= 0", 10, _WITH_WORDS),
)  # fmt: skip

# The two rarest words of every name; ties go by the alphabet.
_RARE_WORDS = """
CREATE TEMP TABLE rare_words AS
WITH words AS (SELECT DISTINCT name, unnest(string_split(words, ' ')) AS word FROM names),
     counted AS (SELECT word, count(*) AS names FROM words GROUP BY word),
     ranked AS (
         SELECT name, hash(word) AS word,
                row_number() OVER (PARTITION BY name ORDER BY counted.names, word) AS position
         FROM words JOIN counted USING (word))
SELECT name, word FROM ranked WHERE position <= 2
"""


def candidate_pairs(records: pa.Table, names: pa.Table, memory: str = "700MB") -> pa.Table:
    """Pairs of records that share a key of a rule: columns `a` < `b`, ordered, each pair once.

    `records` has row (0, 1, ...), name, content, number, core, zip, city, state, phone, website (codes,
    -1 unknown), lat, lng, is_exact; `names` has name and its telling words, blank-separated.
    """
    with connection() as duck:
        duck.execute(f"SET memory_limit = '{memory}'")
        duck.register("records", records)
        duck.register("names", names)
        duck.execute(_RARE_WORDS)
        duck.execute("CREATE TEMP TABLE pairs (pair BIGINT)")
        for rule in RULES:
            _collect(duck, rule)
        return duck.sql(
            "SELECT (pair >> 32)::INTEGER AS a, (pair & 4294967295)::INTEGER AS b "
            "FROM (SELECT DISTINCT pair FROM pairs) ORDER BY pair"
        ).to_arrow_table()


def _collect(duck: duckdb.DuckDBPyConnection, rule: Rule) -> None:
    """Add the pairs of one rule; what stands in a block over the cap goes on to the next key."""
    among = ""
    for level, key in enumerate(rule.keys):
        duck.execute(
            f"CREATE OR REPLACE TEMP TABLE keyed_{level} AS SELECT row, hash({key}) AS key "
            f"FROM {rule.tables} WHERE {rule.known} {among}"
        )
        duck.execute(
            f"CREATE OR REPLACE TEMP TABLE blocks_{level} AS SELECT key, count(*) AS size "
            f"FROM keyed_{level} GROUP BY key HAVING count(*) > 1"
        )
        members = f"SELECT row, key FROM keyed_{level} JOIN blocks_{level} USING (key)"
        duck.execute(
            "INSERT INTO pairs SELECT DISTINCT (one.row::BIGINT << 32) | other.row "
            f"FROM ({members} WHERE size <= {rule.cap}) one "
            f"JOIN keyed_{level} other ON one.key = other.key AND one.row < other.row"
        )
        among = f"AND row IN (SELECT row FROM ({members} WHERE size > {rule.cap}))"
