"""Writes federal and state programs of the demo, and registers of clinics and treatment."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from assets.demo.files import Writing, mercator, write_ansi_table, write_pages, write_table
from assets.demo.sample import WORDS


def write_ryan_white(writing: Writing, count: int) -> list[Path]:
    name = f"Ryan_White_HIV_AIDS_Program_Providers.{writing.month}.csv"
    return write_table(writing, "hrsa_ryan_white", name, count, _ryan_white)


def _ryan_white(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    places = sampler.places(count)
    # One office among a handful would be more than the source may have.
    office = sampler.where(0.03 if count >= 20 else 0, count)
    return pd.DataFrame(
        {
            "Provider Registration Code": np.arange(start, start + count) + 900_000,
            "Provider Name": sampler.names(WORDS.hiv_care_kinds, count),
            "Grantee Name": sampler.names(("County Health Department",), count).str.upper(),
            "Provider Type Description": np.where(
                office, "Fiscal intermediary provider", "Health department"
            ),
            "Provider Address": places["address"],
            "Provider City": places["city"],
            "Provider State Abbreviation": places["state"],
            "Provider ZIP Code": places["zip"] + "-" + sampler.digits(count, 1000, 9999),
            "Provider Telephone Number": sampler.phones(count),
            "Provider Web Address": "http://care" + sampler.digits(count, 1, 999) + ".example.org",
            "Services Provided": sampler.pick(WORDS.hiv_services, count),
            "Complete County Name": places["county_name"],
            "Geocoding Artifact Address Primary X Coordinate": places["lng"],
            "Geocoding Artifact Address Primary Y Coordinate": places["lat"],
        }
    )


def write_rural_clinics(writing: Writing, count: int) -> list[Path]:
    """Write CMS's format: dotted days, capitals, ZIP codes of nine digits, no points."""
    sampler, places = writing.sampler, writing.sampler.places(count)
    owner = sampler.names(("Family Practice", "Health Partners"), count)
    clinic = sampler.names(("Rural Health Clinic", "Clínica Rural"), count)
    number = pd.Series(range(count))
    rows = pd.DataFrame(
        {
            "ENROLLMENT ID": "O2000990" + number.astype(str).str.zfill(7),
            "ENROLLMENT STATE": places["state"],
            "PROVIDER TYPE CODE": "00-17",
            "PROVIDER TYPE TEXT": "PART A PROVIDER - RURAL HEALTH CLINIC (RHC)",
            "NPI": number + 9_000_000_000,
            "MULTIPLE NPI FLAG": "N",
            "CCN": places["state"].str.len().astype(str) + "6" + number.astype(str).str.zfill(4),
            "ASSOCIATE ID": number + 9_100_000_000,
            "ORGANIZATION NAME": owner.str.upper() + " LLC",
            "DOING BUSINESS AS NAME": clinic.str.upper().mask(sampler.where(0.3, count), ""),
            "INCORPORATION DATE": "",
            "INCORPORATION STATE": places["state"],
            "ORGANIZATION TYPE STRUCTURE": "LLC",
            "ORGANIZATION OTHER TYPE TEXT": "",
            "PROPRIETARY NONPROFIT": sampler.pick(("P", "N"), count),
            "ADDRESS LINE 1": places["address"].str.upper(),
            "ADDRESS LINE 2": np.where(sampler.where(0.1, count), "STE 4", ""),
            "CITY": places["city"].str.upper(),
            "STATE": places["state"],
            "ZIP CODE": places["zip"] + sampler.digits(count, 1000, 9999),
            "TELEPHONE NUMBER": pd.Series(sampler.phones(count)).str.replace("-", ""),
        }
    )
    name = f"RHC_Enrollments_{writing.as_of:%Y.%m.%d}.csv"
    return write_ansi_table(writing.folder / "cms_rural_health_clinics" / name, rows)


def write_mental_health(writing: Writing, count: int) -> list[Path]:
    name = f"mentalhealth_clean.{writing.month}.csv"
    return write_table(writing, "samhsa_mental_health", name, count, _mental_health)


def _mental_health(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    places = sampler.places(count)
    return pd.DataFrame(
        {
            "": np.arange(start, start + count) + 1,
            "name1": sampler.names(WORDS.mental_health_kinds, count),
            "name2": np.where(sampler.where(0.3, count), "Outpatient Services", "NA"),
            "street1": places["address"],
            "street2": np.where(sampler.where(0.1, count), "Suite 220", "NA"),
            "city": places["city"],
            "state": places["state"],
            "zip": places["zip"].str.lstrip("0"),
            "zip4": "NA",
            "county": places["county_name"],
            "phone": sampler.phones(count),
            "intake_prompt": "NA",
            "intake1": np.where(sampler.where(0.2, count), sampler.phones(count), "NA"),
            "intake2": "NA",
            "website": "http://mind" + sampler.digits(count, 1, 999) + ".example.org",
            "latitude": places["lat"],
            "longitude": places["lng"],
            "type_facility": "MH",
        }
    )


def write_opioid_treatment(writing: Writing, count: int) -> list[Path]:
    sampler, places = writing.sampler, writing.sampler.places(count)
    plus4 = pd.Series("-" + sampler.digits(count, 1000, 9999))
    rows = pd.DataFrame(
        {
            "ID": sampler.names(("Treatment Center, Inc.", "Recovery Clínica"), count),
            "ADDRESS": places["address"],
            "CITY": places["city"],
            "STATE": places["state"],
            "POSTAL": places["zip"].str.lstrip("0") + plus4.where(sampler.where(0.3, count), ""),
            "Latitude": places["lat"],
            "Longitude": places["lng"],
        }
    )
    name = f"Opioid_Treatment_Directory_Geocoded.{writing.month}.csv"
    return write_ansi_table(writing.folder / "samhsa_otp" / name, rows)


# Every type must occur in the smallest demo.
_FEWEST = 4


def program_rows(rows: int) -> dict[str, int]:
    """Return how many rows each source gets in a demo of `rows`."""
    return {
        source: max(round(rows * share / 1000), _FEWEST) for source, (share, _) in _PROGRAMS.items()
    }


def write_programs(writing: Writing, counts: dict[str, int]) -> list[Path]:
    """Return all files of all programs; `counts` are those of `program_rows`."""
    return [
        path for source, count in counts.items() for path in _PROGRAMS[source][1](writing, count)
    ]


def _write_head_start(writing: Writing, count: int) -> list[Path]:
    """Write nine tenths as CSV, the rest as pages of the map layer."""
    paged = max(count // 10, 1)
    files = write_table(
        writing,
        "acf_head_start",
        f"HS_Service_Locations.{writing.month}.csv",
        count - paged,
        _head_start,
    )
    pages = writing.folder / "acf_head_start" / f"ACF_Head_Start_Locations.{writing.month}.json"
    layer = _head_start(writing, count, paged).drop(columns="recipient_name")
    write_pages(pages, layer.assign(program_admin_name="Demo Community Action, Inc."))
    return [*files, pages]


def _head_start(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    places = sampler.places(count)
    split = sampler.where(0.1, count)
    rows = pd.DataFrame(
        {
            "grant_number": [f"99CH{n:06d}" for n in range(start, start + count)],
            "program_type": sampler.pick(("1", "1", "1", "2", "3", "5"), count),
            "recipient_name": sampler.names(("community_action", "schools"), count).str.replace(
                " ", "_"
            ),
            "service_location_name": sampler.names(WORDS.head_start_kinds, count),
            "address_line_one": places["address"],
            "address_line_two": np.where(split, "Room 4", ""),
            "city": places["city"].str.upper(),
            "state": places["state"],
            "zip": places["zip"],
            "county": places["county_name"],
            "latitude": places["lat"],
            "longitude": places["lng"],
            "status": np.where(
                sampler.where(0.01, count),
                "Closed",
                sampler.pick(("Open",) * 19 + ("Not Reported",), count),
            ),
            "funded_slots": sampler.digits(count, 8, 200),
            # 202-555-0123 is written (202) 555-0123.
            "service_location_phone_number": "("
            + pd.Series(sampler.phones(count)).str.replace("-", ") ", n=1),
            "registration_phone_number": "",
        }
    )
    # One row in twenty is repeated as Early Head Start at the same address.
    again = rows[sampler.where(0.05, len(rows))].assign(program_type="2")
    return pd.concat([rows.iloc[: len(rows) - len(again)], again], ignore_index=True)


def _write_fdpir(writing: Writing, count: int) -> list[Path]:
    places = writing.sampler.places(count, WORDS.fdpir_states)
    return _agencies(
        writing, places, "FDPIR", ("Tribal Food Distribution", "Nation Food Warehouse")
    )


def _write_csfp(writing: Writing, count: int) -> list[Path]:
    places = writing.sampler.places(count)
    return _agencies(writing, places, "CSFP", ("Senior Nutrition Agency", "Area Agency on Aging"))


def _agencies(
    writing: Writing, places: pd.DataFrame, program: str, kinds: tuple[str, ...]
) -> list[Path]:
    sampler, count = writing.sampler, len(places)
    rows = pd.DataFrame(
        {
            "OBJECTID": range(1, count + 1),
            "Program": program,
            "Agency_Name": sampler.names(kinds, count),
            "Address1": places["address"],
            "Address2": np.where(sampler.where(0.1, count), "Building B", ""),
            "City": places["city"],
            "State": places["state"],
            "Zip": places["zip"],
            "Phone": sampler.phones(count),
            "Website": "https://food" + sampler.digits(count, 1, 999) + ".example.org",
        }
    )
    # At millions of rows, names repeat in a city.
    is_first = ~rows.duplicated(["Agency_Name", "City", "State"]).to_numpy()
    rows, places = rows[is_first], places[is_first]
    path = writing.folder / f"usda_{program.lower()}" / f"{program}_Agencies.{writing.month}.json"
    write_pages(path, rows, mercator(places["lat"], places["lng"]))
    return [path]


def _write_snap_offices(writing: Writing, count: int) -> list[Path]:
    """Return a list of all states, and the city's own file with its comments for hours."""
    sampler, city = writing.sampler, min(max(count // 10, 2), 20)
    files = write_table(
        writing, "snap_offices", f"snap_offices.{writing.month}.csv", count - city, _snap_list
    )
    places = sampler.places(city, ("NY",))
    path = writing.folder / "snap_offices" / f"nyc_snap_centers.{writing.month}.json"
    rows = pd.DataFrame(
        {
            "facility_name": sampler.names(("SNAP Center",), city),
            "street_address": places["address"],
            "city": places["city"],
            "zip_code": places["zip"],
            "phone_number_s_": sampler.phones(city),
            "comments": sampler.pick((*WORDS.office_hours, "Elevator at the side entrance"), city),
            "latitude": places["lat"].astype(str),
            "longitude": places["lng"].astype(str),
        }
    )
    rows.to_json(path, orient="records", indent=0)
    return [*files, path]


def _snap_list(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    places = sampler.places(count)
    office = sampler.names(("County Human Services", "County Job & Family Services"), count)
    return pd.DataFrame(
        {
            "id": np.arange(start, start + count) + 1,
            "name": office + " SNAP Office",
            "organization": office,
            **_where(places),
            "phone": sampler.phones(count),
            "url": "https://county" + sampler.digits(count, 1, 999) + ".example.org/snap",
            "schedule": sampler.pick(WORDS.office_hours, count),
            "required_document": sampler.pick(("Photo ID", ""), count),
            "assured_date": str(writing.as_of),
            "status": np.where(sampler.where(0.01, count), "inactive", "active"),
        }
    )


def _where(places: pd.DataFrame) -> dict[str, pd.Series]:
    return {
        "address_1": places["address"],
        "city": places["city"],
        "state_province": places["state"],
        "postal_code": places["zip"],
        "latitude": places["lat"],
        "longitude": places["lng"],
    }


def _write_diaper_banks(writing: Writing, count: int) -> list[Path]:
    name = f"diaper_banks.{writing.month}.csv"
    return write_table(writing, "diaper_banks", name, count, _diaper_banks)


def _diaper_banks(writing: Writing, start: int, count: int) -> pd.DataFrame:
    sampler = writing.sampler
    return pd.DataFrame(
        {
            "id": np.arange(start, start + count) + 1,
            "name": sampler.names(("Diaper Bank", "Diaper Pantry", "Baby Supply Closet"), count),
            **_where(sampler.places(count)),
            "phone": sampler.phones(count),
            "schedule": sampler.pick(writing.english_hours, count),
            "eligibility_description": sampler.pick(("Children under 3", ""), count),
        }
    )


def _write_summer_meals(writing: Writing, count: int) -> list[Path]:
    """Write sites whose season runs, a few that are over, for camps only, or without hours."""
    sampler, places = writing.sampler, writing.sampler.places(count)
    today = pd.Timestamp(writing.as_of)
    begins = today - pd.to_timedelta(sampler.rng.integers(5, 40, count), unit="D")
    weeks = np.where(sampler.where(0.02, count), -1, sampler.rng.integers(4, 10, count))
    # The file starts on the first of the month: earlier seasons are over.
    ends = today.replace(day=1) + pd.to_timedelta(weeks * 7, unit="D")
    untimed = sampler.where(0.05, count)
    rows = pd.DataFrame(
        {
            "OBJECTID": range(1, count + 1),
            "FNSID": range(900_001, 900_001 + count),
            "Site_Name": sampler.names(WORDS.summer_kinds, count).str.upper(),
            "Sponsoring_Organization": sampler.names(("Schools", "Parks & Recreation"), count),
            "Site_Address1": places["address"],
            "Site_City": places["city"],
            "Site_State": places["state"],
            "Site_Zip": places["zip"],
            "Site_Phone": sampler.phones(count),
            "Site_Type": np.where(sampler.where(0.02, count), "Camp", "Open"),
            "Service_Model": sampler.pick(("CONGREGATE", "NON-CONGREGATE PICK UP"), count),
            "Days_of_operation": sampler.pick(("M,T,W,TH,F", "M,T,W,TH", "M,W,F", "SA"), count),
            "Breakfast_Time": sampler.pick(("8:00 AM-9:00 AM", "N/A", ""), count),
            "Lunch_Time": np.where(
                untimed, "", sampler.pick(("11:30 AM-12:30 PM", "12:00 PM-1:00 PM"), count)
            ),
            "Start_date": _milliseconds(begins),
            "End_date": _milliseconds(ends),
            "Comments": sampler.pick(WORDS.notes, count),
        }
    )
    path = writing.folder / "usda_summer_meals" / f"Summer_Meals_Site_Finder.{writing.month}.json"
    write_pages(path, rows, mercator(places["lat"], places["lng"]))
    return [path]


def _milliseconds(days: pd.DatetimeIndex) -> list[int]:
    return [int(day.timestamp()) * 1000 for day in days]


# Rows per 1,000 of the demo, and the writer of the files.
_PROGRAMS: dict[str, tuple[float, Callable[[Writing, int], list[Path]]]] = {
    "usda_summer_meals": (40, _write_summer_meals),
    "acf_head_start": (20, _write_head_start),
    "samhsa_mental_health": (12, write_mental_health),
    "cms_rural_health_clinics": (6, write_rural_clinics),
    "snap_offices": (4, _write_snap_offices),
    "hrsa_ryan_white": (3, write_ryan_white),
    "samhsa_otp": (3, write_opioid_treatment),
    "diaper_banks": (1, _write_diaper_banks),
    "usda_fdpir": (0.5, _write_fdpir),
    "usda_csfp": (0.5, _write_csfp),
}
PROGRAM_SOURCES = tuple(_PROGRAMS)
