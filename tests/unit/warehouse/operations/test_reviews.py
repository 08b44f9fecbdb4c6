"""Submissions, edits, votes, administrators in the store; on both databases."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import func, select

from tests.support.cases import cases
from warehouse.operations import administrators, audit, export, reviews
from warehouse.operations.engine import open_store
from warehouse.operations.live_reports import read_changes
from warehouse.operations.review_models import SUBMISSIONS
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
PASSWORD = "correct horse battery"
ANN = "administrator ann"


def submit(store, place=PLACE, key=None):
    with store.write() as db:
        return reviews.submit(store, db, place, Submitter("a@example.org"), NOW, key)


def decide(store, kind, number, decision, **how):
    with store.write() as db:
        return reviews.decide(db, kind, number, decision, ANN, NOW, **how)


def edit(store, changes, resource_id=7, **how):
    with store.write() as db:
        return reviews.queue_edit(store, db, resource_id, changes, {"phone": "x"}, "me", NOW, **how)


def files(store):
    return export.approved_files(store)


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
def test_one_name_and_zip_waits_once(store, name, zip_code, is_duplicate):
    first = submit(store)
    other = {**PLACE, "name": name, "zip": zip_code}
    if is_duplicate:
        with pytest.raises(DuplicateError) as error:
            submit(store, other)
        assert error.value.item == first
    else:
        assert submit(store, other) != first


def test_names_in_other_scripts_differ(store):
    assert submit(store, {**PLACE, "name": "免费食品"}) != submit(
        store, {**PLACE, "name": "食物银行"}
    )


def test_twenty_at_once_store_one(store, store_url):
    other = open_store(store_url)

    async def all_at_once():
        works = [
            s.written(lambda db, s=s: reviews.submit(s, db, PLACE, Submitter(), NOW))
            for s in [store, other] * 10
        ]
        return await asyncio.gather(*works, return_exceptions=True)

    results = asyncio.run(all_at_once())
    assert [type(r) for r in results].count(int) == 1
    assert [type(r) for r in results].count(DuplicateError) == 19
    with store.read() as db:
        assert db.execute(select(func.count()).select_from(SUBMISSIONS)).scalar() == 1
    other.close()


def test_a_retry_with_its_key_finds_the_first(store):
    number = submit(store, key="k")
    with store.read() as db:
        assert reviews.find_replayed(db, "k", PLACE) == number
        assert reviews.find_replayed(db, "k", {**PLACE, "city": "Other"}) is None
        assert reviews.find_replayed(db, "other", PLACE) is None


def test_what_waits_is_inactive_and_pending(store):
    number = submit(store)
    with store.read() as db:
        row = reviews.item_of(db, "submission", number)
    assert (row.is_active, row.verification_status, row.state) == (0, "pending", "pending")
    assert files(store) == {"operations": {}, "operations_edits": {}}


def test_a_rejected_place_may_be_sent_again(store):
    decide(store, "submission", submit(store), "rejected", reason="no such street")
    assert submit(store) == 2


def test_undo_puts_back_unless_another_waits(store):
    number = submit(store)
    decide(store, "submission", number, "rejected", reason="x")
    submit(store)
    with store.write() as db, pytest.raises(NotPossibleError):
        reviews.undo(db, "submission", number, ANN, NOW)


@pytest.mark.parametrize("kind", ["submission", "edit"])
def test_a_decision_is_made_once_and_can_be_undone(store, kind):
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
        reviews.decide_pair(store, db, ("a", "1", "b", "2"), "same", ANN, NOW)
        reviews.decide_pair(store, db, ("a", "1", "b", "2"), "different", ANN, NOW)
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


def test_a_store_that_is_not_there_gives_nothing(tmp_path):
    store = open_store(tmp_path / "none.sqlite")
    assert export.approved_files(store) == {}
    assert not (tmp_path / "none.sqlite").exists()


# ---------------------------------------------------------------- edits


def test_the_same_edit_waits_once(store):
    assert edit(store, {"phone": "y"}) == edit(store, {"phone": "y"})
    assert edit(store, {"phone": "y"}, resource_id=8) != edit(store, {"phone": "z"})


def closed(store):
    with store.read() as db:
        return set(read_changes(db, 0, NOW).closed or {})


def test_a_place_closed_for_good_is_hidden_at_once(store):
    number = edit(store, {"is_active": False})
    assert closed(store) == set()
    decide(store, "edit", number, "approved")
    assert closed(store) == {7}
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
def test_a_retired_place_says_why_now_and_in_the_next_release(store, claim_id, how, words):
    decide(store, "edit", edit(store, {"is_active": False}, claim_id=claim_id), "approved", **how)
    with store.read() as db:
        assert read_changes(db, 0, NOW).closed[7].reason == words
    (told,) = [
        e
        for e in msgspec.json.decode(files(store)["operations_edits"]["edits.json"])
        if e["changes"]
    ]
    assert told["evidence"] == words


# ---------------------------------------------------------------- administrators


def signed_in(
    store, password=PASSWORD, at=NOW, name="ann", old=None, address="192.0.2.1", device=None
):
    """One attempt from beginning to end, as the console makes it."""
    attempt = administrators.Attempt(name, address, device, old)
    with store.write() as db:
        admission = administrators.admit(store, db, attempt, at)
    is_right = administrators.password_matches(admission.password_hash, password)
    with store.write() as db:
        if is_right:
            return administrators.begin_session(store, db, attempt, at)
        administrators.count_failure(store, db, attempt, admission, at)
    raise administrators.SignInError


def sign_in(store, *given, **more):
    return signed_in(store, *given, **more).token


def failures(store, count, **more):
    """Seconds to wait that each of so many wrong guesses was told; 0 for "wrong"."""
    found = []
    for _ in range(count):
        with pytest.raises(administrators.SignInError) as error:
            signed_in(store, "wrong password", **more)
        found.append(error.value.retry_seconds)
    return found


@pytest.fixture
def ann(store):
    administrators.set_password(store, "ann", PASSWORD, NOW)
    return store


def session(store, token, at=NOW):
    with store.read() as db:
        return administrators.session_of(db, token, at)


@pytest.mark.parametrize(
    ("name", "password"),
    [("a b", PASSWORD), ("", PASSWORD), ("ann", "short"), ("x" * 61, PASSWORD)],
)
def test_names_and_passwords_have_rules(store, name, password):
    with pytest.raises(ValueError, match=r"a (name|password) has"):
        administrators.set_password(store, name, password, NOW)


def test_a_session_begins_is_rotated_and_ends(ann):
    first = sign_in(ann)
    assert session(ann, first)[0].name == "ann"
    second = sign_in(ann, old=first)
    assert session(ann, first) is None
    with ann.write() as db:
        administrators.sign_out(db, second)
    assert session(ann, second) is None


@cases(
    "steps, is_open",
    {
        "used within the half hour": ([29], True),
        "idle": ([31], False),
        "used all the time": ([25] * 28, True),
        "twelve hours are the end": ([25] * 29, False),
    },
)
def test_sessions_end_by_idleness_and_age(ann, steps, is_open):
    token, at, found = sign_in(ann), NOW, None
    for minutes in steps:
        at += timedelta(minutes=minutes)
        found = session(ann, token, at)
        if found is None:
            break
        with ann.write() as db:
            administrators.seen(db, found[0], at)
    assert (found is not None) == is_open


def test_a_stranger_does_not_lock_out_a_device_that_has_signed_in(ann):
    device = signed_in(ann).device
    # From one address, and from the administrator's own; from twenty addresses.
    failures(ann, 20)
    for number in range(20):
        failures(ann, 1, address=f"198.51.100.{number}")
    again = signed_in(ann, device=device)
    assert again.token
    assert again.device != device
    assert signed_in(ann, device=again.device, at=NOW + timedelta(days=179)).token


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_a_guarded_name_leaves_each_address_one_attempt_over_restarts(ann, store_url, name):
    assert failures(ann, 5, name=name) == [0] * 5
    again = open_store(store_url)
    assert [bool(s) for s in failures(again, 3, name=name)] == [False, True, True]
    # A new device of the administrator is a stranger at first; it still has a way in.
    if name == "ann":
        assert sign_in(again, address="198.51.100.7")
        with pytest.raises(administrators.SignInError):
            sign_in(again, at=NOW + timedelta(minutes=14))
        assert sign_in(again, at=NOW + timedelta(minutes=16))
    again.close()


def test_an_address_guesses_twenty_times_an_hour_over_all_names(ann):
    told = [failures(ann, 1, name=f"name{number}")[0] for number in range(21)]
    assert [bool(seconds) for seconds in told] == [False] * 20 + [True]
    assert sign_in(ann, address="198.51.100.7")


@pytest.mark.parametrize(
    "fault", ["other name", "old", "changed", "another store's", "guessed too often"]
)
def test_a_cookie_that_proves_no_sign_in_is_a_strangers(ann, fault, tmp_path):
    administrators.set_password(ann, "bob", PASSWORD, NOW)
    device, at = signed_in(ann).device, NOW
    if fault == "other name":
        device = signed_in(ann, name="bob", address="192.0.2.9").device
    elif fault == "old":
        at = NOW + timedelta(days=181)
    elif fault == "changed":
        device = f"9{device}"
    elif fault == "another store's":
        other = open_store(tmp_path / "other.sqlite")
        administrators.set_password(other, "ann", PASSWORD, NOW)
        device = signed_in(other).device
        other.close()
    else:
        failures(ann, administrators.MAX_ATTEMPTS_OF_DEVICE, device=device, address="192.0.2.8")
    failures(ann, 6, at=at)
    with pytest.raises(administrators.SignInError):
        sign_in(ann, device=device, at=at)


def test_a_disabled_administrator_is_out(ann):
    token = sign_in(ann)
    assert administrators.disable(ann, "ann", NOW)
    assert session(ann, token) is None
    with pytest.raises(administrators.SignInError):
        sign_in(ann)
    assert not administrators.disable(ann, "nobody", NOW)


def test_a_new_password_ends_sessions(ann):
    token = sign_in(ann)
    assert not administrators.set_password(ann, "ann", "another good one", NOW)
    assert session(ann, token) is None
    assert sign_in(ann, "another good one")
