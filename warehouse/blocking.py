"""Finds candidate pairs: records that share a key, by SQL.

A key shared by many (a hotline, a shopping centre, "Food Pantry") would give millions of pairs and
no proof: a block over its cap is split by a finer key, and dropped if that is too coarse as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from schemas.tables.matching import FACTS_SCHEMA, PAIRS_SCHEMA, SHARED_SCHEMA
from warehouse.duckdb import Connection, connection, quote


@dataclass(frozen=True)
class Rule:
    """Keys from coarse to fine (SQL over `records`) and the maximum size of a block.

    The first key must not be -1; `tables` are joined for the keys.
    """

    name: str
    keys: tuple[str, ...]
    condition: str
    cap: int
    tables: str = "records"


# Two grids of about two kilometres, and two of some 200 metres, each pair offset by half a cell:
# most nearby points share a cell of one. Points divided by a meridian of one grid and a parallel of
# the other share none.
_MEMORY = "700MB"
_CELL = "floor(lat / 0.02), floor(lng / 0.025)"
_SHIFTED_CELL = "floor(lat / 0.02 + 0.5), floor(lng / 0.025 + 0.5)"
_SPOT = "floor(lat / 0.002), floor(lng / 0.0025)"
_SHIFTED_SPOT = "floor(lat / 0.002 + 0.5), floor(lng / 0.0025 + 0.5)"
_DOOR = "floor(lat / 0.0005), floor(lng / 0.000625)"
_WITH_WORDS = "records JOIN rare_words USING (name)"

RULES = (
    Rule("phone", ("phone", "phone, city, state", "phone, content"), "phone >= 0", 16),
    Rule(
        "address",
        ("number, core, zip", "number, core, zip, content"),
        "number >= 0 AND zip >= 0",
        40,
    ),
    Rule("address_word", ("number, core, zip, word",), "number >= 0 AND zip >= 0", 12, _WITH_WORDS),
    Rule(
        "address_in_city",
        ("number, core, city", "number, core, city, state", "number, core, city, state, content"),
        "number >= 0 AND city >= 0",
        20,
    ),
    # Towns have alternative names, and some records have no town.
    Rule("address_name", ("number, core, content",), "number >= 0", 12),
    Rule("address_in_state", ("number, core, state",), "number >= 0", 12),
    Rule("website", ("website, zip", "website, zip, content"), "website >= 0", 12),
    Rule("name_zip", ("content, zip",), "zip >= 0", 16),
    Rule(
        "name_city",
        ("content, city", "content, city, state", "content, city, state, zip"),
        "city >= 0",
        16,
    ),
    Rule("word_near", (f"word, {_CELL}",), "is_exact", 10, _WITH_WORDS),
    Rule("word_near_shifted", (f"word, {_SHIFTED_CELL}",), "is_exact", 10, _WITH_WORDS),
    Rule("point", (_SPOT, _DOOR), "is_exact", 12),
    Rule("point_shifted", (_SHIFTED_SPOT, _DOOR), "is_exact", 12),
    Rule("word_city", ("word, city", "word, city, state"), "city >= 0", 10, _WITH_WORDS),
)

# The two rarest words of every name; ties in alphabetical order.
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


def candidate_pairs(records: pa.Table, names: pa.Table) -> pa.Table:
    """Return pairs of records that share a key of a rule: columns `a` < `b`, ordered, unique.

    `records` has row (0, 1, ...), name, content, number, core, zip, city, state, phone, website
    (codes, -1 unknown), lat, lng, is_exact; `names` has name and its distinctive words,
    blank-separated.
    """
    with connection() as duck:
        duck.execute(f"SET memory_limit = '{_MEMORY}'")
        duck.register("records", records)
        duck.register("names", names)
        _collect_all(duck)
        return duck.sql(
            "SELECT (pair >> 32)::INTEGER AS a, (pair & 4294967295)::INTEGER AS b "
            "FROM (SELECT DISTINCT pair FROM pairs) ORDER BY pair"
        ).to_arrow_table()


# National row numbers: this many bits for the row within its state, the state above.
_STATE_BITS = 24
_SAME_STATE = f"AND (one.row >> {_STATE_BITS}) = (other.row >> {_STATE_BITS})"
_ROW_IN_STATE = (1 << _STATE_BITS) - 1


@dataclass(frozen=True)
class StateCandidates:
    """A state's pairs of rows (PAIRS_SCHEMA) and shared contacts (SHARED_SCHEMA), ordered."""

    pairs: pa.Table
    shared: pa.Table


def candidates_by_state(
    facts: Mapping[str, Path], shared_by: int
) -> Iterator[tuple[str, StateCandidates]]:
    """Yield, state by state, the pairs of `candidate_pairs` whose records are both in that state.

    `facts` are the files (FACTS_SCHEMA) of all states. Word frequencies and block sizes are
    national. A telephone number of `shared_by` or more places, or a website of as many names, is
    shared. Raises ValueError when a state has 16.7 million rows or more.
    """
    states = sorted(facts)
    with connection() as duck:
        duck.execute(f"SET memory_limit = '{_MEMORY}'")
        _load_facts(duck, [facts[state] for state in states])
        _collect_all(duck, _SAME_STATE)
        duck.execute("CREATE TEMP TABLE found AS SELECT DISTINCT pair FROM pairs")
        _find_shared(duck, shared_by)
        # One pass: filtering all pairs for each state would cost as much as finding them.
        pairs = duck.sql("SELECT pair FROM found ORDER BY pair").to_arrow_table().combine_chunks()
        shared = duck.sql("FROM shared ORDER BY row").to_arrow_table().combine_chunks()
    for number, state in enumerate(states):
        yield state, _of_state(pairs, shared, number)


def _load_facts(duck: Connection, paths: Sequence[Path]) -> None:
    """Create `records`, with national row numbers, and `names`."""
    for path in paths:
        rows = pq.read_metadata(path).num_rows
        if rows > _ROW_IN_STATE:
            raise ValueError(f"{path.name}: {rows} records in one state are too many")
    facts = f"read_parquet([{', '.join(map(quote, paths))}])"
    columns = ", ".join(FACTS_SCHEMA.names[1:-1])
    duck.execute(
        f"CREATE TEMP TABLE records AS SELECT (file_index::BIGINT << {_STATE_BITS}) + row AS row, "
        f"{columns} FROM {facts}"
    )
    duck.execute(
        f"CREATE TEMP TABLE names AS SELECT DISTINCT name, words FROM {facts} WHERE name >= 0"
    )


def _find_shared(duck: Connection, shared_by: int) -> None:
    duck.execute(f"""
        CREATE TEMP TABLE shared AS
        WITH phones AS (
            SELECT phone FROM (SELECT DISTINCT phone, number, core, zip FROM records
                WHERE phone >= 0 AND number >= 0)
            GROUP BY phone HAVING count(*) >= {shared_by}),
        websites AS (
            SELECT website FROM (SELECT DISTINCT website, name FROM records WHERE website >= 0
                AND name >= 0)
            GROUP BY website HAVING count(*) >= {shared_by})
        SELECT row, phone IN (FROM phones) AS is_phone_shared,
            website IN (FROM websites) AS is_website_shared
        FROM records WHERE is_phone_shared OR is_website_shared""")


def _of_state(pairs: pa.Table, shared: pa.Table, number: int) -> StateCandidates:
    """Return one state's slice of values ordered by national row number."""
    first, end = number << _STATE_BITS, (number + 1) << _STATE_BITS
    state_rows = _between(pairs, first << 32, end << 32)
    pair_keys = state_rows["pair"].to_numpy()
    a, b = (pair_keys >> 32) - first, (pair_keys & 0xFFFFFFFF) - first
    pairs_of_state = pa.table(
        [pa.array(a, pa.int32()), pa.array(b, pa.int32())], schema=PAIRS_SCHEMA
    )
    state_rows = _between(shared, first, end)
    row = pa.array(state_rows["row"].to_numpy() - first, pa.int32())
    return StateCandidates(pairs_of_state, state_rows.set_column(0, "row", row).cast(SHARED_SCHEMA))


def _between(rows: pa.Table, first: int, end: int) -> pa.Table:
    """Return the rows whose first (sorted) column is within a range."""
    start, stop = np.searchsorted(rows.column(0).to_numpy(), [first, end]).tolist()
    return rows.slice(start, stop - start)


def _collect_all(duck: Connection, pair_filter: str = "") -> None:
    """Collect the pairs of all rules in a table `pairs`. `pair_filter` (SQL after AND) limits
    which rows may meet."""
    duck.execute(_RARE_WORDS)
    duck.execute("CREATE TEMP TABLE pairs (pair BIGINT)")
    for rule in RULES:
        _collect(duck, rule, pair_filter)


def _collect(duck: Connection, rule: Rule, pair_filter: str) -> None:
    """Add the pairs of one rule; records in a block over the cap move on to the next key."""
    row_filter = ""
    for level, key in enumerate(rule.keys):
        duck.execute(
            f"CREATE OR REPLACE TEMP TABLE keyed_{level} AS SELECT row, hash({key}) AS key "
            f"FROM {rule.tables} WHERE {rule.condition} {row_filter}"
        )
        duck.execute(
            f"CREATE OR REPLACE TEMP TABLE blocks_{level} AS SELECT key, count(*) AS size "
            f"FROM keyed_{level} GROUP BY key HAVING count(*) > 1"
        )
        members = f"SELECT row, key FROM keyed_{level} JOIN blocks_{level} USING (key)"
        duck.execute(
            "INSERT INTO pairs SELECT DISTINCT (one.row::BIGINT << 32) | other.row "
            f"FROM ({members} WHERE size <= {rule.cap}) one "
            f"JOIN keyed_{level} other ON one.key = other.key AND one.row < other.row {pair_filter}"
        )
        row_filter = f"AND row IN (SELECT row FROM ({members} WHERE size > {rule.cap}))"
