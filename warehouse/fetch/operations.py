"""Reads the operations store as a source: approved changes as separate files."""

import io
from pathlib import Path

from schemas.sources.registry import Source
from warehouse.fetch.errors import FetchError
from warehouse.fetch.retrying import Report
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.export import EDITS_SOURCE, PLACES_SOURCE, build_approved_files
from warehouse.raw_store import Arrival, RawFile, RawStore

OPERATIONS_SOURCES = frozenset({PLACES_SOURCE, EDITS_SOURCE})


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
