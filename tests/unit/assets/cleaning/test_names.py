import pytest

from assets.cleaning.names import clean_names
from tests.support.cases import labelled
from tests.unit.assets.cleaning.places import example_source, places, values


@labelled("name, expected")
def test_display_name(name: str, expected: str) -> None:
    rows = clean_names(places({"name": name, "organization": name}), example_source())
    assert values(rows, "name", "organization", "reject_reason") == (expected, expected, None)


@pytest.mark.parametrize(("name", "detail"), [(None, None), ("***", "***")])
def test_rows_without_a_name(name: str | None, detail: str | None) -> None:
    rows = clean_names(places({"name": name}), example_source())
    assert values(rows, "reject_reason", "reject_detail") == ("no_name", detail)


def test_the_first_reason_stays() -> None:
    rows = clean_names(places({"name": None, "reject_reason": "not_open"}), example_source())
    assert values(rows, "reject_reason") == ("not_open",)
