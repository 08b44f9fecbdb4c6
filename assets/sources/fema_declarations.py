"""Federal disaster declarations from OpenFEMA: by disaster (web) and by designated area
(summaries).

Each data set comes as the CSV download, as a CSV that somebody wrote from the API, or as the API's
own JSON pages; flags are 0/1, True/False or true/false accordingly. `id` and `hash` change with
every refresh and are no keys.
"""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import as_dates, contains
from assets.sources.readers import read_table
from assets.sources.reading import as_number, with_columns, with_rejects
from assets.sources.reading_records import read_records, records_frame
from schemas.sources.registry import Source
from schemas.vocab.states import CODE_BY_FIPS, STATE_CODES

_TYPES = {
    "Major Disaster": "DR",
    "Emergency": "EM",
    "Fire Management": "FM",
    "Fire Suppression": "FS",
}
_TYPE_CODES = tuple(_TYPES.values())
_FLAGS = {"1": True, "true": True, "0": False, "false": False}
_MEMBERS = {"disasters": "FemaWebDisasterDeclarations", "areas": "DisasterDeclarationsSummaries"}
_DATES = (
    "declaration_date",
    "incident_begin_date",
    "incident_end_date",
    "closeout_date",
    "last_ia_filing_date",
    "source_updated_date",
)
_FIPS_BY_CODE = {code: fips for fips, code in CODE_BY_FIPS.items()}
_TRIBAL = (
    r"\b(?:reservation|rancheria|pueblo|tribes?|tribal|nations?|indian|native|band|colony|otsa|tdsa|anvsa"
    r"|trust land)\b"
)


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the declarations in one frame. Raises UnreadableFileError for a missing member."""
    dataset, form = file.layout.split("_")
    columns = source.columns[file.layout]
    if form == "csv":
        rows = read_table(file, required=columns.required, optional=columns.names)
    else:
        records = read_records(file, _MEMBERS[dataset])
        rows = records_frame(records, file, list(columns.required))
    rows = with_columns(rows, columns.names)[["source_row", *columns.names]]
    rows = rows.rename(columns=columns.names)
    declarations = _common(rows)
    yield _with_areas(declarations, rows) if dataset == "areas" else declarations


def _common(rows: pd.DataFrame) -> pd.DataFrame:
    kind = rows["declaration_type"].replace(_TYPES)
    number = rows["disaster_number"]
    households, individuals = _flag(rows["ih"]), _flag(rows["ia"])
    declarations = rows[["source_row", "incident_type", "state"]].assign(
        source_key=kind + "-" + number,
        disaster_number=as_number(number).astype("Int64"),
        declaration_string=kind + "-" + number + "-" + rows["state"],
        declaration_type=kind,
        title=rows["title"].str.split().str.join(" "),
        is_tribal_area=False,
        has_individual_assistance=(households.fillna(False) | individuals.fillna(False)).mask(
            households.isna() & individuals.isna()
        ),
        has_public_assistance=_flag(rows["pa"]),
        has_hazard_mitigation=_flag(rows["hm"]),
    )
    for name in _DATES:
        if name in rows:
            declarations[name] = as_dates(rows[name], "%Y-%m-%d")
    return with_rejects(
        declarations,
        (
            ("outside_area", ~rows["state"].isin(STATE_CODES), rows["state"].fillna("no state")),
            ("unknown_declaration_type", ~kind.isin(_TYPE_CODES), kind.fillna("no type")),
        ),
    )


def _flag(column: pd.Series) -> pd.Series:
    """Leave an empty flag unknown: old disasters have no entries."""
    return column.str.casefold().map(_FLAGS).astype("boolean")


def _with_areas(declarations: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return county code 000 means no county: the whole state, a tribal area, a school district in
    Alaska.

    The place code 99 + county code is the county itself; other codes are parts of it or areas
    without county, and are their own key.
    """
    place = rows["place_code"].str.zfill(5)
    by_place = place.str[2:].where(place.str.startswith("99"))
    county = rows["fips_county"].str.zfill(3).fillna(by_place).fillna("000")
    fips_state = rows["fips_state"].str.zfill(2).fillna(rows["state"].map(_FIPS_BY_CODE))
    fips = (fips_state + county).where(county != "000")
    is_whole_county = fips.notna() & (place.isna() | (place == "99" + county))
    area = rows["designated_area"].str.split().str.join(" ")
    key = declarations["source_key"] + ":" + fips.where(is_whole_county, place)
    return declarations.assign(
        source_key=key,
        county_fips=fips,
        designated_area=area,
        is_tribal_area=fips.isna() & contains(area, _TRIBAL),
    )
