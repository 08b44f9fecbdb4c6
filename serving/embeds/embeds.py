"""One place as other sites show it, and the catalog of all that can be embedded."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from markupsafe import escape

from schemas.api.embeds import (
    EmbedCatalog,
    EmbedItem,
    EmbedOrganization,
    ItemType,
    PlaceBadge,
    PlaceEmbed,
)
from schemas.hours.clock_words import Words
from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.embeds.codes import (
    BADGE_SIZE,
    CARD_SIZE,
    PICTURE_SIZE,
    WIDGET_SIZE,
    badge_html,
    card_path,
    iframe,
    scripted,
    widget_path,
)
from serving.embeds.pictures import badge_facts, listed_on
from serving.embeds.wordpress_plugin import PATH as PLUGIN_PATH
from serving.http.per_release import per_release
from serving.places.view import PlaceView, view_of
from serving.reference.organization import organization_of
from serving.render.words import LANGUAGES
from serving.settings import Settings
from warehouse.index.reader import TYPE_CODES, OpenRelease

_SCHOOLS, _CLINICS, _PANTRIES = (
    "schools and school districts",
    "clinics and hospitals",
    "pantries and meal sites",
)
_LIBRARIES, _CITIES, _DEVELOPERS = "libraries", "cities and counties", "developers"
_AGENTS, _PRESS, _RESEARCH = "AI assistants", "newsrooms", "researchers"


def place_embed(release: OpenRelease, settings: Settings, row: int, now: datetime) -> PlaceEmbed:
    """Return the place in a row at an aware instant. Reads the database: call it in a thread."""
    record: dict[str, Any] = msgspec.json.decode(release.record(row, now))
    en, es = (view_of(release, row, record, now, language) for language in LANGUAGES)
    kind, base = RESOURCE_TYPES[record["resource_type"]], settings.url
    return PlaceEmbed(
        id=en.id,
        name=en.name,
        organization=en.organization,
        resource_type=kind.id,
        type_label=Words(kind.label, kind.label_es),
        address=en.address,
        city=record["city"],
        state=record["state"],
        zip=record["zip"],
        hours_status=en.status,
        hours_in_words=Words(en.hours, es.hours) if en.hours and es.hours else None,
        hours_confirmed=Words(en.confirmed, es.confirmed),
        is_doubtful=en.is_doubtful,
        live_status=record["live_status"],
        doubt=release.doubt(row),
        phone=en.phone,
        website=en.website,
        verification_status=en.verification_status,
        badges=[_badge(release, settings, row, en)],
        embed_url=base + card_path(en.id),
        detail_url=base + en.path,
        directions_url=en.directions_url,
        image_url=f"{base}/og/resource/{en.id}.png",
        license=record["license"],
        is_synthetic=record["is_synthetic"],
        release_id=release.release_id,
    )


def _badge(release: OpenRelease, settings: Settings, row: int, place: PlaceView) -> PlaceBadge:
    is_verified = place.verification_status == "partner_verified"
    listed = None if is_verified else listed_on(release, row)
    when: str | None = place.record["last_verified_date"] if is_verified else None
    if listed is not None:
        when = listed.isoformat()
    return PlaceBadge(
        id="verified" if is_verified else "listed",
        label="VERIFIED ON" if is_verified else "LISTED ON",
        date=when,
        image_url=f"{settings.url}/badge/{place.id}.svg",
        page_url=f"{settings.url}/badge/{place.id}",
    )


# ---------------------------------------------------------------- the catalog


class Example(msgspec.Struct, frozen=True):
    """A place that the examples of the catalog show; None and New York where the release has none."""

    id: int | None
    name: str
    zip: str
    state: str


@per_release
def example_of(release: OpenRelease) -> Example:
    """Choose a place for the examples: the best listed pantry with hours."""
    wanted = TYPE_CODES["food_pantry"]
    rows = [row for row in range(len(release)) if not release.is_confidential[row]]
    if not rows:
        return Example(None, "", "10002", "NY")

    def worth(row: int) -> tuple[bool, bool, bool, int, int]:
        return (
            release.type_of(row) == wanted,
            bool(release.has_phone[row]),
            bool(release.hours_codes[row] >= 0),
            int(release.hours_until_days[row]),
            -row,
        )

    best = max(rows, key=worth)
    record = msgspec.json.decode(bytes(release.stored_record(best)) + b"}")
    return Example(record["id"], record["name"], record["zip"] or "10002", record["state"] or "NY")


@per_release
def catalog(release: OpenRelease, settings: Settings) -> EmbedCatalog:
    """Return the catalog of version 1.0: nine items. Goes through the places once: call it in a
    thread."""
    organization = organization_of(settings)
    items = _Catalog(release, settings).items()
    return EmbedCatalog(
        generated_at=release.manifest.created_at,
        version="1.0",
        organization=EmbedOrganization(organization.common_name, organization.ein),
        items_count=len(items),
        items=items,
        license=release.manifest.data_license,
        contact=organization.email,
        docs=f"{settings.url}/embed/catalog",
    )


class _Catalog:
    """The nine items with examples from a release."""

    def __init__(self, release: OpenRelease, settings: Settings) -> None:
        self._release, self._settings, self._base = release, settings, settings.url
        self._license = release.manifest.data_license
        self._example = example_of(release)
        self._id = self._example.id or 1
        self._name = self._example.name or "a place"

    def items(self) -> list[EmbedItem]:
        return [
            self._widget(),
            self._card(),
            self._badge(),
            *self._data(),
            self._plugin(),
            self._mcp(),
        ]

    def _item(
        self,
        id: str,
        kind: ItemType,
        name: str,
        text: str,
        preview: str,
        code: str,
        uses: list[str],
        audience: list[str],
        script: str | None = None,
        params: list[str] | None = None,
    ) -> EmbedItem:
        return EmbedItem(
            id=id,
            name=name,
            description=text,
            type=kind,
            preview_url=self._base + preview,
            embed_html=code,
            embed_script=script or msgspec.UNSET,
            docs_url=f"{self._base}/embed/catalog#{id}",
            use_cases=uses,
            audience=audience,
            params=params or msgspec.UNSET,
            cost=0,
            license=self._license,
        )

    def _widget(self) -> EmbedItem:
        options = {"zip": self._example.zip, "mode": "free", "limit": "5"}
        path = widget_path(options)
        attributes = {"data-food-finder": "", **{f"data-{k}": v for k, v in options.items()}}
        return self._item(
            "search-widget",
            "iframe",
            "Search widget",
            "A search for food near a ZIP code: distance, open now, phone, directions. Works in a column of 280 pixels and without JavaScript.",
            path,
            iframe(self._base + path, "Food help near you", WIDGET_SIZE),
            ["Help page of a school or clinic", "Library home page", "Emergency page of a city"],
            [_SCHOOLS, _CLINICS, _LIBRARIES, _CITIES],
            scripted(self._base, attributes, path, "Find food near you"),
            ["zip", "mode", "theme", "limit", "ref", "compact"],
        )

    def _card(self) -> EmbedItem:
        path = card_path(self._id)
        return self._item(
            "pantry-card",
            "iframe",
            "Pantry card",
            "One place with its opening state, phone and directions, always as the directory knows it now. It posts its height to the page around it.",
            path,
            iframe(self._base + path, f"Food help: {self._name}", CARD_SIZE),
            ["A pantry's own site", "News story about a pantry", "Partner list of a food bank"],
            [_PANTRIES, _PRESS, _CITIES],
            scripted(
                self._base, {"data-food-card": str(self._id)}, path, f"Food help: {self._name}"
            ),
            ["theme"],
        )

    def _badge(self) -> EmbedItem:
        told = self._name
        if self._example.id is not None and (row := self._release.row_of(self._id)) is not None:
            told = badge_facts(self._release, self._settings, row, "en").told
        return self._item(
            "verified-badge",
            "svg-image",
            "Verified badge",
            f"A picture of {BADGE_SIZE[0]} by {BADGE_SIZE[1]} pixels: VERIFIED ON for places that a partner confirmed, LISTED ON for all others.",
            f"/badge/{self._id}.svg",
            badge_html(self._base, self._id, told, "en"),
            ["Footer of a pantry's site", "E-mail signature"],
            [_PANTRIES],
        )

    def _data(self) -> list[EmbedItem]:
        state = self._example.state
        return [
            self._item(
                "pantry-json",
                "json-api",
                "One place as JSON",
                "Name, address, opening state, phone, badges and addresses of one place; any site may read it.",
                f"/api/embed/pantry/{self._id}.json",
                self._link(f"/api/embed/pantry/{self._id}.json", "application/json"),
                ["A card of your own design", "Kiosk or sign"],
                [_DEVELOPERS],
            ),
            self._picture(
                "og-state",
                "Picture of a state",
                "The figures of a state for previews of links, as SVG; the same address with .png gives pixels.",
                f"/og/atlas/{state}",
                f"Food help in {state}",
                [_PRESS, _CITIES],
            ),
            self._picture(
                "og-resource",
                "Picture of a place",
                "Name, address and phone of a place for previews of links, as SVG; the same address with .png gives pixels.",
                f"/og/resource/{self._id}",
                self._name,
                [_PANTRIES, _PRESS],
            ),
            self._item(
                "hsds-feed",
                "json-api",
                "HSDS feed",
                "The whole directory in the Human Services Data Specification 3.0, page by page, as JSON or CSV.",
                "/hsds/v3/services?page=1&per_page=100",
                self._link("/hsds/v3/services?page=1&per_page=100", "application/json"),
                ["Referral system", "Research data set"],
                [_DEVELOPERS, _RESEARCH],
            ),
        ]

    def _picture(
        self, id: str, name: str, text: str, path: str, alt: str, audience: list[str]
    ) -> EmbedItem:
        width, height = PICTURE_SIZE
        address = escape(self._base + path)
        code = f'<img src="{address}" width="{width}" height="{height}" alt="{escape(alt)}">'
        return self._item(
            id,
            "svg-image",
            name,
            text,
            path,
            code,
            ["Preview of a shared link", "News story"],
            audience,
        )

    def _link(self, path: str, kind: str) -> str:
        return f'<link rel="alternate" type="{kind}" href="{escape(self._base + path)}">'

    def _plugin(self) -> EmbedItem:
        return self._item(
            "wp-plugin",
            "wordpress-plugin",
            "WordPress plugin",
            "A block and a shortcode that list the nearest places as plain HTML made by your own site, or show the search widget; with a page of settings, in English and Spanish.",
            PLUGIN_PATH,
            f'[food_directory zip="{self._example.zip}" mode="free"]',
            ["WordPress site of a school district or congregation"],
            [_SCHOOLS, _PANTRIES],
        )

    def _mcp(self) -> EmbedItem:
        return self._item(
            "mcp-server",
            "mcp",
            "MCP server",
            "Seven tools for AI assistants over the Model Context Protocol (Streamable HTTP) at /mcp/v1. No key.",
            "/.well-known/mcp.json",
            self._link("/.well-known/mcp.json", "application/json"),
            ["Assistant of a city or a health plan"],
            [_AGENTS, _DEVELOPERS],
        )
