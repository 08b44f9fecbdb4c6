"""Which websites are due for a probe, and which results are stored."""

from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from assets.probes.assets import due_websites, list_websites, merge_probes, no_probes
from warehouse.fetch.probing import Probe

NIGHT = datetime(2026, 11, 1, 2, tzinfo=UTC)
URL = "http://example.org"


def probe(result: str, night: int) -> Probe:
    return Probe(URL, result, None, None, None, NIGHT + timedelta(days=night))


@pytest.mark.parametrize(
    ("results", "failures"),
    [
        (["ok"], 0),
        (["gone"], 1),
        (["gone", "timeout", "error"], 3),
        (["gone", "ok", "gone"], 1),
        (["gone", "refused", "gone"], 2),
        (["error", "moved"], 0),
    ],
)
def test_failures_in_a_row(results: list[str], failures: int) -> None:
    table = no_probes()
    for night, result in enumerate(results):
        table = merge_probes(pd.Series([URL]), table, [probe(result, night)])
    assert table["failures_in_row"].tolist() == [failures]
    assert table["probed_at"].tolist() == [pd.Timestamp(NIGHT + timedelta(days=len(results) - 1))]


def test_a_success_is_dated_and_outlives_failures_and_builds_without_probes() -> None:
    table = merge_probes(pd.Series([URL]), no_probes(), [probe("ok", 0)])
    table = merge_probes(pd.Series([URL]), table, [probe("gone", 1)])
    table = merge_probes(pd.Series([URL, "http://new.example.org"]), table, [])
    assert table["last_success_at"].tolist() == [pd.Timestamp(NIGHT)]
    assert merge_probes(pd.Series(["http://new.example.org"]), table, []).empty, "no longer listed"


@pytest.mark.parametrize(("hours", "is_due"), [(1, False), (19, False), (20, True), (24, True)])
def test_a_website_is_probed_once_a_night(hours: int, is_due: bool) -> None:
    table = merge_probes(pd.Series([URL]), no_probes(), [probe("gone", 0)])
    now = pd.Timestamp(NIGHT + timedelta(hours=hours))
    due = due_websites(pd.Series([URL, "http://never.example.org"]), table, now)
    assert due == ["http://never.example.org", *([URL] if is_due else [])]


def test_only_public_websites_are_probed() -> None:
    located = pd.DataFrame(
        {
            "website": [
                "http://b.org",
                "http://a.org",
                "http://b.org",
                None,
                "http://c.org",
                "http://d.org",
            ],
            "is_public": [True, True, True, True, False, True],
            "is_confidential": [False, False, False, False, False, True],
        }
    )
    assert list(list_websites(located)) == ["http://a.org", "http://b.org"]
