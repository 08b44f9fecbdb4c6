"""Reader for Open Referral HSDS 1.1 to 3.1 and its ancestor Ohana: answers of the API in JSON, and
tabular packages (CSV).

An API lists services with their locations, service_at_locations, locations, or organizations with
both. Each of them gives one row per service at a location, with the columns of one table.
https://docs.openreferral.org/en/latest/hsds/schema_reference.html
"""

import csv
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading import decode, read_csv_text
from assets.sources.reading_calendar import describe_weekday
from assets.sources.reading_records import Record, read_records, records_frame
from schemas.hours.recurrence import WEEKDAYS
from warehouse.gzip_files import MAX_UNPACKED_BYTES, ZIP_MAGIC, unpack_chunks

_NO_VOICE = ("fax", "tty", "tdd", "pager")


def read_hsds_json(file: RawFile) -> pd.DataFrame:
    """Return one row per service at a location. Raises UnreadableFileError for another shape."""
    rows = [row for record in read_records(file) for row in _of_record(record)]
    return records_frame(rows, file)


def read_hsds_package(file: RawFile) -> pd.DataFrame:
    """Return the rows of a ZIP archive, or of one table of a package: services at locations, else
    services. Other tables give none."""
    names = {_singular(each.layout) for each in file.package}
    table_of_rows = "service_at_location" if "service_at_location" in names else "service"
    if is_package(file):
        tables = _read_zip(file)
    elif _singular(file.layout) != table_of_rows:
        return pd.DataFrame({"source_row": []})
    else:
        frames = {
            _singular(each.layout): read_csv_text(each).drop(columns="source_row")
            for each in file.package
        }
        tables = {
            table: [
                {k: v for k, v in row.items() if isinstance(v, str)}
                for row in rows.to_dict("records")
            ]
            for table, rows in frames.items()
        }
    if "location" not in tables:
        raise UnreadableFileError(f"{file.name}: the package has no table of locations")
    return records_frame([_row(*each) for each in _nest(tables)], file)


def is_package(file: RawFile) -> bool:
    """Tell whether a file is a ZIP archive with the tables of services and locations."""
    if not next(unpack_chunks(file.path), b"").startswith(ZIP_MAGIC):
        return False
    try:
        with zipfile.ZipFile(file.path) as archive:
            return {"service", "location"} <= {_table_in(name) for name in archive.namelist()}
    except zipfile.BadZipFile:
        return False


def _read_zip(file: RawFile) -> dict[str, list[Record]]:
    with zipfile.ZipFile(file.path) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED_BYTES:
            raise UnreadableFileError(f"{file.name}: unpacks to too much")
        texts = {
            _table_in(name): decode(archive.read(name), "utf-8")
            for name in archive.namelist()
            if name.casefold().endswith(".csv")
        }
    return {
        table: [
            {k: v.strip() for k, v in row.items() if isinstance(v, str) and v.strip() and k}
            for row in csv.DictReader(io.StringIO(text, newline=""))
        ]
        for table, text in texts.items()
    }


def _table_in(name: str) -> str:
    """Return the table of a package's member: "hsds/physical_addresses.csv" is "address"."""
    return _singular(name.rpartition("/")[2].casefold().removesuffix(".csv"))


def _singular(table: str) -> str:
    irregular = {
        "physical_addresses": "address",
        "addresses": "address",
        "regular_schedules": "schedule",
        "services_at_location": "service_at_location",
        "services_taxonomy": "service_taxonomy",
        "taxonomy_terms": "taxonomy",
    }
    return irregular.get(table, table.removesuffix("s"))


def _nest(tables: dict[str, list[Record]]) -> list[tuple[Record, Record, Record]]:
    """Return service, link and location of every row of a package, nested as the API has them."""
    by: dict[str, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for table, rows in tables.items():
        for row in rows:
            for owner in ("service_id", "location_id", "service_at_location_id", "organization_id"):
                if owner in row:
                    by[f"{table}.{owner}"][row[owner]].append(row)

    def members(table: str) -> list[Record]:
        parts = _MEMBERS[table].items()
        rows = [(row, row.get("id", "")) for row in tables.get(table, [])]
        return [row | {n: by[part][key] for n, part in parts if by[part][key]} for row, key in rows]

    def by_id(table: str) -> dict[str, Record]:
        return {row["id"]: row for row in reversed(members(table)) if "id" in row}

    terms = by_id("taxonomy")
    for row in tables.get("service_taxonomy", []):
        row["taxonomy_term"] = terms.get(
            row.get("taxonomy_term_id") or row.get("taxonomy_id") or ""
        )
    organizations, locations, services = map(by_id, ("organization", "location", "service"))
    linked = members("service_at_location")
    linked_ids = {link.get("service_id") for link in linked}
    alone = [
        {"id": key, "service_id": key, "location_id": row.get("location_id", "")}
        for row in tables.get("service", [])
        if (key := row.get("id")) not in linked_ids
    ]
    triples = []
    for link in [*linked, *alone]:
        service = services.get(link.get("service_id", ""), {})
        location = locations.get(link.get("location_id", ""), {})
        owner = service.get("organization_id") or location.get("organization_id") or ""
        triples.append(({**service, "organization": organizations.get(owner, {})}, link, location))
    return triples


# Members of a row that are rows of another table, by the column that names their owner.
_MEMBERS: dict[str, dict[str, str]] = {
    "taxonomy": {},
    "organization": {"phones": "phone.organization_id"},
    "location": {
        "addresses": "address.location_id",
        "phones": "phone.location_id",
        "schedules": "schedule.location_id",
    },
    "service": {
        "phones": "phone.service_id",
        "schedules": "schedule.service_id",
        "languages": "language.service_id",
        "required_documents": "required_document.service_id",
        "service_taxonomy": "service_taxonomy.service_id",
    },
    "service_at_location": {
        "phones": "phone.service_at_location_id",
        "schedules": "schedule.service_at_location_id",
    },
}


def _of_record(record: Record) -> Iterator[Record]:
    """Yield the rows of a service, a service at a location, a location or an organization."""
    if "service" in record and "location" in record:
        yield _row(record.get("service") or {}, record, record.get("location") or {})
    elif isinstance(record.get("services"), list) and record["services"]:
        owner = {k: v for k, v in record.items() if k not in ("services", "locations")}
        for service in record["services"]:
            # A location lists its services, an organization its own and their locations.
            if _addresses(record) or "location_type" in record:
                yield _row(service, {}, record)
            else:
                yield from _of_record({"organization": owner, **service})
    elif record.get("service_at_locations"):
        for link in record["service_at_locations"]:
            yield _row(record, link, link.get("location") or {})
    elif isinstance(record.get("locations"), list) and record["locations"]:
        for location in record["locations"]:
            yield _row(record, {}, location)
    elif _addresses(record) or "location_type" in record:
        yield _row({}, {}, record)
    else:
        yield _row(record, {}, {})


def _row(service: Record, link: Record, location: Record) -> Record:
    owner = service.get("organization") or location.get("organization") or {}
    address = next(iter(_addresses(location)), {})
    levels = (link, service, location, owner)
    terms = _terms(service) + _terms(link)
    ids = (service.get("id"), location.get("id"))
    return {
        "id": link.get("id") or ":".join(str(each) for each in ids if each) or None,
        "name": service.get("name") or location.get("name") or owner.get("name"),
        "organization": owner.get("name"),
        "location_name": location.get("name"),
        "address_1": address.get("address_1"),
        "address_2": address.get("address_2"),
        "city": address.get("city"),
        "state_province": address.get("state_province"),
        "postal_code": address.get("postal_code"),
        "latitude": location.get("latitude"),
        "longitude": location.get("longitude"),
        "phone": next(filter(None, (_phone(level) for level in levels)), None),
        "url": service.get("url")
        or service.get("website")
        or location.get("url")
        or location.get("website")
        or owner.get("website")
        or owner.get("url"),
        "schedule": next(filter(None, (_schedule(level) for level in levels[:3])), None),
        "description": service.get("description"),
        "eligibility_description": service.get("eligibility_description")
        or _text_of(service.get("eligibility"), "eligibility"),
        "application_process": service.get("application_process"),
        "required_document": _text_of(service.get("required_documents"), "document"),
        "languages": _text_of(
            service.get("languages") or location.get("languages"), "name", "language", "code"
        ),
        "interpretation_services": service.get("interpretation_services"),
        "terms": "; ".join(dict.fromkeys(terms)),
        "status": service.get("status"),
        "assured_date": service.get("assured_date"),
        "last_modified": service.get("last_modified"),
    }


def _addresses(location: Record) -> list[Record]:
    """Return addresses that people can go to before others; 2.0 calls them physical_addresses."""
    addresses = location.get("addresses") or location.get("physical_addresses") or []
    addresses = [addresses] if isinstance(addresses, dict) else addresses
    places = [a for a in addresses if isinstance(a, dict) and a.get("address_type") != "postal"]
    return sorted(places, key=lambda a: a.get("address_type") not in (None, "physical"))


def _phone(level: Record) -> str | None:
    for phone in level.get("phones") or ():
        number = phone.get("number") if isinstance(phone, dict) else None
        kind = str(phone.get("type") or phone.get("number_type") or "") if number else ""
        if number and kind.casefold() not in _NO_VOICE:
            extension = phone.get("extension")
            return f"{number} x{extension}" if extension else str(number)
    return None


def _text_of(value: Any, *names: str) -> str | None:
    """Return a text, or the first of the named members of each object of a list, joined."""
    if isinstance(value, list):
        parts = [
            next((str(i[n]) for n in names if i.get(n)), "") for i in value if isinstance(i, dict)
        ]
        return ", ".join(part for part in parts if part) or None
    return str(value) if value else None


def _terms(level: Record) -> list[str]:
    """Return names of taxonomy terms: 3.x has them in attributes, 2.0 in service_taxonomy."""
    terms = []
    for name in (
        "attributes",
        "service_taxonomy",
        "taxonomy",
        "service_taxonomies",
        "taxonomy_terms",
    ):
        for item in level.get(name) or ():
            if isinstance(item, dict):
                term = item.get("taxonomy_term") or item.get("taxonomy_detail") or item
                term = term.get("name") or term.get("term") if isinstance(term, dict) else term
                terms += [str(term)] if term else []
    return terms


def _schedule(level: Record) -> str | None:
    """Write the schedules of a level as text; regular_schedules are those of 2.0. The publisher's
    words for a slot (1.1) go before its members; equal ones of several weekdays count once."""
    schedules = level.get("schedules") or level.get("regular_schedules") or ()
    slots = [
        slot.get("original_text") or _slot(slot) for slot in schedules if isinstance(slot, dict)
    ]
    return "; ".join(dict.fromkeys(str(slot) for slot in slots if slot)) or None


def _slot(slot: Record) -> str | None:
    opens, closes = (
        re.sub(r"^(\d\d:\d\d):.*$", r"\1", str(slot.get(end) or ""))
        for end in ("opens_at", "closes_at")
    )
    days = _days(slot)
    if not opens or days is None:
        return slot.get("description") or slot.get("schedule") or None
    times = f"{opens}-{closes}" if closes else f"from {opens}"
    valid = [str(slot.get(n)) for n in ("valid_from", "valid_to") if slot.get(n)]
    period = f" ({' to '.join(valid)})" if len(valid) == 2 else ""
    return f"{days} {times}".strip() + period


def _days(slot: Record) -> str | None:
    """Return the days of a slot in words; None for a rule that words cannot give safely."""
    if slot.get("weekday"):
        return str(slot["weekday"])
    codes = [code.strip() for code in str(slot.get("byday") or "").split(",") if code.strip()]
    if str(slot.get("interval") or "1") != "1" or slot.get("bymonthday") or slot.get("byweekno"):
        return None
    days = [code if code in WEEKDAYS else describe_weekday(code.upper()) for code in codes]
    names = [day for day in days if day]
    if len(names) < len(days):
        return None
    if any(" " in name for name in names):
        return ", ".join(names) + " of the month"
    if str(slot.get("freq") or "WEEKLY").upper() == "DAILY" and not names:
        return "daily"
    return ", ".join(names) or None
