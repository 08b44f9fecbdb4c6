"""The data set for veterans as the interface fixes it: 22 columns, their order, types and
nullability.
"""

import jsonschema
import pytest

from schemas.tables.registry import TABLES
from schemas.tables.veterans import VETERAN_RESOURCES, column_list
from schemas.vocab.veterans import COMPLETENESS_POINTS, VETERAN_TYPES

INTERFACE = """
id INTEGER no
name TEXT no
resource_type TEXT no
resource_subtype TEXT yes
address TEXT yes
city TEXT yes
state TEXT yes
zip TEXT yes
phone TEXT yes
phone_e164 TEXT yes
phone_verified BOOLEAN yes
website TEXT yes
lat REAL yes
lng REAL yes
fips_state TEXT yes
fips_county TEXT yes
fips_tract TEXT yes
completeness_score INTEGER yes
verified_date TEXT yes
created_at TEXT no
updated_at TEXT no
license TEXT no
"""
TYPES = (
    "va_hospital va_clinic vet_center benefits_office mental_health housing employment vso other"
)


def test_the_columns_are_those_of_the_interface() -> None:
    actual = [f"{c['name']} {c['type']} {'yes' if c['nullable'] else 'no'}" for c in column_list()]
    assert actual == INTERFACE.split("\n")[1:-1]
    assert all(c["description"] for c in column_list())


def test_the_types_are_those_of_the_interface() -> None:
    assert TYPES.split() == list(VETERAN_TYPES)


def test_the_points_add_up() -> None:
    assert sum(COMPLETENESS_POINTS.values()) == 100
    for part, points in COMPLETENESS_POINTS.items():
        assert points > 0, part


def test_the_tables_are_registered() -> None:
    for name in ("out_veterans__resources", "out_veterans__details", "core_veterans__identities"):
        assert TABLES[name].published


ROW = {
    **{f.name: None for f in VETERAN_RESOURCES.fields},
    "id": 7,
    "name": "Larkspur VA Clinic",
    "resource_type": "va_clinic",
    "license": "CC-BY 4.0",
    "created_at": "2026-11-01T06:00:00Z",
    "updated_at": "2026-11-01T06:00:00Z",
}
WRONG = {
    "license in another spelling": {"license": "CC-BY-4.0"},
    "type of the food directory": {"resource_type": "food_pantry"},
    "http": {"website": "http://larkspur.example"},
    "county with the state's digits": {"fips_county": "23011"},
    "tract of eleven digits": {"fips_tract": "25009204200"},
    "number without country": {"phone_e164": "2075550100"},
    "date with a time": {"verified_date": "2026-11-01T06:00:00Z"},
    "instant without zone": {"created_at": "2026-11-01 06:00:00"},
    "score above 100": {"completeness_score": 101},
    "no name": {"name": None},
}


def test_a_row_of_required_members_is_valid() -> None:
    jsonschema.validate(ROW, VETERAN_RESOURCES.json_schema())


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_row_is_not(wrong: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**ROW, **wrong}, VETERAN_RESOURCES.json_schema())
