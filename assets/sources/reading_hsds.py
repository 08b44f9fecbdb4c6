"""Human Services Data Specification (HSDS) packages: services at locations of organizations, one
file per table.

Packages differ in names (Ohana's ancestor of HSDS, prefixed columns) and in the columns that they
fill. A source names its files after the tables (`layout: services`) and says how its columns are
called; the joins are made here.
"""

from collections.abc import Mapping

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.languages import language_tags
from assets.sources.reading import as_number, join_texts
from assets.sources.reading_table import read_table

Tables = dict[str, pd.DataFrame]

_COLUMNS: dict[str, tuple[str, ...]] = {
    "services": ("id", "name", "description"),
    "locations": ("id", "name"),
    "organizations": ("id", "name"),
    "physical_addresses": ("location_id", "address_1", "city", "state_province", "postal_code"),
    "phones": ("number",),
    "regular_schedules": ("service_id", "weekday", "opens_at", "closes_at"),
    "languages": ("service_id", "language"),
    "taxonomy": ("id", "name"),
    "services_taxonomy": ("service_id", "taxonomy_id"),
}
# Tables that a package need not have.
_OPTIONAL: dict[str, tuple[str, ...]] = {
    "services": (
        "organization_id",
        "location_id",
        "url",
        "status",
        "eligibility",
        "application_process",
        "required_documents",
        "fees",
        "languages",
    ),
    "locations": ("organization_id", "latitude", "longitude", "url"),
    "organizations": ("url",),
    "physical_addresses": ("address_2",),
    "phones": ("service_id", "location_id", "organization_id", "extension", "type"),
    "regular_schedules": ("original_text",),
}
_NO_VOICE = ("fax", "tty", "tdd", "pager")


def read_tables(file: RawFile, names: Mapping[str, Mapping[str, str]] | None = None) -> Tables:
    """Return all tables of the package that a file belongs to, columns renamed to HSDS as `names`
    says by table.

    A table that is not there is empty. Raises UnreadableFileError when a table lacks its own
    columns.
    """
    return {
        table: _table(file.companion(table), table, (names or {}).get(table, {}))
        for table in _COLUMNS
    }


def _table(file: RawFile | None, table: str, names: Mapping[str, str]) -> pd.DataFrame:
    wanted = [*_COLUMNS[table], *_OPTIONAL.get(table, ())]
    if file is None:
        return pd.DataFrame(columns=[*wanted, "source_row"], dtype="str")
    own = {hsds: name for name, hsds in names.items()}
    rows = read_table(
        file,
        required=[own.get(name, name) for name in _COLUMNS[table]],
        optional=[own.get(name, name) for name in _OPTIONAL.get(table, ())],
    )
    rows = rows.rename(columns=dict(names))
    for name in wanted:
        if name not in rows:
            rows[name] = pd.Series(None, rows.index, dtype="str")
    return rows


def services_at_locations(links: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Return one row per link (`source_row`, `service_id`, `location_id`, `organization_id`) with
    the columns of the tables.

    Columns are the contract's, without type and key, plus `terms` (taxonomy terms, "; " between),
    `description` and `status`.
    """
    service, place, owner = links["service_id"], links["location_id"], links["organization_id"]
    services, locations = tables["services"], tables["locations"]
    organizations, addresses = tables["organizations"], tables["physical_addresses"]
    spoken = _languages(tables["languages"])
    tags = language_tags(
        service.map(spoken).astype("str").fillna(_of(services, "languages", service))
    )
    return pd.DataFrame(
        {
            "source_row": links["source_row"],
            "name": _of(services, "name", service).fillna(_of(locations, "name", place)),
            "organization": _of(organizations, "name", owner),
            "address": join_texts(
                _of(addresses, "address_1", place, by="location_id"),
                _of(addresses, "address_2", place, by="location_id"),
                separator=", ",
            ),
            "city": _of(addresses, "city", place, by="location_id"),
            "state": _of(addresses, "state_province", place, by="location_id"),
            "zip": _of(addresses, "postal_code", place, by="location_id"),
            "lat": as_number(_of(locations, "latitude", place)),
            "lng": as_number(_of(locations, "longitude", place)),
            "phone": _phones(tables["phones"], links),
            "website": _of(services, "url", service)
            .fillna(_of(locations, "url", place))
            .fillna(_of(organizations, "url", owner)),
            "hours_text": service.map(_hours(tables["regular_schedules"])).astype("str"),
            "eligibility_text": _of(services, "eligibility", service),
            "requirements_text": join_texts(
                _of(services, "application_process", service),
                _of(services, "required_documents", service),
                separator="\n",
            ),
            "languages": tags,
            "terms": service.map(_terms(tables)).astype("str"),
            "description": _of(services, "description", service),
            "fees": _of(services, "fees", service),
            "status": _of(services, "status", service),
        }
    )


def _of(table: pd.DataFrame, column: str, ids: pd.Series, by: str = "id") -> pd.Series:
    """Return a column of a table by id; the first filled row of an id counts."""
    known = table[[by, column]].dropna().drop_duplicates(by).set_index(by)[column]
    return ids.map(known).astype("str")


def _phones(phones: pd.DataFrame, links: pd.DataFrame) -> pd.Series:
    """Return the service's own number, else the location's, else the organization's; no fax."""
    kind = phones["type"].str.casefold()
    voices = phones[~kind.isin(_NO_VOICE)]
    numbers = voices.assign(number=join_texts(voices["number"], "x" + voices["extension"]))
    found = pd.Series(None, links.index, dtype="str")
    for owner in ("service_id", "location_id", "organization_id"):
        found = found.fillna(_of(numbers, "number", links[owner], by=owner))
    return found


def _hours(schedules: pd.DataFrame) -> dict[str, str]:
    """Return hours by service: their original text, else the slots in order."""
    slots = join_texts(
        schedules["weekday"],
        join_texts(schedules["opens_at"], schedules["closes_at"], separator="-"),
    )
    slots = slots.where(schedules["opens_at"].notna())
    frame = schedules.assign(slot=slots)
    made = frame.dropna(subset=["service_id", "slot"]).groupby("service_id")["slot"].agg("; ".join)
    texts = frame.dropna(subset=["service_id", "original_text"]).drop_duplicates("service_id")
    return {**made.to_dict(), **dict(zip(texts["service_id"], texts["original_text"], strict=True))}


def _languages(languages: pd.DataFrame) -> dict[str, str]:
    rows = languages.dropna(subset=["service_id", "language"])
    spoken: dict[str, str] = rows.groupby("service_id")["language"].agg(", ".join).to_dict()
    return spoken


def _terms(tables: Tables) -> dict[str, str]:
    """Return names of the taxonomy terms by service, "; " between."""
    names = tables["taxonomy"].dropna(subset=["id", "name"]).drop_duplicates("id")
    rows = tables["services_taxonomy"].dropna(subset=["service_id", "taxonomy_id"])
    named = rows.assign(term=rows["taxonomy_id"].map(names.set_index("id")["name"]))
    by_service = named.dropna(subset=["term"]).groupby("service_id")["term"]
    terms: dict[str, str] = by_service.agg("; ".join).to_dict()
    return terms
