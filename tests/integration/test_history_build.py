"""Test change feed and log of successive releases of the ordinary pipeline."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from schemas.tables.core import LAST_CHANGES
from tests.support.dated_builds import FIRST, SECOND, share_second
from tests.support.server import ROOT
from warehouse.parquet import read_frame
from warehouse.release.changes import time_of
from warehouse.release.log import read_report
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow


def _mirror_code() -> dict[str, Any]:
    """Return the names of the documented mirror."""
    names: dict[str, Any] = {"__name__": "mirror"}
    exec((ROOT / "docs" / "examples" / "mirror.py").read_text(encoding="utf-8"), names)
    return names


@pytest.fixture(scope="module")
def releases() -> list[Path]:
    """A release, and the next, with one place added and one removed."""
    return [share_second() / "releases" / id for id in (FIRST, SECOND)]


def test_the_feed_turns_the_parent_into_the_release(releases: list[Path]) -> None:
    mirror = _mirror_code()
    older, newer = releases
    before, after = (
        mirror["records_of"](gzip.decompress((r / "bulk" / "resources.ndjson.gz").read_bytes()))
        for r in (older, newer)
    )
    feed = (newer / "changes" / "changes.ndjson").read_bytes()
    counts = mirror["apply"](before, feed)
    assert before == after
    assert counts["added"] > 0
    assert counts["retired"] > 0
    report = read_report(newer / "changes" / "summary.json")
    assert (report.added, report.retired) == (counts["added"], counts["retired"])
    instants = read_frame(newer / "exports" / f"{LAST_CHANGES.name}.parquet")
    fresh = set(instants.loc[instants["last_changed_at"] == time_of(newer.name), "resource_id"])
    body = {json.loads(line)["resource_id"] for line in feed.splitlines()}
    resources = read_frame(newer / "exports" / "core_directory__resources.parquet")
    active = set(resources.loc[resources["is_active"], "resource_id"])
    assert fresh & active == body & active


def test_the_log_of_the_builds_is_complete(releases: list[Path]) -> None:
    data = releases[0].parent.parent
    store = ReleaseStore(data)
    assert [e.release_id for e in store.check_log({})] == [r.name for r in releases]
    assert all(store.verify(release.name) for release in releases)
