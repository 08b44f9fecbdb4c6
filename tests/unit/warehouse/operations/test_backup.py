"""Backups: complete or absent, between all databases; and retention."""

import contextlib
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError

from pipelines.operations_commands import operations
from tests.support.ids import EIGHT, SEVEN
from tests.support.stores import missing_postgresql, new_database
from warehouse.operations import claims as c
from warehouse.operations.backup import BackupError, backup, restore
from warehouse.operations.engine import open_store
from warehouse.operations.models import CLAIMS, METADATA, STATUSES
from warehouse.operations.personal_data import retain
from warehouse.operations.reports import NewReport, add_report, read_changes
from warehouse.operations.reviews import queue_edit

NOW = datetime.now(UTC).replace(microsecond=125_000)


def fill(store):
    with store.write() as db:
        claim = c.make_claim(db, c.NewClaim(SEVEN, "ann@pantry.example", None, "Ann Ñandú"), NOW)
        new = NewReport("open_today", "<b>", {"dairy": "low"})
        add_report(db, claim.claim.claim_id, SEVEN, new, NOW)
        c.email_secret(db, claim.claim.claim_id, NOW)
    return claim


def rows_of(store):
    with store.read() as db:
        return {
            table.name: [
                tuple(row) for row in db.execute(select(table).order_by(*table.primary_key))
            ]
            for table in METADATA.sorted_tables
            if table.name
            not in {
                "counters",
                "live_changes",
                "daily_keys",
                "limit_hits",
                "sessions",
                "sms_replies",
            }
        }


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_from_each_database_into_each(store, target, tmp_path, request):
    if target == "postgresql" and missing_postgresql():
        pytest.skip(str(missing_postgresql()))
    claim = fill(store)
    counts = backup(store, tmp_path / "b.sqlite")
    assert (counts["claims"], counts["statuses"]) == (1, 1)
    assert stat.S_IMODE((tmp_path / "b.sqlite").stat().st_mode) == 0o600
    url = (
        f"sqlite:///{tmp_path / 'other.sqlite'}"
        if target == "sqlite"
        else new_database(request.getfixturevalue("postgresql"))
    )
    other = open_store(url)
    restore(other, tmp_path / "b.sqlite", replace=False)
    assert rows_of(other) == rows_of(store)
    with other.write() as db:
        assert c.claim_by_token(db, claim.token, NOW) == claim.claim
        second = c.make_claim(db, c.NewClaim(EIGHT, "bob@pantry.example", None, None), NOW)
    assert second.claim.claim_id == claim.claim.claim_id + 1
    with pytest.raises(BackupError, match="not empty"):
        restore(other, tmp_path / "b.sqlite", replace=False)
    restore(other, tmp_path / "b.sqlite", replace=True)
    assert rows_of(other) == rows_of(store)
    other.close()


def test_services_that_run_notice(store, tmp_path):
    backup(store, tmp_path / "empty.sqlite")
    fill(store)
    with store.read() as db:
        first_changes = read_changes(db, 0, NOW)
    assert first_changes.entries[SEVEN].status == "open_today"
    restore(store, tmp_path / "empty.sqlite", replace=True)
    with store.read() as db:
        changes = read_changes(db, first_changes.version, NOW)
    assert changes.version > first_changes.version
    assert changes.entries == {SEVEN: None}


@pytest.mark.parametrize("fault", ["cut", "other", "newer", "missing"])
def test_files_that_are_refused(store, tmp_path, fault):
    fill(store)
    path = tmp_path / "b.sqlite"
    backup(store, path)
    if fault == "cut":
        path.write_bytes(path.read_bytes()[:-8192])
    elif fault == "newer":
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("UPDATE alembic_version SET version_num = '9999'")
            db.commit()
    elif fault == "missing":
        path.unlink()
    else:
        path.write_text("something else")
    before = rows_of(store)
    with pytest.raises(BackupError):
        restore(store, path, replace=True)
    assert rows_of(store) == before


def test_a_restore_waits_for_readers_and_writers_for_it(
    postgresql, postgresql_with_tables, tmp_path
):
    """The reader holds the table that is dropped last, and then reads the one that is dropped
    first; the writer writes into it."""
    store = open_store(new_database(postgresql, postgresql_with_tables))
    fill(store)
    backup(store, tmp_path / "b.sqlite")
    dropped_first, dropped_last = METADATA.sorted_tables[-1], METADATA.sorted_tables[0]
    waiting = text(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid "
        "FROM pg_database WHERE datname = current_database())"
    )

    def write():
        with store.write() as db:
            return queue_edit(db, EIGHT, {"phone": "1"}, {}, None, datetime.now(UTC))

    with ThreadPoolExecutor(2) as threads:
        with store.read() as db, store.read() as other:
            db.execute(select(func.count()).select_from(dropped_last))
            restored = threads.submit(restore, store, tmp_path / "b.sqlite", replace=True)
            while not other.execute(waiting).scalar():
                assert not restored.done(), restored.result()
            written = threads.submit(write)
            while other.execute(waiting).scalar() < 2:
                assert not written.done(), written.result()
            assert db.execute(select(func.count()).select_from(dropped_first)).scalar() == 1
        assert restored.result()["claims"] == 1
        assert written.result() == 1
    store.close()


def test_a_failed_restore_names_no_person(store, tmp_path):
    fill(store)
    path = tmp_path / "b.sqlite"
    backup(store, path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE statuses SET claim_id = 999")  # refers to nothing
        db.commit()
    before = rows_of(store)
    with pytest.raises(IntegrityError) as error:
        restore(store, path, replace=True)
    assert "pantry.example" not in str(error.value)
    assert "parameters hidden" in str(error.value)
    assert rows_of(store) == before


def test_expired_rows_are_deleted(store):
    fill(store)
    with store.write() as db:
        assert not any(retain(db, NOW + timedelta(days=20)).values())
        counts = retain(db, NOW + timedelta(days=365 + 91))
        assert counts["reports"] == counts["proofs"] == 1
        assert db.execute(select(func.count()).select_from(STATUSES)).scalar() == 0
        assert db.execute(select(func.count()).select_from(CLAIMS)).scalar() == 0


def test_persons_are_forgotten_after_a_claim_ended(store):
    claim = fill(store)
    with store.write() as db:
        c.revoke(db, claim.claim.claim_id, "administrator ann", NOW)
        assert retain(db, NOW + timedelta(days=91))["personal data"] == 2
        assert "ann@" not in str(db.execute(select(CLAIMS)).all())


def test_the_commands(no_store_url, tmp_path):
    run = CliRunner().invoke
    assert run(operations, ["upgrade", "--url", no_store_url]).exit_code == 0
    store = open_store(no_store_url)
    claim = fill(store)
    number = str(claim.claim.claim_id)
    assert "ann@pantry.example" in run(operations, ["claims", "--url", no_store_url]).output
    assert (
        run(operations, ["confirm-claim", number, "--by", "eve", "--url", no_store_url]).exit_code
        == 0
    )
    with store.read() as db:
        assert c.claim_by_id(db, claim.claim.claim_id).state == "confirmed"
    path = str(tmp_path / "b.sqlite")
    assert run(operations, ["backup", path, "--url", no_store_url]).exit_code == 0
    refusal = run(operations, ["restore", path, "--url", no_store_url])
    assert (refusal.exit_code, "not empty" in refusal.output) == (1, True)
    assert run(operations, ["restore", path, "--replace", "--url", no_store_url]).exit_code == 0
    assert (
        run(operations, ["revoke-claim", number, "--by", "eve", "--url", no_store_url]).exit_code
        == 0
    )
    assert (
        "no such claim"
        in run(operations, ["revoke-claim", "99", "--by", "eve", "--url", no_store_url]).output
    )
    assert run(operations, ["retention", "--url", no_store_url]).exit_code == 0
    exported = run(operations, ["person", "export", "ANN@pantry.example", "--url", no_store_url])
    assert '"operator_name": "Ann Ñandú"' in exported.output
    erase = ["person", "erase", "ann@pantry.example", "--by", "eve", "--url", no_store_url]
    assert "1  claims" in run(operations, erase).output
    assert run(operations, erase).output.strip() == "nothing is stored"
    discard = ["discard-claims", "0" * 64, "--by", "eve", "--url", no_store_url]
    assert "ended 0 claims" in run(operations, discard).output
    assert "is whole" in run(operations, ["verify-audit", "--url", no_store_url]).output
    store.close()
