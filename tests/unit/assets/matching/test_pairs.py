"""Pairs of records and what they are: one place, two places, or a case for a reviewer."""

from tests.support.cases import table_of
from tests.unit.assets.matching.places import record_of, verdicts


def test_verdicts() -> None:
    tables = {verdict: table_of(__file__, verdict) for verdict in ("same", "different", "doubtful")}
    expected = {name: verdict for verdict, table in tables.items() for name in table}
    assert len(expected) == sum(map(len, tables.values()))
    pairs = [(record_of(a), record_of(b)) for table in tables.values() for a, b in table.values()]
    assert dict(zip(expected, verdicts(pairs), strict=True)) == expected
