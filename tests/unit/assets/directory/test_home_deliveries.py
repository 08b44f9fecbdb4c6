"""Services that bring food home: which areas they serve, and which of them a release lists."""

import pandas as pd
import pytest

from assets.attributes.service_area import PlaceNames, read_delivery_area
from assets.directory.home_deliveries import home_deliveries
from assets.sources.contract import rows_as_json
from schemas.sources.rights import Right
from schemas.tables.core import HOME_DELIVERIES
from tests.support.cases import labelled
from warehouse.parquet import as_arrow

TOWNS = {
    "CA": ["albany", "berkeley", "emeryville", "alameda", "piedmont", "oakland", "dublin", "sunol"],
    "MD": ["baltimore"],
    "NJ": ["perth amboy", "robbinsville"],
}
NAMES = PlaceNames(
    {
        ("MD", "harford"): "24025",
        ("MD", "baltimore"): "24005",
        ("FL", "miami dade"): "12086",
        ("NY", "broome"): "36007",
    },
    {(state, town): (0.0, 0.0) for state, towns in TOWNS.items() for town in towns},
)
PUBLISH = Right("publish", "licence", "CC0")


@labelled("state, text, areas")
def test_a_clause_names_where_food_is_brought(state: str, text: str, areas: list[str]) -> None:
    assert list(read_delivery_area(text, state, NAMES)) == areas


def _reject(**values: object) -> dict[str, object]:
    row = {
        "source_id": "demo_list",
        "source_key": values["name"],
        "is_public": True,
        "is_confidential": False,
        "is_synthetic": False,
        **values,
    }
    return {
        "source_id": row["source_id"],
        "source_key": row["source_key"],
        "reject_reason": "home_delivery_only",
        "row_json": rows_as_json(pd.DataFrame([row]))[0],
    }


def _made(*rejects: dict[str, object], right: Right = PUBLISH) -> pd.DataFrame:
    zips = pd.DataFrame({"zip": ["21014"], "state": ["MD"], "county_fips": ["24025"]})
    services = home_deliveries(
        pd.DataFrame(rejects), zips, {"demo_list": right}, NAMES, "CC-BY-4.0"
    )
    assert as_arrow(services, HOME_DELIVERIES).num_rows == len(services)
    return services


@labelled("row, areas, office")
def test_a_service_has_the_area_that_its_list_states_or_that_of_its_office(
    row: dict[str, object], areas: list[str], office: list[str]
) -> None:
    (service,) = _made(_reject(**row)).to_dict("records")
    assert (service["service_areas"], service["office_areas"]) == (areas, office)
    assert (
        service["service_area_text"] is not None
        and service["service_area_text"] == service["service_area_text"]
    ) == bool(areas)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"name": "Meals On Wheels"}, id="no state"),
        pytest.param({"name": "Meals On Wheels", "state": "MD"}, id="no area and no town"),
        pytest.param(
            {"name": "Meals", "state": "MD", "zip": "21014", "is_public": False}, id="not public"
        ),
        pytest.param(
            {"name": "Meals", "state": "MD", "zip": "21014", "is_confidential": True}, id="secret"
        ),
    ],
)
def test_a_confidential_or_unreachable_service_is_not_listed(row: dict[str, object]) -> None:
    assert _made(_reject(**row)).empty


def test_rights_count_as_for_places() -> None:
    row = _reject(
        name="Delivery",
        state="MD",
        zip="21014",
        phone="(410) 555-0101",
        services_text="Hot meals to seniors in Harford County",
    )
    (bare,) = _made(row, right=Right("facts_only", "rule", "none")).to_dict("records")
    assert bare["phone"] == "(410) 555-0101"
    assert pd.isna(bare["services_text"])
    assert (bare["service_areas"], bare["office_areas"]) == (["county:24025"], [])
    for use in ("match_only", "withhold"):
        assert _made(row, right=Right(use, "rule", "none")).empty


def test_a_service_is_listed_once() -> None:
    same = {"state": "MD", "zip": "21014", "phone_e164": "+14105550101"}
    services = _made(
        _reject(name="Meals on Wheels", source_key="1", listed_date="2020-01-01", **same),
        _reject(name="MEALS ON WHEELS", source_key="2", listed_date="2025-01-01", **same),
        _reject(name="Meals on Wheels", source_key="3", state="MD", zip="21014"),
    )
    assert services["source_key"].tolist() == ["2", "3"]
