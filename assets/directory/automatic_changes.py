"""Applies the rules of automatic changes to a release and logs their changes.

Every release is built from the sources, so every rule is evaluated each time. The log lists only
new events: a change on its first day, and its reversal when the condition ends.
"""

import datetime

import numpy as np
import pandas as pd

from assets.directory.scores import completeness
from assets.geography.points import miles_between
from schemas.tables.core import AUTOMATIC_CHANGES, RULE_OBSERVATIONS
from schemas.values.coordinates import MEAN_RADIUS_M, METRES_PER_MILE
from schemas.vocab.reviews import CHANGE_RULES
from schemas.vocab.statuses import EXACT_PRECISIONS

_MILES_PER_DEGREE = np.pi * MEAN_RADIUS_M / 180 / METRES_PER_MILE
_KEY = ["resource_id", "rule_id"]
_STANDING = [*_KEY, "changed_field"]
# Order of effects: clearing a website may turn a listing into a dead end.
_RELEASE_RULES = ("website_failing", "point_far_from_zip", "dead_end")
_CLOSED_RULE = "closed_by_review"


def no_changes() -> pd.DataFrame:
    """Return an empty audit, before the first change."""
    return pd.DataFrame(columns=AUTOMATIC_CHANGES.field_names).astype({"resource_id": "Int64"})


def no_observations() -> pd.DataFrame:
    """Return an empty table of observations."""
    return pd.DataFrame(columns=RULE_OBSERVATIONS.field_names).astype(
        {"resource_id": "Int64", "observation_count": "Int64"}
    )


def observe(
    resources: pd.DataFrame,
    zips: pd.DataFrame,
    probes: pd.DataFrame,
    previous: pd.DataFrame,
    as_of: datetime.date,
) -> pd.DataFrame:
    """Return `core_directory__rule_observations`: the conditions that hold today, with the number
    of consecutive observations.

    A second build on the same day is not another observation. A far point counts again only if the
    source has published another edition. Past conditions are deleted.
    """
    signs = pd.concat([_far_from_zip(resources, zips), _failing(resources, probes)])
    observations = signs.merge(
        previous[[*_KEY, "observation_count", "first_observed_on", "last_observed_on"]],
        how="left",
        on=_KEY,
    )
    before = observations["observation_count"].astype("Int64").fillna(0)
    last, is_new = pd.to_datetime(observations["last_observed_on"]), before == 0
    arrived = observations["resource_id"].map(resources.set_index("resource_id")["retrieved_at"])
    arrived_on = pd.to_datetime(arrived, utc=True).dt.tz_localize(None).dt.normalize()
    is_news = (observations["rule_id"] != "point_far_from_zip") | (arrived_on > last)
    another_day = is_new | ((last < pd.Timestamp(as_of)) & is_news)
    observations["observation_count"] = before + another_day.astype("Int64")
    observations["first_observed_on"] = _dates(observations["first_observed_on"], is_new, as_of)
    observations["last_observed_on"] = _dates(observations["last_observed_on"], another_day, as_of)
    return observations[RULE_OBSERVATIONS.field_names]


def _dates(dates: pd.Series, replace: pd.Series, as_of: datetime.date) -> pd.Series:
    return dates.astype(object).mask(replace.astype(bool), as_of)


def _far_from_zip(resources: pd.DataFrame, zips: pd.DataFrame) -> pd.DataFrame:
    """Return exact points far from the center of their ZIP code, unless the center is doubtful."""
    sure = zips[zips["lat"].notna() & ~zips["is_quality_low"] & (zips["zip_kind"] != "military")]
    rows = resources[resources["location_precision"].isin(EXACT_PRECISIONS)]
    with_points = rows[["resource_id", "zip", "lat", "lng"]].merge(
        sure[["zip", "lat", "lng"]], on="zip", suffixes=("", "_zip")
    )
    points = [with_points[n].to_numpy(np.float64) for n in ("lat", "lng", "lat_zip", "lng_zip")]
    miles = miles_between(points[0], points[1], points[2], points[3])
    degrees = miles / _MILES_PER_DEGREE
    far = degrees > CHANGE_RULES["point_far_from_zip"].threshold
    words = [
        f"{d:.2f} degrees ({m:.0f} miles) from the middle of ZIP code {z}"
        for d, m, z in zip(degrees[far], miles[far], with_points.loc[far, "zip"], strict=True)
    ]
    return _observations(with_points.loc[far, "resource_id"], "point_far_from_zip", words)


def _failing(resources: pd.DataFrame, probes: pd.DataFrame) -> pd.DataFrame:
    bad = probes[probes["failures_in_row"] >= CHANGE_RULES["website_failing"].threshold]
    failing = resources[["resource_id", "website"]].merge(bad, on="website")
    words = [
        f"{url} failed {n} times in a row, last on {at:%Y-%m-%d}: {detail}"
        for url, n, at, detail in zip(
            failing["website"],
            failing["failures_in_row"],
            failing["probed_at"],
            failing["probe_detail"],
            strict=True,
        )
    ]
    return _observations(failing["resource_id"], "website_failing", words)


def _observations(ids: pd.Series, rule_id: str, evidence: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "resource_id": ids.astype("Int64").to_numpy(),
            "rule_id": pd.array([rule_id] * len(ids), dtype="str"),
            "evidence": pd.array(evidence, dtype="str"),
        }
    ).astype({"resource_id": "Int64"})


def apply_rules(
    resources: pd.DataFrame,
    observations: pd.DataFrame,
    previous_audit: pd.DataFrame,
    as_of: datetime.date,
    release_id: str,
    closures: pd.DataFrame | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return resources after the rules, and an audit row for each change or reversal missing in
    `previous_audit`.

    `observations` come from `observe`; `closures` (resource_id, rule_id, evidence) are reviewers'
    decisions. The first matching rule deactivates a listing.
    """
    resources_after = resources.copy(deep=False)
    effects = []
    for rule_id in _RELEASE_RULES:
        if rule_id == "dead_end":
            evidence = dead_ends(resources_after)
        else:
            needed = CHANGE_RULES[rule_id].observations
            is_enough = observations["observation_count"] >= needed
            is_enough &= observations["rule_id"] == rule_id
            evidence = observations.loc[is_enough, [*_KEY, "evidence"]]
        resources_after, effect = _apply(resources_after, rule_id, evidence)
        effects.append(effect)
    if closures is not None and len(closures):
        resources_after, effect = _apply(resources_after, _CLOSED_RULE, closures)
        effects.append(effect)
    cleared = resources_after["resource_id"].isin(effects[0]["resource_id"])
    if cleared.any():
        resources_after = _rescore(resources_after, cleared)
    all_effects = pd.concat(effects, ignore_index=True)
    return resources_after, _audit(all_effects, resources_after, previous_audit, as_of, release_id)


def dead_ends(resources: pd.DataFrame) -> pd.DataFrame:
    """Return unverified listings of the rule's types by which no visitor could find food."""
    by_type = resources["resource_type"].isin(CHANGE_RULES["dead_end"].types)
    unverified = resources["verification_status"] == "unverified"
    ways = resources[["phone", "website", "hours_text", "schedules_json"]].notna().any(axis=1)
    numbered = resources["address"].str.contains(r"\d", regex=True).fillna(False).astype(bool)
    exact = resources["location_precision"].isin(EXACT_PRECISIONS)
    dead = by_type & unverified & ~ways & ~numbered & ~exact
    words = "unverified; no phone, website, hours, house number or exact point"
    return _observations(resources.loc[dead, "resource_id"], "dead_end", [words] * int(dead.sum()))


def _apply(
    resources: pd.DataFrame, rule_id: str, observations: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the effect of one rule, and its changes (audit columns except date and release)."""
    field = CHANGE_RULES[rule_id].field
    evidence = resources["resource_id"].map(observations.set_index("resource_id")["evidence"])
    is_flag = field == "is_active"
    target = evidence.notna() & (resources[field] if is_flag else resources[field].notna())
    target = target.astype(bool)
    changes = pd.DataFrame(
        {
            "resource_id": resources.loc[target, "resource_id"].to_numpy(),
            "rule_id": rule_id,
            "changed_field": field,
            "old_value": np.where(is_flag, "true", resources.loc[target, field].astype(object)),
            "new_value": "false" if is_flag else None,
            "evidence": evidence[target].to_numpy(dtype=object),
        }
    ).astype({"resource_id": "Int64"})
    cleared = resources[field].mask(target, False if is_flag else None)
    return resources.assign(**{field: cleared}) if target.any() else resources, changes


def _rescore(resources: pd.DataFrame, where: pd.Series) -> pd.DataFrame:
    """Recompute completeness of listings whose website was cleared."""
    rows = resources[where]
    score, missing = completeness(rows.assign(services_text=rows["services_offered"]))
    scores, gaps = resources["completeness_score"].copy(), resources["completeness_missing"].copy()
    scores[where], gaps[where] = score, missing
    return resources.assign(completeness_score=scores, completeness_missing=gaps)


def _audit(
    effects: pd.DataFrame,
    resources: pd.DataFrame,
    previous: pd.DataFrame,
    as_of: datetime.date,
    release_id: str,
) -> pd.DataFrame:
    latest = previous.sort_values(["observed_on", "release_id"], kind="stable")
    latest = latest.drop_duplicates(_STANDING, keep="last")
    # A reversal makes a listing active again, or gives it its website again.
    is_flag = latest["changed_field"] == "is_active"
    is_active_again = is_flag & (latest["new_value"] == "true")
    standing = latest[~(is_active_again | (~is_flag & latest["old_value"].isna()))]
    # Clearing a second website of a listing is a second change: the old value distinguishes them.
    before = _keys(standing, [*_STANDING, "old_value"])
    fresh = effects[~_keys(effects, [*_STANDING, "old_value"]).isin(before)]
    lapsed = standing[~_keys(standing, _STANDING).isin(_keys(effects, _STANDING))]
    lapsed = lapsed[lapsed["resource_id"].isin(resources["resource_id"])]
    website = lapsed["resource_id"].map(resources.set_index("resource_id")["website"])
    back = lapsed.assign(
        old_value=lapsed["new_value"],
        new_value=website.astype(object).mask(lapsed["changed_field"] == "is_active", "true"),
        evidence="the condition has ended",
    )
    parts = [p for p in (fresh, back) if len(p)]
    changes = [p.assign(observed_on=as_of, release_id=release_id) for p in parts]
    if not changes:
        return no_changes()
    return pd.concat(changes, ignore_index=True)[AUTOMATIC_CHANGES.field_names]


def _keys(frame: pd.DataFrame, names: list[str]) -> pd.Series:
    """Return one key text per row, equal if the columns are equal."""
    texts = [
        frame[name].astype(object).where(frame[name].notna(), "").astype("str") for name in names
    ]
    keys = texts[0]
    for text in texts[1:]:
        keys = keys + "\x1f" + text
    return keys
