"""Golden records: one resource per cluster, each field from the most trusted source record.

Related fields come from one record (a group): an address is never combined with another record's
point. A place that one record calls confidential is confidential, whatever the others say.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from assets.directory.contradictions import apply_notes
from assets.directory.record_dates import PLACE_DATES, hours_dates, is_current, newest_dates
from assets.directory.scores import completeness
from assets.directory.statements import count_agreeing, families
from assets.hours.columns import confirm_long_hours, without_past
from schemas.attributes import ATTRIBUTES
from schemas.sources.registry import Source
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from schemas.vocab.attributes import SERVED_BY_LAW
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.statuses import AUTHORITIES, EXACT_PRECISIONS, LOCATION_PRECISIONS

# Groups of fields supplied by one record together, and the field that must be known for a group to
# count.
FIELD_GROUPS: dict[str, tuple[str, ...]] = {
    "name": ("name", "resource_type"),
    "organization": ("organization",),
    "lat": (
        "address",
        "city",
        "state",
        "zip",
        "county_name",
        "county_fips",
        "census_tract",
        "lat",
        "lng",
        "location_precision",
        "location_method",
        "timezone",
    ),
    "is_confidential": ("is_confidential",),
    "phone": ("phone", "phone_e164"),
    "website": ("website",),
    "hours_text": (
        "hours_text",
        "schedules_json",
        "hours_json",
        "hours_date",
        "hours_date_basis",
        "hours_source",
        "hours_until_date",
    ),
    "services_text": ("services_text",),
    "requirements_text": ("requirements_text",),
    "eligibility_text": ("eligibility_text",),
    "languages": ("languages",),
    "notes": ("notes",),
    **{
        lead.name: tuple(a.name for a in ATTRIBUTES if lead.name in (a.name, a.supplied_with))
        for lead in ATTRIBUTES
        if not lead.supplied_with
    },
}

# Address parts of a confidential place that may be shown: nothing more exact than the town.
_VAGUE = ("county", "city")

# Fields that `supplied_fields` may name, since readers of the record see them.
_PUBLISHED = frozenset(RESOURCES.field_names)


@dataclass(frozen=True)
class Directory:
    """The merged directory. Every publishable located record is in `record_sources` exactly
    once."""

    resources: pd.DataFrame
    record_sources: pd.DataFrame


def rank_records(located: pd.DataFrame, sources: dict[str, Source]) -> pd.Series:
    """Rank records by trust: authority, then date, then exactness of the point, then key.

    Smaller is stronger; the numbers are unique.
    """
    authority = located["source_id"].map(
        {s.id: AUTHORITIES.index(s.authority) for s in sources.values()}
    )
    dates = located["source_updated_date"]
    days = pd.to_datetime(dates).astype("datetime64[s]").astype("int64") // 86_400
    in_order = pd.DataFrame(
        {
            "authority": authority,
            # Unknown dates count as very old.
            "age": -days.where(dates.notna(), -(10**6)),
            "vague": located["location_precision"].map(
                {p: i for i, p in enumerate(LOCATION_PRECISIONS)}
            ),
            "source_id": located["source_id"],
            "source_key": located["source_key"],
        }
    ).sort_values(["authority", "age", "vague", "source_id", "source_key"], kind="stable")
    return pd.Series(np.arange(len(in_order)), index=in_order.index).reindex(located.index)


def rank_values(located: pd.DataFrame, sources: dict[str, Source]) -> pd.Series:
    """Rank records by the closeness of their publisher to the place, then like `rank_records`.

    A list that a program made from other lists ranks below those that people keep.
    """
    far = AUTHORITIES.index("community") + 1
    closeness = located["source_id"].map(
        {s.id: far if s.is_derived else AUTHORITIES.index(s.authority) for s in sources.values()}
    )
    by_trust = rank_records(located, sources)
    order = pd.DataFrame({"closeness": closeness, "trust": by_trust})
    in_order = order.sort_values(["closeness", "trust"], kind="stable")
    return pd.Series(np.arange(len(in_order)), index=in_order.index).reindex(located.index)


def is_publishable(located: pd.DataFrame, place: pd.Series) -> pd.Series:
    """Return which located records may support a resource. `place` identifies the records of one
    place.

    Excluded are records whose licence forbids republishing (`is_public` false), and those of a
    confidential place whose publishable records would all reveal its location.
    """
    public = located["is_public"].astype(bool)
    confidential = is_confidential_place(located, place)
    # Few places are confidential: only their records are checked.
    rows, places = located[confidential], place[confidential]
    showable = public[confidential] & _hides_whereabouts(rows)
    return public & (~confidential | place.isin(places[showable]).astype(bool))


def is_confidential_place(located: pd.DataFrame, place: pd.Series) -> pd.Series:
    """Return whether any record of each record's place calls it confidential."""
    return place.isin(place[located["is_confidential"].astype(bool)]).astype(bool)


def _hides_whereabouts(rows: pd.DataFrame) -> pd.Series:
    vague = rows["location_precision"].isin(_VAGUE)
    return vague & rows["address"].isna() & rows["zip"].isna()


def merge_records(
    located: pd.DataFrame,
    clusters: pd.DataFrame,
    resource_ids: pd.Series,
    ranks: pd.Series,
    sources: dict[str, Source],
    as_of: pd.Timestamp,
    data_license: str,
) -> Directory:
    """Return resources and their source records.

    `clusters`, `resource_ids` and `ranks` are aligned with `located`. Records that are not
    publishable (`is_publishable`) support no published field and create no resource.
    """
    rows = located.assign(
        resource_id=resource_ids,
        rank=ranks,
        match_reason=clusters["match_reason"],
        is_hidden=is_confidential_place(located, resource_ids),
    )
    rows = rows[is_publishable(located, resource_ids)]
    # Hours that have all passed are dropped, and the others dated.
    stated = confirm_long_hours(rows, {s.id: s.publisher for s in sources.values()})
    hours = without_past(rows[["hours_text"]].join(stated), as_of.date())
    dates = hours_dates(rows, sources, as_of).assign(hours_source=rows["source_id"])
    rows = rows.assign(**hours, **dates.where(hours["hours_text"].notna(), None))
    rows = close_for_now(_without_revealing_areas(rows), as_of)
    rows = rows.sort_values(["resource_id", "rank"], kind="stable").reset_index(drop=True)
    family = families(sources)
    suppliers = {
        group: _supplier(rows, group, count_agreeing(rows, group, family)) for group in FIELD_GROUPS
    }
    resources = _resources(rows, suppliers, sources, as_of)
    resources["license"] = data_license
    # Confidence is computed after the rules of automatic changes: `assets.directory.scores`.
    columns = [n for n in RESOURCES.field_names if n in resources]
    return Directory(
        resources[columns],
        _record_sources(rows, suppliers)[RECORD_SOURCES.field_names],
    )


def _without_revealing_areas(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the records without the service area of a confidential place that is its ZIP code."""
    own = zip(rows["service_areas"], "zip:" + rows["zip"], strict=True)
    names_own = [isinstance(areas, list | np.ndarray) and code in areas for areas, code in own]
    reveals = rows["is_hidden"] & pd.Series(names_own, rows.index, dtype=bool)
    names = ["service_area_text", "service_areas", "is_service_area_exclusive"]
    return rows.assign(**{name: rows[name].mask(reveals) for name in names})


def _supplier(rows: pd.DataFrame, group: str, agreeing: pd.Series) -> pd.Series:
    """Return, by resource, the position of the record that supplies a group, NA if none does: the
    strongest of those on whose values most independent lists agree."""
    candidates = rows.index.to_series().where(rows[group].notna())
    if group == "lat":
        candidates = candidates.where(~rows["is_hidden"] | _hides_whereabouts(rows))
    if group == "is_confidential":
        candidates = candidates.where(rows[group].astype(bool) == rows["is_hidden"])
    votes = agreeing.where(candidates.notna(), -1)
    most = votes.groupby(rows["resource_id"]).transform("max")
    candidates = candidates.where(votes == most)
    first = _first(candidates, rows)
    if group == "lat":
        # People walk to an exact point, so it beats a stronger record's ZIP centroid.
        exact = candidates.where(rows["location_precision"].isin(EXACT_PRECISIONS))
        return _first(exact, rows).fillna(first)
    return first


def _first(positions: pd.Series, rows: pd.DataFrame) -> pd.Series:
    return positions.groupby(rows["resource_id"], sort=True).first().astype("Int64")


def _resources(
    rows: pd.DataFrame,
    suppliers: dict[str, pd.Series],
    sources: dict[str, Source],
    as_of: pd.Timestamp,
) -> pd.DataFrame:
    ids = suppliers["name"].index
    parts = [pd.DataFrame({"resource_id": ids.astype("Int64")})]
    for group, names in FIELD_GROUPS.items():
        columns = rows[list(names)].reindex(
            suppliers[group].to_numpy(dtype="float64", na_value=np.nan)
        )
        parts.append(columns.reset_index(drop=True))
    resources = pd.concat(parts, axis=1)
    primary = rows.drop_duplicates("resource_id").reset_index(drop=True)
    resources["is_confidential"] = primary["is_hidden"]
    resources["data_source"] = primary["source_id"]
    resources["retrieved_at"] = primary["retrieved_at"]
    resources["source_updated_date"] = primary["source_updated_date"]
    newest = newest_dates(rows, as_of)
    for name in PLACE_DATES:
        resources[name] = newest[name].to_numpy()
    resources["is_hours_current"] = is_current(resources, as_of)
    resources["is_synthetic"] = primary["is_synthetic"]
    resources["source_url"] = primary["source_id"].map({s.id: s.homepage for s in sources.values()})
    resources["source_count"] = rows.groupby("resource_id", sort=True).size().to_numpy()
    resources["is_active"] = True
    # Split at semicolons and line ends: commas are part of a service.
    services = resources["services_text"]
    lists = {
        text: [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]
        for text in services.dropna().unique()
    }
    resources["services_offered"] = services.map(lists).astype(object)
    resources = apply_notes(resources)
    _complete_by_law(resources)
    resources = with_seasons(resources, as_of)
    status, verified = _verification(rows, sources, as_of)
    resources["verification_status"] = status.to_numpy()
    resources["last_verified_date"] = verified.to_numpy()
    resources["completeness_score"], resources["completeness_missing"] = completeness(resources)
    return resources


def _complete_by_law(resources: pd.DataFrame) -> None:
    """Fill in the groups that a type of place serves by law, if no source states any."""
    for type_id, groups in SERVED_BY_LAW.items():
        is_type = resources["resource_type"] == type_id
        silent = is_type & resources["audiences"].isna()
        resources.loc[silent, "audiences"] = pd.Series(
            [list(groups.audiences)] * int(silent.sum()), resources.index[silent], dtype=object
        )
        for name in ("minimum_age", "maximum_age"):
            age = getattr(groups, name)
            if age is not None:
                unknown = (
                    is_type & resources["minimum_age"].isna() & resources["maximum_age"].isna()
                )
                resources.loc[unknown, name] = age


def _verification(
    rows: pd.DataFrame, sources: dict[str, Source], as_of: pd.Timestamp
) -> tuple[pd.Series, pd.Series]:
    """Return the verification status of each resource and the newest day of its evidence.

    A partner's or registry's listing verifies on the publisher's date; it is valid for the source's
    `verified_for_days`. Without such a listing there is no such day.
    """
    days = (
        rows["source_id"]
        .map({s.id: s.verified_for_days for s in sources.values()})
        .astype("Float64")
    )
    updated = pd.to_datetime(rows["source_updated_date"])
    # A future date is a typing error and verifies nothing.
    verifies = days.notna() & updated.notna() & (updated <= as_of)
    verified_at = updated.where(verifies)
    is_valid = verifies & ((as_of - updated).dt.days <= days.astype("float64")).fillna(False)
    partner = rows["source_id"].map(
        {s.id: s.authority in {"operator", "partner"} for s in sources.values()}
    )
    by = rows["resource_id"]
    is_partner = (is_valid & partner.astype(bool)).groupby(by, sort=True).any()
    is_verified = is_valid.groupby(by, sort=True).any()
    status = pd.Series("unverified", is_verified.index, dtype="str")
    status = status.mask(is_verified, "verified").mask(is_partner, "partner_verified")
    newest = verified_at.groupby(by, sort=True).max()
    return status, newest.dt.date.astype(object).where(newest.notna(), None)


def _record_sources(rows: pd.DataFrame, suppliers: dict[str, pd.Series]) -> pd.DataFrame:
    groups = list(FIELD_GROUPS)
    supplies = np.zeros((len(rows), len(groups)), dtype=bool)
    for number, group in enumerate(groups):
        supplies[suppliers[group].dropna().to_numpy(dtype="int64"), number] = True
    pattern = supplies @ (1 << np.arange(len(groups)))
    lists = {
        code: [
            "services_offered" if name == "services_text" else name
            for i, group in enumerate(groups)
            if code >> i & 1
            for name in FIELD_GROUPS[group]
            if name in _PUBLISHED or name == "services_text"
        ]
        for code in np.unique(pattern).tolist()
    }
    links = rows[
        [
            "resource_id",
            "source_id",
            "source_key",
            "match_reason",
            "retrieved_at",
            "source_updated_date",
            *PLACE_DATES,
        ]
    ].astype(dict.fromkeys(PLACE_DATES, object))
    links["is_primary"] = ~rows.duplicated("resource_id")
    links["supplied_fields"] = pd.Series(
        [lists[int(c)] for c in pattern], index=rows.index, dtype=object
    )
    return links


CLOSURE = ["closure", "closure_text", "closure_until_date"]
_HOURS = ["hours_text", "schedules_json", "hours_json"]
_DATES = ["confirmed_date", "updated_date", "source_updated_date", "listed_date"]


def close_for_now(rows: pd.DataFrame, as_of: pd.Timestamp) -> pd.DataFrame:
    """Return records without closures that have ended or that a newer record contradicts.

    A record contradicts the closure of another with the same `resource_id` if its date is newer and
    it gives hours. The dates of a record are its own before its list's.
    """
    is_closed = rows["closure"].notna()
    if not is_closed.any():
        return rows
    dates = pd.to_datetime(rows[_DATES].astype(object).bfill(axis=1).iloc[:, 0])
    until = pd.to_datetime(rows["closure_until_date"])
    gives_hours = rows["hours_text"].notna() & ~is_closed
    newest = dates.where(gives_hours).groupby(rows["resource_id"]).transform("max")
    has_ended = (until < as_of).fillna(False)
    is_contradicted = (newest > dates).fillna(False)
    over = is_closed & (has_ended | is_contradicted)
    return rows.assign(**{name: rows[name].mask(over) for name in CLOSURE})


def with_seasons(resources: pd.DataFrame, as_of: pd.Timestamp) -> pd.DataFrame:
    """Return resources with the closure of those out of season, and without rules of hours where
    closed: they hold again when it ends."""
    today = as_of.date()
    for kind in RESOURCE_TYPES.values():
        last = kind.last_day_between_seasons(today)
        if last is not None:
            where = (resources["resource_type"] == kind.id) & resources["closure"].isna()
            resources = _assign(resources, where, closure="season", closure_until_date=last)
    is_closed = resources["closure"].notna()
    return _assign(
        resources, is_closed, schedules_json=None, hours_json=None, is_hours_current=False
    )


def _assign(resources: pd.DataFrame, where: pd.Series, **values: object) -> pd.DataFrame:
    """Set columns of some rows, in the types that the columns have."""
    columns = {}
    for name, value in values.items():
        cells = resources[name].astype(object).to_numpy(copy=True)
        cells[where.to_numpy()] = value
        columns[name] = pd.Series(cells, resources.index, dtype=resources[name].dtype)
    return resources.assign(**columns) if where.any() else resources
