"""HSDS collections that describe organizations, services and places. Official columns first, then
ours.
"""

from __future__ import annotations

from schemas.hsds.columns import (
    DATA_SOURCE,
    IS_SYNTHETIC,
    LAST_MODIFIED,
    RESOURCE_ID,
    TZID,
    extra,
    key,
    link,
    of,
    text,
)
from schemas.hsds.model import Collection
from schemas.vocab.hsds_taxonomy import HOME_DELIVERY
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.statuses import LOCATION_PRECISIONS, VERIFICATION_STATUSES

SERVICE_STATUSES = ("active", "inactive", "defunct", "temporarily closed")
PLACE_KINDS = ("physical", "postal", "virtual")

ORGANIZATIONS = Collection(
    "organizations",
    "organization",
    "Organizations",
    "Who runs the services. A place whose source names no organization is its own.",
    (
        key(),
        text("name", "Name of the organization.", "R"),
        text("alternate_name", "Another name."),
        text("description", "What it does, in one sentence from known values.", "R"),
        of("email", "email", "E-mail address."),
        of("uri", "website", "Web address."),
        text("tax_status", "Deprecated in HSDS; not filled."),
        text("tax_id", "Deprecated in HSDS; see organization_identifiers."),
        of("number", "year_incorporated", "Year of founding.", is_whole=True),
        text("legal_status", "Legal form."),
        text("logo", "Address of a logo."),
        of("uri", "uri", "Persistent identifier of the organization."),
        of("uuid", "parent_organization_id", "The organization it is part of."),
        DATA_SOURCE,
        IS_SYNTHETIC,
        LAST_MODIFIED,
    ),
)

SERVICES = Collection(
    "services",
    "service",
    "Services",
    "What a place offers: one service for each active resource of the directory, and one for each service that comes to people's homes.",
    (
        key(),
        link("organization", "T"),
        link("program"),
        text("name", "Name of the service as people know it.", "R"),
        text("alternate_name", "Another name."),
        text("description", "What is offered."),
        of("uri", "url", "Web address."),
        of("email", "email", "E-mail address."),
        text("status", "Whether the service is running.", "R", values=SERVICE_STATUSES),
        text("interpretation_services", "Interpretation on offer."),
        text("application_process", "How to get the service: walk in, appointment."),
        text("fees_description", "Free, only where that is known."),
        text("wait_time", "Deprecated in HSDS; not filled."),
        text("fees", "Deprecated in HSDS; see cost_options."),
        text("accreditations", "Accreditations."),
        text("eligibility_description", "Who can go and what they must bring."),
        of("number", "minimum_age", "Youngest age served, in years.", is_whole=True),
        of("number", "maximum_age", "Oldest age served, in years.", is_whole=True),
        of("date", "assured_date", "When a partner or registry last confirmed the record."),
        of("email", "assurer_email", "E-mail address of who confirmed it."),
        text("licenses", "Deprecated in HSDS; not filled."),
        text("alert", "Short notice of a temporary change."),
        of("datetime", "last_modified", "When the service or a row that hangs on it last changed in this feed.", profile_required=True),
        extra("integer", "resource_id", "Number of the place in the directory's own API; none of a service that comes to people's homes."),
        extra("string", "resource_type", "Type of the place in the directory's own catalog, or home_delivery.", values=(*TYPE_IDS, HOME_DELIVERY), profile_required=True),
        extra("string", "verification_status", "How far the record is confirmed.", values=VERIFICATION_STATUSES, profile_required=True),
        extra("integer", "completeness_score", "How complete the facts a visitor needs are, 0 to 100; not of a service that comes to people's homes."),
        extra("date", "source_updated_date", "Date on which the publisher says the record was current."),
        DATA_SOURCE,
        IS_SYNTHETIC,
    ),
)  # fmt: skip

LOCATIONS = Collection(
    "locations",
    "location",
    "Locations",
    "Where people go. Confidential places carry the point of their town only.",
    (
        key(),
        text("location_type", "Kind of location.", "R", values=PLACE_KINDS),
        of("uri", "url", "Address of a virtual location."),
        link("organization"),
        text("name", "Name of the place."),
        text("alternate_name", "Another name."),
        text("description", "More about the place; says when the exact place is withheld."),
        text("transportation", "How to get there."),
        of("number", "latitude", "Latitude, WGS84 degrees.", profile_required=True),
        of("number", "longitude", "Longitude, WGS84 degrees.", profile_required=True),
        text("external_identifier", "The publisher's own key of the place."),
        text("external_identifier_type", "Whose key that is: the id of the source."),
        RESOURCE_ID,
        extra(
            "string",
            "location_precision",
            "How exact the point is.",
            values=LOCATION_PRECISIONS,
            profile_required=True,
        ),
        extra("string", "tzid", TZID, profile_required=True),
        extra("string", "county_fips", "State and county FIPS code, five digits."),
        DATA_SOURCE,
        IS_SYNTHETIC,
        LAST_MODIFIED,
    ),
)

SERVICE_AT_LOCATION = Collection(
    "service_at_location",
    "service_at_location",
    "Services at locations",
    "Which service is given at which location, one row per pair.",
    (
        key(),
        link("service", "T"),
        link("location", "T"),
        text("description", "What is particular to the service at this location."),
        RESOURCE_ID,
        LAST_MODIFIED,
    ),
)

PHONES = Collection(
    "phones",
    "phone",
    "Phones",
    "Telephone numbers, each of a service at a location, or of a service that comes to people's homes.",
    (
        key(),
        link("location"),
        link("service"),
        link("organization"),
        link("contact"),
        link("service_at_location"),
        text(
            "number",
            "Number in E.164 form, for example +19785550142; service codes as they are dialled.",
            "R",
        ),
        of("number", "extension", "Extension, where it is a number.", is_whole=True),
        text("type", "voice."),
        text("description", "An extension that is no number, in words."),
        LAST_MODIFIED,
    ),
)

ADDRESSES = Collection(
    "addresses",
    "address",
    "Addresses",
    "Street addresses of locations. Only where street, city, state and ZIP are all known and "
    "public.",
    (
        key(),
        link("location", profile_required=True),
        text("attention", "Person or unit a letter is addressed to."),
        text("address_1", "Street address.", "R"),
        text("address_2", "Second line."),
        text("city", "City.", "R"),
        text("region", "County."),
        text("state_province", "USPS code of the state or territory.", "R"),
        text("postal_code", "Five-digit ZIP code.", "R"),
        text("country", "ISO 3166-1 code; US for states and territories alike.", "R"),
        text("address_type", "Kind of address.", "R", values=PLACE_KINDS),
        LAST_MODIFIED,
    ),
)

SCHEDULES = Collection(
    "schedules",
    "schedule",
    "Schedules",
    "When a service is given: one row per opening span as RFC 5545 parts. Hours that could not be read are one row with the source's words and nothing else.",
    (
        key(),
        link("service"),
        link("location"),
        link("service_at_location", profile_required=True),
        of("date", "valid_from", "First day on which the row is valid."),
        of("date", "valid_to", "Last day on which the row is known to be valid."),
        of("date", "dtstart", "First day of the recurrence."),
        of(
            "number",
            "timezone",
            "UTC offset in hours in force on the day of the build.",
            is_whole=True,
        ),
        of("date", "until", "Last day of the recurrence."),
        of("number", "count", "Number of occurrences; never together with until.", is_whole=True),
        text("wkst", "First day of the week.", values=("MO", "TU", "WE", "TH", "FR", "SA", "SU")),
        text("freq", "How often.", values=("WEEKLY", "MONTHLY")),
        of("number", "interval", "Every how many weeks or months.", is_whole=True),
        text("byday", "Weekdays, comma-separated; with ordinals only if MONTHLY (2TU, -1FR)."),
        text("byweekno", "Weeks of the year."),
        text("bymonthday", "Days of the month; only if MONTHLY."),
        text("byyearday", "Days of the year."),
        text("description", "What the rule cannot say, or the source's words."),
        of("time", "opens_at", "Opening time with the offset in force on the day of the build."),
        of(
            "time",
            "closes_at",
            "Closing time; at or before the opening time it is on the next day.",
        ),
        of("uri", "schedule_link", "Address of a timetable."),
        text("attending_type", "How to attend."),
        text("notes", "Notes."),
        extra("string", "tzid", TZID, profile_required=True),
        extra("boolean", "is_closed", "true: closed on these days, whatever other rows say."),
        LAST_MODIFIED,
    ),
)

LANGUAGES = Collection(
    "languages",
    "language",
    "Languages",
    "Languages spoken at a service.",
    (
        key(),
        link("service", profile_required=True),
        link("location"),
        link("phone"),
        text("name", "Name of the language in English."),
        text("code", "ISO 639-1 code, else ISO 639-3."),
        text("note", "Note."),
        LAST_MODIFIED,
    ),
)
