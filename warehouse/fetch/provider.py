"""Protocol of file providers: folder, network and generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from schemas.sources.registry import Source
from warehouse.raw_store import RawFile, RawStore

Report = Callable[[str], None]


class FileProvider(Protocol):
    """Brings the current files of a source into the store.

    When it returns a non-empty list, that list is the store's current set. An empty list means that
    this provider has nothing for the source, and `report` received the reason. Raises FetchError;
    the current set is then unchanged.
    """

    def obtain(self, source: Source, store: RawStore, report: Report) -> list[RawFile]: ...
