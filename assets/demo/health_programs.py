"""Registers of clinics and treatment of the demo, in the agencies' formats."""

from pathlib import Path

import numpy as np
import pandas as pd

from assets.demo.files import Writing, write_ansi_table, write_table
from assets.demo.words import WORDS


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
