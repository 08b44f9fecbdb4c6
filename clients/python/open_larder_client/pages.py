"""Going through lists that come in pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from open_larder_client import shapes
from open_larder_client.client import Larder


def each_place(
    larder: Larder,
    *,
    state: str | None = None,
    types: Sequence[str] | None = None,
    limit: int = 1000,
) -> Iterator[shapes.ResourceRecord]:
    """Yield every place of the directory in order of id, page by page. `types` are type ids."""
    cursor: int | None = None
    while True:
        page = larder.export_resources(cursor=cursor, limit=limit, state=state, type=types)
        assert isinstance(page, shapes.BulkPage), "JSON was asked for"
        yield from page.resources
        if page.next_cursor is None:
            return
        cursor = int(page.next_cursor)
