"""Structured data for search engines: schema.org in JSON-LD."""

from collections.abc import Sequence
from typing import Any

from schemas.hours.recurrence import NAME_OF_WEEKDAY
from schemas.languages import localize
from schemas.vocab.statuses import EXACT_PRECISIONS
from serving.places.view import PlaceView

_CONTEXT = "https://schema.org"
# Offices of a government program are government services; the others are places where a charity
# gives food.
_GOVERNMENT = frozenset({"wic_office", "snap_office"})
_SHOPS = {"snap_retailer": "GroceryStore", "rmp_restaurant": "Restaurant"}
_HEALTH = frozenset(
    {
        "health_center",
        "rural_health_clinic",
        "mental_health_facility",
        "ryan_white_provider",
        "opioid_treatment",
    }
)


def site(base_url: str, name: str, language: str) -> dict[str, Any]:
    """Return the site with its search (schema.org WebSite, SearchAction)."""
    target = f"{base_url}{localize('/search', language)}?q={{search_term_string}}"
    return {
        "@context": _CONTEXT,
        "@type": "WebSite",
        "name": name,
        "url": f"{base_url}/",
        "inLanguage": language,
        "potentialAction": {
            "@type": "SearchAction",
            "target": {"@type": "EntryPoint", "urlTemplate": target},
            "query-input": "required name=search_term_string",
        },
    }


def breadcrumbs(base_url: str, trail: list[tuple[str, str]]) -> dict[str, Any]:
    """Return path and name of the pages above, and of this one (schema.org BreadcrumbList)."""
    items = [
        {"@type": "ListItem", "position": i, "name": name, "item": f"{base_url}{path}"}
        for i, (path, name) in enumerate(trail, 1)
    ]
    return {"@context": _CONTEXT, "@type": "BreadcrumbList", "itemListElement": items}


def item_list(base_url: str, name: str, places: Sequence[PlaceView]) -> dict[str, Any]:
    """Return a list of pages of places in their order (schema.org ItemList)."""
    items = [
        {"@type": "ListItem", "position": i, "name": view.name, "url": f"{base_url}{view.path}"}
        for i, view in enumerate(places, 1)
    ]
    return {
        "@context": _CONTEXT,
        "@type": "ItemList",
        "name": name,
        "numberOfItems": len(items),
        "itemListElement": items,
    }


def _kind(place: PlaceView) -> Any:
    kind = place.record["resource_type"]
    if kind in _GOVERNMENT:
        return "GovernmentOffice"
    if kind in _HEALTH:
        return "MedicalClinic"
    if kind in _SHOPS:
        return _SHOPS[kind]
    # A charity that gives groceries is no restaurant and no shop.
    return ["LocalBusiness", "NGO"]


def _hours(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return weekly rules only: schema.org has no words for "second Tuesday"."""
    specifications = []
    for rule in record["hours"] or []:
        if (
            rule.get("freq") != "WEEKLY"
            or (rule.get("interval") or 1) != 1
            or not rule.get("byday")
        ):
            continue
        dates = {"validFrom": rule.get("valid_from"), "validThrough": rule.get("valid_to")}
        if any(v and len(v) != 10 for v in dates.values()):  # a season that returns every year
            continue
        days = [
            NAME_OF_WEEKDAY[day] for day in str(rule["byday"]).split(",") if day in NAME_OF_WEEKDAY
        ]
        if days and rule.get("opens_at") and rule.get("closes_at"):
            entry = {
                "@type": "OpeningHoursSpecification",
                "dayOfWeek": days,
                "opens": rule["opens_at"],
                "closes": rule["closes_at"],
            }
            specifications.append(entry | {k: v for k, v in dates.items() if v})
    return specifications


def place(base_url: str, view: PlaceView) -> dict[str, Any]:
    """Return a place. Hours only while they are confirmed; no point and no street of a place
    that hides them."""
    record = view.record
    members: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": _kind(view),
        "@id": f"{base_url}/place/{view.id}",
        "name": view.name,
        "url": f"{base_url}{view.path}",
        "telephone": record["phone_e164"],
        "sameAs": view.website,
        "address": {
            k: v
            for k, v in {
                "@type": "PostalAddress",
                "streetAddress": record["address"],
                "addressLocality": record["city"],
                "addressRegion": record["state"],
                "postalCode": record["zip"],
                "addressCountry": "US",
            }.items()
            if v
        },
        "isAccessibleForFree": True if view.mode in {"free", "summer"} else None,
        "parentOrganization": {"@type": "Organization", "name": view.organization}
        if view.organization
        else None,
    }
    if (
        not view.is_confidential
        and record["lat"] is not None
        and record["location_precision"] in EXACT_PRECISIONS
    ):
        members["geo"] = {
            "@type": "GeoCoordinates",
            "latitude": record["lat"],
            "longitude": record["lng"],
        }
    if not view.is_doubtful:
        members["openingHoursSpecification"] = _hours(record) or None
    return {k: v for k, v in members.items() if v is not None}
