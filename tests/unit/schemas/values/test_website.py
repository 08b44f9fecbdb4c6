from hypothesis import given
from hypothesis import strategies as st

from schemas.values.contacts import parse_website
from tests.support.cases import labelled


@labelled("text, expected")
def test_parse_website(text: str, expected: str) -> None:
    assert parse_website(text) == expected


@labelled("text")
def test_invalid_web_addresses(text: str) -> None:
    assert parse_website(text) is None


@given(st.text(alphabet="htps:/.wexamplorg@?&=# %,;ñ\\", max_size=40) | st.text(max_size=30))
def test_a_web_address_reads_as_itself(text: str) -> None:
    address = parse_website(text)
    if address is not None:
        assert address.startswith(("http://", "https://"))
        assert parse_website(address) == address
