"""llms.txt and llms-full.txt (llmstxt.org): the service, its addresses, and places as text,
generated from the list of surfaces, the registry of documents and the release.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
import numpy as np

from schemas.sources.registry import sources
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.states import STATES
from serving.documents.registry import Library
from serving.reference.organization import organization_of
from serving.reference.surfaces import SURFACES, Group, Surface
from serving.reference.totals import Live, statistics_of
from serving.render.formats import number
from serving.settings import Settings
from serving.statistics.food_access import has_county_map
from warehouse.index.points import TYPE_CODES
from warehouse.index.reader import OpenRelease


def list_surfaces(release: OpenRelease | None) -> list[Surface]:
    """Return the addresses that documents name, without those that this release cannot answer."""
    has_map = release is not None and has_county_map(release)
    return [s for s in SURFACES.values() if s.id != "county_map" or has_map]


MAX_PER_CATEGORY = 200
_GROUPS: dict[Group, str] = {
    "find": "Find food",
    "directory": "The whole directory",
    "states": "States, coverage, disasters",
    "service": "The service",
    "carry": "For other sites and programs",
}
_SUMMARY = (
    "An open directory of food assistance in the United States: food pantries, meal sites, SNAP, "
    "WIC and health centers, with opening hours only from a known source."
)
_INVENTED = "**All places here are invented: this is a demonstration.**"
_RULES = (
    "Reading needs no key. Replace braces in an address with values.",
    "`hours_status` is open, closed, closes_soon, opens_soon or unknown. Unknown means: tell "
    "people to call first. Never invent opening hours.",
    "Places of the type snap_retailer sell food. They are not free food.",
    "Dates say how old a fact is; the time of an import is never shown as a verification.",
    "Every answer names its release in `X-Release`.",
)


def llms_txt(release: OpenRelease | None, settings: Settings, library: Library) -> str:
    """Return the summary; without a release, it has no counts. Reads the database the first time:
    call it in a thread."""
    organization = organization_of(settings)
    lines = [f"# {organization.common_name}", "", f"> {_SUMMARY}{_counts(release)}", ""]
    if release is not None:
        manifest = release.manifest
        lines.append(
            f"Release {release.release_id}, data as of {manifest.as_of_date}, "
            f"license {manifest.data_license}."
        )
        if release.is_synthetic:
            lines.append(_INVENTED)
    if organization.is_fictional:
        lines.append("The organization named here is an example and does not exist.")
    lines += ["", *(f"- {rule}" for rule in _RULES), ""]
    for group, title in _GROUPS.items():
        lines += _section(
            title,
            [
                (s.title, settings.url + s.template, "")
                for s in list_surfaces(release)
                if s.group == group
            ],
        )
    lines += _section("Documents", list(_documents(library, settings)))
    lines += _section("Data sources", list(_sources(release)))
    lines += _section("Optional", list(_pages(library, settings)))
    return "\n".join(lines).rstrip() + "\n"


def _section(title: str, links: list[tuple[str, str, str]]) -> list[str]:
    if not links:
        return []
    return [
        f"## {title}",
        "",
        *(f"- [{name}]({url}){f': {note}' if note else ''}" for name, url, note in links),
        "",
    ]


def _counts(release: OpenRelease | None) -> str:
    live = Live(release)
    if not live.known:
        return ""
    return (
        f" It lists {number(live.total_resources, 'en')} places in "
        f"{number(live.states_and_territories, 'en')} states and territories: "
        f"{number(live.free_food, 'en')} give food free of charge, "
        f"{number(live.snap_retailers, 'en')} are stores that take EBT."
    )


def _documents(library: Library, settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield the documents as data, of states with `{state}`."""
    for row in library.list_answered():
        if row.json:
            text = library.text(row, "en")
            title = text.short if row.is_per_state and text.short else library.title(row, "en")
            has_template = "{{" in text.description
            note = "" if row.is_per_state or has_template else text.description
            yield title, settings.url + row.json, note


def _pages(library: Library, settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield the pages for people, in English and Spanish."""
    for row in library.list_rows():
        if row.page:
            yield library.title(row, "en"), settings.url + row.page, ""
        if row.page_es:
            yield library.title(row, "es"), settings.url + row.page_es, "in Spanish"


def _sources(release: OpenRelease | None) -> Iterator[tuple[str, str, str]]:
    """Yield the sources of the release's places, the largest first."""
    registry = sources()
    places = statistics_of(release).group("places_led_by_source") if release else {}
    entries = [
        s
        for s in (release.manifest.sources if release else [])
        if s.id in registry and places.get(s.id)
    ]
    for entry in sorted(entries, key=lambda s: (-places[s.id], s.id)):
        source = registry[entry.id]
        vintage = f", data of {entry.newest_vintage}" if entry.newest_vintage else ""
        if source.homepage.startswith("http"):
            yield (
                source.title,
                source.homepage,
                f"{source.publisher}, license {source.license.id}, "
                f"{places[entry.id]:,} places{vintage}",
            )


# ---------------------------------------------------------------- places as text


def llms_full_txt(release: OpenRelease, settings: Settings, now: datetime) -> str:
    """Return at most 200 places of each type, the best known first. Reads records: call it in a
    thread."""
    organization = organization_of(settings)
    lines = [
        f"# {organization.common_name}: places",
        "",
        f"> At most {MAX_PER_CATEGORY} places of each type, the most complete records first. "
        "Call first when the hours are not known.",
        "",
    ]
    if release.is_synthetic:
        lines += [_INVENTED, ""]
    lines += [
        f"Release {release.release_id}, license {release.manifest.data_license}. "
        f"All places: {settings.url}{SURFACES['bulk'].path}",
        "",
    ]
    for type_id, kind in RESOURCE_TYPES.items():
        # By completeness, then by id: the same for the same release.
        of_type = np.flatnonzero(release.type_codes == TYPE_CODES[type_id])
        order = np.lexsort((of_type, -release.completeness_scores[of_type].astype(np.int64)))
        rows: list[int] = of_type[order][:MAX_PER_CATEGORY].tolist()
        if not rows:
            continue
        total = release.count_by_type[type_id]
        lines += [f"## {kind.label}", "", f"{kind.description} {len(rows):,} of {total:,}.", ""]
        lines += [_line(settings, msgspec.json.decode(release.record(row, now))) for row in rows]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _line(settings: Settings, record: dict[str, Any]) -> str:
    """Return one place: name, address, phone. No street for a confidential place."""
    city = record["city"] or STATES[record["state"]].name
    town = f"{city}, {record['state']} {record['zip'] or ''}".strip()
    where = ", ".join(part for part in (record["address"], town) if part)
    phone = record["phone"] or "no phone listed"
    name = " ".join(str(record["name"]).replace("[", "(").replace("]", ")").split())
    return f"- [{name}]({settings.url}/place/{record['id']}): {' '.join(where.split())}; {phone}"
