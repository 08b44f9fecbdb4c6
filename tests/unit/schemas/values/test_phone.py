import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.contacts import parse_phone, parse_phones
from tests.support.cases import labelled


@labelled("text, e164, display")
def test_parse_phone(text: str, e164: str, display: str) -> None:
    phone = parse_phone(text)
    assert phone is not None
    assert (phone.e164, phone.display) == (e164, display)


@labelled("text")
def test_unusable_numbers(text: str) -> None:
    assert parse_phone(text) is None


@pytest.mark.parametrize(
    ("text", "displays"),
    [
        ("978-555-0142 or 978-555-0143", ["(978) 555-0142", "(978) 555-0143"]),
        ("978-555-0142/617-555-0143", ["(978) 555-0142", "(617) 555-0143"]),
        ("978-555-0142; 978-555-0142", ["(978) 555-0142"]),
        ("000-000-0000, 978-555-0143 x2", ["(978) 555-0143 ext. 2"]),
    ],
)
def test_several_numbers(text: str, displays: list[str]) -> None:
    assert [phone.display for phone in parse_phones(text)] == displays


@given(st.text(alphabet="0123456789()-. x+/,", max_size=30))
def test_the_display_form_reads_as_the_same_number(text: str) -> None:
    phone = parse_phone(text)
    if phone is not None:
        assert parse_phones(phone.display) == [phone]
