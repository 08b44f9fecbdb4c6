"""Summer meal sites: seasons stand beside the facts, and what is over is set aside."""

from tests.support.source_files import fixture_rows

OK = "OK_sites.test.tsv"


def test_last_year_s_sites_are_over() -> None:
    rows = fixture_rows("summer_meal_sites", OK)
    assert set(rows["reject_reason"].dropna()) == {"not_public", "season_over"}
    assert rows["reject_reason"].notna().all()
