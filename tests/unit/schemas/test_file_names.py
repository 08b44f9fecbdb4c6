"""Names of publishers' files: which layout they have and which date they speak for, edition after
edition.
"""

from datetime import date

import pytest

from schemas.sources.registry import sources


@pytest.mark.parametrize(
    ("source", "name", "layout", "vintage"),
    [
        ("sc_midlands_2025", "pantries.csv", "pantries", date(2025, 10, 26)),
        ("sc_midlands_2025", "pantries.2027-01.csv.gz", "pantries", date(2027, 1, 1)),
        ("sc_midlands_2025", "Pantries_2027.xlsx", "pantries", date(2027, 1, 1)),
        (
            "nyc_supply_gap_2025",
            "Emergency_Food_Supply_Gap_20261110.csv",
            "supply_gap",
            date(2026, 11, 10),
        ),
        ("usda_snap", "SNAP_Store_Locations.csv.zip", "hub_csv", None),
        ("usda_snap", "SNAP_Retailer_Location_Data.geojson", "service_csv", None),
        (
            "usda_snap",
            "snap-pueblo-county.2026-09.arcgis.json",
            "service_json_selected",
            date(2026, 9, 1),
        ),
        (
            "usda_snap_historical",
            "Historical SNAP Retailer Locator Data-20231231.zip",
            "national_csv",
            date(2023, 12, 31),
        ),
        (
            "usda_snap_historical",
            "Historical SNAP Retailer Locator Data 2005-2025.csv",
            "national_csv",
            date(2025, 1, 1),
        ),
        (
            "usda_snap_historical",
            "derived_walmarts.national.2023.csv",
            "derived_csv",
            date(2023, 1, 1),
        ),
        ("nces_schools", "texas_schools.SY2022-2023.csv", "search_csv", date(2022, 1, 1)),
        ("fema_declarations", "DisasterDeclarationsSummaries.json", "areas_pages", None),
        ("maine_pantries_2014", "pantries.geojson", "geojson", date(2014, 6, 1)),
        *(
            ("cms_rural_health_clinics", f"RHC_Enrollments{edition}.csv", "enrollments_csv", day)
            for edition, day in (
                ("_2026.04.01", date(2026, 4, 1)),
                ("_2026.13.01", date(2026, 1, 1)),
                ("", None),
            )
        ),
    ],
)
def test_a_file_of_another_edition(
    source: str, name: str, layout: str, vintage: date | None
) -> None:
    layout_found = sources()[source].layout_of(name)
    assert layout_found is not None
    assert layout_found.layout == layout
    assert sources()[source].vintage_of(name) == vintage


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("sc_midlands_2025", "stores.csv"),
        ("sc_midlands_2025", "pantries.pdf"),
        ("sc_midlands_2025", "2026.csv"),
        # The pattern ends in a star once its form is taken away.
        ("nces_schools", "texas_schools.pdf"),
        ("nces_schools", "texas_schools.2026.docx.zip"),
    ],
)
def test_other_files_have_no_layout(source: str, name: str) -> None:
    assert sources()[source].layout_of(name) is None
