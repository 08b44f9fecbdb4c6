import pytest
import zipcodes
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.zip_code import parse_zip, restore_zip, states_of_zip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("01970", "01970"),
        (" 01970 ", "01970"),
        ("01970-1234", "01970"),
        ("01970 1234", "01970"),
        ("019701234", "01970"),
        ("01970-", "01970"),
        ("15213.0", "15213"),
        ("MA 01970", "01970"),
        ("99950", "99950"),
        ("12345", "12345"),
        ("00000", None),
        ("00000-0000", None),
        ("99999", None),
        ("1970", None),
        ("736", None),
        ("978-555-0142", None),
        ("9785550142", None),
        ("123456", None),
        ("O1970", None),
        ("", None),
        ("Salem", None),
        ("٠١٩٧٠", None),
    ],
)
def test_parse_zip(text: str, expected: str | None) -> None:
    assert parse_zip(text) == expected


@pytest.mark.parametrize(
    ("text", "state", "expected"),
    [
        ("1970", "MA", "01970"),
        ("1970.0", "MA", "01970"),
        ("1970-1234", "MA", "01970"),
        ("19701234", "MA", "01970"),
        ("736", "PR", "00736"),
        ("926", "PR", "00926"),
        ("802", "VI", "00802"),
        ("501", "NY", "00501"),
        ("6390", "NY", "06390"),
        ("1970", "CA", None),
        ("926", "CA", None),
        ("19701234", "PA", None),
        ("83", "MA", None),
        ("5550142", "NY", None),
        ("", "MA", None),
    ],
)
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
