"""FEMA's declarations in every form: one row per disaster and per designated area, one key for
both.
"""

from pathlib import Path

import pandas as pd
import pytest

from tests.support.source_files import FIXTURES, rows_of, shared_rows

SOURCE = "fema_declarations"
OLD = "FemaWebDisasterDeclarations.2023-10.csv"
NEW = "FemaWebDisasterDeclarations.2024-11.csv"
AREAS = "DisasterDeclarationsSummaries.tornado1000.2024-08.csv"


@pytest.mark.shared
def test_the_next_edition_has_every_disaster_of_the_last_and_is_newer() -> None:
    old = shared_rows(SOURCE, "fema_web_declarations", OLD).set_index("source_key")
    new = shared_rows(SOURCE, "fema_web_declarations", NEW).set_index("source_key")
    assert set(old.index) <= set(new.index)
    assert (old["source_updated_date"] < new.loc[old.index, "source_updated_date"]).all()


@pytest.mark.shared
def test_real_areas() -> None:
    rows = shared_rows(SOURCE, "fema_declarations_summaries", AREAS)
    assert rows["disaster_number"].nunique() == 114
    assert rows.loc[rows["is_tribal_area"], "source_key"].tolist() == ["DR-1280:49700"]
    assert rows["county_fips"].dropna().str.fullmatch("[0-9]{5}").all()
    assert rows["county_fips"].isna().sum() == 1


def test_an_edition_without_programs_leaves_them_unknown(tmp_path: Path) -> None:
    frame = pd.read_csv(FIXTURES / SOURCE / NEW, dtype=str)
    frame = frame.drop(columns=[name for name in frame if "ProgramDeclared" in name])
    path = tmp_path / "FemaWebDisasterDeclarations.2021-06.csv"
    frame.to_csv(path, index=False)
    rows = rows_of(SOURCE, path)
    assert len(rows) == len(frame)
    assert rows["has_individual_assistance"].isna().all()
    assert rows["has_public_assistance"].isna().all()
