"""Declarations of the tables: ids of real size, personal data with an end, a log that only grows."""

import re
import stat
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import BigInteger, delete, select, text, update
from sqlalchemy.exc import DatabaseError

from tests.support.ids import SEVEN
from warehouse.operations import audit
from warehouse.operations import claims as c
from warehouse.operations.engine import open_store
from warehouse.operations.feedback import Feedback, give_feedback
from warehouse.operations.models import AUDIT, CLAIMS, METADATA
from warehouse.operations.outbox import NewMessage, enqueue
from warehouse.operations.personal_data import erase_person, export_person, personal_columns, retain
from warehouse.operations.reviews import Submitter, check_writable, queue_edit, submit

NOW = datetime.now(UTC).replace(microsecond=0)
PLACE = {
    "name": "St. Brigid Pantry",
    "address": "1 Example Street",
    "city": "Salem",
    "state": "OR",
    "zip": "97301",
    "resource_type": "food_pantry",
}
# Names of columns that hold what people write of themselves or to us.
_OF_PEOPLE = re.compile(
    r"email|phone|submitter|operator_name|contact|comment|notes|recipient|subject|body|submitted_by"
    r"|^network$"
)
# Of administrators, of the log, and hashes.
_NOT_OF_PEOPLE = {("audit", "subject"), ("claims", "email_key"), ("claims", "email_proven_at")}


def test_ids_of_places_have_64_bits_in_every_table():
    columns = [t.c.resource_id for t in METADATA.sorted_tables if "resource_id" in t.c]
    assert len(columns) == 8
    assert all(isinstance(column.type, BigInteger) for column in columns)


def test_every_column_of_personal_data_declares_when_it_ends():
    undeclared = [
        (table.name, column.name)
        for table in METADATA.sorted_tables
        for column in table.columns
        if _OF_PEOPLE.search(column.name) and column.name not in personal_columns(table)
    ]
    assert set(undeclared) == _NOT_OF_PEOPLE
    for table in METADATA.sorted_tables:
        for declared in personal_columns(table).values():
            assert 0 < declared.days <= 180
            assert all(since in table.c for since in declared.since)


def write_of_ann(db):
    """Let Ann and Bob use everything that stores something about them."""
    for name in ("ann", "bob"):
        email, phone = f"{name}@pantry.example", f"+1212496010{len(name) + ord(name[0]) % 5}"
        new = c.NewClaim(SEVEN, email, phone, name.title(), "192.0.2.1")
        claim = c.make_claim(db, new, NOW).claim
        enqueue(
            db,
            NewMessage("email", email, "s", "b", f"claim {claim.claim_id}", NOW + c.LINK_LIFE),
            NOW,
        )
        submit(db, {**PLACE, "name": name}, Submitter(email.upper(), name, None), NOW, "192.0.2.1")
        queue_edit(db, SEVEN, {"phone": name}, {"phone": "x"}, f"{name} <{email}>", NOW)
        vote = Feedback("other", SEVEN, f"write to {email}", None)
        give_feedback(db, vote, f"192.0.2.{len(name) + ord(name[0])}", NOW)


def contents(db):
    return " ".join(
        str([tuple(row) for row in db.execute(select(table))]).lower()
        for table in METADATA.sorted_tables
    )


def test_one_persons_data_is_exported_and_erased(store):
    with store.write() as db:
        write_of_ann(db)
        exported = export_person(db, "ANN@pantry.example")
        assert set(exported) == {"claims", "outbox", "submissions", "edits", "feedback"}
        assert "bob" not in str(exported)
        assert "hash" not in str(exported)
        counts = erase_person(db, "ann@pantry.example", "administrator eve", NOW)
    assert counts == dict.fromkeys(exported, 1)
    with store.read() as db:
        after = contents(db)
        assert "ann@pantry" not in after
        assert "bob@pantry" in after
        assert export_person(db, "ann@pantry.example") == {}
        assert [claim.state for claim in c.claims_on(db, SEVEN)] == ["revoked", "contested"]


@pytest.mark.parametrize(
    "text",
    [
        "mailto:ann@pantry.example",
        "E-mail:Ann+news@Pantry.example.",
        "bob@pantry.example;ann@pantry.example",
        "<a href='mailto:ann@pantry.example?subject=x'>",
        "or 'ann@pantry.example'",
        "212.496.0143, or at home",
        "(212) 496-0143 x5",
    ],
)
def test_a_person_is_found_however_they_wrote_themselves(store, text):
    contact = "ann@pantry.example" if "@" in text else "+12124960143"
    with store.write() as db:
        give_feedback(db, Feedback("other", None, text, None), "192.0.2.1", NOW)
        assert erase_person(db, contact, "administrator eve", NOW) == {"feedback": 1}
        assert export_person(db, contact) == {}


def test_personal_data_ends_by_itself(store):
    with store.write() as db:
        write_of_ann(db)
        later = NOW + timedelta(days=181)
        retain(db, later)
        left = contents(db)
        assert "ann@pantry" in left, "the claim is valid for a year"
        c.confirm(db, 1, "email", "claim 1", later)
        digests = set(db.execute(select(CLAIMS.c.email_key)).scalars())
        retain(db, NOW + c.TOKEN_LIFE + timedelta(days=91))
        assert "ann@" not in contents(db)
        assert not digests & set(db.execute(select(CLAIMS.c.email_key)).scalars())


def test_a_row_of_a_wrong_clock_leaves_the_log_whole(store):
    old, before = NOW - timedelta(days=audit.KEPT_DAYS + 9), NOW - timedelta(days=9000)
    with store.write() as db:
        for number, at in enumerate((old, old, NOW, before, NOW)):
            audit.record(db, "service", "made", f"claim {number}", at)
        assert audit.forget_old_rows(db, NOW) == 2
        assert audit.find_break(db) is None
        subjects = [row.subject for row in audit.audit_page(db, None).rows]
    assert subjects == ["claim 4", "claim 3", "claim 2"]


def test_no_row_of_the_audit_log_can_change(store):
    with store.write() as db:
        audit.record(db, "service", "made", "claim 1", NOW)
        audit.record(db, "service", "made", "claim 2", NOW)

    def change(statement):
        with pytest.raises(DatabaseError, match="append-only"), store.write() as db:
            db.execute(statement)

    change(update(AUDIT).values(actor="nobody"))
    change(delete(AUDIT))
    if store.is_sqlite:
        change(text("REPLACE INTO audit SELECT * FROM audit"))
    with store.read() as db:
        assert audit.find_break(db) is None
        assert len(audit.audit_page(db, None).rows) == 2


@pytest.mark.parametrize(
    "change",
    ["UPDATE audit SET actor = 'x' WHERE audit_id = 2", "DELETE FROM audit WHERE audit_id = 2"],
)
def test_a_change_behind_the_triggers_shows(store, change):
    with store.write() as db:
        for number in range(4):
            audit.record(db, "service", "made", f"claim {number}", NOW)
    with store.write() as db:
        if store.is_sqlite:
            db.execute(text("DROP TRIGGER audit_never_changes"))
            db.execute(text("DROP TRIGGER audit_is_kept"))
        else:
            db.execute(text("ALTER TABLE audit DISABLE TRIGGER ALL"))
        db.execute(text(change))
    with store.read() as db:
        assert audit.find_break(db) == (2 if "UPDATE" in change else 3)


def test_the_file_of_the_store_is_its_owners(tmp_path):
    path = tmp_path / "private" / "operations.sqlite"
    store = open_store(path)
    with store.write() as db:
        audit.record(db, "service", "made", "claim 1", NOW)
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    store.close()


def test_the_check_of_writing_leaves_nothing(store):
    assert check_writable(store) == 0
    with store.read() as db:
        assert db.execute(text("SELECT count(*) FROM live_changes")).scalar() == 0


def test_the_check_of_writing_finds_ids_that_do_not_fit(store):
    if store.is_sqlite:
        pytest.skip("integers of SQLite have 64 bits")
    with store.write() as db:
        db.execute(text("ALTER TABLE live_changes ALTER resource_id TYPE integer"))
    with pytest.raises(DatabaseError) as error:
        check_writable(store)
    assert "out of range" in str(error.value)
