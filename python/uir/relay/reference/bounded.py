"""Rows that are stored as far as there may be some, and their number."""

from __future__ import annotations

import numpy as np

from .tensors import Array, check

__all__ = ["first_rows", "non_max_suppression", "nonzero"]


def first_rows(x: Array, count: Array, *, size: int) -> Array:
    """Return the first rows of a tensor; `size` is their number."""
    if count.ndim or count.dtype.kind not in "iu":
        raise TypeError(f"`count` must be an integer of shape (), got {count.dtype} {count.shape}")
    if not 0 <= size <= len(x):
        raise ValueError(f"the number of first rows must be from 0 to {len(x)}, got {size}")
    return x[:size]


def nonzero(x: Array) -> tuple[Array, Array]:
    """Return the indices of elements that are not 0, in rows, and their number."""
    return filled(np.argwhere(x.astype(bool) if x.dtype.kind != "V" else x != 0), x.size)


def filled(found: Array, most: int) -> tuple[Array, Array]:
    """Return rows with rows of 0 behind them, and their number."""
    rows = np.zeros((most, found.shape[1]), np.int64)
    rows[: len(found)] = found
    return rows, np.array(len(found), np.int64)


def non_max_suppression(
    boxes: Array,
    scores: Array,
    iou_threshold: Array,
    score_threshold: Array | None = None,
    *,
    max_output: int,
    center_point_box: bool = False,
) -> tuple[Array, Array]:
    """Return boxes of high scores of which no two overlap much, and their number."""
    check("float", boxes=boxes, scores=scores)
    if max_output < 0:
        raise ValueError(f"`max_output` must be 0 or more, got {max_output}")
    wide = boxes.astype(np.float64 if boxes.dtype == np.float64 else np.float32)
    low, high = corners(wide, center_point_box)
    found = [
        (image, kind, box)
        for image, kind in np.ndindex(scores.shape[:2])
        for box in selected(
            *(low[image], high[image], scores[image, kind].astype(wide.dtype)),
            *(iou_threshold, score_threshold, max_output),
        )
    ]
    most = scores.shape[0] * scores.shape[1] * min(max_output, scores.shape[2])
    return filled(np.array(found, np.int64).reshape(-1, 3), most)


def corners(boxes: Array, center_point_box: bool) -> tuple[Array, Array]:
    """Return the least and the greatest coordinates of boxes."""
    first, second = boxes[..., :2], boxes[..., 2:]
    if center_point_box:
        half = second / boxes.dtype.type(2)
        return first - half, first + half
    return np.minimum(first, second), np.maximum(first, second)


def selected(
    low: Array,
    high: Array,
    scores: Array,
    iou_threshold: Array,
    score_threshold: Array | None,
    max_output: int,
) -> list[int]:
    """Return the boxes of one class of an image that no box of a higher score suppresses."""
    chosen: list[int] = []
    # The greatest of equal scores is the last one of the sorted ones, in the opposite order.
    for box in len(scores) - 1 - np.argsort(scores[::-1], kind="stable")[::-1]:
        if len(chosen) == max_output:
            break
        if score_threshold is not None and not score_threshold < scores[box]:
            continue
        if not any(overlap(low, high, box, one, iou_threshold) for one in chosen):
            chosen.append(int(box))
    return chosen


def overlap(low: Array, high: Array, one: int, other: int, iou_threshold: Array) -> bool:
    """Return whether the intersection over union of two boxes exceeds a threshold."""
    extent = np.minimum(high[one], high[other]) - np.maximum(low[one], low[other])
    common = extent[1] * extent[0]
    areas = [np.prod((high[box] - low[box])[::-1]) for box in (one, other)]
    united = areas[0] + areas[1] - common
    if not all(part > 0 for part in (*extent, common, *areas, united)):
        return False
    return bool(iou_threshold < common / united)
