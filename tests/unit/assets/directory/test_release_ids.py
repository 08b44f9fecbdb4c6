"""The id of the release that a build begins."""

from datetime import UTC, datetime, timedelta

from assets.directory.assets import new_release_id
from assets.steps.workspace import Workspace
from tests.support.releases import resource, write_release
from warehouse.release.changes import time_of


def test_it_begins_with_the_time_of_the_build(tmp_path):
    before = datetime.now(UTC).replace(microsecond=0)
    assert before <= time_of(new_release_id(Workspace(data_dir=str(tmp_path)))) <= datetime.now(UTC)


def test_it_follows_the_newest_release_when_the_clock_was_set_back(tmp_path):
    """Else a rollback, or damage, would pass over the release that was served before."""
    an_hour_on = datetime.now(UTC) + timedelta(hours=1)
    newest = f"{an_hour_on:%Y%m%dT%H%M%SZ}-ffffffff"
    write_release(tmp_path, [resource(101)], release_id="20261101T060000Z-00000001")
    write_release(tmp_path, [resource(101)], release_id=newest, promote=False)
    release_id = new_release_id(Workspace(data_dir=str(tmp_path)))
    assert time_of(release_id) == time_of(newest) + timedelta(seconds=1)
