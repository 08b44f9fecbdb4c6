"""SQLite files of others on a full disk."""

import errno

import pytest
from sqlalchemy import StaticPool, create_engine, text
from sqlalchemy.exc import OperationalError

from warehouse.storage.sqlite import name_full_disk


@pytest.fixture
def engine(tmp_path):
    # The page limit belongs to a connection.
    engine = create_engine(f"sqlite:///{tmp_path}/runs.sqlite", poolclass=StaticPool)
    with engine.begin() as db:
        db.execute(text("CREATE TABLE events (event TEXT)"))
        db.execute(text("PRAGMA max_page_count = 3"))
    yield engine
    engine.dispose()


def test_a_full_disk_is_named_with_the_folder(engine, tmp_path):
    with (
        pytest.raises(OSError, match="No space left on device") as error,
        name_full_disk(tmp_path),
        engine.begin() as db,
    ):
        db.execute(text("INSERT INTO events VALUES (zeroblob(100000))"))
    assert (error.value.errno, error.value.filename) == (errno.ENOSPC, str(tmp_path))


def test_other_faults_stay_as_they_are(engine, tmp_path):
    with (
        pytest.raises(OperationalError, match="no such table"),
        name_full_disk(tmp_path),
        engine.begin() as db,
    ):
        db.execute(text("INSERT INTO nowhere VALUES (1)"))
