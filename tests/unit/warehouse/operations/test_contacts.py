"""Mailboxes and telephones: one form for each, and which of them may be contacted."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.cases import cases
from warehouse.operations import outbox
from warehouse.operations.contacts import mailbox_of, number_of, refusal
from warehouse.operations.sms import Message, exchange

NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)


@cases(
    "address, mailbox",
    {
        "letters": (" Ann@Pantry.Example ", "ann@pantry.example"),
        "tag": ("ann+food@pantry.example", "ann@pantry.example"),
        "tag alone": ("+food@pantry.example", "+food@pantry.example"),
        "dots": ("a.n.n@gmail.com", "ann@gmail.com"),
        "old name": ("ann@googlemail.com", "ann@gmail.com"),
        "dots elsewhere": ("a.nn@pantry.example", "a.nn@pantry.example"),
        "apple": ("ann@me.com", "ann@icloud.com"),
        "proton": ("a_n-n@pm.me", "ann@proton.me"),
        "a name in another script": ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        "final dot": ("ann@pantry.example.", "ann@pantry.example"),
    },
)
def test_a_mailbox_has_one_form(address, mailbox):
    assert mailbox_of(address) == mailbox


@pytest.mark.parametrize("phone", ["(212) 496-0101", "+12124960101", "1 212 496 0101"])
def test_a_number_has_one_form(phone):
    assert number_of(phone) == "+12124960101"


@cases(
    "channel, recipient, is_refused",
    {
        "mailbox": ("email", "ann@pantry.example", False),
        "this machine": ("email", "root@localhost", True),
        "an address of this machine": ("email", "root@127.0.0.1", True),
        "a bracketed address": ("email", "root@[127.0.0.1]", True),
        "one label": ("email", "root@mail", True),
        "this network": ("email", "root@mail.internal", True),
        "the neighborhood": ("email", "ann@printer.local", True),
        "no mailbox": ("email", "@pantry.example", True),
        "landline or mobile": ("phone", "+12124960101", False),
        "Puerto Rico": ("phone", "+17872000101", False),
        "personal number": ("phone", "+15002345678", True),
        "premium": ("phone", "+19002345678", True),
        "charged exchange": ("phone", "+12129761234", True),
        "toll-free": ("phone", "+18005551212", True),
        "Jamaica": ("phone", "+18762345678", True),
        "England": ("phone", "+442079460000", True),
        "no number": ("phone", "12", True),
    },
)
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
