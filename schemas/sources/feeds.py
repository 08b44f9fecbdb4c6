"""Feeds: living lists of free food on a known platform, one short YAML file each.

A feed states only what has no default. It becomes a source (`schemas.sources.registry.Source`) of
one layout, which its platform maps (`schemas/platforms/`).
"""

from datetime import date
from typing import Any, Literal

import msgspec

from schemas.sources.platforms import platforms
from schemas.vocab.states import STATES

_STORED = {
    "google_my_maps": (".kml", "application/vnd.google-earth.kml+xml"),
    "google_sheets": (".csv", "text/csv"),
    "airtable_csv": (".csv", "text/csv"),
    "icalendar": (".ics", "text/calendar"),
    "web_page": (".html", "text/html"),
    "jsonld_pages": (".html", "text/html"),
}
_JSON = (".json", "application/json")
# Days after which a list is fetched again, and after which it is late.
_DAYS = {"daily": (1, 3), "weekly": (7, 21), "monthly": (28, 70)}


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terms of use, in the publisher's words or as "not stated", and when they were read there."""

    stated: str
    read: date
    page: str | None = None
    # An id of `schemas/vocab/licenses.yaml`, if the publisher names a license.
    license: str = "none-stated"


class Feed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One living list.

    `states` and `area` say where it lists places; rows without a state get that of a feed of one
    state. `kinds` says what it lists, in words. `resource_type` is the type of rows whose name
    implies no other. `rows` is the number of rows when the feed was declared. `url`, `params`,
    `each`, `hosts` and `ignore_robots` are those of `LiveFeed`. `cadence` is how often it is
    fetched. `is_living`: the publisher keeps the list of its own network current, so that its hours
    hold from one fetch to the next. `needs: permission`: off until the operator records who
    permitted it. `layout` adds to the platform's mapping. `seen` is the day on which the address
    answered, according to another project.
    """

    id: str
    title: str
    publisher: str
    homepage: str
    states: list[str]
    area: str
    kinds: str
    resource_type: str
    platform: str
    url: str
    terms: Terms
    seen: date | None
    rows: int | None = None
    params: dict[str, str] = {}
    each: dict[str, list[str]] = {}
    hosts: list[str] = []
    ignore_robots: str | None = None
    robots: str | None = None
    cadence: Literal["daily", "weekly", "monthly"] = "weekly"
    is_living: bool = False
    needs: Literal["permission"] | None = None
    layout: dict[str, Any] = {}
    notes: list[str] = []

    def __post_init__(self) -> None:
        if self.platform not in platforms():
            raise ValueError(f"platform {self.platform!r} is not one of {', '.join(platforms())}")
        if unknown := [state for state in self.states if state != "US" and state not in STATES]:
            raise ValueError(f"states: {unknown} are not states")


def source_facts(content: bytes) -> dict[str, Any]:
    """Return the members of the source that a feed declares. Raises msgspec.ValidationError."""
    feed = msgspec.yaml.decode(content, type=Feed)
    ending, media_type = _STORED.get(feed.platform, _JSON)
    file_name = f"{feed.id}{ending}"
    known = {"state": feed.states[0]} if len(feed.states) == 1 and feed.states != ["US"] else {}
    due_days, late_days = _DAYS[feed.cadence]
    live = {
        "platform": feed.platform,
        "url": feed.url,
        "file_name": file_name,
        "params": feed.params,
        "each": feed.each,
        "hosts": feed.hosts,
        "ignore_robots": feed.ignore_robots,
    }
    terms = feed.terms
    return {
        "id": feed.id,
        "title": feed.title,
        "publisher": feed.publisher,
        "homepage": feed.homepage,
        "license": {"id": terms.license} | ({"url": terms.page} if terms.page else {}),
        "cadence": feed.cadence,
        "fetch_days": due_days,
        "freshness_days": late_days,
        "authority": "partner" if feed.is_living else "compiled",
        "verified_for_days": late_days if feed.is_living else None,
        "is_living": feed.is_living,
        "plural": "places",
        "description": f"{feed.kinds[:1].upper()}{feed.kinds[1:]} in {feed.area}.",
        "default_type": feed.resource_type,
        "expected_rows": {"minimum": (feed.rows or 2) // 2, "maximum": (feed.rows or 5000) * 2},
        "files": [
            {"pattern": file_name, "layout": "list", "media_type": media_type, "known": known}
        ],
        "layouts": {"list": {"platform": feed.platform, **feed.layout}},
        "live": [live],
        "needs": feed.needs,
        "states": feed.states,
        "notes": [
            f"Terms: {terms.stated} (read {terms.read}).",
            *([f"robots.txt: {feed.robots}."] if feed.robots else []),
            *feed.notes,
        ],
    }
