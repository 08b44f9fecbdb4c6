"""Active federal disasters for a ZIP code, a state or the nation, and the likelihood of D-SNAP.

active(release, zip="10002")   active(release, state="FL")   current(release)

All three take `on`, the day to judge by (today in the Eastern time zone when None). First use reads
the database, and every hourly refresh a file: call them in a thread. The rule of "active" is in
`schemas.values.disasters`, that of D-SNAP in content/facts/dsnap.yaml,
content/messages/disasters.yaml and `_dsnap_reason`.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, NamedTuple, cast
from zoneinfo import ZoneInfo

from schemas.api import disasters as shapes
from schemas.sources.registry import sources
from schemas.values.disasters import (
    BECAUSE,
    DECLARATION_TYPES,
    INCIDENTS_ES,
    MATCHES,
    RULE,
    RULE_ES,
    RULE_SOURCE,
    is_within_dsnap_window,
)
from schemas.values.instants import instant_text
from schemas.vocab.states import STATES
from schemas.words import Words
from serving.disasters.declarations import (
    DeclarationsInUse,
    DeclaredDisaster,
    area_of,
    declarations_in_use,
    last_filing,
    match_of,
)
from serving.http.errors import ServiceProblem, invalid
from serving.reference.policy import FactsOn
from serving.render.formats import day as day_in_words
from serving.render.words import words
from warehouse.disaster_file import (
    Declaration,
    Edition,
    cutoff_day,
    read_counties,
)
from warehouse.index.reader import OpenRelease

SOURCE_ID = "fema_declarations"
_EASTERN = ZoneInfo("America/New_York")
# Of several reasons the one nearest to "likely" is reported.
_NEAREST: tuple[shapes.DsnapReason, ...] = (
    "likely",
    "individual_assistance_unknown",
    "not_this_area",
    "too_long_ago",
    "no_individual_assistance",
    "not_a_major_disaster",
)
# Reasons that leave the question open: the flag is null.
_CANNOT_TELL: frozenset[shapes.DsnapReason] = frozenset(
    ("data_too_old", "individual_assistance_unknown")
)


class _LocalDisaster(NamedTuple):
    """An active disaster, how it touches the place, and the areas that do."""

    disaster: DeclaredDisaster
    match: shapes.Match
    areas: tuple[Declaration, ...]


def today() -> date:
    """Return the day in the Eastern time zone, by which FEMA dates its declarations."""
    return datetime.now(_EASTERN).date()


# ---------------------------------------------------------------- answers


def active(
    release: OpenRelease,
    *,
    zip: str | None = None,
    state: str | None = None,
    on: date | None = None,
) -> shapes.ActiveDisasters:
    """Return active disasters of a ZIP code (five digits or ZIP+4; it wins) or a state (two
    letters, any case).

    Raises ServiceProblem: 400 without either, for an unknown state and for a day out of reach, 404
    for an unknown ZIP code and for one that is in no state, 503 without data.
    """
    if zip is None and state is None:
        rule = "send `zip` or `state`"
        raise ServiceProblem(
            "missing-parameter", f"zip, state: {rule}", dict.fromkeys(("zip", "state"), rule)
        )
    in_use = declarations_in_use(release)
    day = _day(in_use.declarations.edition, on)
    if zip is None:
        code, counties = (state or "").strip().upper(), None
        if code not in STATES:
            raise invalid("state", "the two-letter code of a state or territory, such as FL")
    else:
        zip, code = _zip_and_state(release, zip)
        with release.cursor() as db:
            counties = read_counties(db, zip)
    local, elsewhere = _find_local(in_use, code, counties, day)
    is_too_old = is_too_old_for_dsnap(in_use.declarations.edition, day)
    records = _newest_first(_record(entry, day, is_too_old) for entry in local)
    reason = _reason_of_place(code, day, records, elsewhere, is_too_old)
    return shapes.ActiveDisasters(
        success=True,
        zip=zip,
        state=code,
        state_name=STATES[code].name,
        counties=[shapes.County(fips, name) for fips, name in counties or ()],
        has_dsnap_likely=_is_likely(reason),
        dsnap_reason=reason,
        dsnap_message=_dsnap_message(reason, code, day, in_use.declarations.edition),
        total_active=len(records),
        declarations=records,
        elsewhere_in_state=len(elsewhere),
        **_foot(release, in_use, day),
    )


def current(release: OpenRelease, on: date | None = None) -> shapes.CurrentDisasters:
    """Return every active declaration. Raises ServiceProblem: 503 without data, 400 for a day
    out of reach."""
    in_use = declarations_in_use(release)
    day = _day(in_use.declarations.edition, on)
    is_too_old = is_too_old_for_dsnap(in_use.declarations.edition, day)
    every: list[shapes.Disaster] = []
    states: list[shapes.StateDisasters] = []
    for code in sorted(in_use.by_state):
        local, _ = _find_local(in_use, code, None, day)
        records = [_record(entry, day, is_too_old) for entry in local]
        if records:
            likely = _is_likely(_reason_of_place(code, day, records, [], is_too_old))
            states.append(
                shapes.StateDisasters(
                    code, STATES[code].name, len(records), likely, f"/disasters/{code}"
                )
            )
            every += records
    return shapes.CurrentDisasters(
        success=True,
        total_active=len(every),
        states=states,
        declarations=_newest_first(every),
        **_foot(release, in_use, day),
    )


def _foot(release: OpenRelease, in_use: DeclarationsInUse, on: date) -> dict[str, Any]:
    """Return the last members of both answers."""
    return {
        "on": on,
        "rules": rules(on),
        "freshness": freshness(in_use, on),
        "is_synthetic": release.is_synthetic,
        "release_id": release.release_id,
    }


def _newest_first(disasters: Iterable[shapes.Disaster]) -> list[shapes.Disaster]:
    return sorted(
        disasters, key=lambda d: (-d.declaration_date.toordinal(), d.state, -d.disaster_number)
    )


# ---------------------------------------------------------------- inputs


def _day(edition: Edition, on: date | None) -> date:
    """Return the day to judge by. Raises ServiceProblem (400) for one whose declarations are not
    stored."""
    now = today()
    first = max(cutoff_day(now), edition.cutoff_day)
    if on is not None and not first <= on <= now:
        raise invalid("on", f"a day from {first} to {now}, as 2026-11-22")
    return on or now


def _zip_and_state(release: OpenRelease, text: str) -> tuple[str, str]:
    code = text.strip()[:5]
    place = release.gazetteer.zip(code)
    if place is None:
        raise ServiceProblem(
            "unknown-place",
            f"zip: {code} is not a ZIP code in our data",
            {"zip": "a known ZIP code"},
        )
    if place.state not in STATES:
        raise ServiceProblem(
            "no-point",
            f"zip: {code} is a military post office and not in any state. Send `state`",
            {"zip": "a ZIP code in a state or territory"},
        )
    return code, place.state


# ---------------------------------------------------------------- which disasters touch a place


def _find_local(
    in_use: DeclarationsInUse, state: str, counties: list[tuple[str, str]] | None, on: date
) -> tuple[list[_LocalDisaster], list[DeclaredDisaster]]:
    """Return active disasters that affect the place, and the other active ones of the state.

    `counties` is None for a whole state; if a ZIP code's are unknown, the whole state counts.
    """
    codes = frozenset(fips for fips, _ in counties or ())
    local: list[_LocalDisaster] = []
    elsewhere: list[DeclaredDisaster] = []
    for disaster in in_use.by_state.get(state, ()):
        match, areas = match_of(disaster, codes) if codes else ("state", disaster.areas)
        if not disaster.why_active(on, areas):
            continue
        if match is None:
            elsewhere.append(disaster)
        else:
            local.append(_LocalDisaster(disaster, match, areas))
    return local, elsewhere


def _record(entry: _LocalDisaster, on: date, is_too_old: bool) -> shapes.Disaster:
    disaster, match, areas = entry
    because = disaster.why_active(on, areas)
    assert because is not None, "only active declarations are shown"
    reason = _dsnap_reason(disaster, match, areas, on)
    if is_too_old and reason != "no_snap_here":
        reason = "data_too_old"
    incident = disaster.incident_type
    return shapes.Disaster(
        declaration_string=disaster.name,
        disaster_number=disaster.number,
        declaration_type=cast("Any", disaster.kind),
        type_label=DECLARATION_TYPES[disaster.kind],
        title=disaster.title,
        incident_type=incident,
        incident_label=Words(incident, INCIDENTS_ES.get(incident, incident)) if incident else None,
        state=disaster.state,
        state_name=STATES[disaster.state].name,
        declaration_date=disaster.declaration_date,
        incident_begin_date=disaster.begin_date,
        incident_end_date=disaster.end_date,
        last_ia_filing_date=last_filing(areas),
        active_until=disaster.find_last_day(areas),
        active_because=because,
        active_because_label=BECAUSE[because],
        has_individual_assistance=disaster.individual,
        has_public_assistance=disaster.public,
        has_hazard_mitigation=disaster.hazard,
        matched_by=match,
        matched_by_label=MATCHES[match],
        is_dsnap_likely=_is_likely(reason),
        dsnap_reason=reason,
        are_areas_known=bool(disaster.areas),
        area_count=len(disaster.areas),
        areas=[area_of(area) for area in areas],
        url=f"https://www.fema.gov/disaster/{disaster.number}",
    )


# ---------------------------------------------------------------- D-SNAP


def _dsnap_reason(
    disaster: DeclaredDisaster, match: shapes.Match | None, areas: Iterable[Declaration], on: date
) -> shapes.DsnapReason:
    """Return the rule of content/facts/dsnap.yaml for one active declaration; `match` None: it
    names other counties."""
    if not has_snap(disaster.state, on):
        return "no_snap_here"
    if disaster.individual is False or disaster.kind != "DR":
        refused = disaster.individual is False
        return "no_individual_assistance" if refused else "not_a_major_disaster"
    if not is_within_dsnap_window(on, disaster.declaration_date, disaster.begin_date, _window(on)):
        return "too_long_ago"
    if match is None or match == "tribal_area":
        return "not_this_area"
    is_whole = match in ("state", "areas_unknown")
    flags = [disaster.individual] if is_whole else [a.has_individual_assistance for a in areas]
    if any(flags):
        return "likely"
    return "individual_assistance_unknown" if None in flags else "not_this_area"


def _reason_of_place(
    state: str,
    on: date,
    records: list[shapes.Disaster],
    elsewhere: list[DeclaredDisaster],
    is_too_old: bool,
) -> shapes.DsnapReason:
    if not has_snap(state, on):
        return "no_snap_here"
    if is_too_old:
        return "data_too_old"
    reasons = {entry.dsnap_reason for entry in records}
    reasons |= {_dsnap_reason(disaster, None, (), on) for disaster in elsewhere}
    return next((reason for reason in _NEAREST if reason in reasons), "no_active_disaster")


def _is_likely(reason: shapes.DsnapReason) -> bool | None:
    return None if reason in _CANNOT_TELL else reason == "likely"


def is_too_old_for_dsnap(edition: Edition, on: date) -> bool:
    """Return whether the data is too old to show what was declared by a day."""
    most = int(FactsOn(on).value("dsnap.data_max_age_days"))
    return edition.as_of is None or (on - edition.as_of).days > most


def has_snap(state: str, on: date) -> bool:
    """Return whether a state or territory runs SNAP, and no program in its place (PR, AS, MP)."""
    return bool(FactsOn(on).value(f"state.program.{state}", "is_snap"))


def _window(on: date) -> int:
    return int(FactsOn(on).value("dsnap.likely_window_days"))


def _dsnap_message(reason: shapes.DsnapReason, state: str, on: date, edition: Edition) -> Words:
    key = "data_undated" if reason == "data_too_old" and edition.as_of is None else reason
    return Words(
        *(
            words("disasters", language)
            .dsnap[key]
            .format(
                state=STATES[state].names[language],
                days=_window(on),
                as_of=day_in_words(edition.as_of, language) if edition.as_of else "",
                age=(on - edition.as_of).days if edition.as_of else "",
            )
            for language in ("en", "es")
        )
    )


# ---------------------------------------------------------------- rules and freshness


def rules(on: date) -> shapes.DisasterRules:
    """Return both rules in words."""
    window = FactsOn(on)["dsnap.likely_window_days"]
    guide = FactsOn(on)["dsnap.guidance"]
    in_words = Words(
        *(
            words("disasters", language).dsnap_rule.format(days=window.value)
            for language in ("en", "es")
        )
    )
    return shapes.DisasterRules(
        active=Words(RULE, RULE_ES),
        active_source_url=RULE_SOURCE,
        dsnap=in_words,
        dsnap_window_days=int(window.value),
        dsnap_source_url=guide.source_url,
        dsnap_source_title=guide.source_title,
        dsnap_as_of=guide.as_of,
    )


def freshness(in_use: DeclarationsInUse, on: date) -> shapes.DisasterFreshness:
    """Return the age of the declarations today, advice for it, and whether they are too old to
    judge D-SNAP by `on`."""
    edition, source = in_use.declarations.edition, sources()[SOURCE_ID]
    age = max(0, (today() - edition.as_of).days) if edition.as_of else None
    is_stale = edition.as_of is None or source.is_late(edition.as_of, today())
    checked_at = edition.checked_at or edition.retrieved_at
    note = Words(
        *(
            words("disasters", language).undated
            if edition.as_of is None
            else words("disasters", language).stale.format(
                as_of=day_in_words(edition.as_of, language), age=age
            )
            for language in ("en", "es")
        )
    )
    return shapes.DisasterFreshness(
        publisher=source.publisher,
        source_url=source.homepage,
        attribution=source.license.attribution,
        files=edition.files,
        as_of=edition.as_of,
        newest_declaration_date=edition.newest_declaration_date,
        retrieved_at=instant_text(edition.retrieved_at) if edition.retrieved_at else None,
        last_refresh=instant_text(checked_at) if checked_at else None,
        age_days=age,
        is_stale=is_stale,
        is_too_old_for_dsnap=is_too_old_for_dsnap(edition, on),
        came_with=in_use.came_with,
        note=note if is_stale else None,
    )
