"""Claims, their tokens and proofs, and which report is shown; on both databases."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, text

from tests.support.ids import EIGHT, SEVEN, place_id
from warehouse.operations import claims as c
from warehouse.operations.limits import LimitReachedError
from warehouse.operations.models import AUDIT, CLAIMS, CONFIRMATIONS, METADATA, STATUSES
from warehouse.operations.reports import (
    REPORTS_AN_HOUR,
    NewReport,
    add_report,
    read_changes,
    read_shown,
    recent_reports,
    withdraw_reports,
)

NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)
HOUR = timedelta(hours=1)


def claiming(store, email="ann@pantry.example", resource_id=SEVEN, at=NOW):
    with store.write() as db:
        return c.make_claim(db, c.NewClaim(resource_id, email, "+12025550143", "Ann"), at)


def by_token(store, token, at=NOW):
    with store.read() as db:
        return c.claim_by_token(db, token, at)


def reporting(store, claim, status="closed_today", at=NOW, key=None, notes=None):
    with store.write() as db:
        new = NewReport(status, notes, {"dairy": "low"}, key)
        return add_report(db, claim.claim_id, claim.resource_id, new, at)


def shown_of(store, resource_id=SEVEN, at=NOW):
    with store.read() as db:
        return read_shown(db, [resource_id], at).get(resource_id)


def confirming(store, claim, by="administrator"):
    with store.write() as db:
        c.confirm(db, claim.claim_id, by, "administrator ann", NOW)


def test_a_claim_and_its_token_are_issued_once(store):
    first, second = claiming(store), claiming(store, " ANN@pantry.example ")
    assert first.token
    assert len(first.token) == 43
    assert second.token is None
    assert first.claim == second.claim
    assert first.claim.state == "unconfirmed"
    assert by_token(store, first.token) == first.claim


AGAIN = c.NewClaim(SEVEN, "ann@pantry.example", "+12025550143", "Ann", "203.0.113.7")


def again(store, at=NOW, **changes):
    with store.write() as db:
        return c.make_claim(db, AGAIN._replace(**changes), at).token


def test_the_same_claim_from_the_same_network_has_the_same_token(store):
    token = again(store)
    assert again(store, NOW + HOUR) == token
    assert again(store, email=" ANN@pantry.example") == token
    assert by_token(store, token).resource_id == SEVEN
    assert again(store, resource_id=EIGHT) != token
    assert again(store, email="bob@pantry.example") != token


@pytest.mark.parametrize("change", ["network", "late", "confirmed", "proven", "rotated", "revoked"])
def test_an_address_alone_gives_no_token(store, change):
    token, address, at = again(store), AGAIN.address, NOW
    claim = by_token(store, token)
    with store.write() as db:
        if change == "network":
            address = "198.51.100.9"
        elif change == "late":
            at = NOW + HOUR + timedelta(seconds=1)
        elif change == "confirmed":
            c.confirm(db, claim.claim_id, "administrator", "administrator ann", NOW)
        elif change == "proven":
            c.use_email_secret(
                db, c.email_secret(db, claim.claim_id, NOW), is_listed=False, now=NOW
            )
        elif change == "rotated":
            c.rotate(db, claim.claim_id, "claim 1", NOW)
        else:
            c.revoke(db, claim.claim_id, "administrator ann", NOW)
    assert again(store, at, address=address) is None


def test_a_token_over_midnight_is_still_the_same(store):
    evening = NOW.replace(hour=23, minute=50)
    assert again(store, evening) == again(store, evening + timedelta(minutes=20))


def test_tokens_are_stored_as_hashes_only(store):
    token = claiming(store).token
    with store.read() as db:
        for table in METADATA.sorted_tables:
            assert token not in str(db.execute(select(table)).all())


def test_equal_claims_at_once_are_one(at_once):
    new = c.NewClaim(SEVEN, "ann@pantry.example", None, None)
    claims = at_once(lambda db: c.make_claim(db, new, NOW))
    assert len({m.claim.claim_id for m in claims}) == 1
    assert sum(m.token is not None for m in claims) == 1


def test_a_second_claimant_is_reviewed(store):
    claiming(store)
    second = claiming(store, "bob@elsewhere.example")
    assert second.claim.state == "contested"
    with store.read() as db:
        page = c.claims_to_review(db)
        assert [claim.state for claim in page.rows] == ["contested", "unconfirmed"]
        assert c.claims_waiting(db) == 2


def test_the_newest_claims_are_listed_first_whatever_comes_later(store):
    for number in range(60):
        claiming(store, f"ann{number}@pantry.example", resource_id=place_id(number))
    with store.read() as db:
        first = c.claims_to_review(db)
        second = c.claims_to_review(db, first.next_key)
    claiming(store, "late@pantry.example")
    with store.read() as db:
        third = c.claims_to_review(db, second.next_key)
    numbers = [claim.claim_id for page in (first, second, third) for claim in page.rows]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == 60
    assert third.next_key is None


def test_a_flood_of_one_network_is_ended_together(store):
    honest = claiming(store, "bob@pantry.example").claim
    for number in range(5):
        again(store, email=f"x{number}@flood.example", resource_id=place_id(number))
    with store.read() as db:
        network = c.claims_to_review(db).rows[0].network
        assert len(c.claims_to_review(db, network=network).rows) == 5
    with store.write() as db:
        assert c.revoke_network(db, network, "administrator ann", NOW) == 5
    with store.read() as db:
        assert [claim.claim_id for claim in c.claims_to_review(db).rows] == [honest.claim_id]


@pytest.mark.parametrize("fault", ["wrong", "revoked", "expired", "rotated"])
def test_bad_tokens_are_all_the_same(store, fault):
    claim = claiming(store)
    token, at = claim.token, NOW
    with store.write() as db:
        if fault == "wrong":
            token = "x" * 43
        elif fault == "revoked":
            c.revoke(db, claim.claim.claim_id, "administrator ann", NOW)
        elif fault == "expired":
            at = NOW + c.TOKEN_LIFE
        else:
            fresh = c.rotate(db, claim.claim.claim_id, "claim 1", NOW)
    with pytest.raises(c.UnknownTokenError) as error:
        by_token(store, token, at)
    assert str(error.value) == ""
    if fault == "rotated":
        assert by_token(store, fresh).claim_id == claim.claim.claim_id


# ---------------------------------------------------------------- proofs


@pytest.mark.parametrize(("is_listed", "state"), [(True, "confirmed"), (False, "unconfirmed")])
def test_a_link_proves_the_address_and_kills_the_token_of_before(store, is_listed, state):
    first_claim = claiming(store)
    with store.write() as db:
        secret = c.email_secret(db, first_claim.claim.claim_id, NOW)
        claim, token = c.use_email_secret(db, secret, is_listed=is_listed, now=NOW + HOUR)
    assert (claim.state, claim.email_proven_at) == (state, NOW + HOUR)
    assert by_token(store, token).claim_id == first_claim.claim.claim_id
    with pytest.raises(c.UnknownTokenError):
        by_token(store, first_claim.token)
    with pytest.raises(c.UnknownTokenError), store.write() as db:
        c.use_email_secret(db, secret, is_listed=True, now=NOW + HOUR)


def test_an_old_link_is_dead(store):
    claim = claiming(store)
    with store.write() as db:
        secret = c.email_secret(db, claim.claim.claim_id, NOW)
    with pytest.raises(c.UnknownTokenError), store.write() as db:
        c.use_email_secret(db, secret, is_listed=True, now=NOW + c.LINK_LIFE)


def test_a_second_claimant_is_not_confirmed_by_a_link(store):
    confirming(store, claiming(store).claim)
    second = claiming(store, "bob@pantry.example")
    with store.write() as db:
        secret = c.email_secret(db, second.claim.claim_id, NOW)
        claim, _ = c.use_email_secret(db, secret, is_listed=True, now=NOW)
    assert claim.state == "contested"


def test_a_code_from_the_listed_telephone(store):
    claim = claiming(store).claim
    with store.write() as db:
        code = c.phone_code(db, claim.claim_id, NOW)
        wrong = f"{(int(code) + 1) % 1_000_000:06d}"
        assert not c.use_phone_code(db, claim, wrong, NOW)
        assert c.use_phone_code(db, claim, f" {code} ", NOW)
        assert not c.use_phone_code(db, claim, code, NOW)
        assert c.claim_by_id(db, claim.claim_id).confirmed_by == "phone"


def test_codes_cannot_be_tried_out(store):
    claim = claiming(store).claim
    with store.write() as db:
        code = c.phone_code(db, claim.claim_id, NOW)
        wrong = f"{(int(code) + 1) % 1_000_000:06d}"
        assert [c.use_phone_code(db, claim, wrong, NOW) for _ in range(c.MAX_ATTEMPTS)] == [
            False
        ] * 5
        assert not c.use_phone_code(db, claim, code, NOW)
        # A new code ends the one before. How many go out is a matter of the telephone:
        # test_outbox.py.
        earlier, later = (
            c.phone_code(db, claim.claim_id, NOW),
            c.phone_code(db, claim.claim_id, NOW),
        )
        assert earlier == later or not c.use_phone_code(db, claim, earlier, NOW)
        assert c.use_phone_code(db, claim, later, NOW)


def test_attempts_at_once_are_counted_one_by_one(store, at_once):
    claim = claiming(store).claim
    with store.write() as db:
        code = c.phone_code(db, claim.claim_id, NOW)
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    assert not any(at_once(lambda db: c.use_phone_code(db, claim, wrong, NOW)))
    with store.write() as db:
        assert db.execute(select(CONFIRMATIONS.c.attempts)).scalars().all() == [c.MAX_ATTEMPTS]
        assert not c.use_phone_code(db, claim, code, NOW)


# ---------------------------------------------------------------- reports


def test_a_report_lives_for_24_hours(store):
    claim = claiming(store).claim
    reporting(store, claim, notes="<b>back door</b>")
    entry = shown_of(store)
    body = json.loads(entry.text)
    assert body == {
        "status": "closed_today",
        "notes": None,  # words of somebody who may not be the operator are in no list
        "inventory": {"dairy": "low"},
        "reported_at": "2026-11-23T15:00:00Z",
        "expires_at": "2026-11-24T15:00:00Z",
        "is_confirmed": False,
    }
    assert entry.notes == "<b>back door</b>"
    assert shown_of(store, at=NOW + 24 * HOUR - timedelta(seconds=1))
    assert shown_of(store, at=NOW + 24 * HOUR) is None


def test_a_stranger_never_replaces_the_operator(store):
    operator, stranger = claiming(store).claim, claiming(store, "bob@elsewhere.example").claim
    reporting(store, stranger, "closed_today")
    assert not shown_of(store).is_confirmed
    confirming(store, operator)
    assert shown_of(store) is None
    reporting(store, operator, "open_today", NOW + HOUR)
    reporting(store, stranger, "closed_today", NOW + 2 * HOUR)
    assert (shown_of(store, at=NOW + 3 * HOUR).status) == "open_today"
    assert shown_of(store, at=NOW + 25 * HOUR + timedelta(minutes=30)) is None


def test_the_newest_report_counts_until_withdrawal(store):
    claim = claiming(store).claim
    for number, status in enumerate(("open_today", "running_late", "low_stock")):
        reporting(store, claim, status, NOW + number * timedelta(minutes=1))
    assert shown_of(store).status == "low_stock"
    with store.write() as db:
        assert withdraw_reports(db, claim.claim_id, NOW + HOUR) == 3
    assert shown_of(store) is None
    with store.read() as db:
        assert [r.status for r in recent_reports(db, claim.claim_id)] == [
            "low_stock",
            "running_late",
            "open_today",
        ]


def test_a_report_of_the_future_replaces_nothing(store):
    claim = claiming(store).claim
    reporting(store, claim, "closed_today", NOW + timedelta(days=3))
    # The clock was set back since: nobody knows how old it is.
    assert shown_of(store) is None
    reporting(store, claim, "open_today", NOW)
    assert shown_of(store).status == "open_today"


def test_a_revoked_claims_reports_are_not_shown(store):
    claim = claiming(store).claim
    reporting(store, claim)
    with store.write() as db:
        c.revoke(db, claim.claim_id, "administrator ann", NOW)
    assert shown_of(store) is None


def test_a_report_sent_again_is_stored_once(store, at_once):
    claim, new = claiming(store).claim, NewReport("open_today", None, {}, "key-1")
    reports = at_once(lambda db: add_report(db, claim.claim_id, SEVEN, new, NOW))
    assert len({report.status_id for report in reports}) == 1
    with store.read() as db:
        assert db.execute(select(func.count()).select_from(STATUSES)).scalar() == 1


def test_reports_are_rate_limited(store):
    claim = claiming(store).claim
    for _ in range(REPORTS_AN_HOUR):
        reporting(store, claim)
    with pytest.raises(LimitReachedError) as reached:
        reporting(store, claim, at=NOW + timedelta(minutes=20))
    assert reached.value.retry_seconds == 40 * 60
    reporting(store, claim, at=NOW + HOUR)


def test_changes_are_reported_once(store):
    claim, other = claiming(store).claim, claiming(store, resource_id=EIGHT).claim
    with store.read() as db:
        begin = read_changes(db, 0, NOW).version
    reporting(store, claim)
    with store.read() as db:
        changes = read_changes(db, begin, NOW)
        assert {i: e.status for i, e in changes.entries.items()} == {SEVEN: "closed_today"}
        assert read_changes(db, changes.version, NOW).entries == {}
    reporting(store, other)
    with store.write() as db:
        withdraw_reports(db, claim.claim_id, NOW)
    with store.read() as db:
        later = read_changes(db, changes.version, NOW)
        assert {i: e and e.status for i, e in later.entries.items()} == {
            SEVEN: None,
            EIGHT: "closed_today",
        }
        assert read_changes(db, 10**6, NOW).is_whole


def test_every_change_of_a_claim_is_in_the_audit_log(store):
    claim = claiming(store).claim
    confirming(store, claim)
    with store.write() as db:
        c.rotate(db, claim.claim_id, "claim 1", NOW)
        c.revoke(db, claim.claim_id, "administrator ann", NOW)
    with store.read() as db:
        rows = db.execute(
            select(AUDIT.c.action, AUDIT.c.detail_json).order_by(AUDIT.c.audit_id)
        ).all()
        assert [row.action for row in rows] == [
            "claim_made",
            "claim_confirmed",
            "token_rotated",
            "claim_revoked",
        ]
        assert "ann@pantry" not in str(rows)
        assert db.execute(text("SELECT count(*) FROM claims")).scalar() == 1
        assert db.execute(select(CLAIMS.c.token_hash)).scalar() != claim
