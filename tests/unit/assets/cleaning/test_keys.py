from assets.cleaning.keys import address_key, name_key
from tests.support.cases import labelled


@labelled("one, other, key")
def test_two_spellings_of_one_address(one: str, other: str, key: str) -> None:
    assert (address_key(one), address_key(other)) == (key, key)


@labelled("one, other")
def test_different_addresses_stay_apart(one: str, other: str) -> None:
    assert address_key(one) != address_key(other)


@labelled("one, other, key")
def test_two_spellings_of_one_name(one: str, other: str, key: str) -> None:
    assert (name_key(one), name_key(other)) == (key, key)
