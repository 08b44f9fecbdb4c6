"""Food access in Allegheny County: five publishers' lists in one shape, a list of spring 2020, and
merged copies.

The merged, deduplicated, duplicate and invalid files are the output of the compilers' own matcher:
a reference for matching, no further places.
"""

import html
from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.food_services import without_contacts
from assets.sources.free_text import (
    as_dates,
    by_rules,
    contains,
    digests,
    type_by_name,
    website_without_email,
    without_emails,
)
from assets.sources.reading import (
    as_number,
    contract_columns,
    join_texts,
    with_rejects,
    without_sentinels,
)
from assets.sources.reading_table import read_columns
from schemas.sources.registry import Source

# Sections of a food bank row's description: "Time: Mondays ...<br/>Additional Info: ...".
_SECTION = r"(?:^|<br/?>)\s*{}:\s*(.*?)\s*(?:<br/?>\s*(?:Population Served|Site Info|Time|Additional Info):|<br/?>\s*$|$)"
_TEXT_RULES: tuple[tuple[str, str], ...] = (
    (r"\bdiapers?\b", "diaper_bank"),
    (
        r"\bpantry\b|\bblessing box\b|\bgrocer(?:y|ies)\b|\bproduce\b|\bfood (?:distribution|box)",
        "food_pantry",
    ),
)
_MEALS = (
    r"\bmeals?\b|\blunch(?:es)?\b|\bdinners?\b|\bbreakfasts?\b|\bpizza\b|\bsoup\b|\bgrab and go\b"
)
_SCHOOL_CHILDREN = r"^students$"
_NOT_PUBLIC = r"not open to the public|\bon-duty\b|\bfirst responders?\b|\bhealth ?care workers\b|\bhospital staff\b"
_FOR_SOME_DAYS = r"^(?:one day|until|june)\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's rows in one frame. Raises UnreadableFileError when columns are missing."""
    yield (_spring_2020 if file.layout == "covid_csv" else _list)(file, source)


def _list(file: RawFile, source: Source) -> pd.DataFrame:
    rows = read_columns(file, source, separator="|")
    about = rows["about"]
    is_food_bank = rows["kind"] == "food bank site"
    # A market's description is its season and its day.
    when = about.str.replace("<br/>", "\n", regex=False)
    lat, lng = as_number(rows["lat"]), as_number(rows["lng"])
    places = rows.assign(
        source_key=file.layout + ":" + rows["original_id"].str.strip("{}").fillna(_digest(rows)),
        hours_text=_section(about, "Time").where(is_food_bank, when),
        eligibility_text=_section(about, "Population Served"),
        notes=join_texts(
            _section(about, "Site Info"), _section(about, "Additional Info"), separator="\n"
        ),
        website=website_without_email(rows["website"]),
        lat=lat.mask((lat == 0) & (lng == 0)),
        lng=lng.mask((lat == 0) & (lng == 0)),
        resource_type=_type(rows["name"], about, rows["for_whom"]).where(
            is_food_bank, "snap_retailer"
        ),
    )
    of_program = rows["source_org"] == "Just Harvest"
    return with_rejects(
        contract_columns(places),
        (
            (
                "derived_copy",
                pd.Series(file.layout == "merged_copy", rows.index),
                rows["source_org"].fillna(""),
            ),
            (
                "not_in_catalog",
                ~is_food_bank & ~(of_program & (rows["snap"] == "True")),
                rows["kind"].fillna(""),
            ),
            ("invalid_by_source", rows["in_error"] == "True", rows["name"].fillna("no name")),
            ("closed_by_source", rows["is_active"] == "False", rows["name"].fillna("no name")),
            *_set_aside(rows["name"], about),
        ),
    )


def _spring_2020(file: RawFile, source: Source) -> pd.DataFrame:
    rows = without_sentinels(read_columns(file, source), ["(none)", "none"])
    about = join_texts(rows["hours_text"], rows["about"], separator="\n")
    places = rows.assign(
        source_key="covid:" + rows["original_id"].str.strip("{}"),
        address=join_texts(rows["address1"], rows["address2"], separator=", "),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        website=website_without_email(rows["website"]),
        hours_text=_plain(rows["hours_text"]),
        eligibility_text=_plain(rows["eligibility_text"]),
        notes=_plain(join_texts(rows["where"], rows["about"], separator="\n")),
        resource_type=_type(rows["name"], about, rows["for_whom"]),
        source_updated_date=as_dates(rows["edited"], "%Y/%m/%d"),
    )
    return with_rejects(
        contract_columns(places),
        (
            (
                "closed_by_source",
                rows["status"] == "closed",
                "STATUS: " + rows["status"].fillna(""),
            ),
            (
                "season_over",
                contains(rows["category"], _FOR_SOME_DAYS),
                rows["category"].fillna(""),
            ),
            *_set_aside(rows["name"], join_texts(about, rows["eligibility_text"])),
        ),
    )


def _type(name: pd.Series, about: pd.Series, for_whom: pd.Series) -> pd.Series:
    """Return the type by name, else by the goods given; school children's are summer meals."""
    serves = contains(join_texts(name, about), _MEALS)
    is_for_children = contains(for_whom, _SCHOOL_CHILDREN)
    found = type_by_name(name).fillna(by_rules(about, _TEXT_RULES))
    found = found.mask(found.isna() & is_for_children, "summer_meal")
    return found.mask(found.isna() & serves, "soup_kitchen").fillna("food_pantry")


def _set_aside(name: pd.Series, about: pd.Series) -> list[tuple[str, pd.Series, pd.Series]]:
    who = name.fillna("no name")
    return [
        ("home_delivery_only", contains(name, r"\bmeals on wheels\b"), who),
        ("not_public", contains(about, _NOT_PUBLIC), who),
    ]


def _section(about: pd.Series, label: str) -> pd.Series:
    return _plain(about.str.extract(_SECTION.format(label))[0])


def _plain(column: pd.Series) -> pd.Series:
    """Return texts without tags, entities, e-mail addresses, staff names and "(none)"."""
    text = column.str.replace(r"<[^>]*>", " ", regex=True).map(html.unescape, na_action="ignore")
    text = text.astype("str").str.replace(r"[ \t\xa0]+", " ", regex=True).str.strip()
    text = text.mask(text.str.casefold().isin(["", "(none)", "none", "none_of_the_above"]))
    return without_contacts(without_emails(text))


def _digest(rows: pd.DataFrame) -> pd.Series:
    return digests(rows["source_org"], rows["name"], rows["address"], rows["city"])
