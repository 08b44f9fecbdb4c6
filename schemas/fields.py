"""The dictionary of fields: one entry per quantity, used by every table that has it.

Names fixed by the interface win (`zip`, `lat`, `lng`, `phone`). Otherwise: instants end in `_at` (UTC),
dates in `_date`, booleans begin with `is_` or `has_`, quantities name their unit.
"""

from __future__ import annotations

from schemas.table import Field
from schemas.vocab.behaviour_rules import RULE_IDS
from schemas.vocab.coverage_tiers import TIER_IDS
from schemas.vocab.facility_types import FACILITY_TYPES
from schemas.vocab.probes import PHONE_TYPES, PROBE_RESULTS
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import (
    LOCATION_METHODS,
    LOCATION_PRECISIONS,
    VERIFICATION_STATUSES,
    ZIP_KINDS,
)

_ENTRIES: tuple[Field, ...] = (
    # --- identity and origin
    Field("resource_id", "integer", "Permanent id of the resource. Never reused, never changed; a merged id answers with its successor.", 2914830571220044, minimum=1, maximum=2**53 - 1),
    Field("source_id", "string", "Id of the source in the source registry.", "usda_snap", pattern=r"[a-z][a-z0-9_]*"),
    Field("source_key", "string", "The publisher's own stable key of the record, or a digest of its most stable fields where the publisher has none.", "1694069"),
    Field("source_row", "integer", "Row number in the file as read, from 1, header not counted.", 17, minimum=1),
    Field("file_name", "string", "Name of the raw file the row was read from.", "retailers.csv"),
    Field("retrieved_at", "datetime", "When the bytes that hold this row first reached the directory. Never a date of verification.", "2026-11-01T06:00:00Z"),
    Field("source_updated_date", "date", "Date on which the publisher says the row was current: the row's own date, else the vintage of the file. Empty when unknown.", "2026-07-29"),
    Field("data_source", "string", "Id of the source that leads this record.", "usda_snap"),
    Field("source_count", "integer", "Number of source records that stand behind the resource.", 2, minimum=1),
    Field("is_primary", "boolean", "True for the source record that leads the resource."),
    Field("supplied_fields", "strings", "Published fields whose value comes from this source record.", ["name", "phone"]),
    Field("license", "string", "Licence under which the record is published.", "CC-BY-4.0"),
    Field("source_url", "string", "Public page of the source that leads the record.", "https://www.fns.usda.gov/snap/retailer/data"),
    Field("is_synthetic", "boolean", "True for generated demonstration data; never a real place."),
    # --- what it is
    Field("name", "string", "Name of the place as people know it.", "St. Albans Food Pantry"),
    Field("organization", "string", "Organization that runs the place, where the source tells.", "St. Albans Church"),
    Field("resource_type", "string", "Type of place, from the type catalog.", "food_pantry", values=TYPE_IDS),
    Field("facility_type", "string", "Kind of facility in a register that is no part of the food directory.", "vet_center", values=FACILITY_TYPES),
    Field("facility_subtype", "string", "The register's own word for the kind of facility.", "CBOC"),
    Field("is_active", "boolean", "False for records that are kept but no longer listed."),
    Field("is_public", "boolean", "False where the source or its licence does not allow the record to be shown; it may still serve matching."),
    Field("is_confidential", "boolean", "True for sites whose exact place must not be published (shelters); they get no street and no exact point."),
    # --- where it is
    Field("address", "string", "Street address, one line, without city, state and ZIP.", "122 Lafayette St"),
    Field("city", "string", "City or post-office place name.", "Salem"),
    Field("state", "string", "USPS code of the state or territory.", "MA", values=STATE_CODES),
    Field("zip", "string", "Five-digit ZIP code; always text.", "01970", pattern=r"[0-9]{5}"),
    Field("county_name", "string", "County or county equivalent.", "Essex County"),
    Field("county_fips", "string", "State and county FIPS code, five digits.", "25009", pattern=r"[0-9]{5}"),
    Field("census_tract", "string", "Census tract, eleven digits: state and county FIPS code, then the six digits of the tract. Known only for points of the geocoder.", "25009204200", pattern=r"[0-9]{11}"),
    Field("lat", "number", "Latitude, WGS84.", 42.517876, minimum=-90, maximum=90, unit="degrees"),
    Field("lng", "number", "Longitude, WGS84.", -70.893356, minimum=-180, maximum=180, unit="degrees"),
    Field("location_precision", "string", "How exact the point is, from rooftop to city. Distances are rounded accordingly.", "street", values=LOCATION_PRECISIONS),
    Field("location_method", "string", "How the point was found.", "source", values=LOCATION_METHODS),
    Field("timezone", "string", "IANA time zone of the point; all opening hours are in it.", "America/New_York"),
    # --- how to reach it
    Field("phone", "string", "Telephone number as a person would write it, with extension.", "(978) 555-0142"),
    Field("phone_e164", "string", "First telephone number in E.164 form, without extension.", "+19785550142", pattern=r"\+[1-9][0-9]{6,14}"),
    Field("website", "string", "Web address, http or https.", "https://example.org/pantry"),
    # --- when and for whom
    Field("hours_text", "string", "Opening hours exactly as the source writes them.", "Tu,Th 10:00AM-12:00PM"),
    Field("schedules_json", "json", "Opening hours as a JSON array of HSDS-shaped schedules; empty when the text could not be read with certainty.", '[{"freq":"WEEKLY","byday":"TU,TH","opens_at":"10:00","closes_at":"12:00"}]'),
    Field("hours_json", "json", "Weekly opening hours as a JSON object from lower-case English weekday to spans; empty when unknown or not weekly.", '{"tuesday":"10:00-12:00"}'),
    Field("services_text", "string", "What the place offers, as the source writes it.", "Groceries, baby formula"),
    Field("services_offered", "strings", "What the place offers, one entry each.", ["groceries"]),
    Field("requirements_text", "string", "What a visitor must bring or be, as the source writes it.", "Photo ID required"),
    Field("eligibility_text", "string", "Who may come.", "Children and teenagers, 18 and under"),
    Field("languages", "strings", "Languages spoken, BCP 47 tags.", ["en", "es"]),
    Field("notes", "string", "Anything else the source says to visitors.", "Side entrance"),
    Field("accepts_walkins", "boolean", "Visitors may come without an appointment; empty when unknown."),
    Field("requires_appointment", "boolean", "Visitors need an appointment; empty when unknown."),
    # --- how far it can be trusted
    Field("verification_status", "string", "partner_verified: from a partner's own list or an approved operator. verified: confirmed by an authoritative registry within its cadence. unverified: everything else.", "verified", values=VERIFICATION_STATUSES),
    Field("last_verified_date", "date", "Date on which a partner or registry last confirmed the record. Empty when nobody did; an import is no confirmation.", "2026-07-29"),
    Field("completeness_score", "integer", "Share of what a visitor needs that is known, 0 to 100.", 70, minimum=0, maximum=100),
    Field("completeness_missing", "strings", "The parts that are missing from the completeness score.", ["hours", "website"]),
    Field("verification_confidence", "integer", "How far the listing can be trusted, 0 to 100: the sum of the points of its reasons.", 75, minimum=0, maximum=100),
    Field("verification_reasons", "strings", "Stable codes of what speaks for and against the listing; see the list of verification reasons.", ["authority_registry", "confirmed_within_90_days", "point_exact"]),
    # --- automatic checks and changes
    Field("rule_id", "string", "Id of the behaviour rule.", "dead_end", values=RULE_IDS),
    Field("changed_field", "string", "Field of the resource that was changed.", "is_active"),
    Field("old_value", "string", "Value before the change, as text; empty for none.", "true"),
    Field("new_value", "string", "Value after the change, as text; empty for none.", "false"),
    Field("observed_on", "date", "Day for which the build judged the condition.", "2026-11-20"),
    Field("evidence", "string", "What was seen, in words.", "unverified; no phone, website, hours, house number or exact point"),
    Field("release_id", "string", "Release that made the change.", "20261101T060000Z-1c2d3e4f"),
    Field("observation_count", "integer", "On how many different days the condition was seen without a break.", 1, minimum=1),
    Field("first_observed_on", "date", "Day on which the condition was first seen.", "2026-11-19"),
    Field("last_observed_on", "date", "Day on which the condition was last seen.", "2026-11-20"),
    Field("probe_result", "string", "ok: the page answers. moved: another address answers for it. refused: the server is there but not for programs. gone: 404 or 410. error: no answer or a server error. timeout: too slow.", "ok", values=PROBE_RESULTS),
    Field("http_status", "integer", "Last HTTP status; empty when no answer came.", 200, minimum=100, maximum=999),
    Field("final_url", "string", "Address that answered after redirects, where it is another one.", "https://www.example.org/pantry"),
    Field("probe_detail", "string", "What went wrong, in words.", "status 404"),
    Field("probed_at", "datetime", "When the website was last probed.", "2026-11-20T02:00:00Z"),
    Field("failures_in_row", "integer", "Failed probes since the last success; a refusal counts neither way.", 0, minimum=0),
    Field("last_success_at", "datetime", "When the website last answered a probe; empty for never.", "2026-11-20T02:00:00Z"),
    Field("is_possible", "boolean", "The number has a possible length."),
    Field("is_valid", "boolean", "The numbering plan has assigned the number's prefix to the United States or a territory."),
    Field("phone_type", "string", "Kind of number by the numbering plan.", "fixed_or_mobile", values=PHONE_TYPES),
    Field("phone_state", "string", "State or territory of the area code; empty for numbers that belong to none.", "MA", values=STATE_CODES),
    Field("is_state_match", "boolean", "Whether the area code belongs to the listing's state; empty where the number belongs to no state."),
    Field("validated_on", "date", "Day of the build that validated the number.", "2026-11-20"),
    # --- rejects, files, runs
    Field("reject_reason", "string", "Why the row was not used: a stable code.", "point_outside_state"),
    Field("reject_detail", "string", "The value or rule behind the reason.", "lat 10.476636, lng -66.845497, state CA"),
    Field("row_json", "json", "The row as the source module understood it.", '{"name":"..."}'),
    Field("sha256", "string", "SHA-256 of the bytes, hexadecimal.", "9f86d081...", pattern=r"[0-9a-f]{64}"),
    Field("size_bytes", "integer", "Size of the file.", 3709041, minimum=0, unit="bytes"),
    Field("fetched_from", "string", "Address or path the bytes came from.", "https://services1.arcgis.com/..."),
    Field("media_type", "string", "Media type as served, or guessed from the name.", "text/csv"),
    Field("stored_as", "string", "Path of the kept bytes, relative to the data directory.", "raw/usda_snap/1f0c.../retailers.csv"),
    Field("cluster_id", "string", "Key of the group of source records that describe the same place.", "usda_snap:1694069"),
    Field("match_reason", "string", "Why the record belongs to its group.", "exact name, address, city and type"),
    Field("other_source_id", "string", "Id of the source of the second record of a pair.", "wic_clinics", pattern=r"[a-z][a-z0-9_]*"),
    Field("other_source_key", "string", "Key of the second record of a pair, in its source.", "0093"),
    Field("doubt_reason", "string", "Why a pair was not merged and needs a reviewer.", "same address, one name has more words than the other"),
    Field("name_similarity", "number", "How alike two names are, letter by letter: 0 nothing, 1 the same words.", 0.96, minimum=0, maximum=1),
    Field("miles_apart", "number", "Distance between two records' points; empty unless both points are exact.", 0.01, minimum=0, unit="miles"),
    Field("successor_id", "integer", "Id of the resource that took over from a merged one.", 2914830571220044),
    Field("id_status", "string", "active: in this release. merged: now part of its successor. retired: no longer listed.", "active", values=("active", "merged", "retired")),
    Field("first_release_id", "string", "Release in which the id first appeared.", "20261101T060000Z-1c2d3e4f"),
    # --- history
    Field("last_changed_at", "datetime", "When the published content of the resource last changed: the time in the id of the release that brought the change. Times of fetching are no content.", "2026-11-01T06:00:00Z"),
    Field("content_digest", "string", "Digest of the published content of the resource: equal content, equal digest.", "9f86d081884c7d659a2feaa0c55ad015", pattern=r"[0-9a-f]{32}"),
    # --- geography
    Field("zip_kind", "string", "Kind of ZIP code: standard, PO box, unique (one organization) or military.", "standard", values=ZIP_KINDS),
    Field("population", "integer", "Residents, by the source and year that the geography names. Empty when unknown.", 8175133, minimum=0, unit="people"),
    Field("place_name", "string", "Name of a city, town or other populated place.", "Salem"),
    Field("search_name", "string", "The name folded for search: lower case, no accents, Saint and Fort abbreviated.", "st paul"),
    Field("is_quality_low", "boolean", "True where the sources of the point disagree."),
    Field("resource_count", "integer", "Number of active resources.", 12, minimum=0),
    # --- totals by state and city; the names without `_count` are fixed by the interface
    Field("food_pantries", "integer", "Active places of type food_pantry.", 120, minimum=0),
    Field("food_banks", "integer", "Active places of type food_bank.", 3, minimum=0),
    Field("soup_kitchens", "integer", "Active places of type soup_kitchen.", 14, minimum=0),
    Field("mobile_pantries", "integer", "Active places of type mobile_pantry.", 9, minimum=0),
    Field("community_fridges", "integer", "Active places of type community_fridge.", 2, minimum=0),
    Field("wic_clinics", "integer", "Active places of type wic_office.", 40, minimum=0),
    Field("school_meal_sites", "integer", "Active places of type school_meal.", 800, minimum=0),
    Field("summer_meal_sites", "integer", "Active places of type summer_meal.", 300, minimum=0),
    Field("fqhc_health_centers", "integer", "Active places of type health_center.", 60, minimum=0),
    Field("head_start_centers", "integer", "Active places of type head_start.", 25, minimum=0),
    Field("snap_retailers", "integer", "Active places of type snap_retailer: shops, where food is sold.", 2500, minimum=0),
    Field("partner_verified", "integer", "Active places of any type whose verification is partner_verified.", 12, minimum=0),
    Field("partner_verified_pantries", "integer", "Active places of the food-pantry class whose verification is partner_verified.", 11, minimum=0),
    Field("verified_count", "integer", "Active places whose verification is verified.", 90, minimum=0),
    Field("unverified_count", "integer", "Active places whose verification is unverified.", 300, minimum=0),
    Field("pantry_class_count", "integer", "Active places of the food-pantry class: pantries, food banks, soup kitchens, mobile pantries, community fridges.", 148, minimum=0),
    Field("pantry_hours_known_count", "integer", "Active places of the food-pantry class whose opening hours can be read, so that open or closed can be told.", 60, minimum=0),
    Field("free_food_count", "integer", "Active places of the search mode `free`: the food-pantry class, emergency food, tribal and senior programs.", 152, minimum=0),
    Field("exact_point_count", "integer", "Active places whose point is exact to the street or the building.", 400, minimum=0),
    Field("zip_count", "integer", "Different ZIP codes in the addresses of active places.", 70, minimum=0),
    Field("city_count", "integer", "Different cities of active places, capitals set aside.", 40, minimum=0),
    Field("county_count", "integer", "Different counties of active places.", 14, minimum=0),
    Field("without_city_count", "integer", "Active places whose city is not known.", 1, minimum=0),
    Field("population_source", "string", "Who counted or estimated the residents.", "U.S. Census Bureau, Vintage 2025 population estimates (NST-EST2025)"),
    Field("population_date", "date", "Day that the number of residents is for.", "2025-07-01"),
    Field("resources_per_1000_residents", "number", "Active places of all types for every 1,000 residents. Empty when the residents are not known.", 0.942, minimum=0),
    Field("coverage_rank", "integer", "Place among the 50 states and DC by resources per 1,000 residents, 1 for the most; equal ratios share a place. Empty for territories.", 7, minimum=1),
    Field("coverage_tier", "string", "How densely the directory covers a state, by fixed thresholds of resources per 1,000 residents. Empty when the residents are not known.", "fair", values=TIER_IDS),
    Field("leaderboard_rank", "integer", "Place by partner-verified pantries, 1 for the most; equal numbers share a place. Empty where there is none.", 3, minimum=1),
    Field("figure_id", "string", "Stable id of a figure about the directory.", "known_phone", pattern=r"[a-z][a-z0-9_]*"),
    Field("figure_group", "string", "What was counted: a class of places, a source, a match reason, a date, or `all`.", "pantry_class"),
    Field("figure", "integer", "The figure: a count.", 30460, minimum=0),
    # --- quality
    Field("check_id", "string", "Stable id of a quality check.", "identical_points"),
    Field("check_group", "string", "What was measured: a source, a state, a type, or `all`.", "usda_snap"),
    Field("measured", "number", "The measured value: a count or a share from 0 to 1, as the check says.", 0.62),
    Field("threshold", "number", "The limit that the value is held against; empty for figures that are only reported.", 0.3),
    Field("severity", "string", "blocking: a failure keeps the release from being promoted. warning: a person should look. figure: reported only.", "warning", values=("blocking", "warning", "figure")),
    Field("is_passed", "boolean", "False where the value is beyond its limit."),
    Field("detail", "string", "The check in words, with examples.", "31 resources at 40.7128, -74.006"),
    # --- disasters
    Field("disaster_number", "integer", "FEMA disaster number.", 4834, minimum=1),
    Field("declaration_string", "string", "FEMA declaration string: type, number, state.", "DR-4834-FL"),
    Field("declaration_type", "string", "DR: major disaster. EM: emergency. FM: fire management. FS: fire suppression.", "DR", values=("DR", "EM", "FM", "FS")),
    Field("title", "string", "Title of the disaster.", "Hurricane Milton"),
    Field("incident_type", "string", "Kind of incident, FEMA's words.", "Hurricane"),
    Field("declaration_date", "date", "Date of the declaration.", "2024-10-11"),
    Field("incident_begin_date", "date", "First day of the incident.", "2024-10-05"),
    Field("incident_end_date", "date", "Last day of the incident; empty when FEMA gives none, which alone does not mean that it goes on.", "2024-11-02"),
    Field("closeout_date", "date", "Date on which FEMA closed the disaster.", "2026-01-15"),
    Field("last_ia_filing_date", "date", "Last day to file for individual assistance.", "2025-01-07"),
    Field("designated_area", "string", "Declared area: county, parish or tribal area; empty for the whole disaster.", "Cleveland (County)"),
    Field("is_tribal_area", "boolean", "True where the designated area is a tribal area and not a county."),
    Field("has_individual_assistance", "boolean", "Individual and Households Program or Individual Assistance declared."),
    Field("has_public_assistance", "boolean", "Public Assistance declared."),
    Field("has_hazard_mitigation", "boolean", "Hazard Mitigation declared."),
)  # fmt: skip

FIELDS: dict[str, Field] = {entry.name: entry for entry in _ENTRIES}
assert len(FIELDS) == len(_ENTRIES), "a field is declared twice"


def fields(names: str) -> tuple[Field, ...]:
    """The fields of a blank-separated list of names, in that order.

    Raises KeyError for a name that the dictionary lacks.
    """
    return tuple(FIELDS[name] for name in names.split())
