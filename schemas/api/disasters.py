"""Federal disaster declarations: what is active for a ZIP code, a state or the nation, and D-SNAP."""

from datetime import date
from typing import Annotated, Literal

import msgspec

from schemas.descriptions import describe
from schemas.values.disasters import Because
from schemas.words import Words

AreaKind = Literal["county", "statewide", "tribal_area", "other"]
Match = Literal["county", "statewide", "state", "areas_unknown", "tribal_area"]
DsnapReason = Literal[
    "likely",
    "no_individual_assistance",
    "not_this_area",
    "too_long_ago",
    "no_snap_here",
    "no_active_disaster",
]


class DisasterArea(msgspec.Struct, forbid_unknown_fields=True):
    """An area that a declaration names."""

    name: Annotated[str, describe("Name as people say it.", "Cleveland County")]
    kind: Annotated[
        AreaKind,
        describe(
            "`county` (or parish, borough, municipio, or a part of one), `statewide`, `tribal_area`, or `other`: an area without county, such as a school district in Alaska."
        ),
    ]
    county_fips: Annotated[
        str | None,
        describe("FIPS code of the county, five digits; null for areas that are in none.", "40027"),
    ]
    has_individual_assistance: Annotated[
        bool | None,
        describe("Whether help for households is declared here; null if FEMA's data does not say."),
    ]
    last_ia_filing_date: Annotated[
        date | None,
        describe("Last day to file for individual assistance, where FEMA's file gives one."),
    ]


class Disaster(msgspec.Struct, forbid_unknown_fields=True):
    """An active declaration, with the areas it names (for a ZIP code: those that touch it)."""

    declaration_string: Annotated[str, describe("FEMA's name: type, number, state.", "DR-4834-FL")]
    disaster_number: Annotated[int, describe("FEMA's number.", ge=1)]
    declaration_type: Annotated[
        Literal["DR", "EM", "FM", "FS"],
        describe("DR: major disaster. EM: emergency. FM, FS: help to fire departments."),
    ]
    type_label: Annotated[Words, describe("The type in words.")]
    title: Annotated[str, describe("FEMA's title, not in capitals.", "Hurricane Milton")]
    incident_type: Annotated[
        str | None, describe("FEMA's word for the kind of incident.", "Hurricane")
    ]
    incident_label: Annotated[Words | None, describe("The kind of incident in both languages.")]
    state: Annotated[str, describe("USPS code of the state or territory.", "FL")]
    state_name: Annotated[str, describe("Name of the state or territory.")]
    declaration_date: Annotated[date, describe("Day of the declaration.")]
    incident_begin_date: Annotated[date | None, describe("First day of the incident.")]
    incident_end_date: Annotated[
        date | None,
        describe(
            "Last day of the incident; null where FEMA gives none, which alone does not mean that it goes on."
        ),
    ]
    last_ia_filing_date: Annotated[
        date | None,
        describe(
            "Latest of the last days to file for individual assistance; null if FEMA's data gives none."
        ),
    ]
    active_until: Annotated[
        date,
        describe("Last day it counts as active under the rule in `rules`, based on current data."),
    ]
    active_because: Annotated[Because, describe("Why it counts as active.")]
    active_because_label: Annotated[Words, describe("The same in words.")]
    has_individual_assistance: Annotated[
        bool | None,
        describe(
            "Whether FEMA helps households in some area of the disaster; null if FEMA's data does not say."
        ),
    ]
    has_public_assistance: Annotated[
        bool | None, describe("Whether FEMA helps public bodies; null if its data does not say.")
    ]
    has_hazard_mitigation: Annotated[
        bool | None, describe("Whether FEMA pays for prevention; null if its data does not say.")
    ]
    matched_by: Annotated[Match, describe("How it affects the requested place.")]
    matched_by_label: Annotated[Words, describe("The same in words.")]
    is_dsnap_likely: Annotated[
        bool, describe("Whether this declaration makes D-SNAP likely for the requested place.")
    ]
    dsnap_reason: Annotated[DsnapReason, describe("Why, or why not.")]
    are_areas_known: Annotated[
        bool, describe("False if our copy of FEMA's data has the disaster but not its areas.")
    ]
    area_count: Annotated[int, describe("Areas of the whole declaration that are known.", ge=0)]
    areas: Annotated[list[DisasterArea], describe("The areas, in order of their names.")]
    url: Annotated[
        str, describe("FEMA's page about the disaster.", "https://www.fema.gov/disaster/4834")
    ]


class DisasterFreshness(msgspec.Struct, forbid_unknown_fields=True):
    """Age of the answer's data."""

    publisher: Annotated[str, describe("Who publishes it.")]
    source_url: Annotated[str, describe("Page of the source.")]
    attribution: Annotated[str | None, describe("Credit that the publisher asks for.")]
    files: Annotated[list[str], describe("Names of FEMA's files that were read.")]
    as_of: Annotated[
        date | None, describe("FEMA's own date of the data: its newest `lastRefresh`.")
    ]
    newest_declaration_date: Annotated[
        date | None, describe("The newest declaration in the data. Later ones are missing.")
    ]
    retrieved_at: Annotated[str | None, describe("When the bytes came (UTC).")]
    last_refresh: Annotated[
        str | None, describe("When we last made sure that nothing newer was to be had (UTC).")
    ]
    age_days: Annotated[
        Annotated[int, msgspec.Meta(ge=0)] | None, describe("Days from `as_of` to today.")
    ]
    is_stale: Annotated[
        bool, describe("True when the data is so old that new disasters may be missing.")
    ]
    came_with: Annotated[
        Literal["release", "refresh"],
        describe("With the release, or with the hourly refresh after it."),
    ]
    note: Annotated[Words | None, describe("What the age means for the answer, when it does.")]


class DisasterRules(msgspec.Struct, forbid_unknown_fields=True):
    """The rules of the answer, in words, with their sources."""

    active: Annotated[Words, describe("When a declaration counts as active.")]
    active_source_url: Annotated[str, describe("Source of that rule.")]
    dsnap: Annotated[Words, describe("When D-SNAP counts as likely.")]
    dsnap_window_days: Annotated[
        int, describe("Days after the start or the declaration in which D-SNAP counts as likely.")
    ]
    dsnap_source_url: Annotated[
        str | None, describe("Source of that rule; null where it has no address.")
    ]
    dsnap_source_title: Annotated[str, describe("Title of that source.")]
    dsnap_as_of: Annotated[date, describe("Day on which the source of the D-SNAP rule was read.")]


class County(msgspec.Struct, forbid_unknown_fields=True):
    """A county of the ZIP code."""

    fips: Annotated[str, describe("FIPS code, five digits.", "40027")]
    name: Annotated[str, describe("Its name.", "Cleveland County")]


class ActiveDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Active declarations for a ZIP code or a state."""

    success: Annotated[bool, describe("Always true.")]
    zip: Annotated[str | None, describe("The requested ZIP code; null for a state.")]
    state: Annotated[str, describe("The requested state, or the state of the ZIP code.")]
    state_name: Annotated[str, describe("Name of the state or territory.")]
    counties: Annotated[
        list[County],
        describe(
            "Counties of the ZIP code, the main one first; empty for a state, and where they are not known."
        ),
    ]
    on: Annotated[date, describe("The day that the answer is for.")]
    has_dsnap_likely: Annotated[
        bool,
        describe(
            "Whether Disaster SNAP is likely here. It is certain only when the state announces it."
        ),
    ]
    dsnap_reason: Annotated[DsnapReason, describe("Why, or why not.")]
    dsnap_message: Annotated[Words, describe("What this means, as a sentence.")]
    total_active: Annotated[int, describe("Length of `declarations`.", ge=0)]
    declarations: Annotated[list[Disaster], describe("Active declarations, the newest first.")]
    elsewhere_in_state: Annotated[
        int,
        describe(
            "Further active declarations of the state that name other counties only; 0 for a state.",
            ge=0,
        ),
    ]
    rules: Annotated[
        DisasterRules, describe("Rules of thumb by which it is decided, with their sources.")
    ]
    freshness: Annotated[DisasterFreshness, describe("Age of FEMA's file.")]
    is_synthetic: Annotated[
        bool, describe("True when the declarations are invented (demonstration data).")
    ]
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]


class StateDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Number of active declarations in a state."""

    state: Annotated[str, describe("State or territory code.")]
    state_name: Annotated[str, describe("Name of the state or territory.")]
    active_count: Annotated[Annotated[int, msgspec.Meta(ge=0)], describe("Active declarations.")]
    has_dsnap_likely: Annotated[bool, describe("Whether D-SNAP is likely somewhere in the state.")]
    url: Annotated[str, describe("Path of the page about the state.")]


class CurrentDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Every active declaration of the nation."""

    success: Annotated[bool, describe("Always true.")]
    on: Annotated[date, describe("The day that the answer is for.")]
    total_active: Annotated[
        Annotated[int, msgspec.Meta(ge=0)], describe("Active disasters in all states.")
    ]
    states: Annotated[
        list[StateDisasters],
        describe("States and territories with an active declaration, in order of their codes."),
    ]
    declarations: Annotated[list[Disaster], describe("Active declarations, the newest first.")]
    rules: Annotated[
        DisasterRules, describe("Rules of thumb by which it is decided, with their sources.")
    ]
    freshness: Annotated[DisasterFreshness, describe("Age of FEMA's file.")]
    is_synthetic: Annotated[
        bool, describe("True when the declarations are invented (demonstration data).")
    ]
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]
