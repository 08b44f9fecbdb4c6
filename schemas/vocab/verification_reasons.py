"""Reasons for a listing's trust score: stable codes with their points and words.

`verification_confidence` is the sum of the points of a listing's reasons, clamped to 0 to 100.
Every group gives at most one reason: best authority 40, agreement 15, age of the newest
verification 25, exactness of the point 10, website 5, telephone 5. Doubts subtract points.
`assets/directory/confidence.py` decides which reasons apply.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    """One ground for or against a listing."""

    code: str
    points: int
    label: str


_REASONS: tuple[Reason, ...] = (
    # Whose word it is: the strongest of the records behind the listing.
    Reason("authority_operator", 40, "The place itself provides the information."),
    Reason("authority_partner", 35, "Listed by a partner that works with the place."),
    Reason("authority_registry", 35, "Listed in an official register."),
    Reason("authority_compiled", 20, "Listed by an organization that compiles such lists."),
    Reason("authority_osm", 15, "Listed in OpenStreetMap."),
    Reason("authority_community", 10, "Listed by volunteers."),
    # How many publishers say so.
    Reason("sources_two", 10, "Two publishers agree."),
    Reason("sources_three_or_more", 15, "Three or more publishers agree."),
    # How old the newest verification is. A publisher's date on an unchecked list counts half.
    Reason(
        "verified_within_90_days",
        25,
        "Confirmed, or on a partner's or official list, within the last 90 days.",
    ),
    Reason(
        "verified_within_180_days",
        15,
        "Confirmed, or on a partner's or official list, within the last 180 days.",
    ),
    Reason(
        "verified_within_365_days",
        5,
        "Confirmed, or on a partner's or official list, within the last year.",
    ),
    Reason("listed_within_90_days", 12, "On a list from the last 90 days that no one verifies."),
    Reason("listed_within_180_days", 7, "On a list from the last 180 days that no one verifies."),
    Reason("listed_within_365_days", 2, "On a list from the last year that no one verifies."),
    Reason("not_verified_for_a_year", 0, "Not confirmed and not on any list from the last year."),
    Reason("never_dated", 0, "No publisher gives a date for it."),
    # How exactly the place is known.
    Reason("point_exact", 10, "The point is exact."),
    Reason("point_zip", 3, "Only the ZIP code's area is known."),
    Reason("point_vague", 0, "Only the town or county is known."),
    # What checks found.
    Reason("website_answers", 5, "The website answered at the last check."),
    Reason("website_fails", -10, "The website did not answer at the last check."),
    Reason(
        "phone_plausible",
        5,
        "The telephone number is in use by the numbering plan and fits the state.",
    ),
    Reason("phone_other_state", 0, "The telephone number belongs to another state."),
    Reason("phone_invalid", -5, "The telephone number is invalid."),
    Reason("point_far_from_zip", -15, "The point is far from its ZIP code."),
)

VERIFICATION_REASONS: dict[str, Reason] = {reason.code: reason for reason in _REASONS}
