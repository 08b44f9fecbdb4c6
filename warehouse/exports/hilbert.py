"""Orders places along a Hilbert curve, so that neighbours on the map are adjacent in the file."""

import numpy as np

_BITS = 16  # cells of 0.0055 by 0.0027 degrees


def hilbert_order(lat: np.ndarray, lng: np.ndarray) -> np.ndarray:
    """Return each point's position on a globe's Hilbert curve; degrees without NaN."""
    cells = 1 << _BITS
    x = np.clip(((lng + 180) / 360 * cells).astype(np.int64), 0, cells - 1)
    y = np.clip(((lat + 90) / 180 * cells).astype(np.int64), 0, cells - 1)
    return hilbert_position(x, y, _BITS)


def hilbert_position(x: np.ndarray, y: np.ndarray, bits: int) -> np.ndarray:
    """Return the position of cells on the Hilbert curve over a square of 2**bits by 2**bits
    cells."""
    cells = 1 << bits
    position = np.zeros(len(x), np.int64)
    side = cells >> 1
    while side:
        right, upper = (x & side) > 0, (y & side) > 0
        position += side * side * ((3 * right) ^ upper)
        # Each quarter has a smaller curve, rotated so that its ends meet those of its neighbours.
        flipped = ~upper & right
        x, y = np.where(flipped, cells - 1 - x, x), np.where(flipped, cells - 1 - y, y)
        x, y = np.where(~upper, y, x), np.where(~upper, x, y)
        side >>= 1
    return position
