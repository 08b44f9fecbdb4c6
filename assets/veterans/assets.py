"""Makes the resources for veterans: tables, files, and the check that no record is lost."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import dagster as dg
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
from assets.veterans.export import write_files
from assets.veterans.phone_sample import FILE_NAME, read_lookups, summary
from assets.veterans.practices import Making, probes_of
from assets.veterans.records import build_veterans
from schemas.sources.registry import built_sources
from schemas.tables.core import RECORD_SOURCES, REJECTS, RESOURCES, WEBSITE_PROBES
from schemas.tables.veterans import (
    VETERAN_DETAILS,
    VETERAN_IDENTITIES,
    VETERAN_REJECTS,
    VETERAN_RESOURCES,
)
from warehouse.parquet import read_frame, row_count

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
    name="register_is_accounted_for",
    reads=[VETERAN_DETAILS.name, VETERAN_REJECTS.name, _REGISTER_TABLE],
    description="Every record of the register is listed, or left out with a reason.",
)
def register_is_accounted_for(workspace: Workspace) -> dg.AssetCheckResult:
    tables = (VETERAN_DETAILS.name, VETERAN_REJECTS.name, _REGISTER_TABLE)
    return check_result(find_lost(*(workspace.read(name, KEYS) for name in tables)))


def find_lost(listed: pd.DataFrame, left_out: pd.DataFrame, register: pd.DataFrame) -> list[str]:
    """Return keys of the register that are neither listed nor left out."""
    accounted = pd.concat([listed[KEYS], left_out[KEYS]]).set_index(KEYS).index
    is_lost = ~register.set_index(KEYS).index.isin(accounted)
    return list(register.loc[is_lost, "source_key"])


VETERAN_CHECKS = (
    register_is_accounted_for,
    drop_check(VETERAN_RESOURCES, "resource_type", "rows_by_type"),
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
            "The data set of resources for veterans as files: JSON with its columns, CSV, Parquet."
        ),
    ),
)
def out_veterans__files(
    workspace: Workspace, rows: pd.DataFrame, probes: pd.DataFrame
) -> Iterator[dg.Output[Path]]:
    # Looked-up telephone numbers lie in the publishers' folder, else in the data folder.
    in_folder = Path(workspace.sources_dir) / FILE_NAME if workspace.sources_dir else None
    has_own = in_folder is not None and in_folder.is_file()
    lookups = read_lookups(in_folder if in_folder and has_own else workspace.root / FILE_NAME)
    making = Making(
        tuple(path.name for path in tracts_at_hand(workspace)),
        probes_of(rows, probes),
        summary(lookups, rows),
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
