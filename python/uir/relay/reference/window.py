"""Windows that slide over the spatial axes of a tensor of shape (n, c, *spatial).

In: attributes as an operator takes them; out: views of the windows.  Convolutions and poolings
share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .tensors import Array, check_one_of

__all__ = ["Window", "make_window", "of_length", "padded", "slide", "with_ceil_mode"]


class Window(NamedTuple):
    """The extents of a window, its steps and the padding, each by spatial axis."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    dilations: tuple[int, ...]
    is_same: bool = False
    """Whether there are as many windows as steps over the elements: none over no elements."""

    @property
    def spans(self) -> tuple[int, ...]:
        """How many elements a window reaches over."""
        pairs = zip(self.kernel, self.dilations, strict=True)
        return tuple((extent - 1) * dilation + 1 for extent, dilation in pairs)


def make_window(
    kernel: Sequence[int],
    strides: Sequence[int] | None,
    pads: Sequence[int] | None,
    dilations: Sequence[int] | None,
    auto_pad: str = "notset",
    spatial: Sequence[int] = (),
) -> Window:
    """Return a window; by default it takes steps of 1 and has neither padding nor dilation.

    Raises
    ------
    ValueError
        If an attribute has not an element for each spatial axis, `pads` two, or `auto_pad` is
        unknown or given beside `pads`.
    """
    rank = len(kernel)
    check_one_of("auto_pad", auto_pad, ("notset", "same_upper", "same_lower", "valid"))
    if pads is not None and auto_pad != "notset":
        raise ValueError(f"`pads` must be left out where `auto_pad` is `{auto_pad}`")
    steps = (1,) * rank if strides is None else of_length(rank, strides)
    padding = (0,) * (2 * rank) if pads is None else of_length(2 * rank, pads)
    spread = (1,) * rank if dilations is None else of_length(rank, dilations)
    for name, value, expected in (
        ("strides", steps, rank),
        ("pads", padding, 2 * rank),
        ("dilations", spread, rank),
    ):
        if len(value) != expected:
            raise ValueError(f"`{name}` has {len(value)} elements, expected {expected}")
    window = Window(tuple(kernel), steps, padding[:rank], padding[rank:], spread)
    if not auto_pad.startswith("same"):
        return window
    totals = [
        max(0, (-(-dim // step) - 1) * step + span - dim) if dim else 0
        for dim, step, span in zip(spatial, steps, window.spans, strict=True)
    ]
    return padded(window._replace(is_same=True), totals, auto_pad)


def of_length(count: int, value: Sequence[int]) -> tuple[int, ...]:
    """Return the elements of an attribute; a single one applies to all axes."""
    return tuple(value) * count if len(value) == 1 else tuple(value)


def padded(window: Window, totals: Sequence[int], auto_pad: str) -> Window:
    """Return the window with padding, whose odd element is after the others for `same_upper`."""
    less = tuple(total // 2 for total in totals)
    more = tuple(total - half for total, half in zip(totals, less, strict=True))
    before, after = (less, more) if auto_pad == "same_upper" else (more, less)
    return window._replace(before=before, after=after)


def with_ceil_mode(window: Window, spatial: Sequence[int]) -> Window:
    """Return the window with padding at the end, so that the last step is not cut off.

    A window that would start behind the elements and the padding before them is left out.
    """
    after = []
    for dim, span, stride, first, last in zip(
        spatial, window.spans, window.strides, window.before, window.after, strict=True
    ):
        starts = -(-(dim + first) // stride)
        count = -(-(dim + first + last - span) // stride) + 1
        needed = (min(count, starts) - 1) * stride + span - dim - first
        after.append(max(last if count <= starts else 0, needed))
    return window._replace(after=tuple(after))


def slide(x: Array, window: Window, fill: float) -> Array:
    """Return all windows, in shape (n, c, *places, *kernel); `fill` is the padding.

    Raises
    ------
    ValueError
        If a window is greater than the padded tensor.
    """
    if window.is_same and 0 in x.shape[2:]:
        steps = zip(x.shape[2:], window.strides, strict=True)
        places = [-(-dim // step) for dim, step in steps]
        return np.zeros((*x.shape[:2], *places, *window.kernel), x.dtype)
    widths = [(0, 0), (0, 0), *zip(window.before, window.after, strict=True)]
    whole = np.pad(x, widths, constant_values=fill)
    for axis, (dim, span) in enumerate(zip(whole.shape[2:], window.spans, strict=True)):
        if span > dim:
            raise ValueError(f"the window spans {span} of {dim} elements along axis {axis + 2}")
    # The type that NumPy declares has one axis alone.
    axes: Any = tuple(range(2, whole.ndim))
    views = sliding_window_view(whole, window.spans, axes)
    strided = [slice(None, None, step) for step in window.strides]
    holes = [slice(None, None, dilation) for dilation in window.dilations]
    index: tuple[slice | int, ...] = (slice(None), slice(None), *strided, *holes)
    return np.asarray(views[index])
