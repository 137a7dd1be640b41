"""How far a line may run before anything can change: a distance field over the pixels.

For each pixel, the distance in pixels (the larger of columns and rows) to the nearest pixel of
another label, rounded down a little. A line that stands on a pixel with distance k may skip k - 1
columns at once. It pays on boards whose terrain is drawn in solid areas; dotted terrain (grain on
many boards) has no distances to speak of.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import BoolArray

STEPS = (1,) * 8 + (2,) * 4 + (4,) * 4 + (8,) * 4 + (16,) * 4 + (32,) * 4
"""Steps from one distance that is told apart to the next: to 9 by ones, then ever coarser."""
FARTHEST = 255
"""No distance is told above this."""
PLANES = 5
"""Bits that count the steps."""

Labels = npt.NDArray[np.unsignedinteger]
_Bits = npt.NDArray[np.uint64]


def beside_another(labels: Labels) -> BoolArray:
    """Pixels with another label among their eight neighbours, ``[y, x]``."""
    beside = np.zeros(labels.shape, bool)
    whole, early, late = slice(None), slice(None, -1), slice(1, None)
    for a, b in (
        ((late, whole), (early, whole)),
        ((whole, late), (whole, early)),
        ((late, late), (early, early)),
        ((late, early), (early, late)),
    ):
        differ = labels[a] != labels[b]
        beside[a] |= differ
        beside[b] |= differ
    return beside


def distance_field(beside: BoolArray) -> npt.NDArray[np.uint8]:
    """Distances to another label from the pixels that lie beside one, at most `FARTHEST`.

    Never more than the true distance, and up to 9 exact. The pixels that lie beside another are
    grown step by step, 64 pixels in a word; a pixel's distance is told by how many steps it takes
    to reach it.
    """
    width = beside.shape[1]
    reached, inside = _packed(beside), _packed(np.ones((1, width), bool))
    planes = [np.zeros_like(reached) for _ in range(PLANES)]
    distances = [1]
    far = 1
    for number, step in enumerate(STEPS, 1):
        missing = ~reached & inside
        if far >= FARTHEST or not missing.any():
            break
        distances.append(far + 1)
        # A pixel that is missing once was missing before, so the count of its times in binary is:
        # bit b changes with every 2**b-th time.
        for bit, plane in enumerate(planes):
            if number % (1 << bit) == 0:
                plane ^= missing
        far += step
        reached = _grown(reached, step)
    steps = np.zeros(beside.shape, np.uint8)
    for bit, plane in enumerate(planes):
        if len(distances) > 1 << bit:
            whole = np.unpackbits(plane.view(np.uint8), axis=1, count=width, bitorder="little")
            steps |= whole << bit
    return np.array(distances, np.uint8).take(steps)


def _packed(mask: BoolArray) -> _Bits:
    """Rows of pixels as words of 64 bits, the first pixel in the lowest bit."""
    packed = np.packbits(mask, axis=1, bitorder="little")
    rows = np.zeros((len(mask), -(-packed.shape[1] // 8) * 8), np.uint8)
    rows[:, : packed.shape[1]] = packed
    return rows.view("<u8")


def _grown(bits: _Bits, steps: int) -> _Bits:
    """The pixels at most so many steps from those given; below 64."""
    done = 0
    while done < steps:
        step = min(steps - done, 2 * done + 1)
        left, back = np.uint64(step), np.uint64(64 - step)
        wide = bits << left
        wide |= bits
        wide |= bits >> left
        wide[:, 1:] |= bits[:, :-1] >> back
        wide[:, :-1] |= bits[:, 1:] << back
        bits = wide.copy()
        bits[step:] |= wide[:-step]
        bits[:-step] |= wide[step:]
        done += step
    return bits
