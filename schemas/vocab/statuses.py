"""Closed vocabularies for states of knowledge: verification, opening, precision, authority."""

# partner_verified: from a partner's own list or an approved operator. verified: in an authoritative
# registry, within its cadence. unverified: everything else. pending: not yet reviewed, never in a
# release.
VERIFICATION_STATUSES: tuple[str, ...] = ("partner_verified", "verified", "unverified")

# From exact to vague. Distances are rounded accordingly: see `schemas.values.coordinates`.
LOCATION_PRECISIONS: tuple[str, ...] = ("rooftop", "street", "zip", "county", "city")
# Points of these lead to a door; others only to a ZIP code or a town.
EXACT_PRECISIONS: tuple[str, ...] = LOCATION_PRECISIONS[:2]

# How a point was found.
LOCATION_METHODS: tuple[str, ...] = (
    "source",
    "source_swapped",
    "source_sign",
    "source_web_mercator",
    "geocoder",
    "zip_centroid",
    "city_centroid",
    "county_centroid",
)

# Whose word counts more when sources disagree; the first is the strongest.
AUTHORITIES: tuple[str, ...] = ("operator", "partner", "registry", "compiled", "community", "osm")

ZIP_KINDS: tuple[str, ...] = ("standard", "po_box", "unique", "military")
