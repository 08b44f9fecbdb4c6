"""Reads attributes of places from their texts, each distinct text once.

If two clauses contradict each other, the attribute is unknown: a guess could send a family away.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from assets.attributes.clauses import Finding, clauses_of
from assets.attributes.documents import SOFT_ID, read_documents
from assets.attributes.service_area import (
    NO_NAMES,
    PlaceNames,
    ServiceArea,
    read_service_area,
    speaks_of_area,
    without_far_towns,
)
from assets.attributes.statements import (
    VISIT_LIMIT,
    last_day,
    read_closure,
    read_food,
    read_people,
    read_visit,
    read_visit_limit,
)
from assets.hours.parse import parse_hours
from schemas.attributes import (
    ATTRIBUTE_NAMES,
    ATTRIBUTES,
    CODE_LISTS,
    EVERYONE,
    LANGUAGES,
    TRUTHS,
)
from schemas.vocab.attributes import DOCUMENT_CODES, ID_DOCUMENTS

# Columns that are read. The name is read only for a closure, and the hours not for meals and
# deliveries, which are limited to a time.
TEXTS = ("services_text", "requirements_text", "eligibility_text", "notes", "hours_text", "name")
_NOT_OF_HOURS = frozenset({"food_types", "offers_delivery"})
_TIMED = re.compile(r"\d ?(?:[ap]\.?m\b|:\d\d)", re.IGNORECASE)
_BY_APPOINTMENT = re.compile(r"\((?:[^()]*\s)?by appointment(?: only)?\)", re.IGNORECASE)
# These attributes follow from all statements about documents.
_OF_PAPERS = frozenset({"required_documents", "requires_documents", "requires_id"})
# A clause that may state the service area; `value`: it is in an eligibility field.
_AREA = "area"
_TRUTHS = tuple(truth.name for truth in TRUTHS if truth.name not in _OF_PAPERS)
_AGES = tuple(a.name for a in ATTRIBUTES if a.field.type == "integer")
_LISTS = tuple(one.name for one in CODE_LISTS if one.name not in _OF_PAPERS)
# Publishers may list languages outside the vocabulary.
_ORDERS = {one.name: one.codes for one in CODE_LISTS if one is not LANGUAGES}
FACT_COLUMNS = (*ATTRIBUTE_NAMES, LANGUAGES.name)
# Publishers also fill these: their explicit columns take precedence over their texts.
_PUBLISHED_TOO = tuple(a.name for a in (*ATTRIBUTES, LANGUAGES) if a.is_published)
_DTYPES = {"boolean": "boolean", "integer": "Int64"}
# Dates of a row, the one closest to the day on which its texts were written first.
_SAID_ON = ["confirmed_date", "updated_date", "source_updated_date", "listed_date"]
_COLUMN_DTYPES = {a.name: _DTYPES.get(a.field.type) for a in (*ATTRIBUTES, LANGUAGES)}


def facts_in(text: str, column: str) -> list[Finding]:
    """Return everything that a column's text plainly states, each with its clause."""
    if column == "name":
        return read_closure(text)
    facts: list[Finding] = []
    is_eligibility = column == "eligibility_text"
    for start, clause in clauses_of(text):
        findings = read_visit(clause)
        findings += read_documents(clause)
        findings += read_food(clause)
        findings += read_people(clause, is_eligibility=is_eligibility)
        findings += read_visit_limit(clause)
        findings += read_closure(clause)
        if speaks_of_area(clause):
            findings.append(Finding(_AREA, is_eligibility, clause))
        facts += [finding._replace(start=start) for finding in findings]
    if column != "hours_text":
        return facts
    # "Thursdays 9-12; seniors only" does not apply to all hours.
    facts = [
        fact
        for fact in facts
        if fact.field not in {*_NOT_OF_HOURS, *_AGES}
        and (fact.field != "audiences" or fact.value == EVERYONE)
    ]
    # All hours need an appointment if every line with a time ends in "(by appointment only)".
    timed = [(start, clause) for start, clause in clauses_of(text) if _TIMED.search(clause)]
    if all(_BY_APPOINTMENT.search(clause) for _, clause in timed):
        facts += [Finding("requires_appointment", True, clause, start) for start, clause in timed]
    return facts


def find_unread_clauses(text: str, column: str) -> list[str]:
    """Return the clauses of a text that state neither a known attribute nor hours."""
    starts = {finding.start for finding in facts_in(text, column)}
    clauses = [clause for start, clause in clauses_of(text) if start not in starts]
    if column != "hours_text":
        return clauses
    readings = [(clause, parse_hours(clause)) for clause in clauses]
    return [c for c, reading in readings if not reading.schedules and reading.reason != "closed"]


class Locality(NamedTuple):
    """Location of a place and the names that its texts may use for an area."""

    state: str | None = None
    zip: str | None = None
    point: tuple[float, float] | None = None
    names: PlaceNames = NO_NAMES


NOWHERE = Locality()


def facts_of(findings: Iterable[Finding], locality: Locality = NOWHERE) -> dict[str, Any]:
    """Return one place's known `FACT_COLUMNS` from all its findings."""
    findings = list(findings)
    here: dict[str, list[Any]] = {}
    for finding in findings:
        values = here.setdefault(finding.field, [])
        if finding.value not in values:
            values.append(finding.value)
    facts: dict[str, Any] = {**_documents(here), **_visit(here)}
    for name in _LISTS:
        if name in here:
            facts[name] = [c for c in _ORDERS.get(name, here[name]) if c in here[name]]
    if "everyone" in here.get("audiences", []) and len(here["audiences"]) > 1:
        del facts["audiences"]
    facts |= {name: here[name][0] for name in _AGES if len(here.get(name, [])) == 1}
    if facts.get("minimum_age", 0) > facts.get("maximum_age", 200):
        del facts["minimum_age"], facts["maximum_age"]
    if VISIT_LIMIT in here:
        facts[VISIT_LIMIT] = "; ".join(here[VISIT_LIMIT])
    if "closure" in here:
        facts |= {"closure": "closed", "closure_text": "; ".join(here["closure_text"])}
    facts |= _service_area(findings, locality)
    if "everyone" in facts.get("audiences", []) and "is_service_area_exclusive" in facts:
        facts["is_service_area_exclusive"] = False
    return facts


def _service_area(findings: list[Finding], locality: Locality) -> dict[str, Any]:
    """Return the service area; exclusive if every clause about it is fully read and one is a
    limit."""
    area_of_clause: dict[str, ServiceArea] = {}
    for finding in findings:
        if finding.field == _AREA and finding.clause not in area_of_clause:
            area = read_service_area(
                finding.clause,
                locality.state,
                locality.names,
                is_eligibility=bool(finding.value),
                own_zip=locality.zip,
            )
            if area is not None:
                area_of_clause[finding.clause] = without_far_towns(
                    area, locality.point, locality.names
                )
    if not area_of_clause:
        return {}
    areas = list(dict.fromkeys(code for area in area_of_clause.values() for code in area.areas))
    is_whole = all(area.is_whole for area in area_of_clause.values())
    return {
        "service_area_text": "; ".join(area_of_clause),
        **({"service_areas": areas} if areas else {}),
        "is_service_area_exclusive": is_whole and any(a.is_limit for a in area_of_clause.values()),
    }


def _documents(findings: dict[str, list[Any]]) -> dict[str, Any]:
    """Return what is known about documents; `required_documents` is empty if none is needed."""
    codes = set(findings.get("required_documents", []))
    is_id_free, is_free = "requires_id" in findings, "requires_documents" in findings
    has_id = bool(codes & ID_DOCUMENTS)
    contradicted = has_id and (is_id_free or is_free or SOFT_ID in findings)
    if contradicted:
        codes -= ID_DOCUMENTS
    if "photo_id" in codes:
        codes.discard("identification")
    facts: dict[str, Any] = {}
    if codes:
        facts["requires_documents"] = True
    elif is_free and not contradicted:
        facts["requires_documents"] = False
    if not contradicted and (has_id or is_id_free or is_free):
        facts["requires_id"] = has_id
    if facts:
        facts["required_documents"] = [code for code in DOCUMENT_CODES if code in codes]
    return facts


def _visit(findings: dict[str, list[Any]]) -> dict[str, bool]:
    """Return the uncontradicted truth values; appointment only excludes walk-ins."""
    facts = {name: findings[name][0] for name in _TRUTHS if len(findings.get(name, [])) == 1}
    appointment, walkin = facts.get("requires_appointment"), facts.get("accepts_walkins")
    if appointment is not None and "accepts_walkins" not in findings:
        facts["accepts_walkins"] = not appointment
    if appointment is True and walkin is True:
        del facts["requires_appointment"], facts["accepts_walkins"]
    return facts


def with_facts(rows: pd.DataFrame, names: PlaceNames = NO_NAMES) -> pd.DataFrame:
    """Return places with `FACT_COLUMNS` read from their texts, missing without a plain statement.

    `names` are those of counties and towns.
    """
    codes, findings = _findings_by_row(rows)
    where, localities = _localities(rows, codes, findings, names)
    patterns, which = np.unique(np.column_stack((codes, where)), axis=0, return_inverse=True)
    facts_by_row = [
        facts_of(
            (
                finding
                for row_findings, code in zip(findings, pattern, strict=True)
                for finding in row_findings[code]
            ),
            localities[place],
        )
        for *pattern, place in patterns.tolist()
    ]
    positions = which.reshape(-1)
    columns = {name: _column(facts_by_row, positions, name, rows.index) for name in FACT_COLUMNS}
    for name in _PUBLISHED_TOO:
        if name in rows:
            own_values = rows[name].astype(columns[name].dtype)
            columns[name] = own_values.where(own_values.notna(), columns[name])
    # The last day of a closure depends on its text and on the row's own date.
    days = pd.Series(None, rows.index, dtype=object)
    dates = rows.reindex(columns=_SAID_ON).astype(object).bfill(axis=1).iloc[:, 0]
    for at, text in columns["closure_text"].dropna().items():
        if not pd.isna(dates[at]):
            days[at] = last_day(text, pd.Timestamp(dates[at]).date())
    columns["closure_until_date"] = days
    return rows.assign(**columns)


def _findings_by_row(rows: pd.DataFrame) -> tuple[np.ndarray, list[list[list[Finding]]]]:
    """Return for each text column the finding number of every row, 0 for none, and the findings by
    number."""
    codes = np.zeros((len(rows), len(TEXTS)), dtype=np.int64)
    findings: list[list[list[Finding]]] = []
    for position, column in enumerate(TEXTS):
        patterns: list[list[Finding]] = [[]]
        if column in rows:
            row_codes, texts = pd.factorize(rows[column])
            numbers = np.zeros(len(texts) + 1, dtype=np.int64)  # the last one is for missing texts
            for number, text in enumerate(texts):
                if here := facts_in(text, column):
                    numbers[number] = len(patterns)
                    patterns.append(here)
            codes[:, position] = numbers[row_codes]
        findings.append(patterns)
    return codes, findings


def _localities(
    rows: pd.DataFrame, codes: np.ndarray, findings: list[list[list[Finding]]], names: PlaceNames
) -> tuple[np.ndarray, list[Locality]]:
    """Return each row's locality number and the localities; 0 if no text mentions an area."""
    speaks = np.zeros(len(rows), dtype=bool)
    for position, row_findings in enumerate(findings):
        is_on_area = np.array([any(f.field == _AREA for f in here) for here in row_findings])
        speaks |= is_on_area[codes[:, position]]
    where, localities = np.zeros(len(rows), dtype=np.int64), [NOWHERE]
    places = rows[speaks].reindex(columns=["state", "zip", "lat", "lng", "is_confidential"])
    for row, place in zip(np.flatnonzero(speaks), places.itertuples(index=False), strict=True):
        state, code = (t if isinstance(t, str) else None for t in (place.state, place.zip))
        if place.is_confidential is True:  # "this ZIP code" would reveal a confidential place
            code = None
        has_point = not (pd.isna(place.lat) or pd.isna(place.lng))
        point = (float(place.lat), float(place.lng)) if has_point else None
        where[row] = len(localities)
        localities.append(Locality(state, code, point, names))
    return where, localities


def _column(
    facts_by_row: list[dict[str, Any]], positions: np.ndarray, name: str, index: pd.Index
) -> pd.Series:
    values = [facts.get(name) for facts in facts_by_row]
    if dtype := _COLUMN_DTYPES[name]:
        column = pd.array(values, dtype=dtype).take(positions)
    else:
        column = np.empty(len(values), dtype=object)
        column[:] = values
        column = column[positions]
    return pd.Series(column, index=index)
