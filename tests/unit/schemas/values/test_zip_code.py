import zipcodes
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.zip_code import parse_zip, restore_zip, states_of_zip
from tests.support.cases import labelled


@labelled("text, expected")
def test_parse_zip(text: str, expected: str | None) -> None:
    assert parse_zip(text) == expected


@labelled("text, state, expected")
def test_lost_zeros_come_back_where_the_state_proves_them(
    text: str, state: str, expected: str | None
) -> None:
    assert restore_zip(text, state) == expected


@given(st.from_regex(r"[0-9]{5}", fullmatch=True))
def test_a_zip_is_never_turned_into_another(zip_code: str) -> None:
    assert parse_zip(zip_code) in {zip_code, None}


def test_prefixes_agree_with_the_zip_list() -> None:
    """Only a few known entries of the ZIP list have the prefix of another state."""
    odd = {
        (entry["zip_code"], entry["state"])
        for entry in zipcodes.list_all()
        if entry["state"] not in states_of_zip(entry["zip_code"])
    }
    assert len(odd) < 20, sorted(odd)
    assert {zip_code[:3] for zip_code, _ in odd} <= {"099", "888"}
