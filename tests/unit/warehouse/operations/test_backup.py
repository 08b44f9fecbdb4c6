"""Backups: complete or absent, between all databases; and retention."""

import gzip
import stat
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import func, select

from pipelines.operations_commands import operations
from tests.support.stores import missing_postgresql, new_database
from warehouse.operations import administrators
from warehouse.operations import claims as c
from warehouse.operations.backup import BackupError, backup, restore
from warehouse.operations.engine import open_store
from warehouse.operations.live_reports import read_changes
from warehouse.operations.models import CLAIMS, METADATA, STATUSES
from warehouse.operations.reports import ClaimedReport, NewReport, add_reports
from warehouse.operations.retention import retain

NOW = datetime.now(UTC).replace(microsecond=125_000)


def fill(store):
    with store.write() as db:
        claim = c.make_claim(db, c.NewClaim(7, "ann@pantry.example", None, "Ann Ñandú"), NOW)
        new = NewReport("open_today", "<b>", {"dairy": "low"})
        add_reports(db, [ClaimedReport(claim.claim, 7, new)], NOW)
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
            not in {"counters", "live_changes", "daily_keys", "limit_hits", "sessions"}
        }


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_from_each_database_into_each(store, target, tmp_path, request):
    if target == "postgresql" and missing_postgresql():
        pytest.skip(str(missing_postgresql()))
    claim = fill(store)
    counts = backup(store, tmp_path / "b.gz")
    assert (counts["claims"], counts["statuses"]) == (1, 1)
    assert stat.S_IMODE((tmp_path / "b.gz").stat().st_mode) == 0o600
    url = (
        f"sqlite:///{tmp_path / 'other.sqlite'}"
        if target == "sqlite"
        else new_database(request.getfixturevalue("postgresql"))
    )
    other = open_store(url)
    restore(other, tmp_path / "b.gz", replace=False)
    assert rows_of(other) == rows_of(store)
    with other.write() as db:
        assert c.claim_by_token(db, claim.token, NOW) == claim.claim
        second = c.make_claim(db, c.NewClaim(8, "bob@pantry.example", None, None), NOW)
    assert second.claim.claim_id == claim.claim.claim_id + 1
    with pytest.raises(BackupError, match="not empty"):
        restore(other, tmp_path / "b.gz", replace=False)
    restore(other, tmp_path / "b.gz", replace=True)
    assert rows_of(other) == rows_of(store)
    other.close()


def test_services_that_run_notice(store, tmp_path):
    backup(store, tmp_path / "empty.gz")
    fill(store)
    with store.read() as db:
        first_changes = read_changes(db, 0, NOW)
    assert first_changes.entries[7].status == "open_today"
    restore(store, tmp_path / "empty.gz", replace=True)
    with store.read() as db:
        changes = read_changes(db, first_changes.version, NOW)
    assert changes.version > first_changes.version
    assert changes.entries == {7: None}


@pytest.mark.parametrize("fault", ["cut", "no end", "other", "newer"])
def test_files_that_are_refused(store, tmp_path, fault):
    fill(store)
    path = tmp_path / "b.gz"
    backup(store, path)
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    if fault == "cut":
        path.write_bytes(path.read_bytes()[:-40])
    elif fault == "no end":
        path.write_bytes(gzip.compress(b"".join(lines[:-1])))
    elif fault == "newer":
        head = lines[0].replace(b'"version":"0', b'"version":"9')
        path.write_bytes(gzip.compress(b"".join([head, *lines[1:]])))
    else:
        path.write_text("something else")
    before = rows_of(store)
    with pytest.raises(BackupError):
        restore(store, path, replace=True)
    assert rows_of(store) == before


def test_expired_rows_are_deleted(store):
    claim = fill(store)
    with store.write() as db:
        assert not any(retain(db, NOW + timedelta(days=20)).values())
        counts = retain(db, NOW + timedelta(days=365 + 91))
        assert counts["reports"] == counts["proofs"] == 1
        assert db.execute(select(func.count()).select_from(STATUSES)).scalar() == 0
        assert db.execute(select(func.count()).select_from(CLAIMS)).scalar() == 0
    del claim


def test_persons_are_forgotten_after_a_claim_ended(store):
    claim = fill(store)
    with store.write() as db:
        c.revoke(db, claim.claim.claim_id, "administrator ann", NOW)
        assert retain(db, NOW + timedelta(days=91))["personal data of claims"] == 1
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
    path = str(tmp_path / "b.gz")
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
    store.close()


def test_a_backup_with_passwords_restores_without_them(store, tmp_path):
    whole = tmp_path / "b.gz"
    administrators.invite(store, "ann", NOW)
    backup(store, whole)
    lines = [msgspec.json.decode(line) for line in gzip.decompress(whole.read_bytes()).splitlines()]
    lines[0]["version"] = "0007"
    for line in lines:
        if line.get("table") == "administrators":
            line["row"]["password_hash"] = "$argon2id$"
    failures = {"name_hash": "h", "failures": 1, "last_at": NOW}
    lines.insert(-1, {"table": "sign_in_failures", "row": failures})
    lines[-1]["end"]["sign_in_failures"] = 1
    whole.write_bytes(gzip.compress(b"\n".join(map(msgspec.json.encode, lines))))
    restore(store, whole, replace=True)
    with store.read() as db:
        assert administrators.names(db) == ["ann"]
