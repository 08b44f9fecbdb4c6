"""Returns the free memory of a step to the system."""

import ctypes
from contextlib import suppress

import pyarrow as pa


def release_memory() -> None:
    """Return unused pages of Arrow and of malloc to the system.

    Both retain freed memory for later requests of the same size, so that the peak of a build would
    be the sum of what its largest steps freed. It takes 1 to 20 ms.
    """
    pa.default_memory_pool().release_unused()
    with suppress(AttributeError):  # of glibc alone
        ctypes.CDLL(None).malloc_trim(0)
