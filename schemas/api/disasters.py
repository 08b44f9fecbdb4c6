"""Federal disaster declarations: what is active for a ZIP code, a state or the nation, and D-SNAP."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec

from schemas.hours.clock_words import Words
from schemas.values.disasters import Because

_Meta = msgspec.Meta
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

    name: Annotated[str, _Meta(description="Name as people say it.", examples=["Cleveland County"])]
    kind: Annotated[
        AreaKind,
        _Meta(
            description="`county` (or parish, borough, municipio, or a part of one), `statewide`, `tribal_area`, or `other`: an area without county, such as a school district in Alaska."
        ),
    ]
    county_fips: Annotated[
        str | None,
        _Meta(
            description="FIPS code of the county, five digits; null for areas that are in none.",
            examples=["40027"],
        ),
    ]
    has_individual_assistance: Annotated[
        bool | None,
        _Meta(
            description="Whether help for households is declared here; null if FEMA's data does not say."
        ),
    ]
    last_ia_filing_date: Annotated[
        date | None,
        _Meta(
            description="Last day to file for individual assistance, where FEMA's file gives one."
        ),
    ]


class Disaster(msgspec.Struct, forbid_unknown_fields=True):
    """An active declaration, with the areas it names (for a ZIP code: those that touch it)."""

    declaration_string: Annotated[
        str, _Meta(description="FEMA's name: type, number, state.", examples=["DR-4834-FL"])
    ]
    disaster_number: Annotated[int, _Meta(description="FEMA's number.", ge=1)]
    declaration_type: Annotated[
        Literal["DR", "EM", "FM", "FS"],
        _Meta(description="DR: major disaster. EM: emergency. FM, FS: help to fire departments."),
    ]
    type_label: Annotated[Words, _Meta(description="The type in words.")]
    title: Annotated[
        str, _Meta(description="FEMA's title, not in capitals.", examples=["Hurricane Milton"])
    ]
    incident_type: Annotated[
        str | None,
        _Meta(description="FEMA's word for the kind of incident.", examples=["Hurricane"]),
    ]
    incident_label: Annotated[
        Words | None, _Meta(description="The kind of incident in both languages.")
    ]
    state: Annotated[
        str, _Meta(description="USPS code of the state or territory.", examples=["FL"])
    ]
    state_name: str
    declaration_date: Annotated[date, _Meta(description="Day of the declaration.")]
    incident_begin_date: Annotated[date | None, _Meta(description="First day of the incident.")]
    incident_end_date: Annotated[
        date | None,
        _Meta(
            description="Last day of the incident; null where FEMA gives none, which alone does not mean that it goes on."
        ),
    ]
    last_ia_filing_date: Annotated[
        date | None,
        _Meta(
            description="Latest of the last days to file for individual assistance; null if FEMA's data gives none."
        ),
    ]
    active_until: Annotated[
        date,
        _Meta(
            description="Last day it counts as active under the rule in `rules`, based on current data."
        ),
    ]
    active_because: Annotated[Because, _Meta(description="Why it counts as active.")]
    active_because_label: Annotated[Words, _Meta(description="The same in words.")]
    has_individual_assistance: Annotated[
        bool | None,
        _Meta(
            description="Whether FEMA helps households in some area of the disaster; null if FEMA's data does not say."
        ),
    ]
    has_public_assistance: bool | None
    has_hazard_mitigation: bool | None
    matched_by: Annotated[Match, _Meta(description="How it affects the requested place.")]
    matched_by_label: Annotated[Words, _Meta(description="The same in words.")]
    is_dsnap_likely: Annotated[
        bool,
        _Meta(description="Whether this declaration makes D-SNAP likely for the requested place."),
    ]
    dsnap_reason: Annotated[DsnapReason, _Meta(description="Why, or why not.")]
    are_areas_known: Annotated[
        bool,
        _Meta(description="False if our copy of FEMA's data has the disaster but not its areas."),
    ]
    area_count: Annotated[
        int, _Meta(description="Areas of the whole declaration that are known.", ge=0)
    ]
    areas: Annotated[list[DisasterArea], _Meta(description="The areas, in order of their names.")]
    url: Annotated[
        str,
        _Meta(
            description="FEMA's page about the disaster.",
            examples=["https://www.fema.gov/disaster/4834"],
        ),
    ]


class DisasterFreshness(msgspec.Struct, forbid_unknown_fields=True):
    """Age of the answer's data."""

    publisher: str
    source_url: str
    attribution: str | None
    files: Annotated[list[str], _Meta(description="Names of FEMA's files that were read.")]
    as_of: Annotated[
        date | None, _Meta(description="FEMA's own date of the data: its newest `lastRefresh`.")
    ]
    newest_declaration_date: Annotated[
        date | None,
        _Meta(description="The newest declaration in the data. Later ones are missing."),
    ]
    retrieved_at: Annotated[str | None, _Meta(description="When the bytes came (UTC).")]
    last_refresh: Annotated[
        str | None,
        _Meta(description="When we last made sure that nothing newer was to be had (UTC)."),
    ]
    age_days: Annotated[
        Annotated[int, _Meta(ge=0)] | None, _Meta(description="Days from `as_of` to today.")
    ]
    is_stale: Annotated[
        bool, _Meta(description="True when the data is so old that new disasters may be missing.")
    ]
    came_with: Annotated[
        Literal["release", "refresh"],
        _Meta(description="With the release, or with the hourly refresh after it."),
    ]
    note: Annotated[
        Words | None, _Meta(description="What the age means for the answer, when it does.")
    ]


class DisasterRules(msgspec.Struct, forbid_unknown_fields=True):
    """The rules of the answer, in words, with their sources."""

    active: Words
    active_source_url: str
    dsnap: Words
    dsnap_window_days: Annotated[
        int,
        _Meta(
            description="Days after the start or the declaration in which D-SNAP counts as likely."
        ),
    ]
    dsnap_source_url: str | None
    dsnap_source_title: str
    dsnap_as_of: Annotated[
        date, _Meta(description="Day on which the source of the D-SNAP rule was read.")
    ]


class County(msgspec.Struct, forbid_unknown_fields=True):
    """A county of the ZIP code."""

    fips: Annotated[str, _Meta(description="FIPS code, five digits.", examples=["40027"])]
    name: Annotated[str, _Meta(description="Its name.", examples=["Cleveland County"])]


class ActiveDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Active declarations for a ZIP code or a state."""

    success: bool
    zip: Annotated[str | None, _Meta(description="The requested ZIP code; null for a state.")]
    state: Annotated[str, _Meta(description="The requested state, or the state of the ZIP code.")]
    state_name: str
    counties: Annotated[
        list[County],
        _Meta(
            description="Counties of the ZIP code, the main one first; empty for a state, and where they are not known."
        ),
    ]
    on: Annotated[date, _Meta(description="The day that the answer is for.")]
    has_dsnap_likely: Annotated[
        bool,
        _Meta(
            description="Whether Disaster SNAP is likely here. It is certain only when the state announces it."
        ),
    ]
    dsnap_reason: Annotated[DsnapReason, _Meta(description="Why, or why not.")]
    dsnap_message: Annotated[Words, _Meta(description="What this means, as a sentence.")]
    total_active: Annotated[int, _Meta(description="Length of `declarations`.", ge=0)]
    declarations: Annotated[
        list[Disaster], _Meta(description="Active declarations, the newest first.")
    ]
    elsewhere_in_state: Annotated[
        int,
        _Meta(
            description="Further active declarations of the state that name other counties only; 0 for a state.",
            ge=0,
        ),
    ]
    rules: DisasterRules
    freshness: DisasterFreshness
    is_synthetic: Annotated[
        bool, _Meta(description="True when the declarations are invented (demonstration data).")
    ]
    release_id: str


class StateDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Number of active declarations in a state."""

    state: str
    state_name: str
    active_count: Annotated[int, _Meta(ge=0)]
    has_dsnap_likely: bool
    url: Annotated[str, _Meta(description="Path of the page about the state.")]


class CurrentDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Every active declaration of the nation."""

    success: bool
    on: Annotated[date, _Meta(description="The day that the answer is for.")]
    total_active: Annotated[int, _Meta(ge=0)]
    states: Annotated[
        list[StateDisasters],
        _Meta(
            description="States and territories with an active declaration, in order of their codes."
        ),
    ]
    declarations: Annotated[
        list[Disaster], _Meta(description="Active declarations, the newest first.")
    ]
    rules: DisasterRules
    freshness: DisasterFreshness
    is_synthetic: Annotated[
        bool, _Meta(description="True when the declarations are invented (demonstration data).")
    ]
    release_id: str
