"""The classes of messages, prepared before there are threads.

msgspec inspects a class when it is first read or written, and shows other threads a half-finished
result: two threads that meet a class for the first time end the process (a segmentation fault, seen
once when a worker began). Those that Litestar makes of the parameters of handlers are used by the
event loop alone.
"""

from weakref import WeakSet

import msgspec
from litestar._signature import SignatureModel

from schemas.descriptions import structs_below

_PREPARED: WeakSet[type[msgspec.Struct]] = WeakSet()


def prepare_structs() -> int:
    """Have msgspec compile every class of messages; return their number. Takes some 50 ms."""
    known = set(structs_below(msgspec.Struct)).difference(structs_below(SignatureModel))
    for struct in known.difference(_PREPARED):
        msgspec.json.Decoder(struct)
        _PREPARED.add(struct)
    return len(known)
