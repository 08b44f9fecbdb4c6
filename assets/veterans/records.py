"""Builds the data set from candidates: one row per resource, under a permanent id."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd

from assets.directory.identity import assign_ids
from assets.matching.streets import AddressRelation, compare_streets, read_street
from assets.probes.assets import validate_phones
from assets.veterans.candidates import KEYS, REGISTER, Candidates
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_RESOURCES
from schemas.values.instants import instant_text
from schemas.vocab.states import STATES
from schemas.vocab.statuses import PROBE_SUCCESSES
from schemas.vocab.veterans import COMPLETENESS_POINTS, RECENT_DAYS, VETERAN_LICENSE
from warehouse.release.changes import time_of

# Points of a town say nothing of a place: units that move have only the town of their base.
_NO_POINT = ("city", "county")
# The department's hosts answer https only (the whole domain is on the browsers' preload list).
_HTTPS_ONLY = r"^http://((?:[\w-]+\.)*va\.gov(?:[:/?#]|$))"
_TIMES = ("created_at", "updated_at")


@dataclass(frozen=True)
class Veterans:
    """The tables of the data set: `out_veterans__resources`, its details, the registry of ids."""

    resources: pd.DataFrame
    details: pd.DataFrame
    identities: pd.DataFrame


def build_veterans(
    candidates: Candidates,
    probes: pd.DataFrame,
    previous: pd.DataFrame | None,
    previous_identities: pd.DataFrame | None,
    release_id: str,
    as_of: date,
) -> Veterans:
    """Return the data set of one release.

    `probes` are `core_directory__website_probes`; `previous` is `out_veterans__resources` of the
    served release, from which the times of creation and change are carried on. Equal inputs give
    equal rows.
    """
    place = same_places(candidates.records)
    records = candidates.records.assign(place=place)
    members = candidates.members.assign(
        place=candidates.members["place"].map(
            dict(zip(candidates.records["place"], place, strict=True))
        )
    )
    members, ids, identities = _with_ids(members, records, previous_identities, release_id)
    leads = _leads(records, dict(zip(members["place"], ids, strict=True)))
    rows = _columns(leads, probes, as_of)
    rows = rows.assign(**_times(rows, previous, instant_text(time_of(release_id))))
    return Veterans(
        rows[VETERAN_RESOURCES.field_names],
        _details(leads, members.assign(id=ids)),
        identities,
    )


# ------------------------------------------------------------------ which are one place


def same_places(records: pd.DataFrame) -> pd.Series:
    """Return `place` of every record; a record that repeats one of the register gets the register's
    place.

    The same place is: the same type, ZIP code and street address. A clinic and the treatment for
    mental health in it are two resources, two entries of the register always are.
    """
    place = records["place"].copy()
    is_register = records["source_id"].eq(REGISTER)
    comparable = records["address"].notna() & records["zip"].notna()
    groups = records[comparable].groupby(["resource_type", "zip"], sort=False).groups
    for labels in groups.values():
        own = [label for label in labels if is_register[label]]
        for label in (label for label in labels if not is_register[label]):
            street = read_street(records.at[label, "address"])
            for other in own:
                relation = compare_streets(street, read_street(records.at[other, "address"]))
                if relation is AddressRelation.SAME:
                    place[label] = records.at[other, "place"]
                    break
    return place


def _with_ids(
    members: pd.DataFrame, records: pd.DataFrame, previous: pd.DataFrame | None, release_id: str
) -> tuple[pd.DataFrame, pd.Series, pd.DataFrame]:
    members = members.sort_values(["place", *KEYS], kind="stable", ignore_index=True)
    leading = set(zip(records["source_id"], records["source_key"], strict=True))
    is_lead = [
        key in leading for key in zip(members["source_id"], members["source_key"], strict=True)
    ]
    order = np.where(members["source_id"].eq(REGISTER), 0, np.where(is_lead, 1, 2))
    clusters = members.rename(columns={"place": "cluster_id"})
    ranks = pd.Series(order, members.index)
    ids, identities = assign_ids(clusters, ranks, previous, release_id)
    return members, ids, identities


def _leads(records: pd.DataFrame, id_by_place: Mapping[str, int]) -> pd.DataFrame:
    """Return every place's leading record, gaps filled by the others."""
    in_order = records.assign(
        id=records["place"].map(id_by_place).astype("Int64"),
        is_other=~records["source_id"].eq(REGISTER),
    ).sort_values(["id", "is_other", *KEYS], kind="stable")
    leads = in_order.drop_duplicates("id").set_index("id", drop=False)
    repeated = in_order[in_order["id"].duplicated(keep=False)]
    for name in ("phone", "website", "hours_text"):
        group = [name, "phone_e164"] if name == "phone" else [name]
        group += ["schedules_json"] if name == "hours_text" else []
        values = repeated[repeated[name].notna()].drop_duplicates("id").set_index("id")[group]
        gaps = leads.index[leads[name].isna() & leads.index.isin(values.index)]
        if len(gaps):
            leads.loc[gaps, group] = values.loc[gaps, group].to_numpy()
    return leads.reset_index(drop=True)


# ------------------------------------------------------------------ columns


def _columns(leads: pd.DataFrame, probes: pd.DataFrame, as_of: date) -> pd.DataFrame:
    rows = leads.assign(license=VETERAN_LICENSE)
    successes = probes[probes["probe_result"].isin(PROBE_SUCCESSES)].set_index("website")
    rows["website"] = _https(leads["website"], successes)
    vague = leads["location_precision"].isin(_NO_POINT) | leads["location_precision"].isna()
    for axis in ("lat", "lng"):
        rows[axis] = leads[axis].astype("float64").round(6).mask(vague)
    fips = leads["state"].map({s.code: s.fips for s in STATES.values()}).astype("str")
    rows["fips_state"] = fips
    county, tract = leads["county_fips"].astype("str"), leads["census_tract"].astype("str")
    rows["fips_county"] = county.str.slice(2).where(county.str.slice(0, 2).eq(fips))
    rows["fips_tract"] = tract.str.slice(5).where(tract.str.slice(0, 5).eq(county))
    validations = validate_phones(leads[["phone_e164", "state"]], None, as_of)
    keyed = validations.drop_duplicates("phone_e164").set_index("phone_e164")
    is_plausible = (keyed["is_possible"] & keyed["is_valid"]).astype("boolean")
    rows["phone_verified"] = leads["phone_e164"].map(is_plausible).astype("boolean")
    answers = leads["website"].map(successes["last_success_at"]) if len(successes) else None
    rows["verified_date"] = _newest(leads["verified_on"], answers)
    rows["completeness_score"] = completeness(rows, as_of)
    return rows


def _https(websites: pd.Series, successes: pd.DataFrame) -> pd.Series:
    """Return https addresses: already https, of known hosts, or proved by a probe."""
    text = websites.astype("str").str.replace(_HTTPS_ONLY, r"https://\1", regex=True)
    text = text.str.replace(r"^https://", "https://", regex=True, case=False)
    arrived = websites.map(successes["final_url"].dropna()).astype("str")
    text = text.where(text.str.startswith("https://").fillna(False), arrived)
    return text.where(text.str.fullmatch(r"https://\S+").fillna(False))


def _newest(confirmed: pd.Series, answer_times: pd.Series | None) -> pd.Series:
    """Return the later of two dates as YYYY-MM-DD text; missing if neither is known."""
    days = pd.to_datetime(confirmed)
    if answer_times is not None:
        instants = pd.to_datetime(answer_times, utc=True).dt.tz_localize(None)
        days = pd.concat([days, instants], axis=1).max(axis=1)
    return days.dt.strftime("%Y-%m-%d").astype("str")


def completeness(rows: pd.DataFrame, as_of: date) -> pd.Series:
    """Return `completeness_score` by `COMPLETENESS_POINTS`, judged on the day `as_of`."""
    verified = pd.to_datetime(rows["verified_date"])
    age = (pd.Timestamp(as_of) - verified).dt.days
    has_part = {
        "phone": rows["phone"].notna(),
        "website": rows["website"].notna(),
        "address": rows["address"].notna(),
        "coordinates": rows[["lat", "lng"]].notna().all(axis=1),
        "fips_state": rows["fips_state"].notna(),
        "fips_county": rows["fips_county"].notna(),
        "fips_tract": rows["fips_tract"].notna(),
        "verified_within_a_year": age.le(RECENT_DAYS).fillna(False),
    }
    score = sum(
        is_known.astype("int64") * COMPLETENESS_POINTS[n] for n, is_known in has_part.items()
    )
    return pd.Series(score, index=rows.index, dtype="Int64")


# ------------------------------------------------------------------ times and details


def _times(rows: pd.DataFrame, previous: pd.DataFrame | None, now: str) -> dict[str, pd.Series]:
    """Return `created_at` and `updated_at`; unchanged rows have the served release's."""
    created = pd.Series(now, index=rows.index, dtype="str")
    if previous is None or previous.empty:
        return {"created_at": created, "updated_at": created}
    before = previous.set_index("id")
    was_created = rows["id"].map(before["created_at"])
    is_same = rows["id"].map(_content(before.reset_index())).eq(_content(rows).to_numpy())
    was_updated = rows["id"].map(before["updated_at"]).where(is_same.fillna(False).astype(bool))
    return {
        "created_at": was_created.fillna(created).astype("str"),
        "updated_at": was_updated.fillna(created).astype("str"),
    }


def _content(rows: pd.DataFrame) -> pd.Series:
    """Return the text of every row without its times, by id."""
    names = [n for n in VETERAN_RESOURCES.field_names if n not in {"id", *_TIMES}]
    texts = rows[names].astype("str").fillna("")
    content = texts[names[0]].str.cat([texts[n] for n in names[1:]], sep="\x1f")
    return pd.Series(content.to_numpy(), index=rows["id"].to_numpy())


def _details(leads: pd.DataFrame, members: pd.DataFrame) -> pd.DataFrame:
    lead = leads[["id", *KEYS]].assign(is_lead=True)
    others = members.merge(lead, how="left", on=["id", *KEYS])
    others = others[others["is_lead"].isna()]
    keys = (others["source_id"] + ":" + others["source_key"]).groupby(others["id"]).agg(list)
    key_lists = leads["id"].map(keys).astype(object)
    details = leads.assign(
        other_records=pd.Series(
            [key_list if isinstance(key_list, list) else [] for key_list in key_lists],
            index=leads.index,
        )
    )
    return details[VETERAN_DETAILS.field_names]
