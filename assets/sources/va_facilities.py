"""Facilities of the Department of Veterans Affairs: health (VAST), benefits (VBA), cemeteries
(NCA),
or all of them by the Facilities API.

A file of web addresses by facility id is joined and gives no rows of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.hours_by_weekday import WEEKDAYS, weekly_text
from assets.sources.reading import as_number, join_texts, with_rejects, without_sentinels
from assets.sources.reading_table import read_table
from assets.sources.va_facilities_api import read_api
from schemas.sources.registry import Source

_HEALTH_COLUMNS = [
    "StationNo",
    "StationName",
    "Address1",
    "Address2",
    "Address3",
    "CITY",
    "ST",
    "ZIP",
    "LAT",
    "LON",
    "LOC_NAME",
    "Mobile",
    "S_ABBR",
    "STA_PHONE",
    "SUSPENDED",
    "OperationalHoursSpecialInstructions",
    *WEEKDAYS,
]
_BENEFITS_COLUMNS = [
    "Facility_Name",
    "Facility_Number",
    "Facility_Type",
    "Address_1",
    "Address_2",
    "City",
    "State",
    "Zip",
    "Phone",
    "Lat",
    "Long",
    "Website_URL",
    "Other_Services",
    *WEEKDAYS,
]
_CEMETERY_COLUMNS = [
    "SITE_ID",
    "FULL_NAME",
    "SITE_TYPE",
    "SITE_ADDRESS1",
    "SITE_ADDRESS2",
    "SITE_CITY",
    "SITE_STATE",
    "SITE_ZIP",
    "PHONE",
    "VISITATION_HOURS_WEEKDAY",
    "VISITATION_HOURS_WEEKEND",
    "LATITUDE_DD",
    "LONGITUDE_DD",
]
# Hospitals and clinics by S_ABBR; domiciliaries (DRRTP) and community living centers (CLC) are
# homes.
_HEALTH_TYPES = {
    "VAMC": "va_hospital",
    "HCC": "va_clinic",
    "MSCBOC": "va_clinic",
    "PCCBOC": "va_clinic",
    "OOS": "va_clinic",
    "MCS": "va_clinic",
    "VTCR": "vet_center",
    "MVCTR": "vet_center",
    "DRRTP": "other",
    "CLC": "other",
}
# How the register found the point; names differ by country ("USA_ZIP4", "PRI_ZIP4").
_PRECISIONS = {
    "PointAddress": "rooftop",
    "StreetAddress": "street",
    "StreetName": "city",
    "AdminPlaces": "city",
    "Postal": "zip",
    "PostalExt": "zip",
    "PostalLocality": "zip",
}
# Column names that were cut at 31 characters.
_CUT_NAMES = {
    "Updating_Direct_Deposit_Informa": "Updating Direct Deposit Information",
    "Vocational_Rehabilitation_Emplo": "Vocational Rehabilitation Employment",
}
_FIELDS = [
    "source_row",
    "source_key",
    "name",
    "facility_type",
    "facility_subtype",
    "address",
    "city",
    "state",
    "zip",
    "lat",
    "lng",
    "location_precision",
    "phone",
    "website",
    "hours_text",
    "services_text",
    "notes",
]


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's facilities in one frame; none for the file of web addresses.

    Raises UnreadableFileError when columns are missing.
    """
    if file.layout == "websites":
        return
    places = _READERS[file.layout](file)
    websites = _websites(file.companion("websites"))
    own = places.get("website", pd.Series(None, index=places.index, dtype="str"))
    joined_in = places["source_key"].map(websites).astype("str")
    places["website"] = own.astype("str").fillna(joined_in)
    places["is_public"] = False
    rejects = [name for name in ("reject_reason", "reject_detail") if name in places]
    yield places.reindex(columns=[*_FIELDS, "is_public", *rejects])


def _websites(file: RawFile | None) -> dict[str, str]:
    """Return web addresses by facility id ("vha_402"); one begins with a damaged mark."""
    if file is None:
        return {}
    rows = read_table(file, required=["id", "url"]).dropna(subset=["id", "url"])
    return dict(zip(rows["id"].str.lstrip("?"), rows["url"], strict=True))


def _health(file: RawFile) -> pd.DataFrame:
    rows = without_sentinels(read_table(file, required=_HEALTH_COLUMNS), ["null"])
    is_vet_center = rows["S_ABBR"].isin(["VTCR", "MVCTR"])
    is_mobile = rows["Mobile"] == "1"
    # The first line names a building, the street follows; it repeats the name of the place for vet
    # centers.
    building = rows["Address1"].mask(rows["Address1"] == rows["StationName"])
    address = join_texts(rows["Address2"], rows["Address3"], building, separator=", ")
    precision = rows["LOC_NAME"].str.rpartition(".")[2].map(_PRECISIONS).astype("str")
    places = rows[["source_row"]].assign(
        source_key=rows["StationNo"].radd("vha_").mask(is_vet_center, "vc_" + rows["StationNo"]),
        name=rows["StationName"],
        facility_type=rows["S_ABBR"].map(_HEALTH_TYPES),
        facility_subtype=rows["S_ABBR"],
        # A mobile unit is parked at its base, and is not to be found there.
        address=address.mask(is_mobile),
        city=rows["CITY"],
        state=rows["ST"],
        zip=rows["ZIP"].mask(is_mobile),
        lat=as_number(rows["LAT"]),
        lng=as_number(rows["LON"]),
        location_precision=precision.mask(is_mobile, "city"),
        phone=rows["STA_PHONE"].str.replace(r"\s*x$", "", regex=True),
        hours_text=weekly_text(rows[list(WEEKDAYS)].apply(_spelled_hours)),
        notes=join_texts(
            pd.Series("Mobile unit, moves from place to place.", rows.index).where(is_mobile),
            rows["OperationalHoursSpecialInstructions"].str.replace(" |", "", regex=False),
        ),
    )
    is_suspended = rows["SUSPENDED"] == "Y"
    detail = "SUSPENDED: " + rows["SUSPENDED"].fillna("")
    return with_rejects(places, (("closed_by_source", is_suspended, detail),))


def _spelled_hours(column: pd.Series) -> pd.Series:
    """Spell "800AM-430PM" as "8:00AM-4:30PM", "-" as "closed", drop cells without digits."""
    spelled = column.str.replace(r"(\d{1,2})(\d{2})(?=AM|PM)", r"\1:\2", regex=True)
    return spelled.mask(column == "-", "closed").mask(column == "AM-PM")


def _benefits(file: RawFile) -> pd.DataFrame:
    rows = without_sentinels(read_table(file, required=_BENEFITS_COLUMNS), ["NULL"])
    others = [name for name in rows.columns if name not in {"source_row", *_BENEFITS_COLUMNS}]
    # Services are the columns that answer; which ones there are changes with the years.
    offered = [name for name in others if rows[name].str.upper().isin(["YES", "NO"]).any()]
    return rows[["source_row"]].assign(
        source_key="vba_" + rows["Facility_Number"],
        name=rows["Facility_Name"],
        facility_type="benefits_office",
        facility_subtype=rows["Facility_Type"],
        address=join_texts(rows["Address_1"], rows["Address_2"], separator=", "),
        city=rows["City"],
        state=rows["State"],
        zip=rows["Zip"],
        lat=as_number(rows["Lat"]),
        lng=as_number(rows["Long"]),
        phone=rows["Phone"],
        website=rows["Website_URL"],
        hours_text=weekly_text(rows[list(WEEKDAYS)]),
        services_text=_offers(rows[offered]),
        notes=rows["Other_Services"],
    )


def _offers(answers: pd.DataFrame) -> pd.Series:
    """Return the columns that say YES: "Burial Claim assistance, Homeless Assistance"."""
    parts = pd.Series("", index=answers.index, dtype="str")
    for name in answers.columns:
        label = _CUT_NAMES.get(name, name.replace("_", " "))
        parts = parts + pd.Series(f"{label}, ", answers.index).where(
            answers[name].str.upper() == "YES", ""
        )
    text = parts.str.removesuffix(", ")
    return text.mask(text == "")


def _cemeteries(file: RawFile) -> pd.DataFrame:
    rows = without_sentinels(read_table(file, required=_CEMETERY_COLUMNS), ["<Null>"])
    # Names leave out what the place is: "Los Angeles", a national cemetery.
    name = join_texts(rows["FULL_NAME"], rows["SITE_TYPE"])
    is_named = rows["FULL_NAME"].str.contains("cemeter|office|lot", case=False).fillna(False)
    weekday, weekend = rows["VISITATION_HOURS_WEEKDAY"], rows["VISITATION_HOURS_WEEKEND"]
    return rows[["source_row"]].assign(
        source_key="nca_" + rows["SITE_ID"],
        name=name.mask(is_named.astype(bool), rows["FULL_NAME"]),
        facility_type="other",
        facility_subtype=rows["SITE_TYPE"],
        address=join_texts(rows["SITE_ADDRESS1"], rows["SITE_ADDRESS2"], separator=", "),
        city=rows["SITE_CITY"],
        state=rows["SITE_STATE"],
        zip=rows["SITE_ZIP"],
        lat=as_number(rows["LATITUDE_DD"]),
        lng=as_number(rows["LONGITUDE_DD"]),
        phone=rows["PHONE"],
        hours_text=join_texts(
            "Monday - Friday " + weekday, "Saturday - Sunday " + weekend, separator="; "
        ),
    )


_READERS: dict[str, Callable[[RawFile], pd.DataFrame]] = {
    "vast_csv": _health,
    "vba_csv": _benefits,
    "nca_csv": _cemeteries,
    "api_json": read_api,
}
