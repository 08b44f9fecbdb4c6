"""The rows nearest to a point, from an R-tree of libspatialindex, without letting go of the
interpreter.

`rtree` calls the library through `ctypes.CDLL`, which lets other threads in for every call. A call
here takes some ten microseconds, and a server's thread that waits for its turn gets it each time:
handing the interpreter to and fro then costs more than the search. The same functions of the same
library are called here through `ctypes.PyDLL`, which keeps it. The tree itself is rtree's.
"""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray
from rtree import core, index

_DIMENSIONS = 3
_Point = ctypes.c_double * _DIMENSIONS
_library = ctypes.PyDLL(core.rt._name)
_nearest = _library.Index_NearestNeighbors_id
_nearest.argtypes = core.rt.Index_NearestNeighbors_id.argtypes
_nearest.restype = ctypes.c_int
_nearest.errcheck = core.check_return
_free = _library.Index_Free
_free.argtypes = [ctypes.c_void_p]
_free.restype = None


class NearestRows:
    """Points in three dimensions by number of row, bulk loaded. For one thread at a time."""

    def __init__(self, rows: NDArray[np.int64], xyz: NDArray[np.float64]) -> None:
        properties = index.Property(
            dimension=_DIMENSIONS, leaf_capacity=20, index_capacity=20, fill_factor=0.9
        )
        self._tree = index.Index((rows, xyz, xyz), properties=properties)

    def nearest(self, at: tuple[float, float, float], count: int) -> list[int]:
        """The `count` nearest rows, in no order; more when several share the last distance.

        Raises rtree.exceptions.RTreeError.
        """
        point = _Point(*at)
        found = ctypes.POINTER(ctypes.c_int64)()
        number = ctypes.c_uint64(count)
        _nearest(
            self._tree.handle, point, point, _DIMENSIONS, ctypes.byref(found), ctypes.byref(number)
        )
        try:
            return found[: number.value]
        finally:
            _free(found)
