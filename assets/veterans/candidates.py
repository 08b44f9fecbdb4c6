"""Collects every record that may be a resource for veterans, in one shape.

Three ways lead here: the register of the Department of Veterans Affairs, places of the food
directory that say they are for veterans, and rows that are no food assistance but legal or other
help for veterans.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from assets.geography.model import Geography
from assets.geography.place_points import locate
from assets.hours.columns import with_hours
from assets.sources.contract import rows_as_json
from assets.veterans.evidence import BY_REGISTER, CONSIDERED_TYPES, of_veterans
from schemas.sources.registry import Source
from schemas.tables.core import PLACES, REJECTS

KEYS = ["source_id", "source_key"]
COLUMNS = [
    *KEYS,
    "place",
    "name",
    "resource_type",
    "resource_subtype",
    "serves_veterans_because",
    "address",
    "city",
    "state",
    "zip",
    "lat",
    "lng",
    "location_precision",
    "location_method",
    "county_fips",
    "census_tract",
    "timezone",
    "phone",
    "phone_e164",
    "website",
    "hours_text",
    "schedules_json",
    "services_text",
    "notes",
    "retrieved_at",
    "source_updated_date",
    "verified_on",
    "is_synthetic",
]
REGISTER = "va_facilities"
# The department's offices for vocational rehabilitation and employment stand among its benefits
# offices.
_TYPE_BY_SUBTYPE = {"Voc Rehab And Employment": "employment"}
# Cemeteries and their offices are places to visit, not resources to turn to; their keys begin so.
_CEMETERY_KEYS = "nca_"
_NOT_FOOD = "not_food_assistance"
# Rows that say none of these are not parsed.
_ABOUT = (
    r"veteran|VFW|American Legion|AMVETS|\bDAV\b|SSVF|VASH|Grant and Per Diem|Purple Heart"
    r"|Marine Corps League"
)


@dataclass(frozen=True)
class Candidates:
    """`records` (`COLUMNS`), one per place; `members` of every place; `rejects`."""

    records: pd.DataFrame
    members: pd.DataFrame
    rejects: pd.DataFrame


def of_register(facilities: pd.DataFrame, geography: Geography, source: Source) -> Candidates:
    """Return the register's facilities without cemeteries; its date is a confirmation."""
    is_cemetery = facilities["source_key"].str.startswith(_CEMETERY_KEYS)
    left_out = _reject(facilities[is_cemetery], "cemetery", "facility_subtype")
    living = facilities[~is_cemetery].reset_index(drop=True)
    located, nowhere = locate(living, geography)
    located = with_hours(located)
    kinds = living.set_index("source_key")
    subtype = located["source_key"].map(kinds["facility_subtype"])
    kind = located["source_key"].map(kinds["facility_type"])
    records = located.assign(
        place=located["source_id"] + ":" + located["source_key"],
        resource_subtype=subtype,
        resource_type=subtype.map(_TYPE_BY_SUBTYPE).fillna(kind).astype("str"),
        serves_veterans_because=BY_REGISTER,
        verified_on=located["source_updated_date"] if source.authority == "registry" else None,
    )
    return _candidates(records, [left_out, nowhere])


def of_directory(
    resources: pd.DataFrame, record_sources: pd.DataFrame, sources: Mapping[str, Source]
) -> Candidates:
    """Return active places for veterans by leading record, without share-alike licences."""
    offered = resources["is_active"] & resources["resource_type"].isin(CONSIDERED_TYPES)
    places = resources[offered.astype(bool)]
    services = places["services_offered"].map(
        lambda items: "; ".join(items) or None, na_action="ignore"
    )
    veterans = of_veterans(places.assign(services_text=services.astype("str")))
    behind = record_sources[record_sources["resource_id"].isin(veterans["resource_id"])]
    leads = behind[behind["is_primary"].astype(bool)].set_index("resource_id")[KEYS]
    veterans = veterans.join(leads, on="resource_id")
    veterans["place"] = "directory:" + veterans["resource_id"].astype("str")
    veterans["verified_on"] = veterans["last_verified_date"]
    bound = {s.id for s in sources.values() if "ODbL" in s.license.id}
    is_bound = veterans["resource_id"].isin(
        behind.loc[behind["source_id"].isin(bound), "resource_id"]
    )
    is_secret = veterans["is_confidential"].astype(bool)
    rejects = [
        _reject(veterans[is_bound], "share_alike_license", "source_id"),
        _reject(veterans[is_secret & ~is_bound], "confidential", "name"),
    ]
    usable = veterans[~is_bound & ~is_secret]
    members = behind.assign(place="directory:" + behind["resource_id"].astype("str"))
    return _candidates(usable, rejects, members[members["place"].isin(usable["place"])])


def of_rejects(
    rejects: pd.DataFrame,
    fetched: pd.DataFrame,
    geography: Geography,
    sources: Mapping[str, Source],
) -> Candidates:
    """Return rows that the food directory rejected as no food assistance and that are help for
    veterans.

    Only of sources that may be published, and only with an address or a telephone number, so that
    readers can go or call. `fetched` has the time of each file: source_id, file_name, retrieved_at.
    """
    free = {
        s.id for s in sources.values() if s.license.is_republishable and "ODbL" not in s.license.id
    }
    is_candidate = rejects["reject_reason"].eq(_NOT_FOOD) & rejects["source_id"].isin(free)
    rows_asked = rejects[is_candidate]
    about = rows_asked["row_json"].str.contains(_ABOUT, case=False).fillna(False)
    candidates = rows_asked[about.astype(bool)]
    with_times = candidates.merge(
        fetched, how="left", on=["source_id", "file_name"], validate="many_to_one"
    )
    rows = [json.loads(text) for text in candidates["row_json"]]
    places = _as_places(rows, with_times["retrieved_at"])
    veterans = of_veterans(places)
    is_reachable = veterans["address"].notna() | veterans["phone"].notna()
    left_out = _reject(veterans[~is_reachable], "no_way_to_reach", "name")
    veterans = veterans[is_reachable & ~veterans["is_confidential"].astype(bool)].reset_index(
        drop=True
    )
    located, nowhere = locate(veterans, geography)
    extra = ["resource_subtype", "resource_type", "serves_veterans_because"]
    located = with_hours(located).drop(columns=extra, errors="ignore")
    located = located.merge(veterans[[*KEYS, *extra]], on=KEYS, validate="one_to_one")
    located["place"] = located["source_id"] + ":" + located["source_key"]
    return _candidates(located.assign(verified_on=None), [left_out, nowhere])


def together(parts: list[Candidates]) -> Candidates:
    """Return all candidates in one."""
    return Candidates(
        _stack([part.records for part in parts], COLUMNS),
        _stack([part.members for part in parts], [*KEYS, "place"]),
        _stack([part.rejects for part in parts], REJECTS.field_names),
    )


# ------------------------------------------------------------------ shapes


def _candidates(
    records: pd.DataFrame, rejects: list[pd.DataFrame], members: pd.DataFrame | None = None
) -> Candidates:
    records = records.reindex(columns=COLUMNS).reset_index(drop=True)
    behind = records if members is None else members
    return Candidates(
        records,
        behind[[*KEYS, "place"]].reset_index(drop=True),
        _stack(rejects, REJECTS.field_names),
    )


def _stack(frames: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    nonempty = [frame[columns] for frame in frames if len(frame)]
    return pd.concat(nonempty, ignore_index=True) if nonempty else pd.DataFrame(columns=columns)


def _reject(rows: pd.DataFrame, reason: str, detail: str) -> pd.DataFrame:
    rejects = rows.reindex(columns=REJECTS.field_names).assign(
        reject_reason=reason, reject_detail=rows[detail].astype("str")
    )
    # A place of the directory represents several rows of files.
    rejects["file_name"] = rejects["file_name"].astype("str").fillna("core_directory__resources")
    rejects["source_row"] = rejects["source_row"].astype("Int64").fillna(1)
    rejects["row_json"] = rows_as_json(rows)
    return rejects


def _as_places(rows: list[dict[str, object]], retrieved_at: pd.Series) -> pd.DataFrame:
    """Return rows of the table of rejects in the columns of places; `resource_type` is missing."""
    places = pd.DataFrame(rows).reindex(columns=PLACES.field_names)
    texts = [f.name for f in PLACES.fields if f.type == "string"]
    places = places.astype(dict.fromkeys(texts, "str"))
    places["retrieved_at"] = pd.to_datetime(retrieved_at.array, utc=True)
    updated = pd.to_datetime(places["source_updated_date"]).astype(object)
    places["source_updated_date"] = updated.map(lambda d: d.date(), na_action="ignore")
    for name in ("lat", "lng"):
        places[name] = places[name].astype("float64")
    for name in ("is_confidential", "is_public", "is_synthetic"):
        places[name] = places[name].astype("boolean").fillna(False)
    return places
