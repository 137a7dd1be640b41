"""How far a line may run before anything can change: a distance field over the pixels.

For each pixel, the distance in pixels (the larger of columns and rows) to the nearest pixel of
another active class, inactive pixels counting as one class. A line that stands on a pixel with
distance k may skip k - 1 columns at once. It pays on boards whose terrain is drawn in solid areas;
dotted terrain (grain on many boards) has no distances to speak of.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import BoolArray

NOISE_SHARE = 0.1
"""Share of pixels beside another class from which on no field is made."""

Labels = npt.NDArray[np.int32]


def distance_field(labels: Labels) -> npt.NDArray[np.uint8] | None:
    """Distances to the nearest pixel of another label, up to 255, ``[y, x]``; None if too noisy."""
    beside = _beside_another(labels)
    if beside.mean() > NOISE_SHARE:
        return None
    field = np.where(beside, np.int16(1), np.int16(255))
    ramp = np.arange(labels.shape[1], dtype=np.int16)
    for rows in (range(len(field)), range(len(field) - 1, -1, -1)):
        before: npt.NDArray[np.int16] | None = None
        for y in rows:
            before = _spread(field[y], before, ramp)
    return np.minimum(field, 255).astype(np.uint8)


def _beside_another(labels: Labels) -> BoolArray:
    """Pixels with another label among their eight neighbours."""
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


def _spread(
    row: npt.NDArray[np.int16],
    before: npt.NDArray[np.int16] | None,
    ramp: npt.NDArray[np.int16],
) -> npt.NDArray[np.int16]:
    """Lower the distances of a row to what the row before it and its own pixels allow."""
    if before is not None:
        near = before.copy()
        np.minimum(near[1:], before[:-1], out=near[1:])
        np.minimum(near[:-1], before[1:], out=near[:-1])
        np.minimum(row, near + 1, out=row)
    rightward = np.minimum.accumulate(row - ramp) + ramp
    leftward = np.minimum.accumulate((row + ramp)[::-1])[::-1] - ramp
    np.minimum(rightward, leftward, out=row)
    return row
