"""The form of the rows that are sent and of those that come back."""

import pytest

from tests.support.cases import labelled
from warehouse.fetch.errors import FetchError
from warehouse.geocoder.cache import Address, Answer, as_sent, batch_as_csv, read_answers


@labelled("text, expected")
def test_rows_are_sent_as_ascii_on_one_line(text: str, expected: str) -> None:
    address = as_sent(text, "", "", "")
    assert address.street == expected
    assert batch_as_csv({"1": address}).count(b"\n") == 1


def test_commas_are_quoted_and_blanks_are_fields() -> None:
    batch = {"1": as_sent("12 Main St, Rear", "Salem", "ma", "")}
    assert batch_as_csv(batch) == b'1,"12 MAIN ST, REAR",SALEM,MA,\n'


def test_equal_addresses_have_one_digest_and_parts_do_not_run_together() -> None:
    assert (
        as_sent("12  main st", "Salem", "MA", "").digest
        == as_sent("12 Main St", "SALEM", "MA", "").digest
    )
    assert Address("1", "2 A", "MA", "").digest != Address("1 2", "A", "MA", "").digest
    assert len(as_sent("12 Main St", "", "", "").digest) == 32


GRAMERCY = as_sent("3 Invented Park West", "New York", "NY", "10003")
MATCH = Answer(
    match="match",
    is_exact=True,
    matched_address="3 INVENTED PARK W, NEW YORK, NY, 10003",
    lat=40.738323,
    lng=-73.98658,
    tiger_line="59653655",
    side="R",
)


@labelled("body, expected")
def test_rows_are_read(body: str, expected: Answer) -> None:
    assert read_answers(body.encode(), {"1": GRAMERCY}, "here") == {GRAMERCY: expected}


def test_messages_name_no_address() -> None:
    body = b'"1","3 INVENTED PARK WEST, NEW YORK, NY, 10003","Match"\n'
    with pytest.raises(FetchError) as error:
        read_answers(body, {"1": GRAMERCY}, "here")
    assert "INVENTED" not in str(error.value)
    assert error.value.is_transient
