"""The operations store as a source: approved changes as files of its own."""

import io
from pathlib import Path

from schemas.sources.registry import Source
from warehouse.fetch.errors import FetchError
from warehouse.fetch.retrying import Report
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.export import EDITS_SOURCE, PLACES_SOURCE, build_approved_files
from warehouse.raw_store import Arrival, RawFile, RawStore

OPERATIONS_SOURCES = frozenset({PLACES_SOURCE, EDITS_SOURCE})


class OperationsProvider:
    """Exports approved submissions, edits and votes from the operations store, if there is one.

    `invented` is the folder of a demo, which has its own confirmations in the store's format.
    """

    def __init__(self, operations: Store, invented: Path | None = None) -> None:
        self._operations, self._invented = operations, invented

    def obtain(self, source: Source, store: RawStore, report: Report) -> list[RawFile]:
        """Store the files of an operations source. FetchError: the store is unavailable."""
        try:
            files = build_approved_files(self._operations).get(source.id, {})
        except StoreUnavailableError as error:
            raise FetchError(
                "operations store", str(error), "Check LARDER_OPERATIONS_URL"
            ) from error
        finally:
            self._operations.close()
        files = {**self._of_demo(source), **files}
        if not files and not store.files(source.id):
            report(f"{source.id}: nothing is approved")
            return []
        with store.updating(source.id):
            obtained = [
                store.keep_stream(
                    source.id,
                    io.BytesIO(content),
                    "operations store",
                    name,
                    Arrival(media_type="application/json"),
                )
                for name, content in files.items()
            ]
            store.replace_latest(source.id, obtained)
        report(f"{source.id}: {len(obtained)} files")
        return obtained

    def _of_demo(self, source: Source) -> dict[str, bytes]:
        if self._invented is None:
            return {}
        paths = [path for name in source.folders for path in (self._invented / name).glob("*.json")]
        return {path.name: path.read_bytes() for path in sorted(paths)}
