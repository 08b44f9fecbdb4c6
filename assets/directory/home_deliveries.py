"""Collects home delivery services with their service areas.

Sources reject these rows as `home_delivery_only`, since the office gives out no food. An area
counts as served if the list states it, or if the name of the service has a county. Of other
services only the county or town of the office is known, and the answer advises to ask.
"""

import json
import re
from collections.abc import Iterator, Mapping

import pandas as pd

from assets.attributes.clauses import clauses_of
from assets.attributes.service_area import PlaceNames, read_delivery_area, read_service_area
from assets.sources.assemble import HOME_DELIVERY
from assets.sources.rights import permit_rows, without_descriptions
from schemas.sources.rights import Right
from schemas.tables.core import HOME_DELIVERIES, PLACES
from schemas.values.names import fold_name

# Columns read from the rejects.
REJECT_COLUMNS = ["source_id", "source_key", "reject_reason", "row_json"]
_TEXTS = ("eligibility_text", "requirements_text", "services_text", "notes")
# Usual words in the names of such services: "Meals on Wheels of Mercer County".
_KIND = re.compile(
    r"\bmeals[ -]on[ -]wheels\b|\bhome[ -]delivered (?:hot )?meals\b|\bhome ?bound\b|\bprogram\b"
    r"|\bagency\b",
    re.IGNORECASE,
)


def home_deliveries(
    rejects: pd.DataFrame,
    zips: pd.DataFrame,
    rights: Mapping[str, Right],
    names: PlaceNames,
    data_license: str,
) -> pd.DataFrame:
    """Return the publishable services, in the columns of `HOME_DELIVERIES`.

    `rejects` has `REJECT_COLUMNS`, `zips` `zip`, `state` and `county_fips`. A row without a state
    is left out: no search could find it. Of several rows of one service in one state, the newest
    stays.
    """
    rows = _rows(rejects)
    parts = [
        permit_rows(part, rights[str(source_id)])
        for source_id, part in rows.groupby("source_id", sort=True)
    ]
    if not parts:
        return pd.DataFrame(columns=HOME_DELIVERIES.field_names)
    rows = pd.concat(parts, ignore_index=True)
    is_shown = rows["is_public"].astype(bool) & ~rows["is_confidential"].astype(bool)
    rows = rows[is_shown & rows["name"].notna() & rows["state"].notna()]
    rows = _newest_of_each(rows)
    county_of_zip = zips[["zip", "county_fips"]].dropna().astype(object)
    counties = dict(county_of_zip.itertuples(index=False, name=None))
    areas = [_areas(row, counties, names) for row in rows.to_dict("records")]
    rows = rows.assign(
        service_areas=pd.Series([codes for codes, _, _ in areas], rows.index, dtype=object),
        service_area_text=pd.Series([text for _, text, _ in areas], rows.index, dtype="str"),
        office_areas=pd.Series([office for *_, office in areas], rows.index, dtype=object),
        license=data_license,
    )
    parts = [
        without_descriptions(part, rights[str(source_id)])
        for source_id, part in rows.groupby("source_id", sort=True)
    ]
    rows = pd.concat(parts).sort_index() if parts else rows
    is_findable = (rows["service_areas"].str.len() + rows["office_areas"].str.len()) > 0
    return rows.loc[is_findable, HOME_DELIVERIES.field_names].reset_index(drop=True)


def _rows(rejects: pd.DataFrame) -> pd.DataFrame:
    """Return the rejected rows as their source read them, in the columns of `PLACES`."""
    texts = rejects.loc[rejects["reject_reason"] == HOME_DELIVERY, "row_json"]
    rows = pd.DataFrame([json.loads(text) for text in texts]).reindex(columns=PLACES.field_names)
    for name in ("source_updated_date", "listed_date", "updated_date", "confirmed_date"):
        rows[name] = pd.to_datetime(rows[name]).dt.date.astype(object)
    return rows[rows["source_key"].notna()]


def _newest_of_each(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each name and telephone of a state, and one for each key."""
    in_order = rows.assign(
        _name=rows["name"].map(fold_name), _date=pd.to_datetime(rows["listed_date"])
    ).sort_values(["_date", "source_id", "source_key"], ascending=[False, True, True])
    same = in_order.duplicated(["state", "_name", "phone_e164"])
    same |= in_order.duplicated(["source_id", "source_key"])
    return in_order[~same].sort_values(["source_id", "source_key"]).drop(columns=["_name", "_date"])


def _areas(
    row: Mapping[str, object], counties: Mapping[str, str], names: PlaceNames
) -> tuple[list[str], str | None, list[str]]:
    """Return the areas served, the clauses that state them, and the office's area if none does."""
    state = str(row["state"])
    codes_by_clause = {clause: codes for clause, codes in _read_areas(row, state, names) if codes}
    areas = list(dict.fromkeys(code for codes in codes_by_clause.values() for code in codes))
    if areas:
        return areas, "; ".join(codes_by_clause), []
    code, county, town = (
        value if isinstance(value, str) else ""
        for value in (row.get("zip"), row.get("county_name"), row.get("city"))
    )
    fips = counties.get(code) or names.counties.get((state, fold_name(county)))
    if fips:
        return [], None, [f"county:{fips}"]
    town = fold_name(town)
    return [], None, [f"place:{state}/{town}"] if (state, town) in names.towns else []


def _read_areas(
    row: Mapping[str, object], state: str, names: PlaceNames
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the clauses of the texts, and the name, each with its stated service areas."""
    for column in _TEXTS:
        text = row.get(column)
        for _, clause in clauses_of(text) if isinstance(text, str) else ():
            area = read_service_area(
                clause, state, names, is_eligibility=column == "eligibility_text"
            )
            yield clause, area.areas if area else read_delivery_area(clause, state, names)
    name = str(row["name"])
    yield name, read_delivery_area(_KIND.sub(" ", name), state, names, is_name=True)
