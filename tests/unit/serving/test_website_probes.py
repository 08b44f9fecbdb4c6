"""The data-quality report has number and time of probed websites, or states that there are none."""

from datetime import UTC, datetime

import duckdb
import pytest

from schemas.tables.core import WEBSITE_PROBES
from serving.statistics.data_quality import describe_probes
from warehouse.index.statistics import Statistics, WebsiteProbes, read_website_probes

LAST = datetime(2026, 11, 20, 2, tzinfo=UTC)
CASES = {
    "none": (
        [],
        WebsiteProbes(),
        (
            0,
            None,
            "No website was probed for this release: the build had no network, or was told not to use it.",
        ),
    ),
    "some": (
        [datetime(2026, 11, 13, tzinfo=UTC), LAST],
        WebsiteProbes(2, LAST),
        (2, "2026-11-20", "2 websites have been probed, the last on 2026-11-20."),
    ),
}


@pytest.mark.parametrize(("instants", "probes", "expected"), CASES.values(), ids=CASES)
def test_probes_are_reported(
    instants: list[datetime], probes: WebsiteProbes, expected: tuple[int, str | None, str]
) -> None:
    with duckdb.connect() as db:
        db.execute("SET TimeZone = 'UTC'")
        db.execute(f'CREATE TABLE "{WEBSITE_PROBES.name}" (website TEXT, probed_at TIMESTAMPTZ)')
        for number, at in enumerate(instants):
            db.execute(f'INSERT INTO "{WEBSITE_PROBES.name}" VALUES (?, ?)', [str(number), at])
        assert read_website_probes(db) == probes
    actual = describe_probes(Statistics([], [], {}, probes))
    assert (actual.probed, actual.last_date, actual.note) == expected
