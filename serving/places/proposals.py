"""Validates public submissions against the current release."""

import re
from collections.abc import Mapping
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import msgspec

from schemas.api.writing import EditedMember, NewSubmission, PartnerListing
from schemas.values import place_fields
from schemas.values.names import fold_name
from schemas.vocab.reviews import EDITABLE, NEVER_EMPTY, REQUIRED_OF_SUBMISSION, SUBMITTED
from serving.http.errors import ServiceProblem, invalid, make_gone_problem
from serving.places.listings import Listing, listings_in_zip
from warehouse.index.reader import OpenRelease
from warehouse.operations.reviews import Submitter

_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]+\.[^@\s.]{2,}")
# Names less alike than this are other places.
LEAST_SIMILARITY = 0.6
MAX_MATCHES = 10


_SHOWN_TO_PARTNERS = set(PartnerListing.__struct_fields__) & set(Listing._fields)


# ---------------------------------------------------------------- submissions


def read_submission(data: NewSubmission) -> tuple[dict[str, Any], Submitter]:
    """Return a submission in its one form. Raises ServiceProblem (400) naming every wrong field
    and its rule."""
    place: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for name, kind in SUBMITTED.items():
        raw = getattr(data, name)
        try:
            value = None if raw is None else place_fields.read_field(name, kind, raw)
            if value is None and name in REQUIRED_OF_SUBMISSION:
                raise place_fields.FieldFaultError(name, "required")
            place[name] = value
        except place_fields.FieldFaultError as fault:
            faults[fault.field] = fault.rule
    if not {"zip", "state"} & faults.keys():
        try:
            place_fields.check_zip_of_state(place["zip"], place["state"])
        except place_fields.FieldFaultError as fault:
            faults[fault.field] = fault.rule
    submitter = _submitter(data, faults)
    if faults:
        raise refuse_fields(faults)
    return {name: value for name, value in place.items() if value is not None}, submitter


def _submitter(data: NewSubmission, faults: dict[str, str]) -> Submitter:
    if data.submitter_email and not _EMAIL.fullmatch(data.submitter_email.strip()):
        faults["submitter_email"] = "an e-mail address"
    texts = []
    for name, most in (
        ("submitter_email", 254),
        ("submitter_name", 120),
        ("submitter_relationship", 120),
    ):
        text = place_fields.plain_text(getattr(data, name))
        if text and len(text) > most:
            faults[name] = f"at most {most} characters"
        texts.append(text)
    return Submitter(*texts)


def refuse_fields(faults: Mapping[str, str]) -> ServiceProblem:
    """Return a 400 that names each field and its rule."""
    detail = "; ".join(f"{name}: {rule}" for name, rule in faults.items())
    return ServiceProblem("invalid-parameter", detail, faults)


def find_twin(release: OpenRelease, place: Mapping[str, Any]) -> int | None:
    """Find a listed place with the same name and ZIP code. Queries the database: call it in a
    thread."""
    key = place_fields.place_key(place["name"], place["zip"])
    rows = listings_in_zip(release, place["zip"])
    return next(
        (row.resource_id for row in rows if place_fields.place_key(row.name, place["zip"]) == key),
        None,
    )


def similarity(one: str, other: str) -> float:
    """Return how alike two names are: 1 when the words of one are all in the other, else letter
    by letter."""
    a, b = fold_name(one), fold_name(other)
    if not a or not b:
        return float(one.casefold() == other.casefold())
    words, others = set(a.split()), set(b.split())
    if words <= others or others <= words:
        return 1.0
    return round(SequenceMatcher(None, a, b, autojunk=False).ratio(), 2)


def partner_matches(release: OpenRelease, name: str, zip_code: str) -> list[PartnerListing]:
    """Return listings of a ZIP code whose name is like the one given, the most alike first."""
    rows = [(similarity(name, row.name), row) for row in listings_in_zip(release, zip_code)]
    likely = sorted(
        (pair for pair in rows if pair[0] >= LEAST_SIMILARITY), key=lambda pair: (-pair[0], pair[1])
    )
    return [
        PartnerListing(
            id=row.resource_id,
            name_similarity=alike,
            url=f"/api/resources/{row.resource_id}",
            **{name: getattr(row, name) for name in _SHOWN_TO_PARTNERS},
        )
        for alike, row in likely[:MAX_MATCHES]
    ]


# ---------------------------------------------------------------- edits


def record_of(release: OpenRelease, resource_id: int, now: datetime) -> dict[str, Any]:
    """Return the public record of a listed place. Raises ServiceProblem (404, 410) without one."""
    row = release.row_of(resource_id)
    if row is not None:
        record: dict[str, Any] = msgspec.json.decode(release.record(row, now))
        return record
    was_listed, successor = release.find_gone(resource_id)
    if successor is not None:
        raise ServiceProblem(
            "unknown-resource", f"Place {resource_id} is now part of place {successor}."
        )
    if was_listed:
        raise make_gone_problem(release, resource_id)
    raise ServiceProblem("unknown-resource", f"There is no place {resource_id}.")


class ReadChanges(NamedTuple):
    """Changes in their one form, the record's present values, and the unchanged fields."""

    after: dict[str, Any]
    base: dict[str, Any]
    unchanged: list[str]


def read_changes(record: Mapping[str, Any], changes: Mapping[str, object]) -> ReadChanges:
    """Read the changes of a record.

    Raises ServiceProblem (400) naming every field that is unknown, may not be changed or breaks its
    rule, or all fields when none would change.
    """
    if not changes:
        raise invalid("changes", "at least one field")
    after: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for name, raw in changes.items():
        try:
            after[name] = _read_change(name, raw, record)
        except place_fields.FieldFaultError as fault:
            faults[fault.field[:60]] = fault.rule
    if not faults:
        _check_together(record, after, faults)
    unchanged = _find_unchanged_fields(record, after)
    if len(unchanged) == len(changes):
        faults = dict.fromkeys(unchanged, "is that already")
    if faults:
        raise refuse_fields({f"changes.{name}": rule for name, rule in faults.items()})
    new_values = {name: value for name, value in after.items() if name not in unchanged}
    return ReadChanges(new_values, {name: record[name] for name in new_values}, unchanged)


def _find_unchanged_fields(record: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return name the fields that have their value already; a point is one value of two fields."""
    same = [
        name
        for name, value in after.items()
        if value == (None if record[name] == [] else record[name])
    ]
    point = {"lat", "lng"}
    return same if point <= set(same) else [name for name in same if name not in point]


def _read_change(name: str, raw: object, record: Mapping[str, Any]) -> Any:
    if name not in EDITABLE:
        rule = "may not be changed" if name in record else "no field of the record"
        raise place_fields.FieldFaultError(name, f"{rule}; those that may: {', '.join(EDITABLE)}")
    value = None if raw is None else place_fields.read_field(name, EDITABLE[name], raw)
    if value is None and name in NEVER_EMPTY:
        raise place_fields.FieldFaultError(name, "cannot be removed")
    return value


def _check_together(
    record: Mapping[str, Any], after: Mapping[str, Any], faults: dict[str, str]
) -> None:
    if ("lat" in after) != ("lng" in after):
        faults["lat" if "lng" in after else "lng"] = "latitude and longitude belong together"
    if {"zip", "state"} & after.keys():
        zip_code, state = (after.get(name, record[name]) for name in ("zip", "state"))
        try:
            if zip_code:
                place_fields.check_zip_of_state(zip_code, state)
        except place_fields.FieldFaultError as fault:
            faults[fault.field] = fault.rule


def diff_of(base: Mapping[str, Any], after: Mapping[str, Any]) -> list[EditedMember]:
    """Return fields before and after, in the order of the record."""
    return [EditedMember(name, base.get(name), after[name]) for name in EDITABLE if name in after]
