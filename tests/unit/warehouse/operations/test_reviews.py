"""Submissions, edits, votes in the store; on both databases."""

from datetime import UTC, datetime

import msgspec
import pytest
from sqlalchemy import func, select

from tests.support.ids import EIGHT, SEVEN
from warehouse.operations import audit, export, reviews
from warehouse.operations.engine import open_store
from warehouse.operations.limits import client_hash
from warehouse.operations.models import SUBMISSIONS
from warehouse.operations.reports import read_changes
from warehouse.operations.reviews import DuplicateError, NotPossibleError, Submitter

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
PLACE = {
    "name": "St. Brigid Pantry",
    "address": "1 Example Street",
    "city": "Salem",
    "state": "OR",
    "zip": "97301",
    "resource_type": "food_pantry",
}
ANN = "administrator ann"


def submit(store, place=PLACE, key=None, address="192.0.2.1"):
    with store.write() as db:
        return reviews.submit(db, place, Submitter("a@example.org"), NOW, address, key)


def decide(store, kind, number, decision, **how):
    with store.write() as db:
        return reviews.decide(db, kind, number, decision, ANN, NOW, **how)


def edit(store, changes, resource_id=SEVEN, **how):
    with store.write() as db:
        return reviews.queue_edit(db, resource_id, changes, {"phone": "x"}, "me", NOW, **how)


def files(store):
    return export.build_approved_files(store)


# ---------------------------------------------------------------- submissions


@pytest.mark.parametrize(
    ("name", "zip_code", "is_duplicate"),
    [
        ("ST BRIGID PANTRY", "97301", True),
        ("Saint Brigid Pantry, Inc.", "97301", True),
        ("The St. Brigid Pantry", "97301", True),
        ("St. Brigid Pantry", "97302", False),
        ("St. Brigid Kitchen", "97301", False),
    ],
)
def test_one_name_and_zip_is_approved_once(store, name, zip_code, is_duplicate):
    first = submit(store)
    other = {**PLACE, "name": name, "zip": zip_code}
    if is_duplicate:
        with pytest.raises(DuplicateError):
            submit(store, other)
    waiting = submit(store, other, address="192.0.2.2")
    assert waiting != first, "a pending submission blocks no other client"
    with store.read() as db:
        row = reviews.item_of(db, "submission", waiting)
        assert [r.submission_id for r in reviews.same_places(db, row)] == [first] * is_duplicate
    decide(store, "submission", first, "approved")
    again = {**other, "address": "2 Example Street"}
    if is_duplicate:
        with pytest.raises(DuplicateError) as error:
            submit(store, again, address="192.0.2.3")
        assert error.value.item == first
        with pytest.raises(NotPossibleError):
            decide(store, "submission", waiting, "approved")
    else:
        assert submit(store, again, address="192.0.2.3")
        decide(store, "submission", waiting, "approved")


def test_names_in_other_scripts_differ(store):
    assert submit(store, {**PLACE, "name": "免费食品"}) != submit(
        store, {**PLACE, "name": "食物银行"}
    )


def test_equal_places_at_once_are_one(store, at_once):
    results = at_once(lambda db: reviews.submit(db, PLACE, Submitter(), NOW, "192.0.2.1"))
    assert [type(r) for r in results].count(int) == 1
    assert [type(r) for r in results].count(DuplicateError) == 29
    with store.read() as db:
        assert db.execute(select(func.count()).select_from(SUBMISSIONS)).scalar() == 1


def test_a_retry_with_its_key_finds_the_first(store):
    number = submit(store, key="k", address="192.0.2.1")
    assert submit(store, {**PLACE, "city": "Other"}, key="k", address="192.0.2.1") == number
    assert submit(store, key="k", address="192.0.2.2") != number, (
        "another client's key is another's"
    )


def test_a_waiting_place_is_inactive_and_pending(store):
    number = submit(store)
    with store.read() as db:
        row = reviews.item_of(db, "submission", number)
    assert (row.is_active, row.verification_status, row.state) == (0, "pending", "pending")
    assert files(store) == {"operations": {}, "operations_edits": {}}


def test_a_rejected_place_may_be_sent_again(store):
    decide(store, "submission", submit(store), "rejected", reason="no such street")
    assert submit(store) == 2


@pytest.mark.parametrize("kind", ["submission", "edit"])
def test_a_decision_is_final_but_can_be_undone(store, kind):
    number = submit(store) if kind == "submission" else edit(store, {"phone": "y"})
    decide(store, kind, number, "approved", is_confirmed=True)
    with pytest.raises(NotPossibleError):
        decide(store, kind, number, "rejected")
    assert files(store)["operations_edits"]
    with store.write() as db:
        reviews.undo(db, kind, number, ANN, NOW)
        log = [row.action for row in audit.of_subject(db, f"{kind} {number}")]
    assert log[1:] == ["approved", "undone"]
    assert files(store) == {"operations": {}, "operations_edits": {}}
    decide(store, kind, number, "rejected", reason="after all")


def test_an_approved_place_is_exported_as_it_was_corrected(store):
    number = submit(store)
    decide(store, "submission", number, "approved", content={**PLACE, "city": "Keizer"})
    exported = files(store)["operations"]["submissions.json"]
    assert b'"city":"Keizer"' in exported
    assert b"a@example.org" not in exported


def test_the_version_changes_with_decisions_only(store):
    empty = export.version_of_approved(store)
    assert empty == export.version_of_nothing()
    number = submit(store)
    assert export.version_of_approved(store) == empty
    decide(store, "submission", number, "approved")
    approved = export.version_of_approved(store)
    assert approved != empty
    with store.write() as db:
        reviews.decide_pair(db, ("a", "1", "b", "2"), "same", ANN, NOW)
        reviews.decide_pair(db, ("a", "1", "b", "2"), "different", ANN, NOW)
    assert export.merge_decisions(store) == [
        {
            "source_id": "a",
            "source_key": "1",
            "other_source_id": "b",
            "other_source_key": "2",
            "decision": "different",
        }
    ]
    assert export.version_of_approved(store) not in {empty, approved}


def test_a_missing_store_is_empty(tmp_path):
    store = open_store(tmp_path / "none.sqlite")
    assert export.build_approved_files(store) == {}
    assert not (tmp_path / "none.sqlite").exists()


# ---------------------------------------------------------------- edits


def test_the_same_edit_waits_once(store):
    assert edit(store, {"phone": "y"}) == edit(store, {"phone": "y"})
    assert edit(store, {"phone": "y"}, resource_id=EIGHT) != edit(store, {"phone": "z"})


def test_an_equal_edit_of_a_stranger_does_not_hide_the_operators(store):
    stranger = edit(store, {"phone": "y"})
    operator = edit(store, {"phone": "y"}, claim_id=1)
    assert operator != stranger
    with store.read() as db:
        assert reviews.item_of(db, "edit", operator).authority == "operator"


def test_all_pending_items_of_a_network_are_rejected_together(store):
    for number in range(3):
        submit(store, {**PLACE, "zip": f"9730{number}"}, address="198.51.100.1")
    honest = submit(store)
    with store.write() as db:
        network = client_hash(db, "198.51.100.1", NOW)
        assert reviews.reject_network(db, "submission", network, ANN, NOW, "flood") == 3
    with store.read() as db:
        page = reviews.queue(db, "submission", reviews.QueueFilter())
        assert [row.submission_id for row in page.rows] == [honest]


def closed(store):
    with store.read() as db:
        return set(read_changes(db, 0, NOW).closed or {})


def test_a_place_closed_for_good_is_hidden_at_once(store):
    number = edit(store, {"is_active": False})
    assert closed(store) == set()
    decide(store, "edit", number, "approved")
    assert closed(store) == {SEVEN}
    with store.write() as db:
        reviews.undo(db, "edit", number, ANN, NOW)
    assert closed(store) == set()


@pytest.mark.parametrize(
    ("claim_id", "how", "words"),
    [
        (None, {}, "removed after review"),
        (None, {"reason": "duplicates"}, "removed after review: duplicates"),
        (None, {"is_confirmed": True}, "closed for good, confirmed by the place itself"),
        (1, {}, "closed for good, confirmed by its operator"),
    ],
)
def test_a_retired_place_has_its_reason_in_both_releases(store, claim_id, how, words):
    decide(store, "edit", edit(store, {"is_active": False}, claim_id=claim_id), "approved", **how)
    with store.read() as db:
        assert read_changes(db, 0, NOW).closed[SEVEN].reason == words
    (actual,) = [
        e
        for e in msgspec.json.decode(files(store)["operations_edits"]["edits.json"])
        if e["changes"]
    ]
    assert actual["evidence"] == words
