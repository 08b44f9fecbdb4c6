"""Baltimore's CHARMcare, from Maryland 211: the Ohana layout, the ancestor of HSDS, without any
taxonomy.

The kind of a service stands only in its name and description, among calls for donations, volunteers
and referrals; the food section of a description is read, the rest is not (it names members of
staff).
"""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.food_services import food_sections, is_shelter, type_by_text, without_contacts
from assets.sources.free_text import (
    by_rules,
    contains,
    says_when,
    type_by_name,
    website_without_email,
    without_emails,
)
from assets.sources.reading import with_rejects
from assets.sources.reading_hsds import read_tables, services_at_locations
from schemas.sources.registry import Source

_NAMES = {
    "services": {"website": "url"},
    "locations": {"website": "url"},
    "organizations": {"website": "url"},
    "phones": {"number_type": "type"},
}
_NAME_RULES: tuple[tuple[str, str], ...] = (
    (r"\bwic\b", "wic_office"),
    (r"\bdss\b.*\bfood stamps?\b", "snap_office"),
)
_ONLY_DELIVERS = r"^meals on wheels\b"
_MADE_UP = r"\bmade up to test\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the services in one frame; the other tables of the package give no rows.

    Raises UnreadableFileError when columns are missing.
    """
    if file.layout != "services":
        return
    tables = read_tables(file, _NAMES)
    services = tables["services"]
    owner = tables["locations"].drop_duplicates("id").set_index("id")["organization_id"]
    links = services[["source_row", "location_id"]].assign(
        service_id=services["id"],
        organization_id=services["location_id"].map(owner).astype("str"),
    )
    yield _places(services_at_locations(links, tables), services["id"])


def _places(found: pd.DataFrame, ids: pd.Series) -> pd.DataFrame:
    about = found["description"].str.replace(r"\s*\n\s*", "\n", regex=True)
    names = found["name"]
    is_food_bank = contains(names, r"\bfood bank$")
    types = by_rules(names, _NAME_RULES).fillna(type_by_text(about)).fillna(type_by_name(names))
    types = types.mask(types.isna() & is_food_bank, "food_bank")
    only_delivers = contains(names, _ONLY_DELIVERS)
    section = without_contacts(without_emails(food_sections(about)))
    has_hours = says_when(section)
    places = found.assign(
        source_key=ids,
        resource_type=types.mask(only_delivers),
        is_confidential=is_shelter(names),
        website=website_without_email(found["website"]),
        hours_text=section.where(has_hours),
        notes=section.mask(has_hours),
        requirements_text=without_contacts(without_emails(found["requirements_text"])),
    ).drop(columns=["terms", "description", "fees", "status"])
    return with_rejects(
        places,
        (
            ("template_row", contains(about, _MADE_UP), names.fillna("")),
            ("not_open", found["status"] != "active", "status: " + found["status"].fillna("none")),
            ("home_delivery_only", only_delivers, names.fillna("")),
            ("not_food_assistance", types.isna(), names.fillna("")),
        ),
    )
