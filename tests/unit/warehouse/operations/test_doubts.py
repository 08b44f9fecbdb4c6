"""Votes in the store: doubts, vouching, limits and review; on both databases."""

import itertools
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import func, select

from tests.support.cases import labelled
from tests.support.ids import EIGHT, SEVEN, place_id
from warehouse.operations import export, feedback
from warehouse.operations.claims import NewClaim, make_claim
from warehouse.operations.feedback import Feedback, give_feedback
from warehouse.operations.limits import LimitReachedError
from warehouse.operations.models import FEEDBACK
from warehouse.operations.reports import read_changes
from warehouse.operations.reviews import NotPossibleError

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
ANN = "administrator ann"


def said(store, kind, address, at=NOW, resource_id=SEVEN):
    with store.write() as db:
        actual = Feedback(kind, resource_id, None, None)
        return give_feedback(db, actual, address, at)[1]


def shown(store, at=NOW):
    """Return doubts as workers show them: kind, reporters, the newest report."""
    with store.read() as db:
        changes = read_changes(db, 0, at)
    assert not changes.closed, "votes retire nothing"
    return {i: (d.kind, d.reporters, d.reported_at) for i, d in changes.doubts.items() if d}


def decide(store, number, state, at=NOW, reason="called: it is so"):
    with store.write() as db:
        feedback.decide_doubt(db, number, state, ANN, at, reason)


def retired(store):
    with store.read() as db:
        return {i: c.reason for i, c in read_changes(db, 0, NOW).closed.items()}


def edits(store):
    rows = export.build_approved_files(store)["operations_edits"].get("edits.json", b"[]")
    return msgspec.json.decode(rows)


def test_a_late_repeat_does_not_undo_the_vote_that_replaced_it(store):
    for kind, key, outcome in [
        ("closed", "first", "counted"),
        ("helpful", "second", "replaced"),
        ("closed", "first", "repeated"),
        ("helpful", "second", "repeated"),
        ("wrong_info", "third", "replaced"),
        ("closed", "first", "repeated"),
    ]:
        with store.write() as db:
            vote = Feedback(kind, SEVEN, None, None, key)
            assert give_feedback(db, vote, "192.0.2.1", NOW)[1] == [outcome]
    with store.read() as db:
        assert db.execute(select(FEEDBACK.c.type)).scalars().all() == ["wrong_info"]


# ---------------------------------------------------------------- doubts


@labelled("votes, effects, doubt")
def test_votes_of_different_clients_put_a_listing_in_doubt(
    store, votes: list[tuple[str, str]], effects: list[str], doubt: list[str | int] | None
):
    assert [said(store, kind, address) for kind, address in votes][-1] == effects
    assert shown(store) == ({SEVEN: (*doubt, NOW)} if doubt else {})


def test_a_claimed_listing_is_doubted_like_any(store):
    with store.write() as db:
        make_claim(db, NewClaim(SEVEN, "op@example.org", None, None), NOW)
    said(store, "wrong_info", "a")
    assert said(store, "wrong_info", "b") == ["counted", "doubted", "sent_to_review"]


def test_one_client_on_two_days_is_one_voter(store):
    said(store, "wrong_info", "192.0.2.1", NOW - timedelta(days=3))
    assert said(store, "wrong_info", "192.0.2.1") == ["counted"]


def test_old_votes_raise_no_doubt_and_a_doubt_grows_old(store):
    said(store, "wrong_info", "192.0.2.1", NOW - timedelta(days=31))
    assert said(store, "wrong_info", "192.0.2.2") == ["counted"]
    assert said(store, "wrong_info", "192.0.2.3") == ["counted", "doubted", "sent_to_review"]
    assert shown(store, NOW + timedelta(days=29))
    assert shown(store, NOW + timedelta(days=31)) == {}
    # It waits for a person all the same: time alone decides nothing.
    assert said(store, "helpful", "192.0.2.9", NOW + timedelta(days=40)) == ["counted"]
    with store.read() as db:
        assert feedback.doubts_waiting(db) == 1


def test_the_later_word_of_a_day_replaces_the_earlier(store):
    assert said(store, "helpful", "192.0.2.1") == ["counted"]
    assert said(store, "other", "192.0.2.1") == ["replaced"]
    assert edits(store) == []
    with store.read() as db:
        assert db.execute(select(func.count()).select_from(FEEDBACK)).scalar() == 1


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("closed", "closed for good, confirmed after review: called: it is so"),
        ("wrong_info", "removed after review: called: it is so"),
    ],
)
def test_an_administrator_retires_with_a_reason_and_undoes_it(store, kind, words):
    said(store, kind, "a")
    said(store, kind, "b")
    assert edits(store) == []
    decide(store, 1, "applied")
    assert retired(store) == {SEVEN: words}
    (actual,) = edits(store)
    assert (actual["changes"], actual["evidence"]) == ({"is_active": False}, words)
    decide(store, 1, "undone")
    assert retired(store) == {}
    assert edits(store) == []
    assert shown(store) == {}
    with pytest.raises(NotPossibleError):
        decide(store, 1, "undone")


def test_a_rejected_doubt_needs_new_votes(store):
    said(store, "closed", "a")
    said(store, "closed", "b")
    decide(store, 1, "rejected")
    assert shown(store) == {}
    later = NOW + timedelta(days=1)
    assert said(store, "closed", "c", later) == ["counted"]
    assert said(store, "closed", "d", later) == ["counted", "doubted", "sent_to_review"]
    assert shown(store) == {SEVEN: ("closed", 2, later)}


def test_voters_cannot_be_followed_and_are_forgotten(store):
    said(store, "helpful", "192.0.2.1")
    said(store, "helpful", "192.0.2.1", resource_id=EIGHT)
    with store.write() as db:
        voters = db.execute(select(FEEDBACK.c.voter)).scalars().all()
        assert len(set(voters)) == 2
        assert not any("192.0.2.1" in v for v in voters)
        assert feedback.forget_old_votes(db, NOW + timedelta(days=181)) == 2


def test_it_takes_as_many_to_vouch_as_to_doubt(store):
    assert said(store, "helpful", "192.0.2.1", NOW - timedelta(days=9)) == ["counted"]
    assert edits(store) == []
    assert said(store, "helpful", "192.0.2.1") == ["counted"], "the same network"
    assert said(store, "helpful", "192.0.2.2") == ["counted", "age_reset"]
    (vouched,) = edits(store)
    assert (vouched["is_found_right"], vouched["is_confirmed"]) == (True, False)
    assert vouched["told_on"] == NOW.date().isoformat()


def test_helpful_votes_hide_no_report(store):
    said(store, "closed", "192.0.2.1")
    said(store, "closed", "192.0.2.2")
    for number in range(24):
        said(store, "helpful", f"198.51.100.{number}")
    assert shown(store) == {SEVEN: ("closed", 2, NOW)}


def test_a_household_with_two_kinds_of_addresses_counts_once(store):
    said(store, "closed", "192.0.2.1")
    assert said(store, "closed", "2001:db8:1::1") == ["counted"]
    assert shown(store) == {}
    assert said(store, "closed", "192.0.2.2") == ["counted", "doubted", "sent_to_review"]
    assert shown(store) == {SEVEN: ("closed", 2, NOW)}


def test_a_place_in_doubt_is_one_item_with_each_count(store):
    for kind, address in itertools.product(("closed", "wrong_info"), "ab"):
        said(store, kind, f"{kind} {address}")
    with store.read() as db:
        (item,) = feedback.doubt_queue(db, "review").rows
    assert item.rule_id == "feedback_closed"
    assert item.evidence == (
        "2 different visitors said closed within 180 days; "
        "2 different visitors said wrong_info within 30 days"
    )


def test_a_network_votes_on_so_many_places_a_day(store):
    for number in range(feedback.PLACES_A_DAY):
        said(store, "closed", "192.0.2.1", resource_id=place_id(number))
    with pytest.raises(LimitReachedError):
        said(store, "closed", "192.0.2.1", resource_id=place_id(100))
    assert said(store, "closed", "192.0.2.1", resource_id=place_id(3)) == ["replaced"]
    assert said(store, "closed", "192.0.2.2", resource_id=place_id(100)) == ["counted"]
    said(store, "closed", "192.0.2.1", NOW + timedelta(hours=25), place_id(100))


def test_discarded_votes_of_a_network_lift_their_doubts(store):
    said(store, "closed", "192.0.2.1")
    said(store, "closed", "192.0.2.2")
    with store.write() as db:
        network = db.execute(select(FEEDBACK.c.network)).scalars().first()
        assert feedback.discard_network(db, network, ANN, NOW) == 1
    assert shown(store) == {}
    assert said(store, "closed", "192.0.2.3") == ["counted", "doubted", "sent_to_review"]


def test_a_request_key_belongs_to_its_client_and_place(store):
    def send(address, resource_id=SEVEN):
        with store.write() as db:
            vote = Feedback("closed", resource_id, None, None, "key")
            return give_feedback(db, vote, address, NOW)[1]

    assert send("192.0.2.1") == ["counted"]
    assert send("192.0.2.1") == ["repeated"]
    assert send("192.0.2.1", EIGHT) == ["counted"]
    assert send("192.0.2.2") == ["counted", "doubted", "sent_to_review"]
