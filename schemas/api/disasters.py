"""Federal disaster declarations that are active for a ZIP code, a state or the nation, and
D-SNAP."""

from datetime import date
from typing import Annotated, Literal

import msgspec

from schemas.api.common import NonNegative, ServedRelease, Success
from schemas.values.disasters import Because
from schemas.words import Words

AreaKind = Literal["county", "statewide", "tribal_area", "other"]
Match = Literal["county", "statewide", "state", "areas_unknown", "tribal_area"]
DsnapReason = Literal[
    "likely",
    "individual_assistance_unknown",
    "no_individual_assistance",
    "not_a_major_disaster",
    "not_this_area",
    "too_long_ago",
    "no_snap_here",
    "no_active_disaster",
    "data_too_old",
]


class DisasterArea(msgspec.Struct, forbid_unknown_fields=True):
    """An area that a declaration names."""

    name: str
    kind: AreaKind
    county_fips: str | None
    has_individual_assistance: bool | None
    last_ia_filing_date: date | None


class Disaster(msgspec.Struct, forbid_unknown_fields=True):
    """An active declaration, with the areas it names (for a ZIP code: those that touch it)."""

    declaration_string: str
    disaster_number: Annotated[int, msgspec.Meta(ge=1)]
    declaration_type: Literal["DR", "EM", "FM", "FS"]
    type_label: Words
    title: str
    incident_type: str | None
    incident_label: Words | None
    state: str
    state_name: str
    declaration_date: date
    incident_begin_date: date | None
    incident_end_date: date | None
    last_ia_filing_date: date | None
    active_until: date
    active_because: Because
    active_because_label: Words
    has_individual_assistance: bool | None
    has_public_assistance: bool | None
    has_hazard_mitigation: bool | None
    matched_by: Match
    matched_by_label: Words
    is_dsnap_likely: bool | None
    dsnap_reason: DsnapReason
    are_areas_known: bool
    area_count: NonNegative
    areas: list[DisasterArea]
    url: str


class DisasterFreshness(msgspec.Struct, forbid_unknown_fields=True):
    """Age of the answer's data."""

    publisher: str
    source_url: str
    attribution: str | None
    files: list[str]
    as_of: date | None
    newest_declaration_date: date | None
    retrieved_at: str | None
    last_refresh: str | None
    age_days: NonNegative | None
    is_stale: bool
    is_too_old_for_dsnap: bool
    came_with: Literal["release", "refresh"]
    note: Words | None


class DisasterRules(msgspec.Struct, forbid_unknown_fields=True):
    """The rules of the answer, in words, with their sources."""

    active: Words
    active_source_url: str
    dsnap: Words
    dsnap_window_days: int
    dsnap_source_url: str | None
    dsnap_source_title: str
    dsnap_as_of: date


class County(msgspec.Struct, forbid_unknown_fields=True):
    """A county of the ZIP code."""

    fips: str
    name: str


class ActiveDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Active declarations for a ZIP code or a state."""

    success: Success
    zip: str | None
    state: str
    state_name: str
    counties: list[County]
    on: date
    has_dsnap_likely: bool | None
    dsnap_reason: DsnapReason
    dsnap_message: Words
    total_active: NonNegative
    declarations: list[Disaster]
    elsewhere_in_state: NonNegative
    rules: DisasterRules
    freshness: DisasterFreshness
    is_synthetic: bool
    release_id: ServedRelease


class StateDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Number of active declarations in a state."""

    state: str
    state_name: str
    active_count: NonNegative
    has_dsnap_likely: bool | None
    url: str


class CurrentDisasters(msgspec.Struct, forbid_unknown_fields=True):
    """Every active declaration of the nation."""

    success: Success
    on: date
    total_active: NonNegative
    states: list[StateDisasters]
    declarations: list[Disaster]
    rules: DisasterRules
    freshness: DisasterFreshness
    is_synthetic: bool
    release_id: ServedRelease
