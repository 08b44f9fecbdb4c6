"""Reference geography as assets: ZIP codes and cities, from packages or from the official files."""

from pathlib import Path

import dagster as dg
import pandas as pd

from assets.defs.code_version import code_digest, root_of
from assets.defs.lineage import recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, digest_of, measured
from assets.geography.packages import cities_from_packages, zips_from_packages
from schemas.tables.core import CITIES, ZIPS


@dg.multi_asset(
    name="core_geography",
    group_name="geography",
    specs=[
        dg.AssetSpec(
            "core_geography__zips",
            description=ZIPS.description,
            kinds={"pandas", "parquet"},
            owners=OWNERS,
        ),
        dg.AssetSpec(
            "core_geography__cities",
            description=CITIES.description,
            kinds={"pandas", "parquet"},
            owners=OWNERS,
        ),
    ],
)
@recorded()
def core_geography(context: dg.AssetExecutionContext, workspace: Workspace):  # type: ignore[no-untyped-def]
    """ZIP codes and cities with points, population and time zones."""
    folder = Path(workspace.geography_dir) if workspace.geography_dir else None
    present = (
        sorted((p.name, p.stat().st_size) for p in folder.iterdir())
        if folder and folder.is_dir()
        else []
    )
    digest = digest_of(*present, ZIPS, CITIES, code_digest(root_of(_frames)))
    version = dg.DataVersion(digest[:16])
    names = ("core_geography__zips", "core_geography__cities")
    if all(workspace.is_current(name, digest) for name in names):
        for name in names:
            yield dg.MaterializeResult(
                asset_key=name,
                metadata={"reused": True, **workspace.notes(name), **workspace.shown(name)},
                data_version=version,
            )
        return
    with measured() as step:
        zips, cities, notes = _frames(folder if present else None)
    for note in notes:
        context.log.info(note)
    facts = {"input_digest": digest, "notes": notes, **step.metadata()}
    for name, frame, table in zip(names, (zips, cities), (ZIPS, CITIES), strict=True):
        metadata = workspace.write(name, frame, table, facts)
        yield dg.MaterializeResult(
            asset_key=name, metadata={**metadata, **step.metadata()}, data_version=version
        )


def _frames(folder: Path | None) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """Return ZIP codes, cities and notes, from official files or, without a folder, packages."""
    if folder:
        from assets.geography.official import geography_from_files  # noqa: PLC0415

        return geography_from_files(folder)
    zips = zips_from_packages()
    return zips, cities_from_packages(zips), ["from packages"]
