"""Make the resources for veterans: tables, files and checks before release."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import dagster as dg
import msgspec
import pandas as pd

from assets.geography.tracts import obtain_tracts, tracts_at_hand, with_tracts
from assets.steps.checks import check, check_result, drop_check
from assets.steps.keys import keys_of
from assets.steps.tables import outputs, outs_of, product_of, read
from assets.steps.workspace import Workspace, read_served_table
from assets.veterans.candidates import (
    KEYS,
    REGISTER,
    Candidates,
    of_directory,
    of_register,
    of_rejects,
    together,
)
from assets.veterans.evidence import CONSIDERED_TYPES
from assets.veterans.export import NAME, write_files
from assets.veterans.phone_sample import FILE_NAME, read_lookups, summary
from assets.veterans.practices import Making, probes_of
from assets.veterans.records import build_veterans, completeness
from schemas.sources.registry import built_sources
from schemas.tables.core import RECORD_SOURCES, REJECTS, RESOURCES, WEBSITE_PROBES
from schemas.tables.veterans import (
    VETERAN_DETAILS,
    VETERAN_IDENTITIES,
    VETERAN_REJECTS,
    VETERAN_RESOURCES,
)
from schemas.vocab.states import STATES
from warehouse.parquet import read_frame, row_count

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


FILES, FOLDER = "out_veterans__files", "veterans"
_REGISTER_TABLE = built_sources()[REGISTER].core_table
_TABLES = (VETERAN_REJECTS, VETERAN_IDENTITIES, VETERAN_DETAILS, VETERAN_RESOURCES)
# Inputs of the tables, in addition to the fetch times of all files.
_MADE_FROM = [
    _REGISTER_TABLE,
    RESOURCES.name,
    RECORD_SOURCES.name,
    REJECTS.name,
    WEBSITE_PROBES.name,
    "core_geography__zips",
    "core_geography__cities",
]


@check(
    asset=VETERAN_RESOURCES.name,
    name="soundness",
    reads=[VETERAN_DETAILS.name, VETERAN_REJECTS.name, _REGISTER_TABLE],
    description=(
        "Scores, FIPS codes, numbers and points of the veteran data set agree with each other, "
        "and no record of the register is lost."
    ),
)
def veterans_are_sound(workspace: Workspace) -> dg.AssetCheckResult:
    broken = broken_rows(
        workspace.read(VETERAN_RESOURCES.name),
        workspace.read(VETERAN_DETAILS.name),
        workspace.read(VETERAN_REJECTS.name, ["source_id", "source_key"]),
        workspace.read(_REGISTER_TABLE, ["source_id", "source_key"]),
        workspace.as_of_date,
    )
    return check_result(broken)


@check(
    asset=FILES,
    name="totals",
    reads=[VETERAN_RESOURCES.name],
    description="JSON, CSV and Parquet hold the same records, which are those of the table.",
)
def veteran_files_agree(workspace: Workspace) -> dg.AssetCheckResult:
    rows = workspace.read(VETERAN_RESOURCES.name)
    broken = broken_files(rows, workspace.product(FOLDER))
    return check_result(broken, f"{len(rows)} records in every form")


VETERAN_CHECKS = (
    veterans_are_sound,
    drop_check(VETERAN_RESOURCES, "resource_type", "rows_by_type"),
    veteran_files_agree,
)


@dg.multi_asset(
    deps=keys_of([*_MADE_FROM, *(source.raw_table for source in built_sources().values())]),
    outs=outs_of("veterans", *_TABLES),
    can_subset=True,
)
def core_veterans(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.Output[pd.DataFrame]]:
    """Make resources for veterans, their evidence and the registry of their ids."""
    candidates = _candidates(workspace)
    tracts = obtain_tracts(workspace, context.log.info)
    candidates = replace(candidates, records=with_tracts(candidates.records, tracts))
    veterans = build_veterans(
        candidates,
        workspace.read(WEBSITE_PROBES.name),
        read_served_table(workspace, VETERAN_RESOURCES),
        read_served_table(workspace, VETERAN_IDENTITIES),
        workspace.release_in_making,
        workspace.as_of_date,
    )
    resources = veterans.resources
    facts = {
        "types": resources["resource_type"].value_counts().to_dict(),
        "left_out": candidates.rejects["reject_reason"].value_counts().to_dict(),
        "mean_completeness": round(float(resources["completeness_score"].mean() or 0), 1)
        if len(resources)
        else 0,
    }
    tables = (candidates.rejects, veterans.identities, veterans.details, resources)
    yield from outputs(context, dict(zip(_TABLES, tables, strict=True)), facts)


@dg.asset(
    ins={"rows": read(VETERAN_RESOURCES), "probes": read(WEBSITE_PROBES)},
    **product_of(
        FILES,
        "veterans",
        kinds={"json", "csv", "parquet"},
        description=(
            "The files of the data set of resources for veterans: JSON with its columns, CSV, "
            "Parquet, data package."
        ),
    ),
)
def out_veterans__files(
    workspace: Workspace, rows: pd.DataFrame, probes: pd.DataFrame
) -> Iterator[dg.Output[Path]]:
    making = Making(
        tuple(path.name for path in tracts_at_hand(workspace)),
        probes_of(rows, probes),
        summary(_lookups(workspace), rows),
    )
    with workspace.scratch() as folder:
        write_files(rows, folder, making, is_synthetic=workspace.is_synthetic)
        sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
        yield dg.Output(folder, metadata={"dagster/row_count": len(rows), "bytes": sizes})


VETERAN_ASSETS = (core_veterans, out_veterans__files)


def _candidates(workspace: Workspace) -> Candidates:
    registry, geography = built_sources(), workspace.geography()
    return together(
        [
            of_register(workspace.read(_REGISTER_TABLE), geography, registry[REGISTER]),
            of_directory(
                # Not the stores, which are two thirds of all rows.
                read_frame(
                    workspace.path(RESOURCES.name), where={"resource_type": CONSIDERED_TYPES}
                ),
                workspace.read(RECORD_SOURCES.name, ["resource_id", *KEYS, "is_primary"]),
                registry,
            ),
            of_rejects(workspace.read(REJECTS.name), _fetch_times(workspace), geography, registry),
        ]
    )


def _fetch_times(workspace: Workspace) -> pd.DataFrame:
    """Return the time at which each file of each source came; a file that came twice counts by its
    last time.
    """
    columns = ["file_name", "retrieved_at"]
    lists = [
        workspace.read(source.raw_table, columns).assign(source_id=source.id)
        for source in built_sources().values()
        if row_count(workspace.path(source.raw_table))
    ]
    keys = ["source_id", "file_name"]
    return pd.concat(lists).groupby(keys, as_index=False)["retrieved_at"].max()


def _lookups(workspace: Workspace) -> pd.DataFrame:
    """Return looked-up telephone numbers of the publishers' folder, else the data one."""
    folders = [Path(workspace.sources_dir)] if workspace.sources_dir else []
    paths = [folder / FILE_NAME for folder in (*folders, workspace.root)]
    return read_lookups(next((path for path in paths if path.is_file()), paths[-1]))
