"""Totals that do not agree with the resources are found, each by its own rule, and
the check then blocks.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from schemas.table import Table
from schemas.tables.core import (
    CITY_TOTALS,
    FIGURES,
    RECORD_SOURCES,
    RESOURCES,
    STATE_TOTALS,
)
from tests.support.town import resources, write_town
from warehouse.checks.declared import Finding
from warehouse.checks.totals import city_disagreements, figure_disagreements, state_disagreements
from warehouse.parquet import read_frame, write_table

# Each recount, and the tables that it reads besides its own.
RECOUNTS: dict[str, tuple[Callable[..., list[Finding]], list[Table]]] = {
    STATE_TOTALS.name: (state_disagreements, [RESOURCES]),
    CITY_TOTALS.name: (city_disagreements, [RESOURCES]),
    FIGURES.name: (figure_disagreements, [RESOURCES, RECORD_SOURCES]),
}
Spoil = Callable[[pd.DataFrame], pd.DataFrame]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the town as a build leaves them; its places are in two counties."""
    folder = tmp_path_factory.mktemp("town")
    rows = [{**row, "county_fips": "36061" if row["lat"] < 40.8 else None} for row in resources()]
    write_town(folder, resources=rows, access=True)
    return folder / "tables"


@pytest.fixture
def folder(tables: Path, tmp_path: Path) -> Path:
    """A copy of the tables, to be spoilt."""
    return Path(shutil.copytree(tables, tmp_path / "tables"))


def recount(folder: Path, name: str) -> list[Finding]:
    count, reads = RECOUNTS[name]
    return count(*(folder / f"{table}.parquet" for table in (name, *(t.name for t in reads))))


@pytest.mark.parametrize("name", RECOUNTS)
def test_figures_of_a_release_agree(folder: Path, name: str) -> None:
    assert recount(folder, name) == []


def _more_of_most(column: str) -> Spoil:
    """Add one to the row with the largest value."""

    def spoilt(frame: pd.DataFrame) -> pd.DataFrame:
        worst = frame[column].idxmax()
        return frame.assign(**{column: frame[column].mask(frame.index == worst, frame[column] + 1)})

    return spoilt


def _without(column: str, value: str) -> Spoil:
    return lambda frame: frame[frame[column] != value].reset_index(drop=True)


def _figure(name: str, group: str) -> Spoil:
    def spoilt(frame: pd.DataFrame) -> pd.DataFrame:
        here = (frame["figure_id"] == name) & (frame["figure_group"] == group)
        assert here.sum() == 1
        return frame.assign(figure=frame["figure"].mask(here, frame["figure"] + 1))

    return spoilt


def _each(*spoils: Spoil) -> Spoil:
    """Apply several changes, because each column is checked alone."""

    def spoilt(frame: pd.DataFrame) -> pd.DataFrame:
        for spoil in spoils:
            frame = spoil(frame)
        return frame

    return spoilt


COUNTS = [name for name in STATE_TOTALS.required_names if name != "state"]
KNOWN = (
    "known_phone",
    "known_website",
    "known_hours",
    "known_hours_current",
    "known_hours_old",
    "known_address",
    "known_geocode",
    "known_verification_date",
    "known_services_offered",
    "known_requirements_text",
    "known_languages_offered",
)
CITY_COUNTS = ("resource_count", "pantry_class_count", "free_food_count")
TOTALS: list[tuple[Table, Spoil, str | list[str]]] = [
    (
        STATE_TOTALS,
        _each(*(_more_of_most(name) for name in COUNTS)),
        [f"{name} by state agrees with the resources" for name in COUNTS],
    ),
    (STATE_TOTALS, _without("state", "NY"), "resource_count by state"),
    (
        STATE_TOTALS,
        _without("state", "VT"),
        "every state and territory has a row: 1 rows, for example VT",
    ),
    (
        CITY_TOTALS,
        _each(*(_more_of_most(name) for name in CITY_COUNTS)),
        [f"{name} by city" for name in CITY_COUNTS],
    ),
    (
        CITY_TOTALS,
        _without("city", "Adak"),
        "resource_count by city agrees with the resources: 1 rows, for example AK:adak: 0 for 1",
    ),
    (
        FIGURES,
        _each(*(_figure(name, "pantry_class") for name in KNOWN)),
        [f"{name} agrees" for name in KNOWN],
    ),
    (FIGURES, _figure("places", "all"), "places agrees"),
    (FIGURES, _figure("places_led_by_source", "nyc_pantries_2023"), "places_led_by_source agrees"),
    (
        FIGURES,
        _figure("snap_retailers_led_by_source", "nyc_pantries_2023"),
        "snap_retailers_led_by_source agrees",
    ),
    (FIGURES, _figure("records_by_match_reason", "only record"), "match reasons: 133 for 132"),
    (FIGURES, _figure("merging", "merged_records"), "merged_records: 1 for 0"),
    (
        FIGURES,
        _without("figure_id", "places_by_last_verified_date"),
        "places_by_last_verified_date agrees",
    ),
]


@pytest.mark.parametrize(
    ("table", "spoil", "words"),
    [pytest.param(*fault, id=f"{fault[0].name} {fault[2]}"[:120]) for fault in TOTALS],
)
def test_a_wrong_figure_is_found(
    folder: Path, table: Table, spoil: Spoil, words: str | list[str]
) -> None:
    path = folder / f"{table.name}.parquet"
    write_table(spoil(read_frame(path)), table, path)
    found = "; ".join(map(str, recount(folder, table.name)))
    assert found
    expected = [words] if isinstance(words, str) else words
    assert [text for text in expected if text not in found] == []
