"""Prepares message classes before threads start.

msgspec inspects a class on first use, and other threads see a half-finished result: two threads
that first use a class concurrently crash the process (a segmentation fault, seen once at a worker's
start). Classes that Litestar derives from handlers' parameters are used by the event loop alone.
"""

from weakref import WeakSet

import msgspec
from litestar._signature import SignatureModel

from schemas.descriptions import structs_below

_PREPARED: WeakSet[type[msgspec.Struct]] = WeakSet()


def prepare_structs() -> int:
    """Have msgspec compile every message class; return their number. Takes some 50 ms."""
    structs = set(structs_below(msgspec.Struct)).difference(structs_below(SignatureModel))
    for struct in structs.difference(_PREPARED):
        msgspec.json.Decoder(struct)
        _PREPARED.add(struct)
    return len(structs)
