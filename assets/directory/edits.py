"""Applies approved edits to the golden records: field by field, with their provenance.

An edit overrides a field until the sources have a later value that differs from the corrected one.
An operator's edit beats a reviewer's, and a later edit an earlier one.
"""

import datetime
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from assets.attributes.reading import FACT_COLUMNS, with_facts
from assets.directory.places import CLOSURE, FIELD_GROUPS, Directory
from assets.directory.record_dates import HOURS_DATES, PLACE_DATES, hours_date, is_current
from assets.directory.scores import completeness
from assets.hours.columns import read_hours
from schemas.tables.core import PLACES, RECORD_SOURCES
from schemas.values.contacts import parse_phone
from schemas.vocab.reviews import CONFIRMED_FOR_DAYS, EDITABLE
from schemas.vocab.statuses import DateKind

PLACES_SOURCE = "operations"
CLOSED_RULE = "closed_by_review"
# The weakest first: later ones override.
_AUTHORITIES = ("visitors", "community", "operator")
_LOCATION = ("address", "city", "state", "zip", "lat", "lng")
# Field of an edit -> its group of record fields.
_GROUP_OF = {name: group for group, names in FIELD_GROUPS.items() for name in (group, *names)} | {
    "resource_type": "name"
}
_EDITABLE = tuple(
    "services_text" if name == "services_offered" else name
    for name in EDITABLE
    if name not in {*_LOCATION, "is_active"}
)
# Published fields that change with a field.
_WITH: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_LOCATION, FIELD_GROUPS["lat"]),
    "phone": FIELD_GROUPS["phone"],
    "hours_text": FIELD_GROUPS["hours_text"],
}
Locate = Callable[[pd.DataFrame], pd.DataFrame]
# Kinds of sources whose dates count for hours.
_HOURS_AUTHORITY = {"visitors": "visitor", "community": "community", "operator": "operator"}
# Published fields derived from texts: reread when a text changes.
_READ_FROM = {
    "requirements_text": ("required_documents", "requires_documents", "requires_id"),
    "eligibility_text": (
        "audiences",
        "minimum_age",
        "maximum_age",
        "service_area_text",
        "service_areas",
        "is_service_area_exclusive",
    ),
}


@dataclass(frozen=True)
class EditResult:
    """The edited directory; `closures` (resource_id, rule_id, evidence) go to the rules."""

    directory: Directory
    closures: pd.DataFrame


def no_closures() -> pd.DataFrame:
    return pd.DataFrame(columns=["resource_id", "rule_id", "evidence"]).astype(
        {"resource_id": "Int64", "rule_id": "str", "evidence": "str"}
    )


def apply_edits(
    directory: Directory, edits: pd.DataFrame, as_of: datetime.date, locate: Locate
) -> EditResult:
    """Apply the edits returned by `target_edits` to a merged directory.

    `locate` finds the points of places that moved (columns of PLACES in, of LOCATED out). Edits of
    unknown places have no effect. Without edits the directory is returned unchanged.
    """
    targeted = edits[edits["resource_id"].isin(directory.resources["resource_id"])]
    if targeted.empty:
        return EditResult(directory, no_closures())
    work = _Work(directory, targeted["resource_id"], as_of)
    for edit in targeted.to_dict("records"):
        work.take(edit, locate)
    return work.finish()


def target_edits(edits: pd.DataFrame, identities: pd.DataFrame) -> pd.DataFrame:
    """Return `core_operations_edits__edits` with the current id of each place, the weakest and
    oldest first."""
    if edits.empty:
        return edits
    by_id = identities.drop_duplicates("resource_id").set_index("resource_id")["successor_id"]
    own = identities[identities["source_id"] == PLACES_SOURCE]
    by_key = own.set_index("source_key")["resource_id"]
    target_ids = edits["resource_id"].fillna(edits["target_key"].map(by_key)).astype("Int64")
    successor = target_ids.map(by_id).astype("Int64")
    targets = edits.assign(resource_id=successor.fillna(target_ids))
    strength = targets["edit_authority"].map({a: n for n, a in enumerate(_AUTHORITIES)})
    order = targets.assign(_strength=strength).sort_values(
        ["_strength", "source_updated_date", "source_key"], kind="stable"
    )
    return order.drop(columns="_strength")


class _Work:
    """The records touched by edits, as dictionaries, until all edits are applied."""

    def __init__(self, directory: Directory, edited: pd.Series, as_of: datetime.date) -> None:
        self._directory = directory
        self._as_of = as_of
        self._index = directory.resources.set_index("resource_id")
        # Only the edited places: a frame for each of a hundred thousand takes seconds.
        behind = directory.record_sources
        touched = behind[behind["resource_id"].isin(edited)]
        self._behind = dict(iter(touched.groupby("resource_id")))
        self._changed: dict[int, dict[str, Any]] = {}
        self._supplied: dict[int, list[tuple[dict[str, Any], list[str]]]] = {}
        self._closures: list[dict[str, Any]] = []

    def take(self, edit: dict[str, Any], locate: Locate) -> None:
        resource_id = int(edit["resource_id"])
        record = self._changed.get(resource_id) or self._index.loc[resource_id].to_dict()
        day = pd.Timestamp(edit["source_updated_date"]).date()
        fields = self._fields(edit, record, day, resource_id)
        self._changed[resource_id] = record
        set_values(record, {n: v for n, v in fields.items() if n not in _LOCATION})
        location = {name: value for name, value in fields.items() if name in _LOCATION}
        if location:
            move(record, location, edit, locate)
        supplied = sorted(
            {name for field in fields for name in _WITH.get(field, (name_member(field),))}
        )
        supplied += self._verdict(edit, record, day, resource_id, "hours_text" in fields)
        self._supplied.setdefault(resource_id, []).append((edit, supplied))

    def _fields(
        self, edit: dict[str, Any], record: dict[str, Any], day: datetime.date, resource_id: int
    ) -> dict[str, Any]:
        """Return the fields that the edit changes, except those of which the sources have newer
        values."""
        cleared = set(as_list(edit["cleared_fields"]))
        values = {name: edit[name] for name in (*_EDITABLE, *_LOCATION) if is_known(edit[name])}
        values |= dict.fromkeys(sorted(cleared & {*_EDITABLE, *_LOCATION}))
        base = json.loads(edit["base_json"]) if is_known(edit["base_json"]) else {}
        behind = self._behind[resource_id]
        fields = {}
        for name, value in values.items():
            member, group = name_member(name), name_member(_GROUP_OF.get(name, name))
            if member in base and plain(record.get(member)) != plain(base[member]):
                supplies = [group in list(names) for names in behind["supplied_fields"]]
                dates = pd.to_datetime(behind.loc[supplies, "source_updated_date"]).dropna()
                if len(dates) and dates.max().date() > day:
                    continue
            fields[name] = value
        return fields

    def _verdict(
        self,
        edit: dict[str, Any],
        record: dict[str, Any],
        day: datetime.date,
        resource_id: int,
        has_hours: bool,
    ) -> list[str]:
        """Return the edit's verdict on the whole place: retired, correct, confirmed."""
        day = min(day, self._as_of)
        supplied: list[str] = []
        if is_known(edit["is_active"]) and not edit["is_active"]:
            words = (
                edit["evidence"]
                if is_known(edit["evidence"])
                else f"{edit['source_key']}, approved on {day}"
            )
            closure = {"resource_id": resource_id, "rule_id": CLOSED_RULE, "evidence": words}
            self._closures.append(closure)
            return ["is_active"]
        is_found_right = edit["edit_authority"] == "visitors"
        is_confirmed = bool(edit["is_confirmed"])
        if has_hours and is_known(record["hours_text"]):
            record |= {"hours_source": edit["source_id"], **dict.fromkeys(HOURS_DATES)}
        if has_hours and not is_confirmed:
            record["updated_date"] = later(record["updated_date"], day)
            supplied.append("updated_date")
        if is_confirmed:
            record["confirmed_date"] = later(record["confirmed_date"], day)
            supplied.append("confirmed_date")
        if has_hours or is_confirmed:
            date_hours(record, "confirmed" if is_confirmed else "updated", edit, day)
        elif is_found_right:
            # Anybody may vote, so the votes of visitors confirm nothing.
            date_hours(record, "listed", edit, day)
        if is_confirmed:
            record["last_verified_date"] = later(record["last_verified_date"], day)
            supplied.append("last_verified_date")
            if (self._as_of - day).days <= CONFIRMED_FOR_DAYS:
                record["verification_status"] = "partner_verified"
                supplied.append("verification_status")
        return supplied

    def finish(self) -> EditResult:
        resources = self._with_changed()
        none = no_closures()
        closures = pd.DataFrame(self._closures, columns=none.columns).astype(none.dtypes)
        closures = closures.drop_duplicates("resource_id", keep="last")
        return EditResult(Directory(resources, self._record_sources()), closures)

    def _with_changed(self) -> pd.DataFrame:
        resources = self._directory.resources
        rows = [{"resource_id": i, **record} for i, record in self._changed.items()]
        for row in rows:
            row["source_count"] += len(self._supplied[row["resource_id"]])
        fresh = pd.DataFrame(rows, columns=resources.columns).astype(resources.dtypes)
        fresh["is_hours_current"] = is_current(fresh, pd.Timestamp(self._as_of))
        fresh["completeness_score"], fresh["completeness_missing"] = completeness(
            fresh.assign(services_text=fresh["services_offered"])
        )
        others = resources[~resources["resource_id"].isin(fresh["resource_id"])]
        both = pd.concat([others, fresh.astype(resources.dtypes)], ignore_index=True)
        return both.sort_values("resource_id", kind="stable", ignore_index=True)

    def _record_sources(self) -> pd.DataFrame:
        before = self._directory.record_sources
        touched = before["resource_id"].isin(list(self._supplied))
        rows = before[touched].to_dict("records")
        for resource_id, edits in self._supplied.items():
            edited_fields: set[str] = set()
            # The strongest edit came last: no other record supplies its fields.
            for edit, names in reversed(edits):
                rows.append(
                    _behind(resource_id, edit, [n for n in names if n not in edited_fields])
                )
                edited_fields |= set(names)
            edited_fields -= {
                "is_active",
                *PLACE_DATES,
                "last_verified_date",
                "verification_status",
            }
            for row in rows:
                if (
                    row["resource_id"] == resource_id
                    and row["source_id"] != edits[0][0]["source_id"]
                ):
                    row["supplied_fields"] = [
                        n for n in row["supplied_fields"] if n not in edited_fields
                    ]
        fresh = pd.DataFrame(rows, columns=RECORD_SOURCES.field_names).astype(before.dtypes)
        both = pd.concat([before[~touched], fresh], ignore_index=True)
        return both.sort_values(
            ["resource_id", "is_primary", "source_id", "source_key"],
            ascending=[True, False, True, True],
            kind="stable",
            ignore_index=True,
        )


def _behind(resource_id: int, edit: dict[str, Any], supplied: list[str]) -> dict[str, Any]:
    reasons = {
        "visitors": "visitors reported this listing",
        "community": "an approved edit of this listing",
    }
    return {
        "resource_id": resource_id,
        "source_id": edit["source_id"],
        "source_key": edit["source_key"],
        "is_primary": False,
        "supplied_fields": supplied,
        "retrieved_at": edit["retrieved_at"],
        "source_updated_date": edit["source_updated_date"],
        **{name: edit["source_updated_date"] if name in supplied else None for name in PLACE_DATES},
        "match_reason": reasons.get(
            edit["edit_authority"], "the operator's own word on this listing"
        ),
    }


def date_hours(
    record: dict[str, Any], kind: DateKind, edit: dict[str, Any], day: datetime.date
) -> None:
    """Date a record's hours by an edit, unless their own date vouches for them longer."""
    authority = _HOURS_AUTHORITY[edit["edit_authority"]]
    new_date = hours_date(authority, {kind: day})
    until = record["hours_until_date"]
    if new_date is None or not is_known(record["hours_text"]):
        return
    if not is_known(until) or new_date.until >= pd.Timestamp(until).date():
        record |= dict(zip(HOURS_DATES, new_date, strict=True))


def set_values(record: dict[str, Any], fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        if name == "phone":
            record["phone"], record["phone_e164"] = value, None
        elif name == "services_text":
            parts = [p.strip() for p in (value or "").split(";") if p.strip()]
            record["services_offered"] = parts or None
        elif name == "hours_text":
            hours = read_hours(pd.Series([value], dtype="str")).iloc[0]
            record |= dict.fromkeys(CLOSURE)  # new hours end it, unless they say otherwise
            record |= {
                "hours_text": value,
                "schedules_json": hours["schedules_json"],
                "hours_json": hours["hours_json"],
            }
        else:
            record[name] = list(value) if name == "languages" and value is not None else value
    if fields.get("phone") is not None:
        phone = parse_phone(fields["phone"])
        record["phone_e164"] = phone.e164 if phone else None
    _read_facts(record, fields)


def _read_facts(record: dict[str, Any], fields: dict[str, Any]) -> None:
    """Read attributes from the new texts; those that only an old text stated become unknown."""
    texts = {
        n: fields.get(n)
        for n in ("services_text", "requirements_text", "eligibility_text", "notes", "hours_text")
    }
    if not any(name in fields for name in texts):
        return
    for name, facts in _READ_FROM.items():
        if name in fields:
            record.update(dict.fromkeys(facts))
    row = pd.DataFrame(
        [
            {
                **texts,
                "state": record["state"],
                "accepts_walkins": None,
                "requires_appointment": None,
                "languages": None,
            }
        ]
    )
    statements = with_facts(
        row.astype(
            dict.fromkeys(texts, "str")
            | {"accepts_walkins": "boolean", "requires_appointment": "boolean"}
        )
    ).iloc[0]
    for name in FACT_COLUMNS:
        if name in statements and is_known(statements[name]) and name not in fields:
            value = statements[name]
            record[name] = list(value) if is_list(value) else value


def move(
    record: dict[str, Any], location: dict[str, Any], edit: dict[str, Any], locate: Locate
) -> None:
    """Move the address and its point: the edit's own, else its ZIP code's."""
    place = dict.fromkeys(PLACES.field_names)
    place |= {
        name: record[name] for name in ("name", "resource_type", "address", "city", "state", "zip")
    }
    place |= location | {
        "source_id": edit["source_id"],
        "source_key": edit["source_key"],
        "source_row": 1,
        "file_name": edit["file_name"],
        "is_public": True,
        "is_confidential": bool(record["is_confidential"]),
        "is_synthetic": bool(record["is_synthetic"]),
        "retrieved_at": edit["retrieved_at"],
    }
    if set(location) <= {"address"} and location.get("address") is None:
        place |= {"lat": record["lat"], "lng": record["lng"]}
    frame = pd.DataFrame([place]).astype(
        dict.fromkeys(
            ("address", "city", "state", "zip", "county_name", "location_precision"), "str"
        )
        | {"lat": "float64", "lng": "float64"}
    )
    located = locate(frame)
    if len(located):
        row = located.iloc[0]
        known = {name: row[name] if is_known(row[name]) else None for name in FIELD_GROUPS["lat"]}
        record.update(known)


def name_member(name: str) -> str:
    return "services_offered" if name == "services_text" else name


def later(one: Any, day: datetime.date) -> datetime.date:
    return max(pd.Timestamp(one).date(), day) if is_known(one) else day


def is_known(value: Any) -> bool:
    if value is None or value is pd.NA:
        return False
    return is_list(value) or not pd.isna(value)


def is_list(value: Any) -> bool:
    """Return whether a value is a list; frames return some lists as arrays."""
    return hasattr(value, "__len__") and not isinstance(value, str)


def as_list(value: Any) -> list[Any]:
    return list(value) if is_known(value) else []


def plain(value: Any) -> Any:
    if not is_known(value):
        return None
    return list(value) or None if is_list(value) else value
