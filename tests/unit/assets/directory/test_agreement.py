"""Which value is published: what independent lists agree on, then the closest publisher's."""

from typing import Any

from assets.directory.places import rank_values
from assets.directory.statements import families
from tests.support.cases import labelled
from tests.unit.assets.records import day, known, located, merged, source

SOURCES = known(
    source("city", "compiled"),
    source("county", "compiled"),
    source("county_copy", "compiled", copy_of=["county"]),
    source("volunteers", "community"),
    source("machine", "compiled", is_derived=True),
)
OLD, NEW = {"source_updated_date": day("2023-01-01")}, {"source_updated_date": day("2025-08-06")}


def published(*records: dict[str, Any]) -> tuple[str, str, str]:
    directory = merged(located(*records), SOURCES, day("2026-11-01"), rank=rank_values)
    place = directory.resources.iloc[0]
    return place["address"], place["zip"], place["phone"]


@labelled("records, expected")
def test_which_value_is_published(records: list[dict[str, Any]], expected: dict[str, str]) -> None:
    address, code, phone = published(*records)
    assert (address.casefold()[:5], code, phone) == (
        expected["address"].casefold()[:5],
        expected["zip"],
        expected["phone"],
    )


def test_families_of_copies_are_joined() -> None:
    registry = known(
        source("a"), source("b", copy_of=["a"]), source("c", copy_of=["b"]), source("d")
    )
    assert families(registry) == {"a": "a", "b": "a", "c": "a", "d": "d"}
