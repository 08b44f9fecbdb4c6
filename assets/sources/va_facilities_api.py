"""Facilities of the VA by its Facilities API (developer.va.gov): JSON of versions 0 and 1, and the
GeoJSON and CSV of all facilities that version 0 gave.

Version 0 writes `facility_type`, `address.physical.address_1` and `operating_status`, version 1
`facilityType`, `address.physical.address1` and `operatingStatus`, the CSV `physical_address_1`: one
name in letters and digits.
"""

from typing import Any

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.free_text import by_rules
from assets.sources.headings import plain_heading
from assets.sources.hours_by_weekday import weekly_text
from assets.sources.reading import (
    as_number,
    as_text_rows,
    join_texts,
    read_csv_text,
    with_columns,
    with_rejects,
)
from assets.sources.reading_records import Record, decode_json, flatten
from schemas.hours.recurrence import WEEKDAYS

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
_HEALTH_TYPES = (
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
    by_class = by_rules(rows["classification"], _HEALTH_TYPES).fillna("other")
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
    records = [_record(item) for page in _pages(content) for item in page]
    names = dict.fromkeys(name for record in records for name in record)
    columns = {name: pd.Series([r.get(name) for r in records], dtype="str") for name in names}
    return as_text_rows(pd.DataFrame(columns, index=range(len(records))), file)


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


def _record(item: Record) -> dict[str, str | None]:
    """Return the attributes (or GeoJSON properties) of a facility, with its id and point."""
    about = item.get("attributes") or item.get("properties") or item
    own = {"id": item["id"]} if "id" in item else {}
    pair = (item.get("geometry") or {}).get("coordinates") or ()
    point = dict(zip(("long", "lat"), pair, strict=False))
    return flatten({**point, **about, **own})


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
