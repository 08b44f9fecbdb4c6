"""The form of the rows that are sent and of those that come back."""

import pytest
from msgspec.structs import replace

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
ROWS = [
    (
        "locations_only",
        '"1","3 Invented Park West, New York, NY, 10003","Match","Exact","3 INVENTED PARK W, NEW YORK, NY, 10003","-73.98658,40.738323","59653655","R"\n',
        MATCH,
    ),
    (
        "geographies_without_line_end",
        '"1","3 INVENTED PARK WEST, NEW YORK, NY, 10003","Match","Non_Exact","3 INVENTED PARK W, NEW YORK, NY, 10003","-73.98658,40.738323","59653655","R","36","061","005000","1002"',
        replace(MATCH, is_exact=False, tract="36061005000", block="1002"),
    ),
    (
        "empty_geographies",
        '"1","3 INVENTED PARK WEST, NEW YORK, NY, 10003","Match","Exact","x, y, NY, 1","-73.9,40.7","5","R","","","",""\r\n',
        Answer(
            match="match",
            is_exact=True,
            matched_address="x, y, NY, 1",
            lat=40.7,
            lng=-73.9,
            tiger_line="5",
            side="R",
        ),
    ),
    (
        "no_match",
        '"1","3 INVENTED PARK WEST, NEW YORK, NY, 10003","No_Match"\n',
        Answer(match="no_match"),
    ),
    (
        "tie_with_empty_fields",
        '"1","3 INVENTED PARK WEST, NEW YORK, NY, 10003","Tie","",""\n',
        Answer(match="tie"),
    ),
    (
        "byte_order_mark_and_blank_line",
        '\ufeff"1","3 INVENTED PARK WEST, NEW YORK, NY, 10003","Tie"\n\n',
        Answer(match="tie"),
    ),
]


@pytest.mark.parametrize(("body", "expected"), [c[1:] for c in ROWS], ids=[c[0] for c in ROWS])
def test_rows_are_read(body: str, expected: Answer) -> None:
    assert read_answers(body.encode(), {"1": GRAMERCY}, "here") == {GRAMERCY: expected}


def test_messages_name_no_address() -> None:
    body = b'"1","3 INVENTED PARK WEST, NEW YORK, NY, 10003","Match"\n'
    with pytest.raises(FetchError) as error:
        read_answers(body, {"1": GRAMERCY}, "here")
    assert "INVENTED" not in str(error.value)
    assert error.value.is_transient
