"""One place as other sites show it; the code that they copy (iframes, containers for the script,
badges), in which every value is escaped; and the catalog of all that can be embedded.
"""

from collections.abc import Mapping
from datetime import datetime
from importlib import resources
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from markupsafe import escape

from schemas.api import embeds as shapes
from schemas.languages import PUBLISHED
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.words import Words
from serving.embeds.pictures import badge_date, badge_facts
from serving.embeds.wordpress_plugin import PATH as PLUGIN_PATH
from serving.http.caching import per_release
from serving.places.view import place_path, view_of
from serving.reference.organization import organization_of
from serving.render.words import Language
from serving.settings import Settings
from warehouse.index.points import TYPE_CODES
from warehouse.index.reader import OpenRelease

# Width at most and height in pixels.
WIDGET_SIZE, CARD_SIZE, BADGE_SIZE, PICTURE_SIZE = (520, 500), (420, 380), (240, 60), (1200, 630)
SCRIPT_PATH = "/embed/embed.js"


def widget_path(options: Mapping[str, str]) -> str:
    """Return path of the search widget with its options in the order given."""
    return "/embed/widget" + (f"?{urlencode(options)}" if options else "")


def card_path(resource_id: int, options: Mapping[str, str] | None = None) -> str:
    """Return path of the card of a place."""
    return f"/embed/pantry/{resource_id}" + (f"?{urlencode(options)}" if options else "")


def iframe(address: str, title: str, size: tuple[int, int], *, is_fixed: bool = False) -> str:
    """Return an iframe as wide as its column, up to the width of `size`; or of exactly this size,
    for oEmbed."""
    width, height = size
    width_text, style = (width, "") if is_fixed else ("100%", f";max-width:{width}px")
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="{width_text}" '
        f'height="{height}"'
        f' style="border:0{style}" loading="lazy"></iframe>'
    )


def build_script_embed(
    base_url: str, attributes: Mapping[str, str], fallback_path: str, fallback_words: str
) -> str:
    """Return a container and the script that fills it; without JavaScript the link in it stays."""
    attribute_text = "".join(
        f' {name}="{escape(value)}"' if value else f" {name}" for name, value in attributes.items()
    )
    return (
        f'<div{attribute_text}><a href="{escape(base_url + fallback_path)}">'
        f"{escape(fallback_words)}</a></div>\n"
        f'<script async src="{escape(base_url + SCRIPT_PATH)}"></script>'
    )


def badge_html(base_url: str, resource_id: int, description: str, language: Language) -> str:
    """Return the badge as a link to the page of the place."""
    width, height = BADGE_SIZE
    query = "?lang=es" if language == "es" else ""
    return (
        f'<a href="{escape(base_url + place_path(resource_id, language))}">'
        f'<img src="{escape(base_url)}/badge/{resource_id}.svg{query}" width="{width}" '
        f'height="{height}"'
        f' alt="{escape(description)}"></a>'
    )


def place_embed(
    release: OpenRelease, settings: Settings, row: int, now: datetime
) -> shapes.PlaceEmbed:
    """Return the place in a row at an aware instant. Reads the database: call it in a thread."""
    record: dict[str, Any] = msgspec.json.decode(release.record(row, now))
    en, es = (view_of(release, row, record, now, language) for language in PUBLISHED)
    kind, base = RESOURCE_TYPES[record["resource_type"]], settings.url
    is_verified, when = en.verification_status == "partner_verified", badge_date(record)
    badge = shapes.PlaceBadge(
        id="verified" if is_verified else "listed",
        label="VERIFIED ON" if is_verified else "LISTED ON",
        date=when.isoformat() if when else None,
        image_url=f"{base}/badge/{en.id}.svg",
        page_url=f"{base}/badge/{en.id}",
    )
    return shapes.PlaceEmbed(
        id=en.id,
        name=en.name,
        organization=en.organization,
        resource_type=kind.id,
        type_label=kind.labels,
        address=en.address,
        city=record["city"],
        state=record["state"],
        zip=record["zip"],
        hours_status=en.status,
        hours_in_words=Words(en.hours, es.hours) if en.hours and es.hours else None,
        hours_confirmed=Words(en.caution, es.caution),
        is_doubtful=en.is_doubtful,
        live_status=record["live_status"],
        doubt=release.doubt(row),
        phone=en.phone,
        website=en.website,
        verification_status=en.verification_status,
        badges=[badge],
        embed_url=base + card_path(en.id),
        detail_url=base + en.path,
        directions_url=en.directions_url,
        image_url=f"{base}/og/resource/{en.id}.png",
        license=record["license"],
        is_synthetic=record["is_synthetic"],
        release_id=release.release_id,
    )


# ---------------------------------------------------------------- the catalog


class Example(msgspec.Struct, frozen=True):
    """A place for the examples of the catalog; None and New York if the release has none."""

    id: int | None
    name: str
    zip: str
    state: str


@per_release
def example_of(release: OpenRelease) -> Example:
    """Choose a place for the examples: the best listed pantry with hours."""
    pantry = TYPE_CODES["food_pantry"]
    rows = [row for row in range(len(release)) if not release.is_confidential[row]]
    if not rows:
        return Example(None, "", "10002", "NY")

    def worth(row: int) -> tuple[bool, bool, bool, int, int]:
        return (
            release.type_of(row) == pantry,
            bool(release.has_phone[row]),
            bool(release.hours_codes[row] >= 0),
            int(release.hours_until_days[row]),
            -row,
        )

    best = max(rows, key=worth)
    record = msgspec.json.decode(release.read_record(best) + b"}")
    return Example(record["id"], record["name"], record["zip"] or "10002", record["state"] or "NY")


@per_release
def catalog(release: OpenRelease, settings: Settings) -> shapes.EmbedCatalog:
    """Return the catalog of version 1.0: nine items. Goes through the places once: call it in a
    thread."""
    organization = organization_of(settings)
    file = resources.files("content") / "embeds.yaml"
    texts = msgspec.yaml.decode(file.read_bytes(), type=dict[str, _Words])
    codes = _codes(release, settings)
    width, height = BADGE_SIZE
    items = [
        shapes.EmbedItem(
            id=name,
            name=item.name,
            description=item.description.format(width=width, height=height),
            type=item.type,
            preview_url=settings.url + codes[name].preview,
            embed_html=codes[name].html,
            embed_script=codes[name].script or msgspec.UNSET,
            docs_url=f"{settings.url}/embed/catalog#{name}",
            use_cases=item.use_cases,
            audience=item.audience,
            params=item.params,
            cost=0,
            license=release.manifest.data_license,
        )
        for name, item in texts.items()
    ]
    return shapes.EmbedCatalog(
        generated_at=release.manifest.created_at,
        version="1.0",
        organization=shapes.EmbedOrganization(organization.common_name, organization.ein),
        items_count=len(items),
        items=items,
        license=release.manifest.data_license,
        contact=organization.email,
        docs=f"{settings.url}/embed/catalog",
    )


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words about an embed (content/embeds.yaml)."""

    type: shapes.ItemType
    name: str
    description: str
    use_cases: list[str]
    audience: list[str]
    params: list[str] | msgspec.UnsetType = msgspec.UNSET


class _Code(NamedTuple):
    """Address of the example, and the code to copy."""

    preview: str
    html: str
    script: str | None = None


def _codes(release: OpenRelease, settings: Settings) -> dict[str, _Code]:
    """Return address and code of each item."""
    base, example = settings.url, example_of(release)
    place, name = example.id or 1, example.name or "a place"
    badge_text = name
    if example.id is not None and (row := release.row_of(place)) is not None:
        badge_text = badge_facts(release, settings, row, "en").description
    options = {"zip": example.zip, "mode": "free", "limit": "5"}
    attributes = {"data-food-finder": "", **{f"data-{k}": v for k, v in options.items()}}
    widget, card, card_title = widget_path(options), card_path(place), f"Food help: {name}"
    return {
        "search-widget": _Code(
            widget,
            iframe(base + widget, "Food help near you", WIDGET_SIZE),
            build_script_embed(base, attributes, widget, "Find food near you"),
        ),
        "pantry-card": _Code(
            card,
            iframe(base + card, card_title, CARD_SIZE),
            build_script_embed(base, {"data-food-card": str(place)}, card, card_title),
        ),
        "verified-badge": _Code(f"/badge/{place}.svg", badge_html(base, place, badge_text, "en")),
        "pantry-json": _link(base, f"/api/embed/pantry/{place}.json"),
        "og-state": _picture(base, f"/og/atlas/{example.state}", f"Food help in {example.state}"),
        "og-resource": _picture(base, f"/og/resource/{place}", name),
        "hsds-feed": _link(base, "/hsds/v3/services?page=1&per_page=100"),
        "wp-plugin": _Code(PLUGIN_PATH, f'[food_directory zip="{example.zip}" mode="free"]'),
        "mcp-server": _link(base, "/.well-known/mcp.json"),
    }


def _picture(base: str, path: str, alt: str) -> _Code:
    width, height = PICTURE_SIZE
    address = escape(base + path)
    code = f'<img src="{address}" width="{width}" height="{height}" alt="{escape(alt)}">'
    return _Code(path, code)


def _link(base: str, path: str) -> _Code:
    code = f'<link rel="alternate" type="application/json" href="{escape(base + path)}">'
    return _Code(path, code)
