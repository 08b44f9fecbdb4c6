"""Read Open211 Miami, 2019 (HSDS 1.1), of which the food services are places here."""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.food_services import is_shelter, only_delivers, type_by_terms, without_contacts
from assets.sources.free_text import website_without_email, without_emails
from assets.sources.reading import join_texts, with_rejects
from assets.sources.reading_hsds import read_tables, services_at_locations
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

# "ACCESS" offices of the state take applications for SNAP; partners of theirs do other things as
# well.
_SNAP_OFFICES = r"^florida department of children and families\b"
_TEXTS = (
    "name",
    "organization",
    "hours_text",
    "eligibility_text",
    "requirements_text",
    "description",
    "website",
)
# UTF-8 that was read as a DOS code page; the marks "###MON###" stand for counties.
_REPAIRS = {
    r"GÇÖ": "’",
    r"GÇÿ": "‘",
    r"GÇ£": "“",
    r"GÇ¥": "”",
    r"GÇô": "–",
    r"GÇó": "•",
    r"\\r": "",
    r"\\n": "\n",
    r"###[A-Z]{2,4}###": "",
    r"\n\s*\n+": "\n",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the services at locations in one frame; the other tables of the package give no rows.

    Raises UnreadableFileError when columns are missing.
    """
    if file.layout != "services_at_location":
        return
    tables = read_tables(file)
    links = read_table(file, required=["id", "service_id", "location_id"])
    owner = tables["services"].drop_duplicates("id").set_index("id")["organization_id"]
    links["organization_id"] = links["service_id"].map(owner).astype("str")
    found = services_at_locations(links, tables)
    for name in _TEXTS:
        found[name] = found[name].replace(_REPAIRS, regex=True).str.strip()
    yield _places(found, links["id"])


def _places(found: pd.DataFrame, ids: pd.Series) -> pd.DataFrame:
    owner = found["organization"]
    is_named = _names_its_owner(owner, found["name"])
    types = type_by_terms(found["terms"], owner.fillna(found["name"]), _SNAP_OFFICES)
    types = types.mask(found["name"].str.contains("HELPLINE").fillna(False).astype(bool))
    places = found.assign(
        source_key=ids,
        # Names such as HIALEAH say only which of an organization's sites it is.
        name=found["name"].where(is_named, owner + " - " + found["name"]),
        resource_type=types,
        is_confidential=is_shelter(join_texts(found["terms"], found["name"], owner)),
        website=website_without_email(found["website"]),
        services_text=found["terms"],
        notes=without_contacts(without_emails(found["description"])),
        requirements_text=without_contacts(without_emails(found["requirements_text"])),
    ).drop(columns=["terms", "description", "fees", "status"])
    terms = found["terms"].fillna("no terms")
    return with_rejects(
        places,
        (
            ("home_delivery_only", types.isna() & only_delivers(found["terms"]), terms),
            ("not_food_assistance", types.isna(), terms),
        ),
    )


def _names_its_owner(owner: pd.Series, name: pd.Series) -> pd.Series:
    """Return whether the name says by itself whose service it is, or nobody knows."""
    pairs = zip(owner, name, strict=True)
    is_contained = [pd.isna(o) or pd.isna(n) or _says(n.casefold(), o.casefold()) for o, n in pairs]
    return pd.Series(is_contained, index=name.index, dtype="bool")


def _says(name: str, owner: str) -> bool:
    return owner in name or (name in owner and len(name) > len(owner) / 2)
