"""Obtains a source's files in each profile."""

import io
from datetime import date, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import pandas as pd

from assets.demo.write import DEMO_SOURCES, write_demo
from assets.steps.workspace import Workspace
from schemas.sources.registry import Source
from schemas.sources.rights import waits_for
from schemas.tables.core import RAW_FILES
from warehouse.fetch.errors import FetchError
from warehouse.fetch.folder import take_from_folder
from warehouse.fetch.live import fetch_live
from warehouse.fetch.settings import read_fetch_settings
from warehouse.fetch.web import Report
from warehouse.files import lock
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.export import EDITS_SOURCE, PLACES_SOURCE, build_approved_files
from warehouse.operations.location import store_of
from warehouse.raw_store import Arrival, RawFile, RawStore

OPERATIONS_SOURCES = frozenset({PLACES_SOURCE, EDITS_SOURCE})


def fetch_files(source: Source, workspace: Workspace, report: Report) -> pd.DataFrame:
    """Bring a source's files into the raw store and list them (`schemas.tables.core.RAW_FILES`).

    Raises the provider's errors; the last good set of files then stays in the store.
    """
    store = workspace.raw_store
    if source.id in OPERATIONS_SOURCES:
        invented = source_folder(source, workspace) if workspace.is_synthetic else None
        files = take_approved(store_of(workspace.root), invented, source, store, report)
    elif workspace.profile == "live":
        reason = waits_for(source, workspace.rights_policy(), workspace.as_of_date)
        last = store.completed_at(source.id)
        age_days = (workspace.as_of_date - last.date()).days if last else None
        if reason:
            report(f"{source.id} {reason}")
            files = []
        elif source.fetch_days and age_days is not None and age_days < source.fetch_days:
            report(f"{source.id}: fetched {age_days} days ago, due after {source.fetch_days}")
            files = store.files(source.id)
        else:
            files = fetch_live(read_fetch_settings(), source, store, report)
    else:
        files = take_from_folder(source_folder(source, workspace), source, store, report)
    fetched = store.completed_at(source.id) if source.is_living else None
    rows = [
        {name: getattr(file, name, None) for name in RAW_FILES.field_names}
        | {
            "source_updated_date": fetched.date()
            if fetched
            else file.source_updated_date or date_of_header(file.last_modified)
        }
        for file in files
    ]
    return pd.DataFrame(rows, columns=RAW_FILES.field_names)


def date_of_header(last_modified: str | None) -> date | None:
    """Return the day of a `Last-Modified` header (RFC 9110); None without one, or for no date."""
    try:
        return parsedate_to_datetime(last_modified).date() if last_modified else None
    except ValueError:
        return None


def source_folder(source: Source, workspace: Workspace) -> Path:
    """Return the folder of publishers' files; the demo's is written on first use."""
    if workspace.profile == "folder":
        return Path(workspace.sources_dir)
    # The demo's dates lie around a Sunday: it does not change every day, and is never too old to
    # answer from.
    as_of = workspace.as_of_date - timedelta(days=workspace.as_of_date.isoweekday() % 7)
    folder = workspace.root / "demo" / f"{workspace.demo_rows}-{workspace.demo_seed}-{as_of}"
    if source.id in DEMO_SOURCES:
        # The step of another source may be writing them.
        with lock(folder.with_suffix(".lock"), "writing the demo", waits=True):
            if not (folder / ".complete").exists():
                zips, cities = workspace.geography().zips, workspace.geography().cities
                rows, seed = workspace.demo_rows, workspace.demo_seed
                write_demo(folder, rows, seed, zips, cities, as_of)
                (folder / ".complete").touch()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def take_approved(
    operations: Store, invented: Path | None, source: Source, store: RawStore, report: Report
) -> list[RawFile]:
    """Store approved submissions, edits and votes of the operations store, if it exists.

    `invented` is the folder of a demo with its own confirmations in the store's format. Raises
    FetchError when the store is unavailable.
    """
    try:
        files = build_approved_files(operations).get(source.id, {})
    except StoreUnavailableError as error:
        raise FetchError("operations store", str(error), "Check LARDER_OPERATIONS_URL") from error
    finally:
        operations.close()
    folders = [invented / name for name in source.folders] if invented else []
    paths = sorted(path for folder in folders for path in folder.glob("*.json"))
    files = {**{path.name: path.read_bytes() for path in paths}, **files}
    if not files and not store.files(source.id):
        report(f"{source.id}: nothing is approved")
        return []
    arrival = Arrival(media_type="application/json")
    with store.updating(source.id):
        obtained = [
            store.keep_stream(source.id, io.BytesIO(content), "operations store", name, arrival)
            for name, content in files.items()
        ]
        store.replace_latest(source.id, obtained)
    report(f"{source.id}: {len(obtained)} files")
    return obtained
