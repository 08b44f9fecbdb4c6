"""Identifiers of other registers from the keys of source records."""

import pandas as pd

from assets.directory.identity import crosswalk
from schemas.sources.registry import sources
from tests.support.cases import labelled

DECLARED = {s.id: s.identifiers for s in sources().values() if s.identifiers}
RESOURCES = pd.DataFrame(
    {
        "resource_id": [1, 2, 3, 4],
        "is_active": [True, True, False, True],
        "is_confidential": [False, False, False, True],
    }
)


def found(*records: tuple[int, str, str]) -> list[tuple[int, str, str]]:
    frame = pd.DataFrame(records, columns=["resource_id", "source_id", "source_key"])
    rows = crosswalk(RESOURCES, frame, DECLARED)
    columns = rows[["resource_id", "identifier_scheme", "identifier"]]
    return list(columns.itertuples(index=False, name=None))


@labelled("records, expected")
def test_identifiers(
    records: list[tuple[int, str, str]], expected: list[tuple[int, str, str]]
) -> None:
    assert found(*records) == expected
