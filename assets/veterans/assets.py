"""Make the resources for veterans: tables, files and checks before release."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.geography.tract_files import obtain_tracts, tracts_at_hand
from assets.geography.tracts import with_tracts
from assets.steps.checks import blocking_check, check_result, drop_check
from assets.steps.decorators import (
    Facts,
    Output,
    asset_spec,
    make_product,
    make_tables,
    step,
)
from assets.steps.freshness import fingerprint_of
from assets.steps.served import read_served_table
from assets.steps.workspace import Workspace
from assets.veterans.candidates import (
    KEYS,
    REGISTER,
    Candidates,
    of_directory,
    of_register,
    of_rejects,
    together,
)
from assets.veterans.checks import broken_files, broken_rows
from assets.veterans.evidence import CONSIDERED_TYPES
from assets.veterans.export import write_files
from assets.veterans.phone_sample import FILE_NAME, read_lookups, summary
from assets.veterans.practices import Making, probes_of
from assets.veterans.records import build_veterans
from schemas.sources.registry import sources
from schemas.tables.checks import WEBSITE_PROBES
from schemas.tables.core import RECORD_SOURCES, REJECTS, RESOURCES
from schemas.tables.veterans import (
    VETERAN_DETAILS,
    VETERAN_IDENTITIES,
    VETERAN_REJECTS,
    VETERAN_RESOURCES,
)
from warehouse.files import sha256_of
from warehouse.parquet import read_frame, row_count

FILES, FOLDER = "out_veterans__files", "veterans"
_REGISTER_TABLE = sources()[REGISTER].core_table
_TABLES = (VETERAN_REJECTS, VETERAN_IDENTITIES, VETERAN_DETAILS, VETERAN_RESOURCES)
# Inputs of the tables, in addition to the fetch times of files.
_MADE_FROM = [
    _REGISTER_TABLE,
    RESOURCES.name,
    RECORD_SOURCES.name,
    REJECTS.name,
    WEBSITE_PROBES.name,
    "core_geography__zips",
    "core_geography__cities",
]


@blocking_check(
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


@blocking_check(
    asset=FILES,
    name="totals",
    reads=[VETERAN_RESOURCES.name],
    description="JSON, CSV and Parquet hold the same records, which are those of the table.",
)
def veteran_files_agree(workspace: Workspace) -> dg.AssetCheckResult:
    rows = workspace.read(VETERAN_RESOURCES.name)
    broken = broken_files(rows, workspace.product(FOLDER))
    return check_result(broken, f"{len(rows)} records in every form")


@step(
    *(asset_spec(table, _MADE_FROM) for table in _TABLES),
    dg.AssetSpec(
        FILES,
        deps=[VETERAN_RESOURCES.name, WEBSITE_PROBES.name],
        kinds={"json", "csv", "parquet"},
        description=(
            "The files of the data set of resources for veterans: JSON with its columns, CSV, "
            "Parquet, data package."
        ),
    ),
    name="core_veterans",
    group="veterans",
    checks=[
        veterans_are_sound,
        drop_check(VETERAN_RESOURCES, "resource_type", "rows_by_type"),
        veteran_files_agree,
    ],
    continues_served=True,
)
def core_veterans(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.MaterializeResult]:
    """Make resources for veterans, their evidence, the registry of their ids and the files."""
    tracts = obtain_tracts(workspace, context.log.info)
    fingerprint = fingerprint_of(
        workspace,
        dict.fromkeys([*_MADE_FROM, *(source.raw_table for source in sources().values())]),
        [_veterans],
        [*_TABLES, workspace.as_of_date, workspace.geography_dir, *map(sha256_of, tracts)],
    )
    yield from make_tables(
        workspace, fingerprint, _TABLES, lambda: _veterans(workspace, tracts), continues_served=True
    )
    making, is_synthetic = _making(workspace), workspace.is_synthetic
    fingerprint = fingerprint_of(
        workspace, {VETERAN_RESOURCES.name: None}, [_files], [making, is_synthetic]
    )
    yield make_product(
        workspace,
        fingerprint,
        FILES,
        FOLDER,
        lambda folder: _files(folder, workspace.read(VETERAN_RESOURCES.name), making, is_synthetic),
    )


def _veterans(workspace: Workspace, tracts: list[Path]) -> Output:
    candidates = _candidates(workspace)
    records = with_tracts(candidates.records, tracts)
    candidates = replace(candidates, records=records)
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
    return Output([candidates.rejects, veterans.identities, veterans.details, resources], facts)


def _candidates(workspace: Workspace) -> Candidates:
    registry, geography = sources(), workspace.geography()
    return together(
        [
            of_register(workspace.read(_REGISTER_TABLE), geography, registry[REGISTER]),
            of_directory(
                # Stores, two thirds of all rows, are none of these.
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
        for source in sources().values()
        if row_count(workspace.path(source.raw_table))
    ]
    keys = ["source_id", "file_name"]
    return pd.concat(lists).groupby(keys, as_index=False)["retrieved_at"].max()


def _lookups(workspace: Workspace) -> pd.DataFrame:
    """Return looked-up telephone numbers of the publishers' folder, else the data one."""
    folders = [Path(workspace.sources_dir)] if workspace.sources_dir else []
    paths = [folder / FILE_NAME for folder in (*folders, workspace.root)]
    return read_lookups(next((path for path in paths if path.is_file()), paths[-1]))


def _making(workspace: Workspace) -> Making:
    rows = workspace.read(VETERAN_RESOURCES.name)
    return Making(
        tuple(path.name for path in tracts_at_hand(workspace)),
        probes_of(rows, workspace.read(WEBSITE_PROBES.name)),
        summary(_lookups(workspace), rows),
    )


def _files(folder: Path, rows: pd.DataFrame, making: Making, is_synthetic: bool) -> Facts:
    write_files(rows, folder, making, is_synthetic=is_synthetic)
    sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    return {"dagster/row_count": len(rows), "bytes": sizes}
