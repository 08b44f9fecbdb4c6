"""The account of a release: every row that was read is somewhere, once."""

from typing import Any

import pandas as pd
import pytest

from assets.release.publish import bars, coverage_map, report_summary, source_entries
from schemas.sources.registry import FileLayout
from tests.support.cases import cases
from tests.unit.assets.records import known, source
from warehouse.release.manifest import SourceEntry

VINTAGES = [FileLayout("list_*.csv", "csv")]
SOURCES = known(
    source("list", files=VINTAGES),
    source("areas", yields="areas"),
    source("register", yields="facilities"),
)
NO_FILES = pd.DataFrame({"file_name": [], "retrieved_at": []})


def account(**changes: Any) -> dict[str, SourceEntry]:
    """Return entries by source of a small build: of 10 rows 3 are published, 2 merged, 4 rejected
    and 1 withheld.
    """
    facts: dict[str, Any] = {
        "rows_read": {"list": 10, "areas": 5, "register": 7},
        "rejects": _rows(["list"] * 4, reject_reason=["closed", "closed", "no_location", "closed"]),
        "located": _rows(["list"] * 6, is_publishable=[True] * 5 + [False]),
        "record_sources": _rows(["list"] * 5, is_primary=[True, False, True, False, True]),
        "raw_files": {"list": NO_FILES, "areas": NO_FILES, "register": NO_FILES},
        "published": {"areas": 5},
        "withheld": {"register": 7},
    }
    return {entry.id: entry for entry in source_entries(SOURCES, **{**facts, **changes})}


def _rows(sources: list[str], **columns: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"source_id": sources, **columns})


@cases(
    "source_id, published_count, merged_count, rejected, withheld",
    {
        "places": ("list", 3, 2, 4, 1),
        "a published table of its own": ("areas", 5, 0, 0, 0),
        "a table that no release holds": ("register", 0, 0, 0, 7),
    },
)
def test_the_account_adds_up(
    source_id: str, published_count: int, merged_count: int, rejected: int, withheld: int
) -> None:
    entry = account()[source_id]
    counts = (entry.rows_published, entry.rows_merged, entry.rows_rejected, entry.rows_withheld)
    assert counts == (published_count, merged_count, rejected, withheld)
    assert entry.rows_read == sum(counts)


def test_rejects_are_counted_by_reason() -> None:
    assert account()["list"].rejects == {"closed": 3, "no_location": 1}
    assert account()["areas"].rejects == {}


@cases(
    "changes, source_id",
    {
        "lost in between": ({"rows_read": {"list": 11, "areas": 5, "register": 7}}, "list"),
        "lost reject": ({"rejects": _rows(["list"] * 3, reject_reason=["closed"] * 3)}, "list"),
        "row twice": ({"record_sources": _rows(["list"] * 6, is_primary=[True] * 6)}, "list"),
        "lost area": ({"published": {"areas": 4}}, "areas"),
        "forgotten register": ({"withheld": {}}, "register"),
    },
)
def test_a_lost_row_stops_the_release(changes: dict[str, Any], source_id: str) -> None:
    with pytest.raises(ValueError, match=rf"^{source_id}: \d+ rows read, but \d+ accounted for"):
        account(**changes)


@cases(
    "names, vintage",
    {
        "no file": ([], None),
        "no date": (["list_all.csv"], None),
        "the newest": (["list_2026-07.csv", "list_2025-12-31.csv"], "2026-07-01"),
    },
)
def test_the_newest_vintage(names: list[str], vintage: str | None) -> None:
    at = pd.to_datetime(["2026-11-01T06:00:00Z", "2026-11-02T06:00:00Z"])[: len(names)]
    files = pd.DataFrame({"file_name": names, "retrieved_at": at})
    entry = account(raw_files={"list": files, "areas": NO_FILES, "register": NO_FILES})["list"]
    assert entry.newest_vintage == vintage
    assert entry.retrieved_at == (at.max().isoformat() if names else None)


def test_the_summary_has_a_line_for_each_source_and_fact() -> None:
    text = report_summary(list(account().values()), {"core": "3 rows"})
    assert "| list | 10 | 3 | 2 | 4 | 1 |" in text
    assert "| register | 7 | 0 | 0 | 0 | 7 |" in text
    assert text.endswith("- core: 3 rows")


def test_bars_are_as_long_as_their_share_of_the_largest() -> None:
    text = bars("state", pd.Series({"OR": 30, "WY": 15, "VT": 0}))
    assert text.splitlines()[2:] == [
        f"| OR | 30 | {'█' * 30} |",
        f"| WY | 15 | {'█' * 15} |",
        "| VT | 0 |  |",
    ]
    assert bars("state", pd.Series(dtype="int64")).count("\n") == 1


def test_the_map_is_an_image() -> None:
    rows = pd.DataFrame({"lat": [44.0], "lng": [-121.0], "resource_type": ["food_pantry"]})
    assert coverage_map(rows).startswith("![Coverage](data:image/png;base64,iVBOR")
