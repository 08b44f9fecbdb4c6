"""Checks of the data set beyond its declaration; every function returns violations."""

import csv
from datetime import date
from pathlib import Path

import msgspec
import pandas as pd

from assets.veterans.export import NAME
from assets.veterans.records import completeness
from schemas.tables.veterans import VETERAN_RESOURCES
from schemas.vocab.states import STATES
from warehouse.parquet import read_frame

_KEYS = ["source_id", "source_key"]


def broken_rows(
    resources: pd.DataFrame,
    details: pd.DataFrame,
    rejects: pd.DataFrame,
    register: pd.DataFrame,
    as_of: date,
) -> list[str]:
    """Return violations by rows and totals: every register record is listed or left out."""
    fips = resources["state"].map({s.code: s.fips for s in STATES.values()}).astype("str")
    rules = {
        "id without details, or details without id": ~resources["id"].isin(details["id"]),
        "fips_state is not the state's": resources["state"].notna()
        & resources["fips_state"].ne(fips).fillna(True),
        "county or tract without its state or county": (
            resources["fips_county"].notna() & resources["fips_state"].isna()
        )
        | (resources["fips_tract"].notna() & resources["fips_county"].isna()),
        "one coordinate without the other": resources["lat"].isna() ^ resources["lng"].isna(),
        "phone_verified without a number": resources["phone_verified"].notna()
        & resources["phone_e164"].isna(),
        "completeness_score is not the sum of its parts": resources["completeness_score"].ne(
            completeness(resources, as_of)
        ),
        "verified in the future": resources["verified_date"].gt(as_of.isoformat()).fillna(False),
        "updated before it was created": resources["updated_at"] < resources["created_at"],
    }
    broken = [f"{rule}: {int(bad.sum())} rows" for rule, bad in rules.items() if bad.any()]
    if len(details) != len(resources):
        broken.append(f"{len(resources)} resources, {len(details)} details")
    return broken + _missing_records(details, rejects, register)


def _missing_records(
    details: pd.DataFrame, rejects: pd.DataFrame, register: pd.DataFrame
) -> list[str]:
    accounted = pd.concat([details[_KEYS], rejects[_KEYS]]).set_index(_KEYS).index
    is_present = register.set_index(_KEYS).index.isin(accounted)
    return (
        [f"{int((~is_present).sum())} records of the register are lost"]
        if not is_present.all()
        else []
    )


def broken_files(resources: pd.DataFrame, folder: Path) -> list[str]:
    """Return formats of the data set whose ids or columns differ from the table's."""
    ids = resources["id"].tolist()
    document = msgspec.json.decode((folder / f"{NAME}.json").read_bytes())
    with (folder / f"{NAME}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    parquet = read_frame(folder / f"{NAME}.parquet")
    columns = [column["name"] for column in document["columns"]]
    forms = {
        "JSON": [record["id"] for record in document["records"]],
        "CSV": [int(row["id"]) for row in rows],
        "Parquet": parquet["id"].tolist(),
    }
    broken = [
        f"{form}: {len(ids_in_file)} records, not {len(ids)}"
        for form, ids_in_file in forms.items()
        if ids_in_file != ids
    ]
    if document["record_count"] != len(ids):
        broken.append(f"record_count is {document['record_count']}")
    names = VETERAN_RESOURCES.field_names
    if columns != names or list(parquet.columns) != names or (rows and list(rows[0]) != names):
        broken.append("columns differ")
    return broken
