"""The files of the demo: their sources, their faults, and the effect of size and seed."""

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from assets.demo.programs import PROGRAM_SOURCES, program_rows
from assets.demo.write import DEMO_SOURCES, write_demo
from assets.geography.model import Geography
from assets.sources.assemble import SourceRows
from schemas.sources.registry import reference_sources, sources
from schemas.vocab.resource_types import TYPE_IDS
from tests.support.cases import labelled
from tests.support.demo import assemble_demo, geography

__all__ = ["geography"]
AS_OF = date(2026, 11, 1)
SIZES = (100, 300, 2000, 20_000)


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory, geography: Geography) -> dict[int, Path]:
    folders = {size: tmp_path_factory.mktemp(f"demo{size}") for size in SIZES}
    for size, folder in folders.items():
        write_demo(folder, size, 1, geography.zips, geography.cities, AS_OF)
    return folders


@pytest.fixture(scope="module")
def read_demo(demos: dict[int, Path]) -> Callable[[int, str], SourceRows]:
    """Returns the rows that a source has from the files of a size, which are read once."""
    return cache(lambda size, source_id: assemble_demo(demos[size], source_id))


@pytest.fixture(scope="module")
def small(read_demo: Callable[[int, str], SourceRows]) -> dict[str, SourceRows]:
    return {source_id: read_demo(2000, source_id) for source_id in DEMO_SOURCES}


def test_every_file_belongs_to_one_source_of_the_demo(demos: dict[int, Path]) -> None:
    registry = [*(sources()[s] for s in DEMO_SOURCES), *reference_sources().values()]
    owned = {name: source for source in registry for name in source.folders}
    for path in (p for p in demos[2000].rglob("*") if p.is_file()):
        source = owned[path.parent.name]
        assert source.layout_of(path.name) is not None, path.name


def test_every_source_of_the_demo_may_be_published() -> None:
    licenses = [sources()[source_id].license for source_id in DEMO_SOURCES]
    assert all(license.is_republishable or license.may_be_quoted for license in licenses)


def _lists_places(source_id: str) -> bool:
    source = sources()[source_id]
    return source.yields == "places" and source.license.is_republishable


@pytest.mark.parametrize("size", SIZES)
def test_every_type_in_every_size(read_demo: Callable[[int, str], SourceRows], size: int) -> None:
    places = [s for s in DEMO_SOURCES if _lists_places(s)]
    types = {t for s in places for t in read_demo(size, s).accepted["resource_type"]}
    # No source of the demo lists markets.
    assert types == set(TYPE_IDS) - {"farmers_market"}


@pytest.mark.parametrize("size", [2000, 20_000])
def test_the_size_is_near_the_requested_size(
    read_demo: Callable[[int, str], SourceRows], size: int
) -> None:
    places = [s for s in DEMO_SOURCES if _lists_places(s)]
    row_count = sum(read_demo(size, s).rows_read for s in places)
    assert abs(row_count - size) <= 0.01 * size


@pytest.mark.parametrize("rows", [1, 2000, 330_000, 3_300_000])
def test_the_share_of_programs_is_constant(rows: int) -> None:
    counts = program_rows(rows)
    assert set(counts) == set(PROGRAM_SOURCES)
    assert min(counts.values()) >= 4
    assert sum(counts.values()) <= 0.1 * rows + 4 * len(counts)


@pytest.mark.parametrize("source_id", PROGRAM_SOURCES)
def test_a_program_is_read_as_it_was_written(small: dict[str, SourceRows], source_id: str) -> None:
    table = small[source_id]
    assert table.rows_read == program_rows(2000)[source_id]
    accepted = table.accepted
    assert accepted["is_synthetic"].all()
    assert accepted[["name", "address", "city", "state", "zip"]].notna().all().all()


# In a file of 20,000 rows each of these faults is there at least once.
@labelled("source_id, reason")
def test_rows_that_must_be_left_out(
    read_demo: Callable[[int, str], SourceRows], source_id: str, reason: str
) -> None:
    assert reason in set(read_demo(20_000, source_id).rejects["reject_reason"])


@labelled("file, fault")
def test_the_publishers_oddities_are_in_the_files(
    demos: dict[int, Path], file: str, fault: str
) -> None:
    assert re.search(fault, (demos[20_000] / file).read_text(encoding="latin-1"))


def test_a_phone_without_marks_is_nobodys(small: dict[str, SourceRows]) -> None:
    phones = pd.concat(
        [table.accepted["phone"] for s, table in small.items() if "phone" in table.accepted]
    )
    assert phones.dropna().str.fullmatch(r"\(\d{3}\) 555-01\d\d(?: ext\. ?\d+| x\d+)?").all()
