"""Fourteen scraped locators: shifted columns go back, made-up points go away."""

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, rows_of, shared_rows

SOURCE = "haarrrvest_2025"
NAPA = "community_action_of_napa_valley_food_bank_ca.jsonl"
GULF = "feeding_the_gulf_coast_al.jsonl"


def test_a_pantry_and_a_food_distribution_there_are_two_records() -> None:
    keys = fixture_rows(SOURCE, GULF)["source_key"]
    assert keys.is_unique


@cases(
    "content, message",
    {
        "cut off": ('{"name": "A"}\n{"name": ', "line 2"),
        "a list": ('{"name": "A"}\n[1]', "line 2 is no object"),
        "other members": ('{"title": "A"}', r"columns \['name'\] are missing"),
        "nothing": ("\n", "truncated"),
    },
)
def test_another_shape_is_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / NAPA).write_text(content, "utf-8")
    with pytest.raises(UnreadableFileError, match=message):
        rows_of(SOURCE, tmp_path / NAPA)


@pytest.mark.shared
def test_real_gulf_coast_cities_and_zips() -> None:
    rows = shared_rows(SOURCE, SOURCE, GULF)
    assert rows["city"].dropna().str.fullmatch(r"[A-Z][A-Za-z'. ]+").all()
    assert (
        not rows["city"]
        .str.match(r"(?:North|South|East|West|[NSEW]{1,2}\.?|Unit) ", na=False)
        .any()
    )
    assert rows["zip"].dropna().str.fullmatch(r"3\d{4}").all()
