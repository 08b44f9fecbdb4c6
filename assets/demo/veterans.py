"""Facilities for veterans of the demo, in the department's four files, and pantries that serve
veterans.

Files have the department's quirks: "null" and "NULL" for missing, streets in the second address
line, telephone numbers with an empty extension, hours such as "700AM-430PM", mobile units, one
damaged id.
"""

import json
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import shapely

from assets.demo.files import Writing, write_csv
from assets.demo.sample import WORDS, Sampler
from schemas.vocab.states import STATES

FOLDER = "va_facilities"
PANTRIES = 4
# The department's facility classes with a word for their names, in realistic proportions.
_CLASSES = (
    ("VAMC", "VA Medical Center"),
    ("PCCBOC", "VA Clinic"),
    ("VTCR", "Vet Center"),
    ("OOS", "VA Clinic"),
    ("MSCBOC", "VA Clinic"),
    ("MVCTR", "Mobile Vet Center"),
    ("PCCBOC", "VA Clinic"),
    ("HCC", "VA Clinic"),
    ("VTCR", "Vet Center"),
    ("DRRTP", "VA Domiciliary"),
    ("PCCBOC", "VA Clinic"),
    ("MCS", "Mobile VA Clinic"),
)
# 92 in 100 of the department's points locate the house or the street, the others the ZIP code or
# town.
_LOCATORS = ("USA_ZIP4.PointAddress", *("USA_ZIP4.StreetAddress",) * 3, "USA_ZIP4.Postal")
_OFFICES = (
    "Regional Benefit Office",
    "Outbased",
    "Voc Rehab And Employment",
    "Vetsuccess On Campus",
    "NULL",
)
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_WEEKEND = ("Saturday", "Sunday")


def facility_rows(rows: int) -> dict[str, int]:
    """Return the rows of each file in a demo of `rows`; every class occurs in the smallest."""
    return {
        "vast": max(round(rows * 0.006), 2 * len(_CLASSES)),
        "vba": max(round(rows * 0.0015), 2 * len(_OFFICES)),
        "nca": max(round(rows * 0.0006), 4),
    }


def write_veterans(folder_of: Writing, rows: int) -> list[Path]:
    """Return the department's files and a locator's few pantries for veterans."""
    counts = facility_rows(rows)
    return [
        *_write_health(folder_of, counts["vast"]),
        *_write(folder_of, "vba", counts["vba"], _benefits),
        *_write(folder_of, "nca", counts["nca"], _cemeteries),
        *_write_pantries(folder_of),
    ]


def zip_codes(files: list[Path]) -> set[str]:
    """Return the ZIP codes in the files that `write_veterans` has written."""
    codes: set[str] = set()
    for path in files:
        if path.suffix == ".jsonl":
            with path.open(encoding="ascii") as stream:
                codes.update(json.loads(line)["zip"] for line in stream)
        else:
            rows = pd.read_csv(path, dtype="str", usecols=lambda name: name in {"ZIP", "Zip"})
            codes.update(rows.stack().to_list())
    return codes


def _write(writing: Writing, kind: str, count: int, make) -> list[Path]:  # type: ignore[no-untyped-def]
    path = writing.folder / FOLDER / f"{kind}.{writing.month}.csv"
    write_csv(path, writing.chunks(count), lambda start, rows: make(writing.sampler, start, rows))
    return [path]


def _write_health(writing: Writing, count: int) -> list[Path]:
    """Return the register of houses, and the file of web addresses that is joined to it by id."""
    path = writing.folder / FOLDER / f"vast.{writing.month}.csv"
    websites: list[pd.DataFrame] = []

    def make(start: int, rows: int) -> pd.DataFrame:
        facilities = _health(writing.sampler, start, rows)
        ids = (
            np.where(facilities["S_ABBR"].isin(["VTCR", "MVCTR"]), "vc_", "vha_")
            + facilities["StationNo"]
        )
        numbers = writing.sampler.digits(rows, 1, 999)
        websites_of_health = pd.DataFrame(
            {"id": ids, "url": "https://clinic" + numbers + ".example.org/va"}
        )
        websites.append(websites_of_health[writing.sampler.where(0.6, rows)])
        return facilities

    write_csv(path, writing.chunks(count), make)
    addresses = pd.concat(websites, ignore_index=True)
    addresses.loc[0, "id"] = "???" + str(addresses.loc[0, "id"])
    beside = writing.folder / FOLDER / f"websites.{writing.month}.csv"
    write_csv(beside, iter([(0, len(addresses))]), lambda start, rows: addresses)
    return [path, beside]


def _health(sampler: Sampler, start: int, count: int) -> pd.DataFrame:
    places = sampler.places(count)
    classes = [_CLASSES[n % len(_CLASSES)] for n in range(start, start + count)]
    abbreviation = pd.Series([c[0] for c in classes])
    name = pd.Series(sampler.pick(WORDS.first, count)) + " " + [c[1] for c in classes]
    is_mobile = abbreviation.isin(["MVCTR", "MCS"])
    is_vet_center = abbreviation.isin(["VTCR", "MVCTR"])
    station = [f"{n:04d}" for n in range(start + 1, start + count + 1)]
    hours = pd.Series(sampler.pick(("700AM-430PM", "800AM-430PM", "800-430", "24/7"), count))
    columns = {
        "StationNo": pd.Series(station) + np.where(is_vet_center, "V", ""),
        "StationName": name,
        "Address1": name.where(is_vet_center, "null"),
        "Address2": places["address"],
        "Address3": pd.Series("null", places.index).where(sampler.where(0.8, count), "Suite 6"),
        "CITY": places["city"],
        "LAT": places["lat"],
        "LOC_NAME": sampler.pick(_LOCATORS, count),
        "LON": places["lng"],
        "Mobile": is_mobile.astype(int).astype(str),
        "S_ABBR": abbreviation,
        "ST": places["state"],
        "STA_PHONE": pd.Series(sampler.phones(count)) + " x",
        "STATE_FIPS": places["state"].map({s.code: s.fips for s in STATES.values()}),
        "SUSPENDED": np.where(sampler.where(0.01, count), "Y", "N"),
        "ZIP": places["zip"],
        **dict.fromkeys(_WEEK, hours),
        **dict.fromkeys(_WEEKEND, hours.where(hours.eq("24/7"), "-")),
        "OperationalHoursSpecialInstructions": "Please call before you come. |",
    }
    return _table("va_health", columns, places.index, "null")


def _benefits(sampler: Sampler, start: int, count: int) -> pd.DataFrame:
    places = sampler.places(count)
    kinds = [_OFFICES[n % len(_OFFICES)] for n in range(start, start + count)]
    yes = ("YES", "NO")
    columns = {
        "Facility_Name": pd.Series(sampler.pick(WORDS.first, count)) + " Benefits Office",
        "Facility_Number": [f"{n}" for n in range(start + 300, start + 300 + count)],
        "Facility_Type": kinds,
        "Address_1": places["address"],
        "City": places["city"],
        "State": places["state"],
        "Zip": places["zip"],
        "Phone": sampler.phones(count),
        **dict.fromkeys(_WEEK, "8:00AM-4:00PM"),
        **dict.fromkeys(_WEEKEND, "Closed"),
        **{
            name: sampler.pick(yes, count)
            for name in ("Applying_for_Benefits", "Homeless_Assistance")
        },
        "Lat": places["lat"],
        "Long": places["lng"],
    }
    return _table("va_benefits", columns, places.index, "NULL")


def _cemeteries(sampler: Sampler, start: int, count: int) -> pd.DataFrame:
    places = sampler.places(count)
    columns = {
        "SITE_ID": [f"{n}" for n in range(start + 800, start + 800 + count)],
        "FULL_NAME": sampler.pick(WORDS.first, count),
        "SITE_TYPE": "National Cemetery",
        "SITE_ADDRESS1": places["address"],
        "SITE_CITY": places["city"],
        "SITE_STATE": places["state"],
        "SITE_ZIP": places["zip"],
        "PHONE": sampler.phones(count),
        "VISITATION_HOURS_WEEKDAY": "8:00am - 4:30pm",
        "VISITATION_HOURS_WEEKEND": "Sunrise - Sundown",
        "LATITUDE_DD": places["lat"],
        "LONGITUDE_DD": places["lng"],
    }
    return _table("va_cemeteries", columns, places.index, "<Null>")


def _table(file: str, columns: dict[str, object], index: pd.Index, nothing: str) -> pd.DataFrame:
    frame = pd.DataFrame(columns, index=index)
    return frame.reindex(columns=list(WORDS.headers[file]), fill_value=nothing)


def _write_pantries(writing: Writing) -> list[Path]:
    """Return a locator with labelled notes: pantries that say veterans may come."""
    sampler = writing.sampler
    places = sampler.places(PANTRIES, states=("CA",))
    path = writing.folder / "haarrrvest_2025" / "second_harvest_of_silicon_valley_ca.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    names = sampler.pick(WORDS.first, PANTRIES) + " Food Pantry"
    phones = sampler.phones(PANTRIES)
    with path.open("w", encoding="ascii") as stream:
        for number, row in enumerate(places.to_dict("records")):
            record = {
                "id": f"demo{number}",
                "name": names[number],
                "address": row["address"],
                "city": row["city"],
                "state": "CA",
                "zip": row["zip"],
                "phone": phones[number],
                "latitude": row["lat"],
                "longitude": row["lng"],
                "county": row["county_name"],
                "hours": "",
                "services": ["Free Groceries"],
                "website": "",
                "notes": "Eligibility: Veterans and their families | Frequency: Weekly",
                "source": "second_harvest_of_silicon_valley_ca",
                "food_bank": "Demo Food Bank",
            }
            stream.write(json.dumps(record) + "\n")
    return [path]


# Invented Census tracts of the demo: squares around the ZIP codes of its facilities for veterans.

TRACTS_FOLDER = "census_tracts"
# About four kilometres. Nine squares around a ZIP code contain every place sampled near it.
_SIDE_DEGREES = 0.04
_AROUND = [(0, 0), *((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0))]
_MEMBERS = ("shp", "shx", "dbf", "prj", "cpg")
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_tracts(writing: Writing, zips: pd.DataFrame, codes: set[str]) -> list[Path]:
    """Write the squares around the ZIP codes `codes` as the Census Bureau packs its boundaries.

    Each square lies in one county, that of the first ZIP code in it or next to it. Equal arguments
    give equal bytes.
    """
    import geopandas  # noqa: PLC0415 - half a second, only where a demo is written

    squares = _squares(zips[zips["zip"].isin(codes)])
    path = writing.folder / TRACTS_FOLDER / f"cb_{writing.as_of.year}_us_tract_500k.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = geopandas.GeoDataFrame(squares[["GEOID"]], geometry=squares["square"], crs="EPSG:4269")
    with tempfile.TemporaryDirectory() as scratch:
        # The table's header bears a date; without this one, today's.
        frame.to_file(
            Path(scratch) / f"{path.stem}.shp", DBF_DATE_LAST_UPDATE=writing.as_of.isoformat()
        )
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member in _MEMBERS:
                name = f"{path.stem}.{member}"
                content = (Path(scratch) / name).read_bytes()
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return [path]


def _squares(zips: pd.DataFrame) -> pd.DataFrame:
    """Return `GEOID` (county and six digits) and `square`; no two overlap."""
    zips = zips.dropna(subset=["county_fips", "lat", "lng"]).sort_values("zip")
    row = np.floor(zips["lat"].to_numpy(dtype=float) / _SIDE_DEGREES).astype(int)
    column = np.floor(zips["lng"].to_numpy(dtype=float) / _SIDE_DEGREES).astype(int)
    county = zips["county_fips"].astype("str").to_numpy()
    cells = pd.concat(
        [pd.DataFrame({"y": row + y, "x": column + x, "county": county}) for y, x in _AROUND],
        ignore_index=True,
    ).drop_duplicates(["y", "x"])
    number = cells.groupby("county").cumcount() + 1
    corner = cells[["x", "y"]].to_numpy() * _SIDE_DEGREES
    return pd.DataFrame(
        {
            "GEOID": (cells["county"] + number.map("{:04d}00".format)).to_numpy(),
            "square": shapely.box(*corner.T, *(corner + _SIDE_DEGREES).T),
        }
    )
