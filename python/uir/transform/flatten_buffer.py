"""Flattening of multi-dimensional buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import make_pass

if TYPE_CHECKING:
    from uir_nodes.transform import Pass

__all__ = ["FlattenBuffer"]


def FlattenBuffer() -> Pass:
    """Return a pass that flattens multi-dimensional buffers to one dimension.

    Strides and offsets become part of the indices, which are simplified. With `axis_separators`,
    each group of dimensions becomes one. Parameters keep their buffers; the body declares flat
    views of them.

    Returns
    -------
    Pass
        The pass, of level 0. It raises ValueError for a block that matches buffers.
    """
    return make_pass("FlattenBuffer")
