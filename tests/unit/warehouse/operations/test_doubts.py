"""Votes in the store: doubts, review, waves, and votes of earlier versions; on both databases."""

import itertools
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import func, select

from tests.support.cases import cases
from warehouse.operations import audit, doubts, export, feedback
from warehouse.operations import vote_waves as waves
from warehouse.operations.claims import NewClaim, make_claim
from warehouse.operations.feedback import Feedback, give_feedback
from warehouse.operations.live_reports import read_changes
from warehouse.operations.review_models import FEEDBACK, FEEDBACK_EFFECTS, VOTE_TRACES
from warehouse.operations.reviews import NotPossibleError

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
ANN = "administrator ann"


def said(store, kind, address, at=NOW, resource_id=7, county=None):
    with store.write() as db:
        actual = Feedback(kind, resource_id, None, None)
        return give_feedback(db, actual, address, at, county)[1]


def shown(store, at=NOW):
    """Return doubts as workers show them: kind, reporters, the newest report."""
    with store.read() as db:
        changes = read_changes(db, 0, at)
    assert not changes.closed, "votes retire nothing"
    return {i: (d.kind, d.reporters, d.reported_at) for i, d in changes.doubts.items() if d}


def decide(store, number, state, at=NOW, reason="called: it is so"):
    with store.write() as db:
        doubts.decide_doubt(db, number, state, ANN, at, reason)


def retired(store):
    with store.read() as db:
        return {i: c.reason for i, c in read_changes(db, 0, NOW).closed.items()}


def edits(store):
    rows = export.build_approved_files(store)["operations_edits"].get("edits.json", b"[]")
    return msgspec.json.decode(rows)


# ---------------------------------------------------------------- doubts


@cases(
    "votes, effects, doubt",
    {
        "two different": (
            [("wrong_info", "a"), ("wrong_info", "b")],
            ["counted", "doubted", "sent_to_review"],
            ("wrong_info", 2),
        ),
        "three say closed": (
            [("closed", "a"), ("closed", "b"), ("closed", "c")],
            ["counted", "doubted"],
            ("closed", 3),
        ),
        "one twice": ([("wrong_info", "a"), ("wrong_info", "a")], ["replaced"], None),
        "one IPv6 /48": (
            [("closed", "2001:db8:1::1"), ("closed", "2001:db8:1:ffff::2")],
            ["replaced"],
            None,
        ),
        "two IPv6 /48": (
            [("closed", "2001:db8:1::1"), ("closed", "2001:db8:2::1")],
            ["counted", "doubted", "sent_to_review"],
            ("closed", 2),
        ),
        "one thought better of it": (
            [("closed", "a"), ("closed", "b"), ("helpful", "b")],
            ["replaced", "age_reset", "doubt_lifted"],
            None,
        ),
        "different things": ([("wrong_info", "a"), ("closed", "b")], ["counted"], None),
        "the graver is shown": (
            [("wrong_info", "a"), ("wrong_info", "b"), ("closed", "c"), ("closed", "d")],
            ["counted", "doubted", "sent_to_review"],
            ("closed", 2),
        ),
    },
)
def test_votes_of_different_clients_put_a_listing_in_doubt(store, votes, effects, doubt):
    assert [said(store, kind, address) for kind, address in votes][-1] == effects
    assert shown(store) == ({7: (*doubt, NOW)} if doubt else {})


def test_a_claimed_listing_is_doubted_like_any(store):
    with store.write() as db:
        make_claim(db, NewClaim(7, "op@example.org", None, None), NOW)
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
    assert said(store, "helpful", "192.0.2.9", NOW + timedelta(days=40)) == ["counted", "age_reset"]
    with store.read() as db:
        assert doubts.doubts_waiting(db) == 1


def test_the_later_word_of_a_day_replaces_the_earlier(store):
    assert said(store, "helpful", "192.0.2.1") == ["counted", "age_reset"]
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
    assert retired(store) == {7: words}
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
    assert shown(store) == {7: ("closed", 2, later)}


def test_voters_cannot_be_followed_and_are_forgotten(store):
    said(store, "helpful", "192.0.2.1")
    said(store, "helpful", "192.0.2.1", resource_id=8)
    with store.write() as db:
        voters = db.execute(select(FEEDBACK.c.voter)).scalars().all()
        assert len(set(voters)) == 2
        assert not any("192.0.2.1" in v for v in voters)
        assert feedback.forget_old_votes(db, NOW + timedelta(days=181)) == 2


def test_networks_of_votes_are_deleted_after_an_hour(store):
    said(store, "closed", "192.0.2.1")
    said(store, "closed", "192.0.2.1", resource_id=8)
    said(store, "closed", "192.0.2.2", NOW + timedelta(minutes=61), resource_id=9)
    with store.read() as db:
        assert db.execute(select(VOTE_TRACES.c.resource_id)).scalars().all() == [9]


# ---------------------------------------------------------------- waves


def storm(store, addresses, places, kind="closed", at=NOW, county=None):
    """Vote from each address on each place; return the effects of all votes."""
    votes = itertools.product(places, addresses)
    return [said(store, kind, address, at, place, county) for place, address in votes]


def held(store):
    with store.read() as db:
        changes = waves.wave_queue(db, "held", 1)
        return {w.wave_id: {v.resource_id for v in waves.votes_of(db, w.wave_id)} for w in changes}


def decide_wave(store, number, state):
    with store.write() as db:
        waves.decide_wave(db, number, state, ANN, NOW, "a bot")


def test_a_wave_by_networks_is_one_item_without_effect(store):
    effects = storm(store, ["192.0.2.1", "192.0.2.2", "2001:db8::1"], range(1, 41))
    assert effects[29] == ["counted", "doubted"], "the tenth place, before the wave is noticed"
    assert effects[-1] == ["counted", "held"]
    assert held(store) == {1: set(range(1, 41))}
    assert shown(store) == {}, "also those that were doubted before"
    with store.read() as db:
        assert doubts.doubts_waiting(db) == 0


def test_ten_places_an_hour_are_no_wave(store):
    for hour in range(3):
        at = NOW + timedelta(minutes=61 * hour)
        storm(store, ["192.0.2.1"], range(hour * 10, hour * 10 + 10), at=at)
    assert held(store) == {}


def test_a_wave_does_not_begin_again_at_midnight(store):
    late = NOW.replace(hour=23, minute=50)
    storm(store, ["192.0.2.1"], range(1, 7), at=late)
    storm(store, ["192.0.2.1"], range(7, 12), at=late + timedelta(minutes=20))
    assert held(store) == {1: set(range(1, 12))}


def test_a_wave_on_one_county_is_held(store):
    for place in range(1, 20):
        assert "held" not in said(
            store, "closed", f"192.0.2.{place}", resource_id=place, county="36061"
        )
        assert "held" not in said(
            store, "closed", f"198.51.100.{place}", resource_id=place + 50, county="36005"
        )
    assert said(store, "closed", "192.0.2.20", resource_id=20, county="36061") == [
        "counted",
        "held",
    ]
    assert held(store) == {1: set(range(1, 21))}


def test_others_on_the_same_places_still_count(store):
    storm(store, ["192.0.2.1"], range(1, 12))
    said(store, "closed", "198.51.100.1", resource_id=1)
    assert said(store, "closed", "198.51.100.2", resource_id=1) == [
        "counted",
        "doubted",
        "sent_to_review",
    ]
    assert shown(store) == {1: ("closed", 2, NOW)}


def test_a_discarded_wave_never_counts(store):
    storm(store, ["192.0.2.1", "192.0.2.2"], range(1, 12))
    storm(store, ["192.0.2.3"], range(1, 12), kind="helpful")
    decide_wave(store, 1, "discarded")
    assert held(store) == {}
    assert said(store, "closed", "198.51.100.1", resource_id=1) == ["counted"]
    assert shown(store) == {}
    assert edits(store) == [], "no confirmation either"
    with pytest.raises(NotPossibleError):
        decide_wave(store, 1, "released")
    decide_wave(store, 1, "held")
    assert held(store) == {1: set(range(1, 12))}


def test_a_released_wave_counts_like_any_votes(store):
    storm(store, ["192.0.2.1", "192.0.2.2"], range(1, 12))
    decide_wave(store, 1, "released")
    assert shown(store) == dict.fromkeys(range(1, 12), ("closed", 2, NOW))
    assert said(store, "closed", "192.0.2.1", NOW + timedelta(minutes=1), 12) == ["counted"]
    with store.read() as db:
        assert [r.action for r in audit.of_subject(db, "wave 1")] == ["held", "wave released"]
        waiting = select(func.count()).select_from(FEEDBACK_EFFECTS)
        assert db.execute(waiting.where(FEEDBACK_EFFECTS.c.state == "review")).scalar() == 11
