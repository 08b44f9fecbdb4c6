"""All places of one state as one document, written to the client piece by piece."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import numpy as np

from schemas.api.snapshots import StateDumpHead
from schemas.vocab.states import STATE_CODES, STATES
from serving.reference.totals import atlas_counts, head_of, listed_state
from warehouse.index.reader import OpenRelease

# Records per piece of the stream.
_PIECE = 50
_NOTE = "Opening state, days since confirmation and live reports depend on the moment and are left out; ask /api/resources/{id} for them."


def dump_head(release: OpenRelease, code: str) -> bytes:
    """Return the document up to its records, with the bracket that opens them.

    Raises ServiceProblem (404) for a territory without data.
    """
    totals = listed_state(release, code)
    head = StateDumpHead(
        **head_of(release),
        state=code,
        name=STATES[code].name,
        note=_NOTE,
        counts=atlas_counts([totals]),
        count=totals.resource_count,
    )
    return msgspec.json.encode(head)[:-1] + b',"resources":['


def rows_of_state(release: OpenRelease, code: str) -> Any:
    """Return rows of a state in order of id."""
    return np.flatnonzero(release.state_codes == STATE_CODES.index(code)).astype(np.int32)


async def dump_chunks(release: OpenRelease, head: bytes, rows: Any) -> AsyncIterator[bytes]:
    """Yield the document in pieces; memory does not grow with the state."""
    yield head
    for start in range(0, len(rows), _PIECE):
        piece = rows[start : start + _PIECE].tolist()
        texts = b"},".join(release.stored_record(row) for row in piece)
        yield (b"," if start else b"") + texts + b"}"
    yield b"]}"
