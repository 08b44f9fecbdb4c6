"""Facilities of the Department of Veterans Affairs: health (VAST), benefits (VBA), cemeteries
(NCA), or all of them by the Facilities API.

The web addresses in a file by facility id are joined to the rows; that file gives no rows.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.free_text import by_rules
from assets.sources.headings import plain_heading
from assets.sources.hours_by_weekday import weekly_text
from assets.sources.readers import read_columns, read_table
from assets.sources.reading import (
    as_number,
    join_texts,
    read_csv_text,
    with_columns,
    with_rejects,
    without_sentinels,
)
from assets.sources.reading_records import Record, decode_json, records_frame
from schemas.hours.recurrence import WEEKDAYS
from schemas.sources.registry import Source

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


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's facilities in one frame; none for the file of web addresses.

    Raises UnreadableFileError when columns are missing.
    """
    if file.layout == "websites":
        return
    places = _READERS[file.layout](file, source)
    # By facility id ("vha_402"); one begins with a damaged mark.
    websites: dict[str, str] = {}
    if companion := file.companion("websites"):
        columns = ["id", "url"]
        rows = read_table(companion, required=columns).dropna(subset=columns)
        websites = dict(zip(rows["id"].str.lstrip("?"), rows["url"], strict=True))
    own = places.get("website", pd.Series(None, index=places.index, dtype="str"))
    joined_in = places["source_key"].map(websites).astype("str")
    places["website"] = own.astype("str").fillna(joined_in)
    places["is_public"] = False
    yield places


def _health(file: RawFile, source: Source) -> pd.DataFrame:
    rows = without_sentinels(read_columns(file, source), ["null"])
    is_vet_center = rows["kind"].isin(["VTCR", "MVCTR"])
    is_mobile = rows["mobile"] == "1"
    # The first line names a building, the street follows; it repeats the name of the place for vet
    # centers.
    building = rows["building"].mask(rows["building"] == rows["name"])
    address = join_texts(rows["address2"], rows["address3"], building, separator=", ")
    precision = rows["located_by"].str.extract(r"([^.]*)$")[0].map(_PRECISIONS).astype("str")
    places = rows[["source_row"]].assign(
        source_key=rows["number"].radd("vha_").mask(is_vet_center, "vc_" + rows["number"]),
        name=rows["name"],
        facility_type=rows["kind"].map(_HEALTH_TYPES),
        facility_subtype=rows["kind"],
        # A mobile unit is parked at its base, and is not to be found there.
        address=address.mask(is_mobile),
        city=rows["city"],
        state=rows["state"],
        zip=rows["zip"].mask(is_mobile),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        location_precision=precision.mask(is_mobile, "city"),
        phone=rows["phone"].str.replace(r"\s*x$", "", regex=True),
        hours_text=weekly_text(rows[list(WEEKDAYS)].apply(_spell_hours)),
        notes=join_texts(
            pd.Series("Mobile unit, moves from place to place.", rows.index).where(is_mobile),
            rows["instructions"].str.replace(" |", "", regex=False),
        ),
    )
    is_suspended = rows["suspended"] == "Y"
    detail = "SUSPENDED: " + rows["suspended"].fillna("")
    return with_rejects(places, (("closed_by_source", is_suspended, detail),))


def _spell_hours(column: pd.Series) -> pd.Series:
    """Spell "800AM-430PM" as "8:00AM-4:30PM", "-" as "closed", drop cells without digits."""
    spelled = column.str.replace(r"(\d{1,2})(\d{2})(?=AM|PM)", r"\1:\2", regex=True)
    return spelled.mask(column == "-", "closed").mask(column == "AM-PM")


def _benefits(file: RawFile, source: Source) -> pd.DataFrame:
    declared = source.columns[file.layout]
    columns = declared.names
    table = read_table(file, required=declared.required, optional=declared.optional)
    rows = without_sentinels(with_columns(table, columns), ["NULL"])
    others = [name for name in rows.columns if name not in {"source_row", *columns}]
    # Services are the columns that answer; which ones there are changes with the years.
    offered = [name for name in others if rows[name].str.upper().isin(["YES", "NO"]).any()]
    rows = rows.rename(columns=columns)
    return rows[["source_row"]].assign(
        source_key="vba_" + rows["number"],
        name=rows["name"],
        facility_type="benefits_office",
        facility_subtype=rows["kind"],
        address=join_texts(rows["address1"], rows["address2"], separator=", "),
        city=rows["city"],
        state=rows["state"],
        zip=rows["zip"],
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        phone=rows["phone"],
        website=rows["website"],
        hours_text=weekly_text(rows[list(WEEKDAYS)]),
        services_text=_offers(rows[offered]),
        notes=rows["other_services"],
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


def _cemeteries(file: RawFile, source: Source) -> pd.DataFrame:
    rows = without_sentinels(read_columns(file, source), ["<Null>"])
    # Names leave out the kind of place: "Los Angeles", a national cemetery.
    name = join_texts(rows["name"], rows["kind"])
    is_named = rows["name"].str.contains("cemeter|office|lot", case=False).fillna(False)
    weekday, weekend = rows["weekday"], rows["weekend"]
    return rows[["source_row"]].assign(
        source_key="nca_" + rows["number"],
        name=name.mask(is_named.astype(bool), rows["name"]),
        facility_type="other",
        facility_subtype=rows["kind"],
        address=join_texts(rows["address1"], rows["address2"], separator=", "),
        city=rows["city"],
        state=rows["state"],
        zip=rows["zip"],
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        phone=rows["phone"],
        hours_text=join_texts(
            "Monday - Friday " + weekday, "Saturday - Sunday " + weekend, separator="; "
        ),
    )


_READERS: dict[str, Callable[[RawFile, Source], pd.DataFrame]] = {
    "vast_csv": _health,
    "vba_csv": _benefits,
    "nca_csv": _cemeteries,
    "api_json": lambda file, source: read_api(file),
}


# The Facilities API (developer.va.gov): JSON of versions 0 and 1, and the GeoJSON and CSV of all
# facilities that version 0 gave. Version 0 writes `facility_type`, `address.physical.address_1` and
# `operating_status`, version 1 `facilityType`, `address.physical.address1` and `operatingStatus`,
# the CSV `physical_address_1`: one name in letters and digits.

# The API's names in letters and digits, from most specific to least; those of the CSV are last.
_FIELDS: dict[str, tuple[str, ...]] = {
    "id": ("id",),
    "name": ("name",),
    "kind": ("facilitytype",),
    "classification": ("classification",),
    "website": ("website",),
    "lat": ("lat", "latitude"),
    "lng": ("long", "longitude"),
    "address1": ("addressphysicaladdress1", "physicaladdress1"),
    "address2": ("addressphysicaladdress2", "physicaladdress2"),
    "address3": ("addressphysicaladdress3", "physicaladdress3"),
    "city": ("addressphysicalcity", "physicalcity"),
    "state": ("addressphysicalstate", "physicalstate"),
    "zip": ("addressphysicalzip", "physicalzip"),
    "phone": ("phonemain",),
    "mobile": ("mobile",),
    "status": ("operatingstatuscode",),
    "active": ("activestatus",),
    "instructions": ("operationalhoursspecialinstructions",),
    **{day: (f"hours{day.casefold()}",) for day in WEEKDAYS},
    # Spelled so in the CSV of version 0.
    "Tuesday": ("hourstuesday", "hourstuesay"),
}
_REQUIRED = ("id", "name", "kind", "address1", "city", "state", "zip")
_TYPES_OF_CLASSES = (
    (r"\bVAMC\b|medical center", "va_hospital"),
    (r"residential|community living|extended care|domiciliary|\bD?RRTP\b|\bCLC\b", "other"),
    (r"\bHCC\b|health care center|\bCBOC\b|outpatient|clinic", "va_clinic"),
)
_TYPES = {
    "va_benefits_facility": "benefits_office",
    "va_cemetery": "other",
    "vet_center": "vet_center",
}
_CLOSED = {"CLOSED", "TEMPORARY_CLOSURE", "COMING_SOON"}


def read_api(file: RawFile) -> pd.DataFrame:
    """Return the facilities of an answer, of pages of answers, or of the CSV.

    Raises UnreadableFileError naming the members that are missing.
    """
    rows = with_columns(_name_columns(_rows(file), file), _FIELDS)
    is_health = rows["kind"] == "va_health_facility"
    by_class = by_rules(rows["classification"], _TYPES_OF_CLASSES).fillna("other")
    is_mobile = rows["mobile"].str.casefold() == "true"
    address = join_texts(rows["address1"], rows["address2"], rows["address3"], separator=", ")
    places = rows[["source_row", "name", "city", "state", "phone", "website"]].assign(
        source_key=rows["id"],
        facility_type=rows["kind"].map(_TYPES).astype("str").mask(is_health, by_class),
        facility_subtype=rows["classification"],
        # A mobile unit is parked at its base, and is not to be found there.
        address=address.mask(is_mobile),
        zip=rows["zip"].mask(is_mobile),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        location_precision=pd.Series("city", rows.index, dtype="str").where(is_mobile),
        hours_text=weekly_text(rows[list(WEEKDAYS)]),
        notes=join_texts(
            pd.Series("Mobile unit, moves from place to place.", rows.index).where(is_mobile),
            rows["instructions"],
        ),
    )
    status = rows["status"].str.upper()
    return with_rejects(
        places,
        (
            ("closed_by_source", status.isin(_CLOSED), "operatingStatus: " + status.fillna("")),
            (
                "closed_by_source",
                rows["active"] == "T",
                "activeStatus: " + rows["active"].fillna(""),
            ),
        ),
    )


def _rows(file: RawFile) -> pd.DataFrame:
    start = file.first_bytes(100).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] not in (b"{", b"["):
        return read_csv_text(file)
    content = decode_json(file)
    return records_frame([_record(item) for page in _pages(content) for item in page], file)


def _pages(content: object) -> list[list[Record]]:
    """Return the lists of an answer, or of each answer of a list: "data" (JSON:API) or
    "features"."""
    answers: list[Any] = content if isinstance(content, list) else [content]
    if answers and all(isinstance(each, dict) and "id" in each for each in answers):
        return [answers]
    lists = [
        each.get("data", each.get("features")) if isinstance(each, dict) else None
        for each in answers
    ]
    return [[item for item in items if isinstance(item, dict)] for items in lists if items]


def _record(item: Record) -> Record:
    """Return the attributes (or GeoJSON properties) of a facility, with its id and point."""
    about = item.get("attributes") or item.get("properties") or item
    own = {"id": item["id"]} if "id" in item else {}
    pair = (item.get("geometry") or {}).get("coordinates") or ()
    point = dict(zip(("long", "lat"), pair, strict=False))
    return {**point, **about, **own}


def _name_columns(rows: pd.DataFrame, file: RawFile) -> pd.DataFrame:
    """Return the rows with the columns of `_FIELDS` under their names."""
    plain = {plain_heading(str(name)): name for name in reversed(rows.columns)}
    name_of_field = {
        field: next((plain[name] for name in names if name in plain), None)
        for field, names in _FIELDS.items()
    }
    missing = [field for field in _REQUIRED if name_of_field[field] is None]
    if missing:
        raise UnreadableFileError(f"{file.name}: members {missing} are missing")
    columns = {field: rows[name] for field, name in name_of_field.items() if name is not None}
    return pd.DataFrame({"source_row": rows["source_row"], **columns})
