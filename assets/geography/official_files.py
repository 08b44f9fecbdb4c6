"""Reads the official geography files as frames: gazetteers, postal codes, crosswalks, populations.

Every reader returns None for a missing file; files may be gzipped. Codes stay text.
"""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd

from schemas.vocab.states import STATES
from warehouse.gzip_files import unpack_chunks

_GEONAMES = ["US", "PR", "VI", "GU", "AS", "MP"]
_GEONAMES_COLUMNS = [
    "country",
    "zip",
    "place_name",
    "admin1",
    "admin1_code",
    "admin2",
    "admin2_code",
    "admin3",
    "admin3_code",
    "lat",
    "lng",
    "accuracy",
]


def find(folder: Path, pattern: str) -> Path | None:
    """Return the newest file (by name) that fits a pattern, gzipped or not."""
    paths = sorted([*folder.glob(pattern), *folder.glob(f"{pattern}.gz")])
    return paths[-1] if paths else None


def _bytes(path: Path) -> bytes:
    return b"".join(unpack_chunks(path))


def _read_delimited(path: Path) -> pd.DataFrame:
    """Return a gazetteer: pipes since 2025, tabs and padded names before."""
    text = _bytes(path).decode("utf-8-sig")
    separator = "|" if "|" in text.partition("\n")[0] else "\t"
    header, *rows = (line.split(separator) for line in text.splitlines() if line)
    frame = pd.DataFrame(rows, columns=[name.strip() for name in header], dtype="str")
    return frame.apply(lambda column: column.str.strip())


def _with_point(frame: pd.DataFrame, lat: str, lng: str) -> pd.DataFrame:
    return frame.assign(lat=frame[lat].astype("float64"), lng=frame[lng].astype("float64"))


def gazetteer(folder: Path, kind: str) -> pd.DataFrame | None:
    """Return a Census gazetteer (`zcta`, `place`, `cousubs`): its columns, `lat` and `lng`."""
    path = find(folder, f"*_Gaz_{kind}_national.txt")
    return None if path is None else _with_point(_read_delimited(path), "INTPTLAT", "INTPTLONG")


def land_area(rows: pd.DataFrame) -> pd.Series:
    """Return the land of a gazetteer's rows in square miles; missing without such a column."""
    if "ALAND_SQMI" not in rows:
        return pd.Series(np.nan, index=rows.index)
    return pd.to_numeric(rows["ALAND_SQMI"], errors="coerce").astype("float64")


def geonames_postal(folder: Path) -> pd.DataFrame | None:
    """Return GeoNames postal codes without military ones: ZIP code, names, FIPS code, point."""
    frames = []
    for country in _GEONAMES:
        path = find(folder, f"geonames_postal_{country}.txt")
        if path is not None:
            lines = _bytes(path).decode("utf-8").splitlines()
            rows = [(line.split("\t") + [""] * 12)[:12] for line in lines if line]
            frames.append(pd.DataFrame(rows, columns=_GEONAMES_COLUMNS, dtype="str"))
    if not frames:
        return None
    frame = pd.concat(frames, ignore_index=True)
    frame["state"] = frame["admin1_code"].where(frame["country"].eq("US"), frame["country"])
    frame = frame[frame["state"].isin(STATES)]
    fips = frame["state"].map({s.code: s.fips for s in STATES.values()})
    is_county = frame["country"].eq("US") & frame["admin2_code"].str.fullmatch(r"[0-9]{3}")
    frame["county_fips"] = (fips + frame["admin2_code"]).where(is_county)
    frame = _with_point(frame, "lat", "lng").drop_duplicates("zip")
    return frame[["zip", "place_name", "state", "county_fips", "lat", "lng"]]


def _sheet_with(path: Path, columns: set[str]) -> pd.DataFrame:
    """Return the sheet whose first row has the columns; HUD's workbook begins with its query.

    Raises ValueError naming the file if no sheet has them.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Workbook contains no default style")
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # the workbook's stated dimensions are wrong
            rows = sheet.iter_rows(values_only=True)
            header = [str(name).strip().upper() for name in next(rows, ())]
            if columns <= set(header):
                return pd.DataFrame(rows, columns=header)
    finally:
        book.close()
    raise ValueError(f"{path.name}: no sheet has the columns {sorted(columns)}")


def hud_counties(folder: Path) -> pd.Series | None:
    """Return the county with most addresses of each ZIP (HUD crosswalk), indexed by ZIP."""
    path = find(folder, "*HUD*ZIP*COUNTY*.xlsx")
    if path is None:
        return None
    frame = _sheet_with(path, {"ZIP", "COUNTY", "TOT_RATIO"})
    frame["ZIP"] = frame["ZIP"].astype("str").str.zfill(5)
    frame["COUNTY"] = frame["COUNTY"].astype("str").str.zfill(5)
    frame["TOT_RATIO"] = frame["TOT_RATIO"].astype("float64")
    frame = frame.sort_values(["ZIP", "TOT_RATIO", "COUNTY"], ascending=[True, False, True])
    return frame.drop_duplicates("ZIP").set_index("ZIP")["COUNTY"]


def zcta_counties(folder: Path) -> pd.Series | None:
    """Return the county with most land of each ZCTA (Census relationship file), indexed by ZIP."""
    path = find(folder, "us_geo_2020_zcta_counties.csv")
    if path is None:
        return None
    rows = [line.split(",") for line in _bytes(path).decode("utf-8-sig").splitlines()[1:]]
    frame = pd.DataFrame([row[:3] for row in rows], columns=["zip", "county", "land"], dtype="str")
    frame["land"] = frame["land"].astype("float64")
    frame = frame.sort_values(["zip", "land", "county"], ascending=[True, False, True])
    return frame.drop_duplicates("zip").set_index("zip")["county"]


def population(folder: Path, kind: str) -> pd.Series | None:
    """Return residents (ACS B01003) of `zcta` or `place`, by ZIP or by state and place code."""
    path = find(folder, f"acs5_*_{kind}_B01003*.json")
    if path is None:
        return None
    answer: list[list[Any]] = json.loads(_bytes(path))
    frame = pd.DataFrame(answer[1:], columns=answer[0])
    codes = [name for name in frame.columns if name not in {"NAME"} and not name.endswith("E")]
    keys = frame[codes].astype("str").agg("".join, axis=1)
    values = pd.to_numeric(frame["B01003_001E"], errors="coerce").astype("Int64")
    # Negative numbers are the Census Bureau's codes for "no estimate".
    return pd.Series(values.mask(values < 0).array, index=pd.Index(keys))


def usps_delivery(folder: Path) -> pd.DataFrame | None:
    """Return delivery ZIPs with `place_name` and `state` of the serving post office."""
    path = find(folder, "ZIP_Locale_Detail.csv")
    if path is None:
        return None
    lines = pd.read_csv(path, dtype="str", encoding="utf-8-sig", keep_default_na=False)
    lines.columns = [str(name).strip() for name in lines.columns]
    frame = pd.DataFrame(
        {
            "zip": lines["DELIVERY ZIPCODE"].str.strip().str.zfill(5),
            "place_name": lines["PHYSICAL CITY"].str.strip().str.title(),
            "state": lines["PHYSICAL STATE"].str.strip(),
        }
    )
    return frame[frame["state"].isin(STATES)].drop_duplicates("zip")
