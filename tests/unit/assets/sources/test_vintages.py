"""Files of known publishers in the layouts of other years: read by their columns, whatever their
name, or set aside by name with what was missing. Headings are the publishers', rows are invented."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.sources.assemble import Assembled, assemble
from assets.sources.contract import BY_COLUMNS, RawFile, UnreadableFileError
from schemas.sources.registry import sources
from tests.support.source_files import FIXTURES, RETRIEVED

Row = dict[str, Any]


def csv_of(*rows: Row, separator: str = ",", before: str = "", after: str = "") -> str:
    return before + pd.DataFrame(list(rows)).to_csv(index=False, sep=separator) + after


def arcgis_of(attributes: Row, geometry: Row | None = None) -> str:
    feature = {"attributes": attributes, **({"geometry": geometry} if geometry else {})}
    return json.dumps({"objectIdFieldName": "OBJECTID", "features": [feature]})


HRSA = {
    "Health Center Type": "Federally Qualified Health Center (FQHC)",
    "Health Center Number": "H80CS00001",
    "BPHC Assigned Number": "BPS-H80-000001",
    "Site Name": "ACORN HEALTH",
    "Site Address": "12 Elm St",
    "Site City": "Akron",
    "Site State Abbreviation": "OH",
    "Site Postal Code": "44301-1234",
    "Site Telephone Number": "330-555-0101",
    "Operating Hours per Week": "40",
    "Health Center Service Delivery Site Location Setting Description": "All Other Clinic Types",
    "Site Status Description": "Active",
    "Health Center Location Type Description": "Permanent",
    "Health Center Type Description": "Service Delivery Site",
    "Geocoding Artifact Address Primary X Coordinate": "-81.52",
    "Geocoding Artifact Address Primary Y Coordinate": "41.05",
    "Data Warehouse Record Create Date": "01/05/2026",
}
HRSA_MAP = {
    "HCP_MERGED_GRANT_LAL_KEY": "H80CS00001",
    "BPHC_SITE_NUM": "BPS-H80-000001",
    "SITE_NM": "ACORN HEALTH",
    "SITE_ADDRESS": "12 Elm St",
    "SITE_CITY": "Akron",
    "SITE_STATE_ABBR": "OH",
    "SITE_ZIP_CD": "44301",
    "SITE_PHONE_NUM": "330-555-0101",
    "HCC_STATUS_DESC": "Active",
    "HCC_TYP_DESC": "Service Delivery Site",
    "HCC_LOC_DESC": "Permanent",
    "HCC_LOC_SETTING_DESC": "All Other Clinic Types",
}
LOCATOR = {
    "name1": "Acorn Behavioral",
    "name2": "Unit A",
    "street1": "12 Elm St",
    "street2": "Ste 3",
    "city": "Akron",
    "state": "OH",
    "zip": "44301",
    "phone": "330-555-0101",
    "intake1": "330-555-0102",
    "website": "http://a.example",
    "latitude": "41.05",
    "longitude": "-81.52",
}
CERTIFIED = {
    "f1": "Type of Opioid Treatment",
    "f2": "OT",
    "f3": "Federally-certified Opioid Treatment Program; Methadone maintenance",
}


def locator_json(*rows: Row) -> str:
    answer = {"page": 1, "totalPages": 1, "recordCount": len(rows)}
    return json.dumps({**answer, "rows": [{**LOCATOR, **row} for row in rows]})


WEEK = dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), "8:00AM-4:30PM")
VA1 = {
    "name": "Acorn VA Medical Center",
    "facilityType": "va_health_facility",
    "classification": "VA Medical Center (VAMC)",
    "lat": 41.0,
    "long": -81.5,
    "address": {
        "mailing": {},
        "physical": {
            "zip": "44301-1234",
            "city": "Akron",
            "state": "OH",
            "address1": "12 Elm Street",
        },
    },
    "phone": {"fax": "330-555-0199", "main": "330-555-0101"},
    "hours": WEEK,
    "mobile": False,
    "services": {"health": [{"name": "Audiology", "serviceId": "audiology"}]},
    "operatingStatus": {"code": "NORMAL"},
    "visn": "10",
}
VA0 = {
    "id": "vba_999",
    "name": "Acorn Regional Office",
    "facility_type": "va_benefits_facility",
    "classification": "Regional Benefit Office",
    "mobile": None,
    "active_status": "A",
    "address": {
        "physical": {
            "zip": "44301",
            "city": "Akron",
            "state": "OH",
            "address_1": "1 Main St",
            "address_2": "Room 4",
        }
    },
    "phone": {"main": "330-555-0101"},
    "operating_status": {"code": "NORMAL"},
    "hours": {"Monday": "8:00AM-4:30PM", "Saturday": "Closed"},
}
VA0_CSV = {
    "id": "vc_0999V",
    "name": "Acorn Vet Center",
    "station_id": "0999V",
    "latitude": "41.0",
    "longitude": "-81.5",
    "facility_type": "vet_center",
    "classification": "",
    "mobile": "true",
    "physical_address_1": "1 Oak Rd",
    "physical_city": "Akron",
    "physical_state": "OH",
    "physical_zip": "44301",
    "phone_main": "330-555-0101",
    "hours_monday": "8:00AM-4:30PM",
    "hours_tuesay": "9:00AM-4:30PM",
}


def facilities(*attributes: tuple[str, Row]) -> str:
    found = [{"id": key, "type": "va_facilities", "attributes": about} for key, about in attributes]
    return json.dumps({"data": found, "meta": {"pagination": {"totalEntries": len(found)}}})


def geojson_of(properties: Row, lng: float, lat: float) -> str:
    point = {"type": "Point", "coordinates": [lng, lat]}
    feature = {"type": "Feature", "geometry": point, "properties": properties}
    return json.dumps({"type": "FeatureCollection", "features": [feature]})


NY_WIC = [
    {
        "agency_name": "Acorn WIC",
        "phone_number": "(718) 555-0101",
        "street_address": "1 Test St",
        "city": "New York",
        "zip": "10001",
        "site_number": "100-01",
        "state": "NY",
        "counties_boroughs_served": "New York",
        "location_1": {
            "latitude": "40.7510",
            "longitude": "-73.9910",
            "human_address": '{"address": "1 Test St"}',
        },
    }
]
SUMMER = {
    "X": -81.5,
    "Y": 41.05,
    "FNSID": "123",
    "siteName": "ACORN SCHOOL",
    "siteStatus": "Open",
    "siteAddress": "12 Elm St, Akron, OH 44301",
    "siteCity": "Akron",
    "siteState": "OH",
    "siteZip": "44301",
    "sitePhone": "3305550101",
    "sponsoringOrganization": "Acorn",
    "startDate": "2027-06-03T00:00:00.000Z",
    "endDate": "2027-08-03T00:00:00.000Z",
    "daysofOperation": "M,T,W,TH,F",
    "breakfastTime": "8:00 AM - 9:00 AM",
    "lunchTime": "12:00 PM - 1:00 PM",
    "Season": "2027",
}
FEMA_V1 = {
    "disasterNumber": "4289",
    "ihProgramDeclared": "0",
    "paProgramDeclared": "1",
    "state": "IA",
    "declarationDate": "2016-10-31T15:00:00.000Z",
    "disasterType": "DR",
    "incidentType": "Flood",
    "title": "SEVERE STORMS",
    "incidentBeginDate": "2016-09-21T00:00:00.000Z",
    "incidentEndDate": "2016-10-03T00:00:00.000Z",
    "disasterCloseOutDate": "",
    "declaredCountyArea": "Buchanan (County)",
    "placeCode": "99019",
    "hash": "x",
    "lastRefresh": "2018-09-06T20:03:13.617Z",
    "id": "y",
}
UNIVERSE = {
    "SURVYEAR": "2009",
    "NCESSCH": "010000500870",
    "LEANM09": "ACORN CITY",
    "SCHNAM09": "ACORN ELEM",
    "PHONE09": "2565550101",
    "MSTREE09": "PO Box 1",
    "LSTREE09": "600 E ALABAMA AVE",
    "LCITY09": "ALBERTVILLE",
    "LSTATE09": "AL",
    "LZIP09": "35950",
    "STATUS09": "1",
    "LATCOD09": "34.26",
    "LONCOD09": "-86.2",
    "CONAME09": "MARSHALL COUNTY",
}
ELSI = {
    "School Name": "ACORN ELEM",
    "School ID - NCES Assigned [Public School] Latest available year": '="010000500870"',
    "Agency Name [Public School] 2022-23": "ACORN CITY",
    "Location Address 1 [Public School] 2022-23": "600 E Alabama Ave",
    "Location City [Public School] 2022-23": "Albertville",
    "Location State Abbr [Public School] 2022-23": "AL",
    "Location ZIP [Public School] 2022-23": "35950",
    "Start of Year Status [Public School] 2022-23": "1-Open",
}
EDGE = {
    "NCESSCH": "010000500870",
    "NAME": "Acorn",
    "STREET": "600 E Alabama Ave",
    "CITY": "Albertville",
    "STATE": "AL",
    "ZIP": "35950",
    "LAT": "34.26",
    "LON": "-86.2",
}
STORE = {"City": "Akron", "State": "OH", "County": "SUMMIT"}
RETAILER = {
    "Record_ID": "1",
    "Store_Name": "Acorn Diner",
    "Store_Street_Address": "12 Elm St",
    "Additional_Address": "",
    "Zip_Code": "44301",
    "Store_Type": "Restaurant Meals Program",
    "Latitude": "41.05",
    "Longitude": "-81.5",
    **STORE,
}
HISTORY = {
    "record_id": "1",
    "store_name": "Acorn",
    "store_type": "Super Store",
    "street_number": "12",
    "street_name": "Elm St",
    "city": "Akron",
    "state": "OH",
    "zip_code": "44301",
    "latitude": "41.05",
    "longitude": "-81.5",
    "authorization_date": "2010-01-02",
    "end_date": "",
}


@dataclass(frozen=True)
class Vintage:
    """A file of a source, and fields of the one row that it gives."""

    source: str
    name: str
    content: str
    fields: Row = field(default_factory=dict)


AKRON = {"city": "Akron", "state": "OH", "zip": "44301"}
MATCHED = {**AKRON, "address": "12 Elm St", "lat": 41.05}
READ = {
    "HRSA, names of the statistical program R": Vintage(
        "hrsa_health_centers",
        "SITE_HCC_FCT_DET.csv",
        csv_of({k.replace(" ", "."): v for k, v in HRSA.items()}),
        {**MATCHED, "source_key": "H80CS00001:BPS-H80-000001"},
    ),
    "HRSA, another name of the file": Vintage(
        "hrsa_health_centers",
        "fqhc sites 2023.csv",
        csv_of({k.replace(" ", "_"): v for k, v in HRSA.items()}),
        MATCHED,
    ),
    "HRSA, titles above the header": Vintage(
        "hrsa_health_centers",
        "Health_Center_Service_Delivery_and_LookAlike_Sites.csv",
        csv_of(HRSA, before="HRSA Data Warehouse\n\n"),
        MATCHED,
    ),
    "HRSA, map layer": Vintage(
        "hrsa_health_centers", "layer.json", arcgis_of(HRSA_MAP, {"x": -81.52, "y": 41.05}), MATCHED
    ),
    "SAMHSA, download with service codes": Vintage(
        "samhsa_mental_health",
        "Behavioral_Health_Facility_listing_2024_01_02.csv",
        csv_of({**LOCATOR, "county": "Summit", "type_facility": "MH", "mh": 1}),
        {
            **AKRON,
            "name": "Acorn Behavioral - Unit A",
            "county_name": "Summit",
            "source_updated_date": date(2024, 1, 2),
        },
    ),
    "SAMHSA, JSON": Vintage(
        "samhsa_mental_health",
        "samhsa.json",
        locator_json(
            {
                "typeFacility": "MH",
                "services": [{"f1": "Type of Care", "f2": "TC", "f3": "Mental health treatment"}],
            }
        ),
        {**AKRON, "phone": "(330) 555-0101", "lng": -81.52, "notes": "Intake: 330-555-0102"},
    ),
    "SAMHSA, a certified program by its services": Vintage(
        "samhsa_substance_use",
        "findtreatment.json",
        locator_json({"typeFacility": "SA", "services": [CERTIFIED]}),
        {"resource_type": "opioid_treatment"},
    ),
    "SAMHSA, a certified program by its code": Vintage(
        "samhsa_substance_use",
        "listing.csv",
        csv_of({**LOCATOR, "otp": "1"}),
        {"resource_type": "opioid_treatment"},
    ),
    "SAMHSA, names in words": Vintage(
        "samhsa_substance_use",
        "locator.csv",
        csv_of(
            {
                "Facility Name": "Acorn Methadone Clinic",
                "Street Address": "12 Elm St",
                "City": "Akron",
                "State": "OH",
                "Zip Code": "44301",
                "Lat": 41.05,
                "Long": -81.5,
            }
        ),
        MATCHED,
    ),
    "SAMHSA, directory of programs": Vintage(
        "samhsa_otp",
        "directory.csv",
        csv_of(
            {
                "ID": "12",
                "Program Name": "Acorn OTP",
                "Street": "12 Elm St",
                "City": "Akron",
                "State": "OH",
                "Zipcode": "44301",
                "Phone": "330-555-0101",
            }
        ),
        {**AKRON, "name": "Acorn OTP"},
    ),
    "SAMHSA, programs as JSON": Vintage(
        "samhsa_otp",
        "findtreatment.json",
        locator_json({"typeFacility": "SA"}),
        {**AKRON, "lat": 41.05},
    ),
    "VA, version 1": Vintage(
        "va_facilities",
        "va_facilities_health.json",
        facilities(("vha_999", VA1)),
        {
            **AKRON,
            "source_key": "vha_999",
            "facility_type": "va_hospital",
            "address": "12 Elm Street",
            "hours_text": "Monday 8:00AM-4:30PM; Tuesday 8:00AM-4:30PM; Wednesday 8:00AM-4:30PM; Thursday 8:00AM-4:30PM; Friday 8:00AM-4:30PM",
        },
    ),
    "VA, a residence": Vintage(
        "va_facilities",
        "va_facilities.json",
        facilities(
            (
                "vha_998",
                {**VA1, "classification": "Residential Care Site (MH RRTP/DRRTP) (Stand-Alone)"},
            )
        ),
        {"facility_type": "other"},
    ),
    "VA, GeoJSON of version 0": Vintage(
        "va_facilities",
        "all.geojson",
        geojson_of(VA0, -81.5, 41.0),
        {
            **AKRON,
            "source_key": "vba_999",
            "facility_type": "benefits_office",
            "address": "1 Main St, Room 4",
            "lat": 41.0,
            "hours_text": "Monday 8:00AM-4:30PM; Saturday Closed",
        },
    ),
    "VA, CSV of version 0, a mobile unit": Vintage(
        "va_facilities",
        "all.csv",
        csv_of(VA0_CSV),
        {
            "source_key": "vc_0999V",
            "address": None,
            "location_precision": "city",
            "hours_text": "Monday 8:00AM-4:30PM; Tuesday 9:00AM-4:30PM",
        },
    ),
    "WIC, New York's JSON": Vintage(
        "wic_clinics",
        "NY_wic_sites.json",
        json.dumps(NY_WIC),
        {"name": "Acorn WIC", "address": "1 Test St", "lat": 40.751, "phone": "(718) 555-0101"},
    ),
    "WIC, Washington without state and points": Vintage(
        "wic_clinics",
        "WA_wic_clinics.2019-05.csv",
        csv_of(
            {
                "X": "-122.3",
                "Y": "47.6",
                "Agency": "Acorn",
                "Clinic": "Acorn North",
                "Address": "1 A St",
                "City": "Seattle",
                "ZipCode": "98101",
            }
        ),
        {"name": "Acorn North", "organization": "Acorn", "lat": 47.6},
    ),
    "WIC, another state": Vintage(
        "wic_clinics",
        "clinics.csv",
        csv_of(
            {
                "Clinic Name": "Acorn WIC",
                "Street Address": "1 Test St",
                "City": "Austin",
                "State": "TX",
                "Zip": "78701",
                "County": "Travis",
                "Hours of Operation": "Mon-Fri 8am-5pm",
            }
        ),
        {"state": "TX", "county_name": "Travis", "hours_text": "Mon-Fri 8am-5pm"},
    ),
    "summer meals, 2016 to 2019": Vintage(
        "summer_meal_sites",
        "Summer_Meal_Sites_2027.csv",
        csv_of(SUMMER),
        {
            **MATCHED,
            "source_key": "fns:123",
            "hours_text": "M,T,W,TH,F 8:00 AM - 9:00 AM, 12:00 PM - 1:00 PM, June 3, 2027 - August 3, 2027",
        },
    ),
    "summer meals, the layer of 2017": Vintage(
        "usda_summer_meals",
        "Summer_Meal_Sites_2017.json",
        arcgis_of(
            {
                **{k: v for k, v in SUMMER.items() if k not in ("X", "Y", "siteAddress")},
                "address": "12 Elm St",
                "startDate": 1812067200000,
                "endDate": 1817337600000,
            },
            {"x": -81.5, "y": 41.05},
        ),
        MATCHED,
    ),
    "restaurants, a later list": Vintage(
        "rmp_restaurants",
        "rmp_2020.csv",
        csv_of(
            {
                "Restaurant Name": "Acorn Diner",
                "Street Address": "12 Elm St",
                "City": "Akron",
                "State": "OH",
                "Zip Code": "44301",
                "County": "Summit",
            }
        ),
        {**AKRON, "name": "Acorn Diner", "county_name": "Summit"},
    ),
    "FEMA, areas of version 1": Vintage(
        "fema_declarations",
        "DisasterDeclarationsSummaries_v1.csv",
        csv_of(FEMA_V1),
        {
            "source_key": "DR-4289:19019",
            "county_fips": "19019",
            "designated_area": "Buchanan (County)",
            "has_public_assistance": True,
        },
    ),
    "FEMA, snake case": Vintage(
        "fema_declarations",
        "us_disasters.csv",
        csv_of(
            {
                "disaster_number": "1",
                "state": "GA",
                "declaration_type": "DR",
                "declaration_date": "1953-05-02T00:00:00Z",
                "incident_type": "Tornado",
                "declaration_title": "Tornado",
                "incident_begin_date": "1953-05-02T00:00:00Z",
                "incident_end_date": "1953-05-02T00:00:00Z",
                "place_code": "0",
                "designated_area": "Statewide",
                "last_refresh": "2021-07-28T16:53:01Z",
            }
        ),
        {"source_key": "DR-1:00000", "county_fips": None},
    ),
    "SNAP, a new name and no misspelling": Vintage(
        "usda_snap",
        "fna_retailers.csv",
        csv_of(RETAILER),
        {**MATCHED, "source_key": "1", "resource_type": "rmp_restaurant"},
    ),
    "SNAP, lat and lng": Vintage(
        "usda_snap",
        "stores.csv",
        csv_of(
            {
                "Store Name": "Acorn",
                "Street": "12 Elm St",
                "Zip Code": "44301",
                "Lat": "41.05",
                "Lng": "-81.5",
                **STORE,
            }
        ),
        {**MATCHED, "county_name": "Summit"},
    ),
    "SNAP history, snake case": Vintage(
        "usda_snap_historical", "history.csv", csv_of(HISTORY), {**MATCHED, "source_key": "1"}
    ),
    "schools, the universe of 2009-10": Vintage(
        "nces_schools",
        "sc092a.txt",
        csv_of(UNIVERSE, separator="\t"),
        {
            "source_key": "010000500870",
            "name": "Acorn Elem",
            "address": "600 E Alabama Ave",
            "county_name": "Marshall County",
            "lat": 34.26,
        },
    ),
    "schools, the table generator": Vintage(
        "nces_schools",
        "ELSI_csv_export.csv",
        csv_of(
            ELSI,
            before="ELSI Export\n\n",
            after="\nData Source: U.S. Department of Education\n† indicates that the data are not applicable.\n",
        ),
        {"source_key": "010000500870", "zip": "35950"},
    ),
}


def read(folder: Path, source_id: str, *files: tuple[str, str]) -> Assembled:
    source, found = sources()[source_id], []
    for name, content in files:
        (folder / name).write_text(content, encoding="utf-8")
        layout = source.layout_of(name)
        found.append(
            RawFile(
                source_id,
                name,
                folder / name,
                "0" * 64,
                layout.layout if layout else BY_COLUMNS,
                RETRIEVED,
                source.vintage_of(name),
            )
        )
    return assemble(source, found)


@pytest.mark.parametrize("vintage", READ.values(), ids=READ)
def test_a_vintage_is_read(tmp_path: Path, vintage: Vintage) -> None:
    rows = read(tmp_path, vintage.source, (vintage.name, vintage.content)).accepted
    assert len(rows) == 1
    found = rows.iloc[0]
    assert {name: None if pd.isna(found[name]) else found[name] for name in vintage.fields} == (
        vintage.fields
    )


MISSING = {
    "SAMHSA without the type": (
        "samhsa_mental_health",
        csv_of(LOCATOR),
        r"new\.csv as locator_csv: columns \['type_facility'\] are missing",
    ),
    "the geocodes of EDGE": (
        "nces_schools",
        csv_of(EDGE),
        r"new\.csv as search_csv: columns \['School Name', 'Status'\] are missing",
    ),
    "stores that take WIC": (
        "wic_clinics",
        csv_of({"Vendor": "Acorn", "Street": "1 A St"}),
        r"columns \['Clinic', 'City', 'ZipCode'\] are missing",
    ),
    "VA without addresses": (
        "va_facilities",
        csv_of({"id": "vha_1", "name": "Acorn"}),
        r"as api_json: members \['kind', 'address1', 'city', 'state', 'zip'\] are missing",
    ),
}


@pytest.mark.parametrize(("source", "content", "message"), MISSING.values(), ids=MISSING)
def test_a_file_that_cannot_be_read_says_what_is_missing(
    tmp_path: Path, source: str, content: str, message: str
) -> None:
    with pytest.raises(UnreadableFileError, match=message):
        read(tmp_path, source, ("new.csv", content))


WA = (FIXTURES / "wic_clinics" / "WA_wic_clinics.test.csv").read_text(encoding="utf-8")
ODD = csv_of({"Vendor": "Acorn", "Street": "1 A St"})


@pytest.mark.parametrize(
    "odd", ["stores.csv", "WA_wic_clinics.2019.csv"], ids=["no layout", "older"]
)
def test_the_other_files_are_read_without_the_one_set_aside(tmp_path: Path, odd: str) -> None:
    found = read(tmp_path, "wic_clinics", ("WA_wic_clinics.2026-03.csv", WA), (odd, ODD))
    assert len(found.accepted) > 1
    aside = found.rejects[found.rejects["reject_reason"] == "file_set_aside"]
    assert aside["file_name"].tolist() == [odd]
    assert "are missing; found ['Vendor', 'Street']" in aside["reject_detail"].item()


def test_a_newest_edition_that_cannot_be_read_stops_the_source(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match=r"WA_wic_clinics\.2027\.csv: columns"):
        read(
            tmp_path,
            "wic_clinics",
            ("WA_wic_clinics.2026-03.csv", WA),
            ("WA_wic_clinics.2027.csv", ODD),
        )
