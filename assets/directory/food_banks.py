"""Food banks by ZIP code: the network's members, their ZIP codes, and published telephones."""

from datetime import date
from typing import Any

import dagster as dg
import pandas as pd

from assets.cleaning.text import remove_invisible
from assets.sources import feeding_america_2026
from assets.sources.assets import raw_files
from assets.sources.contract import RawFile
from assets.sources.failures import (
    SERVICE_AREAS,
    clear_failure,
    note_failure,
    raise_unless_of_source,
)
from assets.sources.own_process import read_within
from assets.steps.keys import keys_of
from assets.steps.tables import LastGood, asset_of, read
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS, RESOURCES, ZIPS
from schemas.values.names import fold_name

SOURCE_ID = "feeding_america_2026"
# Columns of the resources that may list a food bank with its telephone.
RESOURCE_COLUMNS = ["name", "state", "phone", "is_active"]


def food_banks(
    catalogue: pd.DataFrame,
    coverage: pd.DataFrame,
    zips: pd.DataFrame,
    resources: pd.DataFrame,
    vintage: date | None,
) -> pd.DataFrame:
    """Return one row for each food bank that serves a ZIP code, in the columns of `FOOD_BANKS`.

    `catalogue` has `source_key`, name, state and website, `coverage` `zip` and `fa_org_id`; `zips`
    is `core_geography__zips`, `resources` has `RESOURCE_COLUMNS`. The network lists no ZIP codes of
    post office boxes: a missing one gets the food banks of its county if these are the same
    throughout, and if no ZIP code of its county is listed, those of its state. The telephone is
    that of a listed place with the food bank's own name in its state, if any.
    """
    if catalogue.empty or coverage.empty:
        return pd.DataFrame(columns=FOOD_BANKS.field_names)
    zips_of_bank = coverage.groupby("fa_org_id")["zip"].agg(_ascending)
    around = _around(coverage, zips).groupby("fa_org_id")["zip"].agg(_ascending)
    banks = catalogue.drop_duplicates("source_key").copy()
    banks = banks[banks["source_key"].isin(zips_of_bank.index) & banks["name"].notna()]
    banks["served_zips"] = banks["source_key"].map(zips_of_bank)
    banks["served_county_zips"] = [around.get(key, []) for key in banks["source_key"]]
    # A telephone number counts if all listed places with the name in the state have it.
    rows = resources[resources["is_active"] & resources["phone"].notna()]
    numbers = rows.groupby([rows["state"], rows["name"].map(_plain)])["phone"]
    phones = numbers.agg(["nunique", "first"]).query("nunique == 1")["first"].to_dict()
    keys = zip(banks["state"], banks["name"], strict=True)
    banks["phone"] = pd.array([phones.get((s, _plain(n))) for s, n in keys], dtype="str")
    banks["source_updated_date"] = vintage
    return banks[FOOD_BANKS.field_names]


def _ascending(texts: pd.Series) -> list[str]:
    return sorted(set(texts.astype(object)))


def _around(coverage: pd.DataFrame, zips: pd.DataFrame) -> pd.DataFrame:
    """Return (zip, fa_org_id) of ZIP codes missing in the network's list, from counties with one
    answer; if a county has none, from states with one answer."""
    zips_without_bank = zips.loc[
        ~zips["zip"].isin(coverage["zip"]), ["zip", "state", "county_fips"]
    ]
    places = zips.set_index("zip")[["state", "county_fips"]]
    zip_places = coverage.join(places, on="zip")
    by_county = _certain(zip_places, "county_fips")
    is_unlisted = ~zips_without_bank["county_fips"].isin(zip_places["county_fips"].dropna())
    parts = [
        zips_without_bank.merge(by_county, left_on="county_fips", right_index=True),
        zips_without_bank[is_unlisted].merge(
            _certain(zip_places, "state"), left_on="state", right_index=True
        ),
    ]
    return pd.concat(parts).explode("fa_org_id")[["zip", "fa_org_id"]]


def _certain(rows: pd.DataFrame, area: str) -> pd.Series:
    """Return the food banks of each area (column of `rows`) that are equal in all its ZIPs."""
    pairs = rows[[area, "zip", "fa_org_id"]].dropna().drop_duplicates()
    zips = pairs.groupby(area)["zip"].transform("nunique")
    zips_served = pairs.groupby([area, "fa_org_id"])["zip"].transform("size")
    serves_all = (zips_served == zips).groupby(pairs[area]).transform("all")
    return pairs[serves_all].groupby(area)["fa_org_id"].agg(_ascending)


def _plain(name: str) -> str:
    """Return a name without capitals, signs and "Inc."."""
    return fold_name(name).removesuffix(" inc")


_SOURCE = sources()[SOURCE_ID]
_ZIP_COLUMNS = ["zip", "state", "county_fips"]


@dg.asset(
    ins={"zips": read(ZIPS, _ZIP_COLUMNS), "resources": read(RESOURCES, RESOURCE_COLUMNS)},
    deps=keys_of([_SOURCE.raw_table]),
    **asset_of(FOOD_BANKS, "directory"),
)
def core_directory__food_banks(
    context: dg.AssetExecutionContext,
    workspace: Workspace,
    zips: pd.DataFrame,
    resources: pd.DataFrame,
) -> Any:
    try:
        files = raw_files(_SOURCE, workspace)
        tables = read_within(_SOURCE.limits, _read, files)
        frame = food_banks(
            tables.get("catalogue", pd.DataFrame()),
            tables.get("zip_coverage", pd.DataFrame()),
            zips,
            resources,
            max((file.vintage for file in files if file.vintage), default=None),
        )
    except Exception as error:
        raise_unless_of_source(error, workspace)
        failure = note_failure(_SOURCE, workspace, SERVICE_AREAS, error, context.log.warning)
        return LastGood(failure.reason)
    clear_failure(_SOURCE, workspace, SERVICE_AREAS)
    return frame


def _read(files: list[RawFile]) -> dict[str, pd.DataFrame]:
    readers = {
        "catalogue": feeding_america_2026.catalogue,
        "zip_coverage": feeding_america_2026.zip_coverage,
    }
    return {file.layout: remove_invisible(readers[file.layout](file)) for file in files}
