"""Mailboxes and telephones: one form for each, and which of them may be contacted."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.cases import labelled
from warehouse.operations import outbox
from warehouse.operations.contacts import mailbox_of, number_of, refusal
from warehouse.operations.sms import Message, exchange

NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)


@labelled("address, mailbox")
def test_a_mailbox_has_one_form(address, mailbox):
    assert mailbox_of(address) == mailbox


@pytest.mark.parametrize("phone", ["(212) 496-0101", "+12124960101", "1 212 496 0101"])
def test_a_number_has_one_form(phone):
    assert number_of(phone) == "+12124960101"


@labelled("channel, recipient, is_refused")
def test_who_may_be_contacted(store, channel, recipient, is_refused):
    with store.write() as db:
        assert (refusal(db, channel, recipient) is not None) is is_refused
        message = outbox.NewMessage(
            channel, recipient, "s", "b", "claim 1", NOW + timedelta(minutes=15)
        )
        if is_refused:
            with pytest.raises(outbox.NotContactedError):
                outbox.enqueue(db, message, NOW)
        else:
            outbox.enqueue(db, message, NOW)


def test_no_code_is_sent_to_a_telephone_that_opted_out(store):
    number = "+12124960101"
    with store.write() as db:
        exchange(db, Message("SM1", number, "STOP", "stop"), "Stopped.", "", 10, NOW)
        assert refusal(db, "phone", "(212) 496-0101") == "it opted out"
        exchange(db, Message("SM2", number, "START", "start"), "Welcome.", "", 10, NOW)
        assert refusal(db, "phone", number) is None
