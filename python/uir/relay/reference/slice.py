"""Operators that cut tensors into parts, join them, and pad them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate

import numpy as np

from .tensors import Array, check, check_one_of, check_same, normalize_axes, normalize_axis

__all__ = ["concatenate", "pad", "split", "strided_slice"]


def concatenate(tensors: Sequence[Array], axis: int = 0) -> Array:
    """Join tensors along one axis."""
    if not tensors:
        raise ValueError("`tensors` is empty")
    check_same(**{f"tensors[{place}]": operand for place, operand in enumerate(tensors)})
    return np.concatenate(list(tensors), axis=normalize_axis(axis, tensors[0].ndim))


def split(
    x: Array,
    sizes: Sequence[int] | None = None,
    axis: int = 0,
    *,
    sections: int | None = None,
) -> tuple[Array, ...]:
    """Cut a tensor along one axis; of `sections` equal pieces the last one may be smaller."""
    axis = normalize_axis(axis, x.ndim)
    dim = x.shape[axis]
    if (sizes is None) == (sections is None):
        raise ValueError("exactly one of `sizes` and `sections` is expected")
    if sections is not None:
        if sections < 1:
            raise ValueError(f"`sections` is {sections}, expected at least 1")
        size = -(-dim // sections)
        pieces = [max(0, min(size, dim - place * size)) for place in range(sections)]
    else:
        pieces = list(sizes or ())
    if sum(pieces) != dim:
        raise ValueError(f"`sizes` {pieces} add up to {sum(pieces)}, expected {dim}")
    return tuple(np.split(x, list(accumulate(pieces))[:-1], axis=axis)) if pieces else ()


def strided_slice(
    x: Array,
    begin: Sequence[int],
    end: Sequence[int],
    *,
    axes: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Array:
    """Return `x[begin[i]:end[i]:strides[i]]` along each of `axes`, bounds clamped as in Python."""
    places = normalize_axes(range(len(begin)) if axes is None else axes, x.ndim)
    steps = [1] * len(places) if strides is None else list(strides)
    if not len(begin) == len(end) == len(places) == len(steps):
        raise ValueError("`begin`, `end`, `axes` and `strides` differ in length")
    if 0 in steps:
        raise ValueError("a stride is 0")
    parts = [slice(None)] * x.ndim
    for axis, first, last, step in zip(places, begin, end, steps, strict=True):
        parts[axis] = slice(first, last, step)
    return np.asarray(x[tuple(parts)])


def pad(
    x: Array,
    before: Sequence[int],
    after: Sequence[int],
    mode: str = "constant",
    value: Array | None = None,
    *,
    axes: Sequence[int] | None = None,
) -> Array:
    """Add elements before and after axes; negative counts remove them."""
    check("any", x=x, value=value)
    check_one_of("mode", mode, ("constant", *_PADDERS))
    over = normalize_axes(axes, x.ndim)
    if not len(before) == len(after) == len(over):
        raise ValueError(f"`before` and `after` need {len(over)} elements, one for each axis")
    if x.ndim == 0:
        return x.copy()
    given = dict(zip(over, zip(before, after, strict=True), strict=True))
    widths = [given.get(axis, (0, 0)) for axis in range(x.ndim)]
    kept = [
        slice(max(0, -first), max(0, dim - max(0, -last)))
        for (first, last), dim in zip(widths, x.shape, strict=True)
    ]
    added = [(max(0, first), max(0, last)) for first, last in widths]
    if mode != "constant":
        return _PADDERS[mode](x[tuple(kept)], added)
    fill = np.zeros((), x.dtype) if value is None else value.reshape(())
    return np.pad(x[tuple(kept)], added, constant_values=fill)


_PADDERS: Mapping[str, Callable[[Array, list[tuple[int, int]]], Array]] = {
    "edge": partial(np.pad, mode="edge"),
    "reflect": partial(np.pad, mode="reflect"),
    "symmetric": partial(np.pad, mode="symmetric"),
    "wrap": partial(np.pad, mode="wrap"),
}
